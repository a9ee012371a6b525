#include "scree/io/run_directory.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "scree/core/error.hpp"
#include "scree/io/files.hpp"
#include "scree/io/obstacles.hpp"
#include "scree/io/sha256.hpp"
#include "unit/io/io_fixture.hpp"

namespace scree {
namespace {

using nlohmann::json;

class RunDirectories : public InDirectory {
 protected:
  RunInputs inputs() const {
    RunInputs in;
    in.scene_name = "pile";
    in.scene_file = "pile.yaml";
    in.scene_source = "scree: 1\n";
    in.scene_resolved = "scree: 1\nall: there\n";
    in.pictures = {{"energy", "energy", "{\"title\": \"E\"}"}};
    in.materials = {"glass", "steel"};
    return in;
  }
  json manifest() const { return json::parse(text_of(run / "manifest.json")); }

  std::filesystem::path run = directory / "run";
};

TEST_F(RunDirectories, HoldWhatWentIn) {
  const RunDirectory made(run, inputs(), OldRun::refuse);
  EXPECT_EQ(text_of(run / "scene.yaml"), "scree: 1\n");
  EXPECT_EQ(text_of(run / "resolved.yaml"), "scree: 1\nall: there\n");
  EXPECT_EQ(manifest()["status"], "running");
  EXPECT_EQ(manifest()["scene"]["sha256"], sha256("scree: 1\n"));
  EXPECT_EQ(manifest()["pictures"][0]["options"]["title"], "E");
  EXPECT_EQ(manifest()["materials"], (json{"glass", "steel"}));
  EXPECT_FALSE(manifest()["commit"].get<std::string>().empty());
}

TEST_F(RunDirectories, OfARunKilledAtItsFirstFileAreNone) {
  std::filesystem::create_directories(run);
  std::ofstream(run / "manifest.json.part") << "{\"program\":";
  EXPECT_EQ(directory_content(run), DirectoryContent::nothing);
  { const RunDirectory made(run, inputs(), OldRun::refuse); }
  EXPECT_EQ(manifest()["status"], "running");
  EXPECT_FALSE(std::filesystem::exists(run / "manifest.json.part"));
}

TEST_F(RunDirectories, AreEmptiedOfDirectoriesWhoseFirstFileNeverCame) {
  RunInputs in = inputs();
  in.analyses = {"bulk"};
  { const RunDirectory made(run, in, OldRun::refuse); }
  for (const char* name : {"restart", "analysis/bulk/frames"})
    std::filesystem::create_directories(run / name);
  in.analyses.clear();
  const RunDirectory made(run, in, OldRun::replace);
  // Remaining files without a manifest would not be recognised as a run.
  EXPECT_FALSE(std::filesystem::exists(run / "restart"));
  EXPECT_FALSE(std::filesystem::exists(run / "analysis"));
}

TEST_F(RunDirectories, HoldGravityAndWhereBodiesComeAndGo) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  RunInputs in = inputs();
  in.gravity = {0, 0, -9.81};
  in.inflows = {{"plate", {0, 1, 2}, {0, 3, 4}}};
  in.outflows = {{"end", {5, -kInfinity, 0}, {kInfinity, kInfinity, 1}}};
  const RunDirectory made(run, in, OldRun::refuse);
  EXPECT_EQ(manifest()["gravity"], json({0, 0, -9.81}));
  EXPECT_EQ(manifest()["inflows"][0],
            (json{{"name", "plate"}, {"min", {0, 1, 2}}, {"max", {0, 3, 4}}}));
  EXPECT_EQ(manifest()["outflows"][0]["min"], json({5, nullptr, 0}));
  EXPECT_EQ(manifest()["outflows"][0]["max"], json({nullptr, nullptr, 1}));
}

TEST_F(RunDirectories, AreReplacedWithTheirOwnAnalysesOnly) {
  RunInputs in = inputs();
  in.analyses = {"bulk"};
  { const RunDirectory made(run, in, OldRun::refuse); }
  for (const char* file :
       {"bulk/rdf.csv", "bulk/rdf.png", "bulk/frames/force_chains_000000.hdf", "bulk/analysis.json",
        "bulk/force_chains.hdf.series", "other/rdf.csv", "rdf.csv"}) {
    std::filesystem::create_directories((run / "analysis" / file).parent_path());
    std::ofstream(run / "analysis" / file) << "x";
  }
  { const RunDirectory made(run, inputs(), OldRun::replace); }
  EXPECT_FALSE(std::filesystem::exists(run / "analysis/bulk"));
  EXPECT_TRUE(std::filesystem::exists(run / "analysis/other/rdf.csv"));
  EXPECT_TRUE(std::filesystem::exists(run / "analysis/rdf.csv"));
}

TEST_F(RunDirectories, TellHowTheRunEnded) {
  const RunDirectory made(run, inputs(), OldRun::refuse);
  write_file(run / "frames/grains_000000.hdf", "frame");
  made.finish({RunOutcome::Status::done, 0, "all well"});
  EXPECT_EQ(text_of(run / "DONE"), "all well\n");
  EXPECT_EQ(manifest()["status"], "done");
  EXPECT_EQ(manifest()["outputs"]["frames/grains_000000.hdf"], sha256("frame"));
  made.leave_failed({RunOutcome::Status::failed, 4, "no disk"});
  EXPECT_EQ(text_of(run / "FAILED"), "no disk\n");
}

TEST_F(RunDirectories, AreNotReplacedUnasked) {
  { const RunDirectory made(run, inputs(), OldRun::refuse); }
  const auto before = text_of(run / "manifest.json");
  RunInputs other = inputs();
  other.scene_source = "other";
  EXPECT_THROW(RunDirectory(run, other, OldRun::refuse), InputError);
  EXPECT_EQ(text_of(run / "manifest.json"), before);
  EXPECT_EQ(text_of(run / "scene.yaml"), "scree: 1\n");
}

TEST_F(RunDirectories, AreReplacedWhenAskedButForWhatIsNotOurs) {
  {
    const RunDirectory made(run, inputs(), OldRun::refuse);
    write_file(run / "frames/grains_000007.hdf", "frame");
    write_file(run / "pictures/energy.png", "picture");
    write_file(run / "DONE", "");
    write_file(run / "notes.txt", "the user's");
    write_file(run / "frames/mine.hdf", "the user's");
  }
  const RunDirectory made(run, inputs(), OldRun::replace);
  EXPECT_FALSE(std::filesystem::exists(run / "frames/grains_000007.hdf"));
  EXPECT_FALSE(std::filesystem::exists(run / "pictures/energy.png"));
  EXPECT_FALSE(std::filesystem::exists(run / "DONE"));
  EXPECT_TRUE(std::filesystem::exists(run / "notes.txt"));
  EXPECT_TRUE(std::filesystem::exists(run / "frames/mine.hdf"));
}

TEST_F(RunDirectories, AreNeverMadeOverSomethingElse) {
  std::filesystem::create_directories(run / "frames");
  write_file(run / "thesis.tex", "years of work");
  write_file(run / "manifest.json", "{\"program\": \"another\"}");
  for (const OldRun old_run : {OldRun::refuse, OldRun::replace, OldRun::go_on})
    EXPECT_THROW(RunDirectory(run, inputs(), old_run), InputError);
  EXPECT_THROW(RunDirectory(run / "thesis.tex", inputs(), OldRun::replace), InputError);
  EXPECT_EQ(text_of(run / "thesis.tex"), "years of work");
  EXPECT_EQ(directory_content(run), DirectoryContent::something_else);
}

TEST_F(RunDirectories, MayBeMadeInAnEmptyDirectory) {
  std::filesystem::create_directories(run);
  const RunDirectory made(run, inputs(), OldRun::refuse);
  EXPECT_EQ(directory_content(run), DirectoryContent::run);
}

TEST_F(RunDirectories, DoNotReachOutsideThroughTheNamesOfPictures) {
  RunInputs in = inputs();
  in.pictures = {{"energy", "../../precious", "{}"}};
  write_file(directory / "precious.png", "keep");
  { const RunDirectory made(run, in, OldRun::refuse); }
  const RunDirectory made(run, in, OldRun::replace);
  EXPECT_EQ(text_of(directory / "precious.png"), "keep");
}

TEST_F(RunDirectories, DoNotReachOutsideThroughLinks) {
  { const RunDirectory made(run, inputs(), OldRun::refuse); }
  std::filesystem::remove_all(run / "frames");
  std::filesystem::create_directories(directory / "elsewhere");
  write_file(directory / "elsewhere/grains_000000.hdf", "keep");
  std::filesystem::create_directory_symlink(directory / "elsewhere", run / "frames");
  const RunDirectory made(run, inputs(), OldRun::replace);
  EXPECT_EQ(text_of(directory / "elsewhere/grains_000000.hdf"), "keep");
}

TEST_F(RunDirectories, TellWhereTheyCannotBeMade) {
  write_file(directory / "file", "");
  EXPECT_THROW(RunDirectory(directory / "file" / "run", inputs(), OldRun::refuse), OutputError);
}

TEST(Obstacles, AreDescribedWhereTheyStandNow) {
  Model model;
  model.materials = {{"steel", 7800}};
  model.obstacles.push_back({"drum", Cylinder{0.5, 0.2}, {}, 0, [](double) { return Twist{}; }});
  State state;
  state.time = 2;
  state.obstacles.push_back({{{1, 2, 3}, {0, 1, 0, 0}}, {}});
  const json all = json::parse(obstacles_json(model, state));
  const json& drum = all["obstacles"][0];
  EXPECT_EQ(all["time"], 2);
  EXPECT_EQ(drum["shape"], "cylinder");
  EXPECT_EQ(drum["half_length"], 0.2);
  EXPECT_EQ(drum["position"], json({1, 2, 3}));
  EXPECT_EQ(drum["quaternion"], json({0, 1, 0, 0}));
  EXPECT_EQ(drum["moving"], true);
  EXPECT_EQ(drum["material"], "steel");
}

}  // namespace
}  // namespace scree

/// scree analyse: what the frames of a run say of its packing, as tables.
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

#include "analysis_tables.hpp"
#include "commands.hpp"
#include "exit_status.hpp"
#include "scree/io/files.hpp"
#include "scree/io/frames.hpp"
#include "scree/io/run_directory.hpp"

namespace scree::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// How far the radial distribution function reaches, in mean radii: five diameters.
constexpr double kPairReach = 10;

/// Cells of a velocity profile; more would fill memory, and hold no body each.
constexpr std::size_t kMostCells = 10'000'000;

/// Files of one time.
struct FrameFiles {
  fs::path grains;
  std::optional<fs::path> contacts;  ///< the scene may do without them
};

/// The files that a series lists; none if there is no series.
std::vector<fs::path> files_of(const fs::path& series) {
  std::vector<fs::path> files;
  if (!fs::exists(series)) return files;
  const Json json = Json::parse(read_file(series), nullptr, false);
  if (!json.is_object() || !json.contains("files"))
    throw InputError(fmt::format("{} is no series of frames, or damaged", series.string()));
  for (const Json& file : json["files"]) files.push_back(series.parent_path() / file.at("name").get<std::string>());
  return files;
}

std::vector<FrameFiles> last_frames(const AnalyseOptions& options) {
  if (directory_content(options.run) != DirectoryContent::run)
    throw InputError(fmt::format("{} holds no run of scree (there is no manifest.json of one)", options.run.string()));
  const auto grains = files_of(options.run / "grains.hdf.series"),
             contacts = files_of(options.run / "contacts.hdf.series");
  if (grains.empty()) throw InputError(fmt::format("{} has no frames yet", options.run.string()));
  std::vector<FrameFiles> frames;
  const std::size_t count = options.frames == 0 ? grains.size() : std::min(options.frames, grains.size());
  for (std::size_t k = grains.size() - count; k < grains.size(); ++k)
    frames.push_back({grains[k], k < contacts.size() ? std::optional(contacts[k]) : std::nullopt});
  return frames;
}

/// What has to be known of all frames before the first is analysed.
struct Extent {
  std::vector<Vec3> corners;  ///< of the boxes that hold each frame's centres
  double radius_sum = 0;      ///< [m]
  std::size_t bodies = 0;     ///< in all frames
};

Extent extent_of(const std::vector<FrameFiles>& frames) {
  Extent extent;
  for (const FrameFiles& files : frames) {
    const Bodies bodies = read_grains(files.grains).bodies;
    extent.bodies += bodies.size();
    for (const double radius : bodies.radius) extent.radius_sum += radius;
    const Region box = bounding_region(bodies.position);
    if (box == Region{}) continue;
    extent.corners.insert(extent.corners.end(), {box.min, box.max});
  }
  return extent;
}

Region region_of(const AnalyseOptions& options, const Extent& extent) {
  const std::vector<double>& r = options.region;
  if (r.empty()) {
    const Region box = bounding_region(extent.corners);
    // A single layer has a thickness of one rounding.
    const Vec3 e = box.extent();
    if (!(std::min({e.x, e.y, e.z}) > 1e-9 * std::max({e.x, e.y, e.z})))
      throw InputError(
          "the centres of the bodies span no volume; give one, in metres: --region xmin,ymin,zmin,xmax,ymax,zmax");
    return box;
  }
  const Region region{{r[0], r[1], r[2]}, {r[3], r[4], r[5]}};
  if (!is_finite(region.min) || !is_finite(region.max) || !(region.volume() > 0))
    throw InputError(
        "--region has no volume; it is xmin,ymin,zmin,xmax,ymax,zmax in metres, each max larger than its min");
  return region;
}

AnalysisSettings settings_of(const AnalyseOptions& options, const Extent& extent) {
  if (extent.bodies == 0) throw InputError("there is no body in these frames; take others with --frames");
  AnalysisSettings settings;
  settings.region = region_of(options, extent);
  settings.bins = options.bins;
  settings.least_contacts = options.least_contacts;
  std::copy(options.cells.begin(), options.cells.end(), settings.cells.begin());
  if (Grid{settings.region, settings.cells}.size() > kMostCells)
    throw InputError(fmt::format("--cells asks for more than {} cells; take fewer along some axis", kMostCells));
  const Vec3 e = settings.region.extent();
  settings.r_max = std::min({e.x, e.y, e.z, kPairReach * extent.radius_sum / static_cast<double>(extent.bodies)});
  return settings;
}

Json as_json(const Vec3& v) { return {v.x, v.y, v.z}; }

void print_result(const AnalyseOptions& options, const fs::path& out, const AnalysisTables& tables,
                  const std::vector<std::string>& files) {
  const FrameFigures& last = tables.last();
  const Region& region = tables.settings().region;
  if (options.json) {
    Json json{
        {"status", "done"},
        {"exit_status", kDone},
        {"run", options.run.string()},
        {"directory", out.string()},
        {"frames", tables.frames()},
        {"region", {{"min", as_json(region.min)}, {"max", as_json(region.max)}}},
        {"files", files},
        {"last",
         {{"time", last.time}, {"step", last.step}, {"bodies", last.bodies}, {"solid_fraction", last.solid_fraction}}}};
    if (last.contacts) {
      json["last"].update(Json{{"coordination_number", last.contacts->coordination_number},
                               {"coordination_number_backbone", last.contacts->coordination_number_backbone},
                               {"rattlers", last.contacts->rattlers},
                               {"pressure", last.pressure}});
    }
    std::printf("%s\n", json.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
    return;
  }
  std::printf("%s, %zu frame%s, in the region from (%.4g, %.4g, %.4g) to (%.4g, %.4g, %.4g) m; at t = %.6g s:\n",
              options.run.c_str(), tables.frames(), tables.frames() == 1 ? "" : "s", region.min.x, region.min.y,
              region.min.z, region.max.x, region.max.y, region.max.z, last.time);
  std::printf("  solid fraction       %.4f, %zu bodies\n", last.solid_fraction, last.bodies);
  if (last.contacts) {
    const ContactStatistics& c = *last.contacts;
    std::printf("  coordination number  %.3f", c.coordination_number);
    if (c.rattlers < c.bodies)
      std::printf("; %.3f without %zu rattlers\n", c.coordination_number_backbone, c.rattlers);
    else
      std::printf("; no backbone of bodies with %zu contacts (see --least-contacts)\n", options.least_contacts);
    std::printf("  pressure             %.4g Pa\n", last.pressure);
  } else {
    std::printf("  no contacts were solved or written for this frame\n");
  }
  std::printf("Tables are in %s:", out.c_str());
  for (const std::string& file : files) std::printf(" %s", file.c_str());
  std::printf("\n");
}

}  // namespace

int analyse_run(const AnalyseOptions& options) {
  const auto frames = last_frames(options);
  AnalysisTables tables(settings_of(options, extent_of(frames)));
  for (const FrameFiles& files : frames) {
    const GrainsFrame grains = read_grains(files.grains);
    std::optional<ContactsFrame> contacts;
    if (files.contacts) contacts = read_contacts(*files.contacts);
    if (contacts && contacts->step != grains.step)
      throw InputError(fmt::format("{} and {} are of different steps, {} and {}", files.grains.string(),
                                   files.contacts->string(), grains.step, contacts->step));
    // What was there before the first step touched nothing yet.
    tables.add(grains, contacts && grains.step > 0 ? &contacts->contacts : nullptr);
  }
  const fs::path out = options.out.empty() ? options.run / "analysis" : options.out;
  print_result(options, out, tables, tables.write(out));
  return kDone;
}

}  // namespace scree::cli

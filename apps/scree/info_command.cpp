/// scree info, schema and --version: what is there.
#include <cstdio>
#include <fmt/format.h>

#include "commands.hpp"
#include "exit_status.hpp"
#include "scree/io/build_info.hpp"
#include "scree/io/checkpoint.hpp"
#include "scree/io/files.hpp"
#include "scree/io/frames.hpp"
#include "scree/io/json_text.hpp"
#include "scree/io/run_directory.hpp"
#include "scree/scene/scene.hpp"

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

void print(const Json& json) { std::fputs(as_text(json).c_str(), stdout); }

int show_frame(const InfoOptions& options) {
  const FrameSummary frame = summarise_frame(options.path);
  if (options.json) {
    Json arrays = Json::array();
    for (const FrameArray& a : frame.arrays) {
      arrays.push_back({{"name", a.name}, {"components", a.components}, {"min", a.min}, {"max", a.max}});
    }
    print({{"type", "frame"},
           {"kind", frame.kind},
           {"time", frame.time},
           {"step", frame.step},
           {"points", frame.points},
           {"arrays", arrays}});
    return kDone;
  }
  std::printf("frame of %zu %s at t = %.9g s, step %llu\n", frame.points, frame.kind.c_str(), frame.time,
              static_cast<unsigned long long>(frame.step));
  for (const FrameArray& a : frame.arrays) {
    std::printf("  %-18s %zu component%s  %.6g to %.6g\n", a.name.c_str(), a.components, a.components == 1 ? " " : "s",
                a.min, a.max);
  }
  return kDone;
}

/// Number of frames in a series file; 0 if there is none.
std::size_t frames_in(const fs::path& series) {
  if (!fs::exists(series)) return 0;
  const Json json = Json::parse(read_file(series), nullptr, false);
  return json.is_object() && json.contains("files") ? json["files"].size() : 0;
}

/// What a manifest says that was left while the run went on: a run that was killed, or found the disk full, could not say more.
std::string status_now(const fs::path& run, const Json& manifest) {
  std::string status = manifest.value("status", "-");
  if (status != "running") return status;
  try {
    const RunLock nobody_writes(run);
    return fs::exists(run / "FAILED") ? "failed" : "killed";
  } catch (const InputError&) {
    return status;
  }
}

int show_run(const InfoOptions& options) {
  Json manifest = Json::parse(read_file(options.path / "manifest.json"));
  manifest["status"] = status_now(options.path, manifest);
  manifest["frames"] = frames_in(options.path / "grains.hdf.series");
  manifest["checkpoints"] = Json::array();
  for (const fs::path& file : CheckpointFiles(options.path).list())
    manifest["checkpoints"].push_back(
        {{"file", file.lexically_relative(options.path).string()}, {"step", step_of_checkpoint(file)}});
  if (options.json) {
    Json all{{"type", "run"}};
    all.update(manifest);
    if (const fs::path certified = options.path / "verdict.json"; fs::exists(certified))
      all["certified"] = Json::parse(read_file(certified), nullptr, false);
    print(all);
    return kDone;
  }
  const auto text = [&](const char* key) { return manifest.contains(key) ? manifest[key].get<std::string>() : "-"; };
  std::printf("run of %s: %s\n", manifest["scene"]["name"].get<std::string>().c_str(), text("status").c_str());
  std::printf("  scene     %s\n", manifest["scene"]["file"].get<std::string>().c_str());
  std::printf("  scree     %s, commit %s%s\n", text("version").c_str(), text("commit").c_str(),
              manifest.value("modified", false) ? ", modified" : "");
  std::printf("  machine   %s, %d threads\n", manifest["machine"]["cpu"].get<std::string>().c_str(),
              manifest.value("threads", 0));
  std::printf("  time      %s to %s\n", text("started").c_str(), text("ended").c_str());
  std::printf("  frames    %zu\n", manifest["frames"].get<std::size_t>());
  for (const Json& checkpoint : manifest["checkpoints"])
    std::printf("  restart   %s\n", checkpoint["file"].get<std::string>().c_str());
  if (manifest.contains("verdict"))
    std::printf("%s\n", text("verdict").c_str());
  else if (fs::exists(options.path / "FAILED"))
    std::printf("%s", read_file(options.path / "FAILED").c_str());
  if (manifest["status"] == "killed" || manifest["status"] == "failed")
    std::printf("scree run with --resume goes on from the last file in restart/, or begins anew if there is none.\n");
  return kDone;
}

}  // namespace

int show_info(const InfoOptions& options) {
  if (!fs::exists(options.path)) {
    throw InputError(fmt::format("cannot read {}: no such file or directory; check the path", options.path.string()));
  }
  if (fs::is_directory(options.path)) {
    if (directory_content(options.path) != DirectoryContent::run) {
      throw InputError(
          fmt::format("{} holds no run of scree (there is no manifest.json of one)", options.path.string()));
    }
    return show_run(options);
  }
  if (options.path.extension() == ".hdf") return show_frame(options);
  if (options.path.extension() == ".yaml" || options.path.extension() == ".yml") {
    return check_scene({options.path, {}, options.json});
  }
  throw InputError(
      fmt::format("{} is neither a run directory, nor a frame (.hdf), nor a scene (.yaml)", options.path.string()));
}

int print_schema() {
  const auto schema = scene_schema();
  std::printf("%.*s\n", static_cast<int>(schema.size()), schema.data());
  return kDone;
}

std::string version_text() {
  const BuildInfo build = build_info();
  std::string text = fmt::format("scree {}\ncommit {}{}\n{}, {}", build.version, build.commit,
                                 build.modified ? " (modified)" : "", build.compiler, build.build_type);
  for (const auto& [name, version] : build.libraries) text += fmt::format(", {} {}", name, version);
  return text + fmt::format("\nkernels for {}", machine_info().instruction_set);
}

}  // namespace scree::cli

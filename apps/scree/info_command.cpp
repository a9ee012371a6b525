/// scree info, schema and --version: describes runs, frames, scenes and the program.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fmt/format.h>
#include <string_view>

#include "commands.hpp"
#include "say.hpp"
#include "scree/io/build_info.hpp"
#include "scree/io/checkpoint.hpp"
#include "scree/io/files.hpp"
#include "scree/io/frames.hpp"
#include "scree/io/json_text.hpp"
#include "scree/io/parsed_json.hpp"
#include "scree/io/run_manifest.hpp"
#include "scree/run/exit_status.hpp"
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
      arrays.push_back({{"name", a.name},
                        {"components", a.components},
                        {"min", a.min},
                        {"max", a.max},
                        {"not_finite", a.not_finite}});
    }
    print({{"type", "frame"},
           {"kind", frame.kind},
           {"time", frame.time},
           {"step", frame.step},
           {"points", frame.points},
           {"arrays", arrays}});
    return kDone;
  }
  say(stdout, "frame of {} {} at t = {:.9g} s, step {}\n", frame.points, frame.kind, frame.time,
      frame.step);
  for (const FrameArray& a : frame.arrays) {
    say(stdout, "  {:<18} {} component{}  {:.6g} to {:.6g}{}\n", a.name, a.components,
        a.components == 1 ? " " : "s", a.min, a.max,
        a.not_finite > 0 ? fmt::format("; {} not finite", a.not_finite) : "");
  }
  return kDone;
}

/// The content of verdict.json: how well the run was solved.
Json certified(const fs::path& verdict) {
  Json json = parsed_json(read_file(verdict));
  if (!json.is_object())
    throw InputError(
        fmt::format("{} is damaged; put the file back as the run wrote it", verdict.string()));
  return json;
}

/// A word of a command line, in quotes if a shell would change it.
std::string shell_word(const std::string& word) {
  const auto is_plain = [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_-+=.,:/").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

/// The command that continues a run.
std::string how_to_continue(const fs::path& run, const RunManifest& manifest, bool has_checkpoint) {
  std::string command =
      fmt::format("scree run {} --out {} --resume", shell_word(manifest.text("/scene/file")),
                  shell_word(run.string()));
  if (manifest.has("/scene/overrides"))
    for (const Json& set : manifest.list("/scene/overrides"))
      if (set.is_string()) command += " --set " + shell_word(set.get<std::string>());
  return fmt::format("To {}:\n  {}\n",
                     has_checkpoint ? "continue from the last file in restart/"
                                    : "start again, as there is no file in restart/",
                     command);
}

void print_run(const InfoOptions& options, const RunManifest& manifest, std::size_t frames,
               const Json& checkpoints) {
  const std::string status = manifest.status();
  say(stdout, "run of {}: {}\n", manifest.text("/scene/name"), status);
  say(stdout, "  scene     {}\n", manifest.text("/scene/file"));
  say(stdout, "  scree     {}, commit {}{}\n", manifest.text("/version"), manifest.text("/commit"),
      manifest.truth("/modified") ? ", modified" : "");
  say(stdout, "  machine   {}, {} threads\n", manifest.text("/machine/cpu"),
      manifest.whole_number("/threads"));
  say(stdout, "  time      {} to {}\n", manifest.text("/started"),
      manifest.has("/ended") ? manifest.text("/ended") : "-");
  say(stdout, "  frames    {}\n", frames);
  for (const Json& checkpoint : checkpoints)
    say(stdout, "  restart   {}\n", checkpoint["file"].get<std::string>());
  if (manifest.has("/verdict"))
    say(stdout, "{}\n", manifest.text("/verdict"));
  else if (status == "failed")
    say(stdout, "{}", read_file(options.path / "FAILED"));
  if (status == "killed" || status == "failed" || status == "interrupted")
    say(stdout, "{}", how_to_continue(options.path, manifest, !checkpoints.empty()));
}

int show_run(const InfoOptions& options) {
  const RunManifest manifest(options.path);
  const std::size_t frames = read_series(options.path / "grains.hdf.series").size();
  Json checkpoints = Json::array();
  for (const fs::path& file : CheckpointFiles(options.path).list())
    checkpoints.push_back({{"file", file.lexically_relative(options.path).string()},
                           {"step", step_of_checkpoint(file)}});
  const std::vector<std::string> objections = manifest.objections();
  for (const std::string& objection : objections)
    say(stderr, "warning: {}: do not trust the output below\n", objection);
  if (!options.json) {
    print_run(options, manifest, frames, checkpoints);
    return kDone;
  }
  Json all{{"type", "run"}};
  all.update(manifest.json());
  all.update(Json{{"status", manifest.status()},
                  {"frames", frames},
                  {"checkpoints", checkpoints},
                  {"objections", objections}});
  if (const fs::path verdict = options.path / "verdict.json"; fs::exists(verdict))
    all["certified"] = certified(verdict);
  print(all);
  return kDone;
}

}  // namespace

int show_info(const InfoOptions& options) {
  if (!fs::exists(options.path)) {
    throw InputError(fmt::format("cannot read {}: no such file or directory; check the path",
                                 options.path.string()));
  }
  if (fs::is_directory(options.path)) return show_run(options);
  if (options.path.extension() == ".hdf") return show_frame(options);
  if (options.path.extension() == ".yaml" || options.path.extension() == ".yml") {
    return check_scene({options.path, {}, options.json});
  }
  throw InputError(
      fmt::format("{} is not a run directory, a frame (.hdf) or a scene (.yaml); check the path",
                  options.path.string()));
}

int print_schema() {
  const auto schema = scene_schema();
  std::printf("%.*s\n", static_cast<int>(schema.size()), schema.data());
  return kDone;
}

std::string version_text() {
  const BuildInfo build = build_info();
  std::string text = fmt::format("scree {}\n", build.version);
  if (build.commit != "unknown")
    text += fmt::format("commit {}{}\n", build.commit, build.modified ? " (modified)" : "");
  text += fmt::format("{} for {}, {}: {}\nwith", build.compiler, build.baseline, build.build_type,
                      build.flags);
  for (const auto& [name, version] : build.libraries) text += fmt::format(" {} {},", name, version);
  text.back() = '\n';
  return text + fmt::format("kernels for {}", machine_info().instruction_set);
}

}  // namespace scree::cli

/// scree run: simulates a scene and writes its frames, statistics and verdict.
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>

#include "commands.hpp"
#include "run_reporter.hpp"
#include "say.hpp"
#include "scree/core/spelling.hpp"
#include "scree/io/run_directory.hpp"
#include "scree/run/exit_status.hpp"
#include "scree/run/run.hpp"
#include "scree/sim/steps.hpp"

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

/// Result of --resume for a run that is complete already.
Json complete_json(const RunOutcome& outcome, const fs::path& directory) {
  return {{"status", "done"},
          {"exit_status", outcome.exit_status},
          {"directory", directory.string()},
          {"verdict", outcome.verdict},
          {"steps_now", 0}};
}

/// Warning for --resume where there is no run, with the run next to it that has the most similar
/// name. Empty if the directory holds a run.
std::string no_run_to_resume(const fs::path& directory) {
  if (directory_content(directory) == DirectoryContent::run) return "";
  const fs::path path = (directory / "").lexically_normal().parent_path();  // no slash at its end
  std::vector<std::string> runs;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(fs::absolute(path).parent_path(), ignored))
    if (fs::exists(entry.path() / "manifest.json", ignored))
      runs.push_back(entry.path().filename().string());
  std::ranges::sort(runs);  // directories have no order
  const std::vector<std::string> similar = nearest(path.filename().string(), runs);
  return fmt::format(
      "--resume: there is no run in {}; the run starts from t = 0{}", directory.string(),
      similar.empty() ? ""
                      : fmt::format("; did you mean --out {}?",
                                    (path.parent_path() / similar.front()).string()));
}

}  // namespace

int run_scene(const RunCommandOptions& options) {
  RunOptions run_options{.scene_file = options.scene,
                         .overrides = options.overrides,
                         .command_line = options.command_line,
                         .threads = options.threads,
                         .dumped_steps = options.dumped_steps};
  if (!options.until.empty()) run_options.overrides.push_back("until=" + options.until);
  if (options.strict_inflow) run_options.overrides.emplace_back("strict_inflow=true");
  if (options.force) run_options.old_run = OldRun::replace;
  if (options.resume) run_options.old_run = OldRun::go_on;
  Scene scene = load_scene(options.scene, run_options.overrides);
  const std::uint64_t last_step = steps_until(scene.until, scene.model.step.h);
  for (const std::uint64_t step : options.dumped_steps)
    if (step > last_step)
      throw InputError(fmt::format("--dump-problems: there is no step {}; the run has {} steps",
                                   step, last_step));

  const auto out = options.out.empty() ? fs::path("out") / options.scene.stem() : options.out;
  RunReporter reporter({.scene = options.scene,
                        .console = options.quiet ? Console::warnings : Console::all,
                        .pictures = options.pictures,
                        .resume = options.resume,
                        .no_run_to_resume = options.resume ? no_run_to_resume(out) : "",
                        .dumped_steps = options.dumped_steps},
                       out);
  const RunResult result = run(std::move(scene), out, run_options, reporter);
  if (options.json) {
    const Json json =
        result.was_complete ? complete_json(result.outcome, out) : result_json(result, out);
    std::fputs(as_text(json).c_str(), stdout);
  }
  if (result.was_complete && !options.quiet)
    say(stderr, "The run in {} is complete; a later --until continues it.\n", out.string());
  return result.outcome.exit_status;
}

}  // namespace scree::cli

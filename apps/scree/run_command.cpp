/// scree run: simulates a scene and writes its frames, statistics and verdict.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <optional>

#include "commands.hpp"
#include "launch.hpp"
#include "run_reporter.hpp"
#include "say.hpp"
#include "scree/core/spelling.hpp"
#include "scree/io/build_info.hpp"
#include "scree/io/checksum.hpp"
#include "scree/io/run_directory.hpp"
#include "scree/run/exit_status.hpp"
#include "scree/run/run.hpp"
#include "scree/run/shared_run.hpp"
#include "scree/scene/durations.hpp"
#include "scree/scene/identity.hpp"
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

/// Runs a loaded scene in this process, or as rank 0 of several.
int run_loaded(Scene scene, const RunCommandOptions& options, RunOptions& run_options) {
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

/// Runs a scene as one of several ranks.
int run_as_rank(const RunCommandOptions& options, RunOptions& run_options) {
  Ranks& ranks = *options.of_mpi;
  if (const int launched = launched_ranks(); launched > 1 && ranks.size() == 1)
    throw InputError(fmt::format(
        "the launcher has started {} processes, but MPI sees one; start them with Open MPI's "
        "mpirun, or with srun --mpi=pmix",
        launched));
  std::optional<Scene> scene;
  std::exception_ptr error;
  RankFailure own;
  std::uint64_t identity = 0;
  try {
    scene = load_scene(options.scene, run_options.overrides);
    identity = checksum(identity_of(*scene) + build_info().version + build_info().commit);
  } catch (const std::exception& failure) {
    error = std::current_exception();
    own = {ranks.rank(), exit_status_of(failure), failure.what()};
  }
  const RankAgreement agreed = agree(ranks, own, identity);
  if (agreed.failure.status != kDone) {
    if (error && ranks.is_first()) std::rethrow_exception(error);
    if (ranks.is_first())
      throw InputError(fmt::format("rank {}: {}", agreed.failure.rank, agreed.failure.message));
    return agreed.failure.status;
  }
  const auto abort = [&](const std::exception& failure) {
    say(stderr, "scree: error: rank {}: {}\n", ranks.rank(), failure.what());
    ranks.abort(exit_status_of(failure));
  };
  if (!ranks.is_first()) {
    try {
      return follow(std::move(*scene), ranks, options.threads, agreed.instructions);
    } catch (const std::exception& failure) {
      abort(failure);
      throw;
    }
  }
  Leader leader(ranks, agreed.instructions);
  run_options.leader = &leader;
  try {
    const int status = run_loaded(std::move(*scene), options, run_options);
    leader.end(status);
    return status;
  } catch (const std::exception& failure) {
    if (leader.is_within_step())
      abort(failure);
    else
      leader.end(exit_status_of(failure));
    throw;
  }
}

}  // namespace

int run_scene(const RunCommandOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  if (options.ranks > 0 && (options.of_mpi || launched_ranks() > 0))
    throw InputError(
        "--ranks: a launcher has started the ranks of this run already; leave --ranks out, or the "
        "launcher");
  RunOptions run_options{.scene_file = options.scene,
                         .overrides = options.overrides,
                         .command_line = options.command_line,
                         .threads = options.threads,
                         .dumped_steps = options.dumped_steps};
  if (!options.until.empty()) run_options.overrides.push_back("until=" + options.until);
  if (options.strict_inflow) run_options.overrides.emplace_back("strict_inflow=true");
  if (options.force) run_options.old_run = OldRun::replace;
  if (options.resume) run_options.old_run = OldRun::go_on;
  if (!options.wall_time.empty()) {
    const std::chrono::duration<double> time(seconds_of(options.wall_time, "--wall-time"));
    run_options.end_by =
        start + std::chrono::duration_cast<std::chrono::steady_clock::duration>(time);
  }
  if (options.of_mpi) return run_as_rank(options, run_options);
  if (launched_ranks() > 0) become_rank(options.command_line);
  // Before ranks start, too: their errors would come with many lines of mpirun.
  Scene scene = load_scene(options.scene, run_options.overrides);
  if (options.ranks > 0) return launch(options.ranks, options.command_line);
  return run_loaded(std::move(scene), options, run_options);
}

}  // namespace scree::cli

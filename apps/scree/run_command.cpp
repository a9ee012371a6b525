/// scree run: simulate a scene, sample it, judge it.
#include <cstdio>
#include <fmt/format.h>
#include <optional>
#include <unistd.h>

#include "commands.hpp"
#include "interrupt.hpp"
#include "log.hpp"
#include "pictures.hpp"
#include "progress.hpp"
#include "say.hpp"
#include "scree/io/build_info.hpp"
#include "scree/run/analysis_tables.hpp"
#include "scree/run/exit_status.hpp"
#include "scree/run/run.hpp"
#include "scree/sim/steps.hpp"

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

/// Tells of a run on the terminal and in its logs, ends it at a signal, and draws its pictures.
class RunTeller : public RunObserver {
 public:
  RunTeller(const RunCommandOptions& options, const fs::path& directory)
      : options_(options), directory_(directory) {}

  void begin(const Scene& scene, const Simulation& simulation, bool resumed) override {
    const std::uint64_t first_step = simulation.state().step,
                        last_step = steps_until(scene.until, scene.model.step.h);
    progress_.emplace(scene.until, first_step, last_step,
                      !options_.quiet && ::isatty(STDERR_FILENO) == 1);
    log_ = make_log(options_.quiet, *progress_);
    catch_interrupts();
    log_to_files(*log_, directory_, resumed);
    const BuildInfo build = build_info();
    log_->info("scree {} ({}{}) {} {}", build.version, build.commit.substr(0, 10),
               build.modified ? ", modified" : "", resumed ? "goes on with" : "runs",
               options_.scene.string());
    log_->info("{} bodies, {} obstacles, {} steps of {:.4g} s to {}t = {:.6g} s{}",
               simulation.report().bodies, scene.model.obstacles.size(),
               with_spaces(last_step - first_step), scene.model.step.h,
               scene.rest ? "rest, at most to " : "", scene.until,
               first_step > 0 ? fmt::format(", from t = {:.6g} s", simulation.state().time) : "");
    if (!scene.step_choice.empty()) log_->info("{}", scene.step_choice);
    for (const std::string& warning : lines_of(scene.warnings)) log_->warn("{}", warning);
    for (const std::uint64_t step : options_.dumped_steps)
      if (step <= first_step && !fs::exists(problem_file(directory_, step)))
        log_->warn(
            "--dump-problems: step {} was done before the run was resumed; its problem is not "
            "written",
            step);
  }

  void stage(const Scene& scene, std::size_t index, const Simulation& simulation) override {
    const RunStage& stage = scene.stages[index];
    share_moving_.reset();
    log_->info("Stage {} of {}, '{}', from t = {:.6g} s: {}{:.6g} s", index + 1,
               scene.stages.size(), stage.name, simulation.state().time,
               stage.rest ? "until rest, at most " : "", stage.until);
  }

  void rest(const RestWatch& watch) override { share_moving_ = watch.report().moving_share; }

  void step(const Simulation& simulation) override {
    progress_->step(simulation.report(), share_moving_,
                    [&](const std::string& line) { log_->info("{}", line); });
  }

  void warn(const std::string& message) override { log_->warn("{}", message); }

  bool stop_requested() override { return is_interrupted(); }

  void end(const Scene& scene, const RunResult& result) override {
    const RunOutcome& outcome = result.outcome;
    if (options_.pictures && outcome.status != RunOutcome::Status::interrupted) draw(scene.output);
    const auto level = outcome.exit_status == kDone ? spdlog::level::info : spdlog::level::warn;
    log_->log(level, "{}", outcome.verdict);
    log_->info(
        "Files are in {}: {} frames (open grains.hdf.series in ParaView), statistics.csv, "
        "manifest.json.",
        directory_.string(), result.frames);
  }

 private:
  void draw(const OutputSettings& output) {
    const Tell tell = [&](bool warning, const std::string& line) {
      log_->log(warning ? spdlog::level::warn : spdlog::level::info, "{}", line);
    };
    if (!output.pictures.empty()) draw_pictures(directory_, tell);
    for (const AnalysisRequest& request : output.analyses)
      draw_analysis(analysis_directory(directory_, request.name), tell);
  }

  const RunCommandOptions& options_;
  const fs::path& directory_;
  std::optional<Progress> progress_;    ///< from begin() on, as the log
  std::optional<double> share_moving_;  ///< of the mass, in a run until rest [-]
  std::shared_ptr<spdlog::logger> log_;
};

/// For --resume where nothing is left to do.
Json complete_json(const RunOutcome& outcome, const fs::path& directory) {
  return {{"status", "done"},
          {"exit_status", outcome.exit_status},
          {"directory", directory.string()},
          {"verdict", outcome.verdict},
          {"steps_now", 0}};
}

}  // namespace

int run_scene(const RunCommandOptions& options) {
  RunOptions how{.scene_file = options.scene,
                 .overrides = options.overrides,
                 .command_line = options.command_line,
                 .threads = options.threads,
                 .dumped_steps = options.dumped_steps};
  if (!options.until.empty()) how.overrides.push_back("until=" + options.until);
  if (options.strict_inflow) how.overrides.emplace_back("strict_inflow=true");
  if (options.force) how.old_run = OldRun::replace;
  if (options.resume) how.old_run = OldRun::go_on;
  Scene scene = load_scene(options.scene, how.overrides);
  const std::uint64_t last_step = steps_until(scene.until, scene.model.step.h);
  for (const std::uint64_t step : options.dumped_steps)
    if (step > last_step)
      throw InputError(fmt::format("--dump-problems: there is no step {}; the run has {} of them",
                                   step, last_step));

  const auto out = options.out.empty() ? fs::path("out") / options.scene.stem() : options.out;
  RunTeller teller(options, out);
  const RunResult result = run(std::move(scene), out, how, teller);
  if (options.json) {
    const Json json =
        result.was_complete ? complete_json(result.outcome, out) : result_json(result, out);
    std::fputs(as_text(json).c_str(), stdout);
  }
  if (result.was_complete && !options.quiet)
    say(stderr, "The run in {} is complete; a later --until goes on with it.\n", out.string());
  return result.outcome.exit_status;
}

}  // namespace scree::cli

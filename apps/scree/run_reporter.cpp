/// Progress, log lines and pictures of a run.
#include "run_reporter.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

#include "interrupt.hpp"
#include "pictures.hpp"
#include "say.hpp"
#include "scree/io/build_info.hpp"
#include "scree/run/analysis_tables.hpp"
#include "scree/run/exit_status.hpp"
#include "scree/sim/steps.hpp"

namespace scree::cli {

namespace fs = std::filesystem;

namespace {

/// True if the rest of a run, from the stage `first` on if it has stages, may end before its time.
bool has_open_end(const Scene& scene, std::size_t first) {
  const auto is_open = [](const auto& stage) { return stage.rest || stage.condition; };
  return is_open(scene) || std::any_of(scene.stages.begin() + static_cast<std::ptrdiff_t>(first),
                                       scene.stages.end(), is_open);
}

/// "1 body", "2288 bodies".
std::string counted(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace

void RunReporter::begin(const Scene& scene, const Simulation& simulation, bool resumed) {
  const std::uint64_t first_step = simulation.state().step,
                      last_step = steps_until(scene.until, scene.model.step.h);
  progress_.emplace(first_step, options_.console == Console::all && ::isatty(STDERR_FILENO) == 1);
  progress_->ends(scene.until, last_step, has_open_end(scene, 0));
  resumed_ = resumed;
  log_ = make_log(options_.console, *progress_);
  catch_interrupts();
  log_to_files(*log_, directory_, resumed);
  const BuildInfo build = build_info();
  log_->info("scree {} ({}{}) {} {}", build.version, build.commit.substr(0, 10),
             build.modified ? ", modified" : "", resumed ? "resumes" : "runs",
             options_.scene.string());
  log_->info("{}, {}, {} steps of {:.4g} s to {}t = {:.6g} s{}",
             counted(simulation.report().bodies, "body", "bodies"),
             counted(scene.model.obstacles.size(), "obstacle", "obstacles"),
             with_spaces(last_step - first_step), scene.model.step.h,
             scene.rest        ? "rest, at most to "
             : scene.condition ? scene.condition->text + ", at most to "
                               : "",
             scene.until,
             first_step > 0 ? fmt::format(", from t = {:.6g} s", simulation.state().time) : "");
  if (options_.resume && !resumed)
    log_->warn("{}", options_.no_run_to_resume.empty()
                         ? fmt::format("--resume: there is no checkpoint in {}; the run starts "
                                       "from t = 0",
                                       directory_.string())
                         : options_.no_run_to_resume);
  if (!scene.step_choice.empty()) log_->info("{}", scene.step_choice);
  for (const std::string& warning : lines_of(scene.warnings)) log_->warn("{}", warning);
  for (const std::uint64_t step : options_.dumped_steps)
    if (step <= first_step && !fs::exists(problem_file(directory_, step)))
      log_->warn(
          "--dump-problems: the run resumes after step {}; its problem is not written. Dump it in "
          "a new run",
          step);
}

void RunReporter::stage(const Scene& scene, std::size_t index, const Simulation& simulation) {
  const RunStage& stage = scene.stages[index];
  share_moving_.reset();
  update_end(scene, index, simulation);
  log_->info("Stage {} of {}, '{}', from t = {:.6g} s: {}{:.6g} s", index + 1, scene.stages.size(),
             stage.name, simulation.state().time,
             stage.rest        ? "until rest, at most "
             : stage.condition ? "until " + stage.condition->text + ", at most "
                               : "",
             stage.until);
}

/// Stages that ended early bring the end of the run forward. The stage in which a run resumes
/// changes nothing, as its begin is not known here.
void RunReporter::update_end(const Scene& scene, std::size_t stage, const Simulation& simulation) {
  if (std::exchange(resumed_, false)) return;
  double until = simulation.state().time;
  for (std::size_t k = stage; k < scene.stages.size(); ++k) until += scene.stages[k].until;
  until = std::min(until, scene.until);
  progress_->ends(until, steps_until(until, scene.model.step.h), has_open_end(scene, stage));
}

void RunReporter::rest(const RestWatch& watch) { share_moving_ = watch.report().moving_share; }

void RunReporter::step(const Simulation& simulation) {
  progress_->step(simulation.report(), share_moving_,
                  [&](const std::string& line) { log_->info("{}", line); });
}

bool RunReporter::stop_requested() { return is_interrupted(); }

void RunReporter::end(const Scene& scene, const RunResult& result) {
  const RunOutcome& outcome = result.outcome;
  const bool interrupted = outcome.status == RunOutcome::Status::interrupted;
  if (options_.pictures && !interrupted) draw(scene.output);
  const auto level = outcome.exit_status == kDone ? spdlog::level::info : spdlog::level::warn;
  log_->log(level, "{}", outcome.verdict);
  for (const AnalysisRequest& request : scene.output.analyses)
    if (!interrupted && !has_samples(request))
      log_->warn(
          "The analysis '{}' has no tables: no sample is between its from and to; widen them.",
          request.name);
  log_->info(
      "Files are in {}: {} frames (open grains.hdf.series in ParaView), statistics.csv, "
      "manifest.json.",
      directory_.string(), result.frames);
}

void RunReporter::draw(const OutputSettings& output) {
  const ReportLine report = [&](bool warning, const std::string& line) {
    log_->log(warning ? spdlog::level::warn : spdlog::level::info, "{}", line);
  };
  if (!output.pictures.empty()) draw_pictures(directory_, report);
  for (const AnalysisRequest& request : output.analyses)
    if (has_samples(request)) draw_analysis(analysis_directory(directory_, request.name), report);
}

bool RunReporter::has_samples(const AnalysisRequest& request) const {
  return fs::exists(analysis_directory(directory_, request.name));
}

}  // namespace scree::cli

#include "scree/run/run.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "run/continuation.hpp"
#include "run/recorder.hpp"
#include "scree/io/build_info.hpp"
#include "scree/io/fclib.hpp"
#include "scree/io/files.hpp"
#include "scree/io/run_manifest.hpp"
#include "scree/run/exit_status.hpp"
#include "scree/run/surroundings.hpp"
#include "scree/sim/steps.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

const char* kind_name(Picture::Kind kind) {
  switch (kind) {
    case Picture::Kind::velocity_map:
      return "velocity_map";
    case Picture::Kind::energy:
      return "energy";
    case Picture::Kind::residual:
      return "residual";
    case Picture::Kind::grains:
      return "grains";
  }
  return "";
}

RunInputs inputs_of(const Scene& scene, const RunOptions& options, int threads,
                    std::uint64_t first_step) {
  RunInputs inputs;
  inputs.scene_name = scene.name;
  inputs.scene_file = options.scene_file;
  inputs.scene_source = scene.source;
  inputs.scene_resolved = scene.resolved;
  inputs.overrides = options.overrides;
  inputs.command_line = options.command_line;
  inputs.threads = threads;
  inputs.tolerance = scene.model.solver.tolerance;
  inputs.seeds = scene.seeds;
  inputs.input_files = scene.inputs;
  inputs.resumed_at_step = first_step;
  note_surroundings(scene.model, inputs);
  for (const AnalysisRequest& request : scene.output.analyses)
    inputs.analyses.push_back(request.name);
  for (const Picture& picture : scene.output.pictures) {
    inputs.pictures.push_back({kind_name(picture.kind), picture.file, picture.options_json});
  }
  return inputs;
}

/// The problem of the step just done, for any solver that reads FCLIB files.
void dump_problem(const Simulation& simulation, const fs::path& run) {
  const std::uint64_t step = simulation.state().step;
  Vector percussions;
  const FrictionContactProblem problem = simulation.problem(percussions);
  const fs::path file = problem_file(run, step);
  make_directories(file.parent_path());
  write_fclib(file, problem, fmt::format("step {}", step),
              fmt::format("Contacts of step {} of a run of scree, t = {} s", step,
                          simulation.report().time));
}

RunOutcome outcome_of(const RunResult& result, bool stopped, const Model& model) {
  const RunSummary& summary = result.summary;
  RunOutcome outcome;
  for (const std::string& line : verdict(summary, result.wall_seconds, model))
    outcome.verdict += line + "\n";
  if (!outcome.verdict.empty()) outcome.verdict.pop_back();
  if (summary.failed()) {
    outcome.status = RunOutcome::Status::failed;
    outcome.exit_status = kToleranceMissed;
  } else if (stopped) {
    outcome.status = RunOutcome::Status::interrupted;
    outcome.exit_status = kInterrupted;
    outcome.verdict = fmt::format(
        "Interrupted at t = {:.6g} s, after step {}; the same command with --resume goes on from "
        "there.\n{}",
        summary.last.time, summary.last.step, outcome.verdict);
  } else if (!summary.is_met()) {
    outcome.exit_status = kToleranceMissed;
  }
  return outcome;
}

/// A run in its directory, from its first file, or from its last checkpoint, to its end.
class Running {
 public:
  /// `progress` is null, or what the checkpoint has of the run.
  Running(const Scene& scene, Simulation& simulation, const RunDirectory& directory,
          const RunOptions& options, RunObserver& observer, const nlohmann::json& progress)
      : scene_(scene),
        simulation_(simulation),
        directory_(directory),
        options_(options),
        observer_(observer),
        result_(counted(progress)),
        recorder_(progress.is_null()
                      ? Recorder(directory.path(), scene, simulation)
                      : Recorder(directory.path(), scene, simulation, progress.at("recorder"))),
        checkpoints_(directory.path(), scene) {
    if (scene.rest) rest_ = rest_watch_from(progress, *scene.rest);
  }

  /// Steps until last_step, rest if that is the end, a request to stop, or a state that cannot be
  /// trusted.
  void step_to(std::uint64_t last_step) {
    while (simulation_.state().step < last_step) {
      const auto start = Clock::now();
      const Report& report = simulation_.step();
      result_.wall_seconds += std::chrono::duration<double>(Clock::now() - start).count();
      add_step(result_.summary, simulation_,
               [&](const std::string& message) { observer_.warn(message); });
      if (report.motion_fault) break;
      recorder_.step(simulation_);
      if (std::ranges::count(options_.dumped_steps, report.step) > 0)
        dump_problem(simulation_, directory_.path());
      if (rest_) {
        rest_->step(simulation_);
        observer_.rest(*rest_);
      }
      observer_.step(simulation_);
      if (rest_ && rest_->at_rest()) break;
      stopped_ = observer_.stop_requested();
      if (stopped_ || result_.summary.failed()) break;
      // Of a trouble that does not end the run, what it looked like when it began.
      const bool began_badly = result_.summary.began_too_soft();
      if (began_badly) recorder_.frame(simulation_);
      if (began_badly || checkpoints_.is_due(report.step)) write_checkpoint(recorder_.mark());
    }
  }

  /// What only an end writes.
  RunResult end() {
    // The mark comes before the last frame and row: a run that goes on drops these.
    const nlohmann::json mark = recorder_.mark();
    if (result_.summary.motion_fault)
      recorder_.close(simulation_);
    else
      recorder_.finish(simulation_);
    result_.frames = recorder_.frames();
    if (result_.summary.bodies_not_finite == 0) write_checkpoint(mark);
    result_.summary.strict_inflow = scene_.strict_inflow;
    if (!result_.summary.failed()) result_.summary.lasting_overlap = worst_overlap(simulation_);
    if (rest_ && !stopped_ && !result_.summary.failed())
      result_.summary.rest = {rest_->criterion(), rest_->report(), rest_->at_rest()};
    result_.outcome = outcome_of(result_, stopped_, scene_.model);
    observer_.end(scene_, result_);
    write_file(directory_.path() / "verdict.json", as_text(verdict_json(result_, scene_.model)));
    directory_.finish(result_.outcome);
    return result_;
  }

 private:
  RunResult counted(const nlohmann::json& progress) const {
    RunResult result;
    if (progress.is_null()) {
      result.summary = RunSummary(scene_.model.solver.tolerance, simulation_.report());
    } else {
      result.summary = summary_from(progress.at("summary"));
      result.wall_seconds = progress.at("wall_seconds");
    }
    return result;
  }
  void write_checkpoint(const nlohmann::json& mark) {
    checkpoints_.write(simulation_.state(), mark, result_.summary, result_.wall_seconds,
                       rest_ ? &*rest_ : nullptr);
  }

  const Scene& scene_;
  Simulation& simulation_;
  const RunDirectory& directory_;
  const RunOptions& options_;
  RunObserver& observer_;
  RunResult result_;
  Recorder recorder_;
  Checkpoints checkpoints_;
  std::optional<RestWatch> rest_;  ///< if the run is to end at rest
  bool stopped_ = false;
};

/// Of a run that is complete, what its manifest says.
RunResult result_of_then(const fs::path& directory) {
  const RunManifest manifest(directory);
  RunResult result;
  result.outcome = {RunOutcome::Status::done, manifest.whole_number("/exit_status"),
                    manifest.text("/verdict")};
  result.was_complete = true;
  return result;
}

}  // namespace

RunResult run(Scene scene, const fs::path& directory, const RunOptions& options,
              RunObserver& observer) {
  const int threads =
      options.threads > 0 ? options.threads : static_cast<int>(machine_info().cores);
  const std::uint64_t last_step = steps_until(scene.until, scene.model.step.h);
  RunLock lock(directory);
  Continuation old;
  if (options.old_run == OldRun::go_on) old = find_continuation(directory, scene, last_step);
  if (old.complete) return result_of_then(directory);
  nlohmann::json progress;
  if (old.checkpoint) {
    progress = nlohmann::json::parse(old.checkpoint->progress);
    Recorder::require_files(directory, progress.at("recorder"));
    scene.state = std::move(old.checkpoint->state);
  }
  Simulation simulation(scene.model, std::move(scene.state), threads);

  // Up to here nothing was written: bad input leaves no trace.
  const OldRun begin_anew = options.old_run == OldRun::refuse ? OldRun::refuse : OldRun::replace;
  const RunDirectory run_directory(directory,
                                   inputs_of(scene, options, threads, simulation.state().step),
                                   old.checkpoint ? OldRun::go_on : begin_anew, std::move(lock));
  try {
    observer.begin(scene, simulation, old.checkpoint.has_value());
    Running running(scene, simulation, run_directory, options, observer, progress);
    running.step_to(last_step);
    return running.end();
  } catch (const std::exception& error) {
    run_directory.leave_failed({RunOutcome::Status::failed, exit_status_of(error), error.what()});
    throw;
  }
}

fs::path problem_file(const fs::path& run, std::uint64_t step) {
  return run / "problems" / fmt::format("step_{:08}.hdf5", step);
}

}  // namespace scree

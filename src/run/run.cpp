/// Runs a scene through its stages: steps, records, checkpoints, and the final verdict.
#include "scree/run/run.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "run/continuation.hpp"
#include "run/recorder.hpp"
#include "run/run_stages.hpp"
#include "scree/core/decimal.hpp"
#include "scree/core/error.hpp"
#include "scree/io/fclib.hpp"
#include "scree/io/files.hpp"
#include "scree/io/run_manifest.hpp"
#include "scree/run/exit_status.hpp"
#include "scree/run/round_walls.hpp"
#include "scree/run/shared_run.hpp"
#include "scree/run/surroundings.hpp"
#include "scree/sim/step_problem.hpp"
#include "scree/sim/steps.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Reserve before RunOptions::end_by, in slowest steps and checkpoints so far: later ones may be
/// slower, and statistics and a frame are written, too.
constexpr int kEndMargin = 3;
/// The same for what does not grow with the scene.
constexpr std::chrono::milliseconds kTimeOfEnd{200};

/// Ranks compare their states so often, before each checkpoint too: a hash takes a few percent of a
/// step.
constexpr std::uint64_t kStepsBetweenComparisons = 50;

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
    case Picture::Kind::movie:
      return "movie";
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
  inputs.ranks = options.leader->ranks().size();
  inputs.threads = threads;
  inputs.tolerance = scene.model.solver.tolerance;
  inputs.seeds = scene.seeds;
  inputs.input_files = scene.inputs;
  inputs.resumed_at_step = first_step;
  note_surroundings(scene.model, inputs);
  for (const Material& material : scene.model.materials) inputs.materials.push_back(material.name);
  for (const AnalysisRequest& request : scene.output.analyses)
    inputs.analyses.push_back(request.name);
  for (const Picture& picture : scene.output.pictures) {
    inputs.pictures.push_back({kind_name(picture.kind), picture.file, picture.options_json});
  }
  return inputs;
}

/// Writes the problem of the last step as an FCLIB file.
void dump_problem(const Simulation& simulation, const fs::path& run) {
  const std::uint64_t step = simulation.state().step;
  const StepProblem solved = step_problem(simulation);
  const fs::path file = problem_file(run, step);
  make_directories(file.parent_path());
  write_fclib(file, solved.problem, fmt::format("step {}", step),
              fmt::format("Contacts of step {} of a run of scree, t = {} s", step,
                          simulation.report().time));
}

RunOutcome outcome_of(const RunResult& result, bool stopped, const Model& model) {
  const RunSummary& summary = result.summary;
  RunOutcome outcome;
  for (const std::string& line : verdict(summary, result.wall_seconds, model))
    outcome.verdict += line + "\n";
  std::vector<std::string> stages;
  for (const StageRecord& stage : result.stages) stages.push_back(describe(stage));
  if (!stages.empty()) outcome.verdict += fmt::format("Stages: {}.\n", fmt::join(stages, "; "));
  for (const std::string& line : describe_fillings(result, model)) outcome.verdict += line + "\n";
  if (!outcome.verdict.empty()) outcome.verdict.pop_back();
  if (summary.failed()) {
    outcome.status = RunOutcome::Status::failed;
    outcome.exit_status = kToleranceMissed;
  } else if (stopped) {
    outcome.status = RunOutcome::Status::interrupted;
    outcome.exit_status = kInterrupted;
    outcome.verdict = fmt::format(
        "Interrupted at t = {:.6g} s, after step {}; the same command with --resume continues "
        "it.\n{}",
        summary.last.time, summary.last.step, outcome.verdict);
  } else if (!summary.is_met()) {
    outcome.exit_status = kToleranceMissed;
  }
  return outcome;
}

/// True if another stage may follow one with this end.
bool ends_well(StageRecord::End end) {
  return end == StageRecord::End::at_rest || end == StageRecord::End::at_condition ||
         end == StageRecord::End::in_time;
}

/// Stages that have begun, from the progress in the checkpoint; at the start the first one; empty
/// without stages.
std::vector<StageBegin> begun_stages(const Scene& scene, const nlohmann::json& progress) {
  std::vector<StageBegin> begun;
  if (scene.stages.empty()) return begun;
  if (progress.is_null()) return {begin_of(scene.stages.front(), scene.state)};
  for (const nlohmann::json& entry : progress.at("stages").at("begun"))
    begun.push_back(stage_begin_from(entry));
  if (begun.empty() || begun.size() > scene.stages.size())
    throw UnfitProgress(
        fmt::format("it has {} stages, the scene {}", begun.size(), scene.stages.size()));
  for (std::size_t k = 0; k < begun.size(); ++k)
    if (begun[k].poses.size() != scene.stages[k].moved.size())
      throw UnfitProgress(
          fmt::format("it moves other obstacles in the stage '{}'", scene.stages[k].name));
  return begun;
}

/// A run in its directory, from the start or the last checkpoint to its end.
class Running {
 public:
  /// `progress` is null, or the progress in the checkpoint; `begun` are the stages that have begun.
  Running(const Scene& scene, std::vector<StageBegin> begun, Simulation& simulation,
          const RunDirectory& directory, const RunOptions& options, RunObserver& observer,
          const nlohmann::json& progress)
      : scene_(scene),
        simulation_(simulation),
        directory_(directory),
        options_(options),
        leader_(*options.leader),
        observer_(observer),
        begun_(std::move(begun)),
        result_(counted(progress)),
        recorder_(progress.is_null()
                      ? Recorder(directory.path(), scene, simulation)
                      : Recorder(directory.path(), scene, simulation, progress.at("recorder"))),
        checkpoints_(directory.path(), scene) {
    if (!in_stages()) {
      watch(scene.rest, scene.condition, progress);
      return;
    }
    set_up_stage();
    watch(stage().rest, stage().condition, progress);
  }

  /// Steps until last_step, or until the run ends early.
  void go(std::uint64_t last_step) {
    nlohmann::json begun = nlohmann::json::array();
    for (const StageBegin& stage : begun_) begun.push_back(as_json(stage));
    leader_.start(simulation_, begun.dump());
    if (!in_stages()) return step_to(last_step);
    while (true) {
      const std::uint64_t end =
          begun_.back().step + steps_until(stage().until, simulation_.model().step.h);
      step_to(std::min(end, last_step));
      if (!end_stage(end) || begun_.size() == scene_.stages.size()) return;
      begin_stage();
      if (stopped_) return;
    }
  }

  /// Writes the final files and gives the result.
  RunResult end() {
    // After a failed step none follows: the frame of the last step is kept.
    if (result_.summary.motion_fault) recorder_.frame(simulation_);
    // The mark comes before the last frame and row: a resumed run drops these.
    const nlohmann::json mark = recorder_.mark();
    if (result_.summary.motion_fault)
      recorder_.close(simulation_);
    else
      recorder_.finish(simulation_);
    result_.frames = recorder_.frames();
    if (!result_.summary["bodies_not_finite"].last) write_checkpoint(mark);
    result_.summary.strict_inflow = scene_.strict_inflow;
    if (!result_.summary.failed()) {
      result_.summary.lasting_overlap = worst_overlap(simulation_);
      result_.summary.starved = starved_fillings(simulation_);
      result_.summary.falling = falling_bodies(simulation_);
    }
    if (rest_ && !stopped_ && !result_.summary.failed()) result_.summary.rest = rest_now();
    if (condition_ && !stopped_ && !result_.summary.failed())
      result_.summary.condition = {condition_->condition().text, condition_->condition().lasting,
                                   condition_->reached(), condition_->count().held_at_once,
                                   condition_->is_number()};
    result_.end = end_now();
    result_.force_books = simulation_.state().force_books;
    result_.obstacle_loads = simulation_.state().obstacle_loads;
    result_.fillings = simulation_.state().fillings;
    result_.outcome = outcome_of(result_, stopped_, simulation_.model());
    observer_.end(scene_, result_);
    write_file(directory_.path() / "verdict.json",
               as_text(verdict_json(result_, simulation_.model())));
    directory_.finish(result_.outcome);
    return result_;
  }

 private:
  /// Steps until last_step, rest or the condition, a request to stop, or an invalid state.
  void step_to(std::uint64_t last_step) {
    while (simulation_.state().step < last_step) {
      const auto start = Clock::now();
      const Report& report = leader_.step(simulation_);
      const Clock::duration took = Clock::now() - start;
      result_.wall_seconds += std::chrono::duration<double>(took).count();
      slowest_step_ = std::max(slowest_step_, took);
      add_step(result_.summary, simulation_,
               [&](const std::string& message) { observer_.warn(message); });
      if (report.motion_fault) break;
      if (report.step % kStepsBetweenComparisons == 0) leader_.compare(simulation_);
      recorder_.step(simulation_);
      if (std::ranges::count(options_.dumped_steps, report.step) > 0)
        dump_problem(simulation_, directory_.path());
      if (rest_) {
        rest_->step(simulation_);
        rest_->wait_for_changes(simulation_,
                                decimal_multiple(last_step, simulation_.model().step.h));
        observer_.rest(*rest_);
      }
      if (condition_) condition_->step(simulation_);
      observer_.step(simulation_);
      if (is_over()) break;
      stopped_ = observer_.stop_requested() || is_out_of_time();
      if (stopped_ || result_.summary.failed()) break;
      // Keep the state at the begin of a problem that does not end the run.
      const bool began_badly = result_.summary.began("soft_overlap");
      if (began_badly) recorder_.frame(simulation_);
      // At the end of a stage the next stage or end() writes it, after contacts were recorded.
      const bool due = checkpoints_.is_due(report.step) && report.step < last_step;
      if (began_badly || due) write_checkpoint(recorder_.mark());
    }
  }

  /// True if another step, and the files of the end, may take longer than there is time.
  bool is_out_of_time() const {
    if (options_.end_by == Clock::time_point::max()) return false;
    return options_.end_by - Clock::now() <
           kEndMargin * (slowest_step_ + slowest_checkpoint_) + kTimeOfEnd;
  }

  bool in_stages() const { return !begun_.empty(); }
  /// The current stage.
  const RunStage& stage() const { return scene_.stages[begun_.size() - 1]; }

  void watch(const std::optional<RestCriterion>& rest, const std::optional<EndCondition>& condition,
             const nlohmann::json& progress) {
    rest_.reset();
    condition_.reset();
    if (rest) rest_ = rest_watch_from(progress, *rest);
    if (condition) condition_.emplace(condition_watch_from(progress, *condition, simulation_));
  }
  /// True if rest or the condition has ended the run or its stage.
  bool is_over() const {
    return (rest_ && rest_->at_rest()) || (condition_ && condition_->reached());
  }
  /// Outcome of the watch for rest.
  RestOutcome rest_now() const {
    return rest_outcome(*rest_, result_.summary, simulation_.model());
  }
  EndedBy end_now() const {
    if (result_.summary.failed()) return EndedBy::failure;
    if (is_over() && rest_ && rest_now().has_no_bodies) return EndedBy::no_bodies;
    if (is_over()) return rest_ ? EndedBy::rest : EndedBy::condition;
    if (stopped_) return EndedBy::interrupt;
    return rest_ || condition_ ? EndedBy::limit : EndedBy::time;
  }

  void set_up_stage() {
    recorder_.change_intervals(stage().frame_interval, stage().statistics_interval, simulation_);
    observer_.stage(scene_, begun_.size() - 1, simulation_);
  }
  /// Notes the end of the stage, if it has ended; true if another one may follow.
  bool end_stage(std::uint64_t last_step) {
    StageRecord& record = result_.stages.back();
    record.last_step = simulation_.state().step;
    record.end = simulation_.state().time;
    using End = StageRecord::End;
    if (result_.summary.failed()) return false;
    if (!is_over() && record.last_step < last_step) return false;
    record.ended = End::in_time;
    if (rest_) record.ended = rest_now().reached ? End::at_rest : End::not_at_rest;
    if (rest_ && rest_now().has_no_bodies) record.ended = End::no_bodies;
    if (condition_) record.ended = is_over() ? End::at_condition : End::not_at_condition;
    return ends_well(*record.ended);  // later stages need a bed at rest
  }
  void begin_stage() {
    recorder_.frame(simulation_);
    begun_.push_back(begin_of(scene_.stages[begun_.size()], simulation_.state()));
    note_stage(result_);
    leader_.begin_stage();
    simulation_.change_model(model_in_stage(scene_, begun_));
    result_.summary.begin_stage(simulation_.model().solver.tolerance);
    watch(stage().rest, stage().condition, {});
    set_up_stage();
    write_checkpoint(recorder_.mark());
  }
  void note_stage(RunResult& result) const {
    const State& state = simulation_.state();
    result.stages.push_back({stage().name, state.step, state.step, state.time, state.time});
  }
  /// Stages for Checkpoint::progress; null without stages.
  nlohmann::json stages_json() const {
    if (!in_stages()) return {};
    nlohmann::json begun = nlohmann::json::array();
    for (std::size_t k = 0; k < begun_.size(); ++k) {
      const StageRecord& record = result_.stages[k];
      nlohmann::json entry = as_json(begun_[k]);
      entry["begin"] = record.begin;
      entry["last_step"] = record.last_step;
      entry["end"] = record.end;
      entry["ended"] = record.ended ? nlohmann::json(*record.ended) : nlohmann::json();
      begun.push_back(std::move(entry));
    }
    const auto& ended = result_.stages.back().ended;
    return {{"begun", begun},
            {"over", ended && (!ends_well(*ended) || begun_.size() == scene_.stages.size())}};
  }

  RunResult counted(const nlohmann::json& progress) const {
    RunResult result;
    if (progress.is_null()) {
      result.summary = RunSummary(simulation_.model().solver.tolerance, simulation_.report());
      if (in_stages()) note_stage(result);
    } else {
      result.summary = summary_from(progress.at("summary"), simulation_.model());
      result.wall_seconds = progress.at("wall_seconds");
      for (std::size_t k = 0; k < begun_.size(); ++k) {
        const nlohmann::json& entry = progress.at("stages").at("begun").at(k);
        StageRecord record{scene_.stages[k].name, begun_[k].step, entry.at("last_step"),
                           entry.at("begin"), entry.at("end")};
        if (!entry.at("ended").is_null()) record.ended = entry.at("ended").get<StageRecord::End>();
        result.stages.push_back(std::move(record));
      }
    }
    return result;
  }
  void write_checkpoint(const nlohmann::json& mark) {
    leader_.compare(simulation_);
    const auto start = Clock::now();
    checkpoints_.write(simulation_.state(), mark, result_.summary, result_.wall_seconds,
                       rest_ ? &*rest_ : nullptr, condition_ ? &*condition_ : nullptr,
                       stages_json());
    slowest_checkpoint_ = std::max(slowest_checkpoint_, Clock::now() - start);
  }

  const Scene& scene_;
  Simulation& simulation_;
  const RunDirectory& directory_;
  const RunOptions& options_;
  Leader& leader_;
  RunObserver& observer_;
  std::vector<StageBegin> begun_;  ///< stages that have begun; empty without stages
  RunResult result_;
  Recorder recorder_;
  Checkpoints checkpoints_;
  std::optional<RestWatch> rest_;            ///< if the run, or its stage, is to end at rest
  std::optional<ConditionWatch> condition_;  ///< the same, by a condition
  bool stopped_ = false;
  Clock::duration slowest_step_{}, slowest_checkpoint_{};
};

/// Result of a complete run, from its manifest.
RunResult result_of_then(const fs::path& directory) {
  const RunManifest manifest(directory);
  RunResult result;
  result.outcome = {RunOutcome::Status::done, manifest.whole_number("/exit_status"),
                    manifest.text("/verdict")};
  result.was_complete = true;
  return result;
}

/// Progress in the checkpoint of a run, whose files exist as it says.
nlohmann::json required_progress(const fs::path& directory, const Continuation& old,
                                 const Scene& scene) {
  nlohmann::json progress = nlohmann::json::parse(old.checkpoint->progress);
  summary_from(progress.at("summary"), scene.model);
  Recorder::require_files(directory, progress.at("recorder"), scene.model);
  return progress;
}

/// Warns of analyses whose regions reach beyond round walls.
void warn_of_corners(const Scene& scene, RunObserver& observer) {
  for (const AnalysisRequest& request : scene.output.analyses) {
    const auto names = corners_beyond({request.min, request.max}, round_walls_of(scene.model));
    if (!names.empty())
      observer.warn(fmt::format("analysis '{}': {}", request.name, describe_corners(names)));
  }
}

/// Simulation at the start of a scene, or at the checkpoint of its run.
Simulation start(Scene& scene, const std::vector<StageBegin>& begun, int threads,
                 InstructionSet instructions, const fs::path& directory,
                 const Continuation& old) try {
  return {begun.empty() ? scene.model : model_in_stage(scene, begun), std::move(scene.state),
          threads, instructions};
} catch (const InputError& error) {
  if (!old.checkpoint) throw;
  throw InputError(
      fmt::format("the last checkpoint in {} does not hold a state of this scene: {}; remove that "
                  "file to resume from the one before, or start again with --force",
                  (directory / "restart").string(), error.what()));
}

}  // namespace

RunResult run(Scene scene, const fs::path& directory, const RunOptions& asked,
              RunObserver& observer) {
  RunOptions options = asked;
  Leader alone(one_rank());
  if (!options.leader) options.leader = &alone;
  const int threads = threads_of(options.leader->ranks(), options.threads);
  const std::uint64_t last_step = steps_until(scene.until, scene.model.step.h);
  RunLock lock(directory);
  Continuation old;
  if (options.old_run == OldRun::go_on)
    old = find_continuation(directory, scene, options.overrides, last_step);
  if (old.complete) return result_of_then(directory);
  nlohmann::json progress;
  if (old.checkpoint) {
    progress = read_progress(directory, [&] { return required_progress(directory, old, scene); });
    scene.state = std::move(old.checkpoint->state);
  }
  std::vector<StageBegin> begun =
      read_progress(directory, [&] { return begun_stages(scene, progress); });
  Simulation simulation =
      start(scene, begun, threads, options.leader->instructions(), directory, old);

  // Nothing was written so far: bad input leaves no trace.
  const OldRun start_again = options.old_run == OldRun::refuse ? OldRun::refuse : OldRun::replace;
  const RunDirectory run_directory(directory,
                                   inputs_of(scene, options, threads, simulation.state().step),
                                   old.checkpoint ? OldRun::go_on : start_again, std::move(lock));
  try {
    observer.begin(scene, simulation, old.checkpoint.has_value());
    warn_of_corners(scene, observer);
    Running running = read_progress(directory, [&] {
      return Running(scene, std::move(begun), simulation, run_directory, options, observer,
                     progress);
    });
    running.go(last_step);
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

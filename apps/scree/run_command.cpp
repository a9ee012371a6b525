/// scree run: simulate a scene, sample it, judge it.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

#include "commands.hpp"
#include "continuation.hpp"
#include "exit_status.hpp"
#include "interrupt.hpp"
#include "log.hpp"
#include "pictures.hpp"
#include "progress.hpp"
#include "recorder.hpp"
#include "run_results.hpp"
#include "say.hpp"
#include "scree/analysis/run_summary.hpp"
#include "scree/core/threads.hpp"
#include "scree/io/build_info.hpp"
#include "scree/io/fclib.hpp"
#include "scree/io/files.hpp"
#include "scree/io/run_directory.hpp"
#include "scree/io/run_manifest.hpp"
#include "scree/io/sampling.hpp"
#include "scree/scene/scene.hpp"
#include "scree/sim/simulation.hpp"
#include "scree/sim/steps.hpp"
#include "surroundings.hpp"

namespace scree::cli {
namespace {

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

RunInputs inputs_of(const Scene& scene, const RunOptions& options, const std::vector<std::string>& overrides,
                    int threads) {
  RunInputs inputs;
  inputs.scene_name = scene.name;
  inputs.scene_file = options.scene;
  inputs.scene_source = scene.source;
  inputs.scene_resolved = scene.resolved;
  inputs.overrides = overrides;
  inputs.command_line = options.command_line;
  inputs.threads = threads;
  inputs.tolerance = scene.model.solver.tolerance;
  inputs.seeds = scene.seeds;
  inputs.input_files = scene.inputs;
  note_surroundings(scene.model, inputs);
  for (const AnalysisRequest& request : scene.output.analyses) inputs.analyses.push_back(request.name);
  for (const Picture& picture : scene.output.pictures) {
    inputs.pictures.push_back({kind_name(picture.kind), picture.file, picture.options_json});
  }
  return inputs;
}

/// What came of stepping, from the beginning of the run, whenever that was.
struct Stepped {
  RunSummary summary;
  double wall_seconds = 0;  ///< in steps, output not counted
  std::size_t frames = 0;
  bool interrupted = false;
};

/// Says when a checkpoint is due, in simulated time and on the clock, and writes it.
class Checkpoints {
 public:
  Checkpoints(const std::filesystem::path& directory, const Scene& scene)
      : files_(directory),
        identity_(identity_of(scene)),
        due_(scene.output.checkpoint_interval, scene.model.step.h, Sampling::Zero::first_only),
        wall_interval_(scene.output.checkpoint_wall_interval) {}

  bool is_due(std::uint64_t step) {
    const bool wall =
        wall_interval_ > 0 && std::chrono::duration<double>(Clock::now() - last_).count() >= wall_interval_;
    return due_.is_due(step) || wall;
  }
  void write(const State& state, const Stepped& stepped, const nlohmann::json& mark) {
    const nlohmann::json progress{
        {"recorder", mark}, {"summary", as_json(stepped.summary)}, {"wall_seconds", stepped.wall_seconds}};
    files_.write(state, identity_, progress.dump());
    last_ = Clock::now();
  }

 private:
  CheckpointFiles files_;
  std::string identity_;
  Sampling due_;
  double wall_interval_;  ///< [s]
  Clock::time_point last_ = Clock::now();
};

std::filesystem::path dumped_file(const std::filesystem::path& run, std::uint64_t step) {
  return run / "problems" / fmt::format("step_{:08}.hdf5", step);
}

/// The problem of the step just done, for any solver that reads FCLIB files.
void dump_problem(const Simulation& simulation, const std::filesystem::path& run) {
  const std::uint64_t step = simulation.state().step;
  Vector percussions;
  const FrictionContactProblem problem = simulation.problem(percussions);
  const std::filesystem::path file = dumped_file(run, step);
  make_directories(file.parent_path());
  write_fclib(file, problem, fmt::format("step {}", step),
              fmt::format("Contacts of step {} of a run of scree, t = {} s", step, simulation.report().time));
}

/// Steps until last_step, a signal, or a state that cannot be trusted.
void step_to_the_end(Simulation& simulation, Recorder& recorder, Checkpoints& checkpoints, std::uint64_t last_step,
                     FunctionRef<void()> after_step, Stepped& stepped, Progress& progress, spdlog::logger& log) {
  while (simulation.state().step < last_step) {
    const auto start = Clock::now();
    const Report& report = simulation.step();
    stepped.wall_seconds += std::chrono::duration<double>(Clock::now() - start).count();
    stepped.summary.motion_fault = report.motion_fault;
    if (report.motion_fault) break;
    if (stepped.summary.add(report)) stepped.summary.worst_contact = simulation.worst_contact();
    if (stepped.summary.asks_for_contradiction())
      stepped.summary.contradiction = {report.time, simulation.contradiction()};
    recorder.step(simulation);
    after_step();
    stepped.interrupted = is_interrupted();
    if (stepped.interrupted || report.bodies_not_finite > 0) break;
    if (checkpoints.is_due(report.step)) checkpoints.write(simulation.state(), stepped, recorder.mark());
    progress.step(report, [&](const std::string& line) { log.info("{}", line); });
  }
  progress.clear_line();
  // The mark comes before what only an end writes: a run that goes on drops that.
  const nlohmann::json mark = recorder.mark();
  if (stepped.summary.motion_fault)
    recorder.close(simulation);
  else
    recorder.finish(simulation);
  stepped.frames = recorder.frames();
  if (stepped.summary.bodies_not_finite == 0) checkpoints.write(simulation.state(), stepped, mark);
}

RunOutcome outcome_of(const Stepped& stepped, const Model& model) {
  RunOutcome outcome;
  for (const std::string& line : verdict(stepped.summary, stepped.wall_seconds, model)) outcome.verdict += line + "\n";
  if (!outcome.verdict.empty()) outcome.verdict.pop_back();
  if (stepped.summary.failed()) {
    outcome.status = RunOutcome::Status::failed;
    outcome.exit_status = kToleranceMissed;
  } else if (stepped.interrupted) {
    outcome.status = RunOutcome::Status::interrupted;
    outcome.exit_status = kInterrupted;
    outcome.verdict = fmt::format(
        "Interrupted at t = {:.6g} s, after step {}; the same command with --resume goes on from there.\n{}",
        stepped.summary.last.time, stepped.summary.last.step, outcome.verdict);
  } else if (!stepped.summary.is_met()) {
    outcome.exit_status = kToleranceMissed;
  }
  return outcome;
}

void draw_all(const std::filesystem::path& directory, const Scene& scene, spdlog::logger& log) {
  const Tell tell = [&](bool warning, const std::string& line) {
    log.log(warning ? spdlog::level::warn : spdlog::level::info, "{}", line);
  };
  if (!scene.output.pictures.empty()) draw_pictures(directory, tell);
  for (const AnalysisRequest& request : scene.output.analyses)
    draw_analysis(analysis_directory(directory, request.name), tell);
}

/// From the first file to the last; throws OutputError, which the caller notes in the directory.
int run_in(const RunDirectory& directory, Simulation& simulation, const Scene& scene, std::uint64_t last_step,
           const nlohmann::json& resumed, const RunOptions& options, Progress& progress, spdlog::logger& log) {
  log_to_files(log, directory.path(), !resumed.is_null());
  const BuildInfo build = build_info();
  log.info("scree {} ({}{}) {} {}", build.version, build.commit.substr(0, 10), build.modified ? ", modified" : "",
           resumed.is_null() ? "runs" : "goes on with", options.scene.string());
  const std::uint64_t first_step = simulation.state().step;
  log.info("{} bodies, {} obstacles, {} steps of {:.4g} s to t = {:.6g} s{}", simulation.report().bodies,
           scene.model.obstacles.size(), with_spaces(last_step - first_step), scene.model.step.h, scene.until,
           first_step > 0 ? fmt::format(", from t = {:.6g} s", simulation.state().time) : "");
  for (const SceneProblem& warning : scene.warnings) log.warn("{}: {}", warning.path, warning.message);
  for (const std::uint64_t step : options.dumped_steps)
    if (step <= simulation.state().step && !std::filesystem::exists(dumped_file(directory.path(), step)))
      log.warn("--dump-problems: step {} was done before the run was resumed; its problem is not written", step);

  Stepped stepped{RunSummary(scene.model.solver.tolerance, simulation.report())};
  const auto dump = [&] {
    if (std::ranges::count(options.dumped_steps, simulation.state().step) > 0)
      dump_problem(simulation, directory.path());
  };
  if (resumed.is_null()) {
    Recorder recorder(directory.path(), scene, simulation);
    Checkpoints checkpoints(directory.path(), scene);
    step_to_the_end(simulation, recorder, checkpoints, last_step, dump, stepped, progress, log);
  } else {
    stepped.summary = summary_from(resumed.at("summary"));
    stepped.wall_seconds = resumed.at("wall_seconds");
    Recorder recorder(directory.path(), scene, simulation, resumed.at("recorder"));
    Checkpoints checkpoints(directory.path(), scene);
    step_to_the_end(simulation, recorder, checkpoints, last_step, dump, stepped, progress, log);
  }
  stepped.summary.strict_inflow = scene.strict_inflow;
  const RunOutcome outcome = outcome_of(stepped, scene.model);

  if (options.pictures && !stepped.interrupted) draw_all(directory.path(), scene, log);
  const auto level = outcome.exit_status == kDone ? spdlog::level::info : spdlog::level::warn;
  log.log(level, "{}", outcome.verdict);
  log.info("Files are in {}: {} frames (open grains.hdf.series in ParaView), statistics.csv, manifest.json.",
           directory.path().string(), stepped.frames);
  write_file(directory.path() / "verdict.json", as_text(verdict_json(stepped.summary, outcome, scene.model)));
  directory.finish(outcome);
  if (options.json)
    std::fputs(
        as_text(result_json(stepped.summary, outcome, directory.path(), stepped.frames, stepped.wall_seconds)).c_str(),
        stdout);
  return outcome.exit_status;
}

/// For --resume where nothing is left to do: the exit status of then.
int tell_complete(const std::filesystem::path& out, const RunOptions& options) {
  const RunManifest manifest(out);
  const int exit_status = manifest.whole_number("/exit_status");
  if (options.json) {
    const Json json{{"status", "done"},
                    {"exit_status", exit_status},
                    {"directory", out.string()},
                    {"verdict", manifest.text("/verdict")},
                    {"steps_now", 0}};
    std::fputs(as_text(json).c_str(), stdout);
  }
  if (!options.quiet) say(stderr, "The run in {} is complete; a later --until goes on with it.\n", out.string());
  return exit_status;
}

}  // namespace

int run_scene(const RunOptions& options) {
  std::vector<std::string> overrides = options.overrides;
  if (!options.until.empty()) overrides.push_back("until=" + options.until);
  if (options.strict_inflow) overrides.push_back("strict_inflow=true");
  Scene scene = load_scene(options.scene, overrides);
  const int threads = options.threads > 0 ? options.threads : static_cast<int>(machine_info().cores);
  const std::uint64_t last_step = steps_until(scene.until, scene.model.step.h);
  const auto out = options.out.empty() ? std::filesystem::path("out") / options.scene.stem() : options.out;
  for (const std::uint64_t step : options.dumped_steps)
    if (step > last_step)
      throw InputError(fmt::format("--dump-problems: there is no step {}; the run has {} of them", step, last_step));

  RunLock lock(out);
  Continuation old;
  if (options.resume) old = find_continuation(out, scene, last_step);
  if (old.complete) return tell_complete(out, options);
  nlohmann::json resumed;
  if (old.checkpoint) {
    resumed = nlohmann::json::parse(old.checkpoint->progress);
    Recorder::require_files(out, resumed.at("recorder"));
    scene.state = std::move(old.checkpoint->state);
  }
  Simulation simulation(scene.model, std::move(scene.state), threads);

  // Up to here nothing was written: bad input leaves no trace.
  RunInputs inputs = inputs_of(scene, options, overrides, threads);
  inputs.resumed_at_step = simulation.state().step;
  const bool replace = options.force || options.resume;
  const RunDirectory directory(out, std::move(inputs),
                               old.checkpoint ? OldRun::go_on : (replace ? OldRun::replace : OldRun::refuse),
                               std::move(lock));
  Progress progress(scene.until, simulation.state().step, last_step, !options.quiet && ::isatty(STDERR_FILENO) == 1);
  const auto log = make_log(options.quiet, progress);
  catch_interrupts();
  try {
    return run_in(directory, simulation, scene, last_step, resumed, options, progress, *log);
  } catch (const std::exception& error) {
    progress.clear_line();
    const bool of_files =
        dynamic_cast<const OutputError*>(&error) || dynamic_cast<const std::filesystem::filesystem_error*>(&error);
    const bool of_input = dynamic_cast<const InputError*>(&error);
    const int status = of_files ? kInputOutputFailure : of_input ? kBadInput : kInternalError;
    directory.leave_failed({RunOutcome::Status::failed, status, error.what()});
    throw;
  }
}

}  // namespace scree::cli

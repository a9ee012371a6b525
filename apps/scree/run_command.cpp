/// scree run: simulate a scene, sample it, judge it.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <unistd.h>

#include "commands.hpp"
#include "exit_status.hpp"
#include "interrupt.hpp"
#include "log.hpp"
#include "pictures.hpp"
#include "progress.hpp"
#include "scree/analysis/run_summary.hpp"
#include "scree/io/build_info.hpp"
#include "scree/io/files.hpp"
#include "scree/io/frames.hpp"
#include "scree/io/obstacles.hpp"
#include "scree/io/run_directory.hpp"
#include "scree/io/sampling.hpp"
#include "scree/io/statistics.hpp"
#include "scree/scene/scene.hpp"
#include "scree/sim/simulation.hpp"

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
  for (const Picture& picture : scene.output.pictures) {
    inputs.pictures.push_back({kind_name(picture.kind), picture.file, picture.options_json});
  }
  return inputs;
}

/// Everything that a run writes while it goes on.
class Recorder {
 public:
  Recorder(const std::filesystem::path& directory, const OutputSettings& output, double h, std::uint64_t last_step)
      : directory_(directory),
        grains_(directory, "grains"),
        contacts_(directory, "contacts"),
        statistics_(directory / "statistics.csv"),
        with_contacts_(output.contacts),
        frames_due_(output.frame_interval, h, last_step, Sampling::Zero::ends_only),
        rows_due_(output.statistics_interval, h, last_step, Sampling::Zero::every_step) {}

  /// After the step that `report` tells of; `last`: the run stops here, whether that was planned or not.
  void record(const Simulation& simulation, bool last) {
    const State& state = simulation.state();
    statistics_.add(simulation.report());
    const bool row = rows_due_.is_due(state.step);
    if (row || last) statistics_.write_row(state_hash(state));
    const bool frame = frames_due_.is_due(state.step);
    if (frame || last) write_frame(simulation);
    if (state.step == 0 || last) write_file(directory_ / "obstacles.json", obstacles_json(simulation.model(), state));
    if (last) statistics_.close();
  }

  std::size_t frames() const { return grains_.size(); }

 private:
  void write_frame(const Simulation& simulation) {
    const State& state = simulation.state();
    write_grains(grains_.next_path(), state);
    grains_.append(state.time);
    if (!with_contacts_) return;
    write_contacts(contacts_.next_path(), simulation.contacts(), state.time, state.step);
    contacts_.append(state.time);
  }

  std::filesystem::path directory_;
  FrameSeries grains_, contacts_;
  StatisticsFile statistics_;
  bool with_contacts_;
  Sampling frames_due_, rows_due_;
};

/// What came of stepping.
struct Stepped {
  RunSummary summary;
  double wall_seconds = 0;  ///< in steps, output not counted
  std::size_t frames = 0;
  bool interrupted = false;
};

Stepped step_to_the_end(Simulation& simulation, Recorder& recorder, std::uint64_t last_step, Progress& progress,
                        spdlog::logger& log) {
  Stepped result{RunSummary(simulation.model().solver.tolerance, simulation.report())};
  Clock::duration in_steps{};
  recorder.record(simulation, last_step == 0);
  for (std::uint64_t step = 1; step <= last_step; ++step) {
    const auto start = Clock::now();
    const Report& report = simulation.step();
    in_steps += Clock::now() - start;
    result.summary.add(report);
    result.interrupted = is_interrupted();
    const bool last = step == last_step || result.interrupted || report.bodies_not_finite > 0;
    recorder.record(simulation, last);
    if (last) break;
    progress.step(report, [&](const std::string& line) { log.info("{}", line); });
  }
  progress.clear_line();
  result.frames = recorder.frames();
  result.wall_seconds = std::chrono::duration<double>(in_steps).count();
  return result;
}

RunOutcome outcome_of(const Stepped& stepped) {
  RunOutcome outcome;
  for (const std::string& line : verdict(stepped.summary, stepped.wall_seconds)) outcome.verdict += line + "\n";
  if (!outcome.verdict.empty()) outcome.verdict.pop_back();
  if (stepped.summary.bodies_not_finite > 0) {
    outcome.status = RunOutcome::Status::failed;
    outcome.exit_status = kToleranceMissed;
  } else if (stepped.interrupted) {
    outcome.status = RunOutcome::Status::interrupted;
    outcome.exit_status = kInterrupted;
    outcome.verdict =
        fmt::format("Interrupted at t = {:.6g} s, after step {}; what was done until then is complete.\n{}",
                    stepped.summary.last.time, stepped.summary.last.step, outcome.verdict);
  } else if (!stepped.summary.within_tolerance()) {
    outcome.exit_status = kToleranceMissed;
  }
  return outcome;
}

void print_json(const Stepped& stepped, const RunOutcome& outcome, const std::filesystem::path& directory) {
  const RunSummary& s = stepped.summary;
  const auto budget = s.energy_budget();
  const auto extreme = [](const Extreme& e) {
    return nlohmann::ordered_json{{"value", e.value}, {"time", e.time}, {"step", e.step}};
  };
  const char* status = outcome.status == RunOutcome::Status::done          ? "done"
                       : outcome.status == RunOutcome::Status::interrupted ? "interrupted"
                                                                           : "failed";
  const nlohmann::ordered_json json{
      {"status", status},
      {"exit_status", outcome.exit_status},
      {"directory", directory.string()},
      {"verdict", outcome.verdict},
      {"time", s.last.time},
      {"steps", s.steps},
      {"body_steps", s.body_steps},
      {"wall_seconds", stepped.wall_seconds},
      {"frames", stepped.frames},
      {"bodies", s.last.bodies},
      {"bodies_not_finite", s.bodies_not_finite},
      {"tolerance", s.tolerance},
      {"steps_over_tolerance", s.steps_over_tolerance},
      {"first_time_over_tolerance",
       s.steps_over_tolerance > 0 ? nlohmann::ordered_json(s.first_time_over_tolerance) : nlohmann::ordered_json()},
      {"residual", extreme(s.residual)},
      {"worst_residual", extreme(s.worst_residual)},
      {"max_penetration", extreme(s.max_penetration)},
      {"energy",
       {{"change", budget.change},
        {"dissipated", budget.dissipated},
        {"wall_work", budget.wall_work},
        {"unaccounted", budget.unaccounted}}}};
  std::printf("%s\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
}

/// From the first file to the last; throws OutputError, which the caller notes in the directory.
int run_in(const RunDirectory& directory, Simulation& simulation, const Scene& scene, std::uint64_t last_step,
           const RunOptions& options, Progress& progress, spdlog::logger& log) {
  log_to_files(log, directory.path());
  const BuildInfo build = build_info();
  log.info("scree {} ({}{}) runs {}", build.version, build.commit.substr(0, 10), build.modified ? ", modified" : "",
           options.scene.string());
  log.info("{} bodies, {} obstacles, {} steps of {:.4g} s to t = {:.6g} s", simulation.state().bodies.size(),
           scene.model.obstacles.size(), with_spaces(last_step), scene.model.step.h, scene.until);

  for (const SceneProblem& warning : scene.warnings) log.warn("{}: {}", warning.path, warning.message);

  Recorder recorder(directory.path(), scene.output, scene.model.step.h, last_step);
  const Stepped stepped = step_to_the_end(simulation, recorder, last_step, progress, log);
  const RunOutcome outcome = outcome_of(stepped);

  if (options.pictures && !scene.output.pictures.empty() && !stepped.interrupted) draw_pictures(directory.path(), log);
  const auto level = outcome.exit_status == kDone ? spdlog::level::info : spdlog::level::warn;
  log.log(level, "{}", outcome.verdict);
  log.info("Files are in {}: {} frames (open grains.hdf.series in ParaView), statistics.csv, manifest.json.",
           directory.path().string(), stepped.frames);
  directory.finish(outcome);
  if (options.json) print_json(stepped, outcome, directory.path());
  return outcome.exit_status;
}

}  // namespace

int run_scene(const RunOptions& options) {
  std::vector<std::string> overrides = options.overrides;
  if (!options.until.empty()) overrides.push_back("until=" + options.until);
  const Scene scene = load_scene(options.scene, overrides);
  const int threads = options.threads > 0 ? options.threads : static_cast<int>(machine_info().cores);
  Simulation simulation(scene.model, scene.state, threads);
  const std::uint64_t last_step = steps_until(scene.until, scene.model.step.h);

  // Up to here nothing was written: bad input leaves no trace.
  const auto out = options.out.empty() ? std::filesystem::path("out") / options.scene.stem() : options.out;
  const RunDirectory directory(out, inputs_of(scene, options, overrides, threads), options.force);
  Progress progress(scene.until, last_step, !options.quiet && ::isatty(STDERR_FILENO) == 1);
  const auto log = make_log(options.quiet, progress);
  catch_interrupts();
  try {
    return run_in(directory, simulation, scene, last_step, options, progress, *log);
  } catch (const std::exception& error) {
    progress.clear_line();
    const bool output = dynamic_cast<const OutputError*>(&error) != nullptr;
    directory.leave_failed({RunOutcome::Status::failed, output ? kInputOutputFailure : kInternalError, error.what()});
    throw;
  }
}

}  // namespace scree::cli

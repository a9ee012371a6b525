/// A simulation as Python holds it: one thread at a time, judged as it goes.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <pybind11/pybind11.h>
#include <string>
#include <vector>

#include "python/errors.hpp"
#include "run/run_stages.hpp"
#include "scree/analysis/run_summary.hpp"
#include "scree/scene/scene.hpp"
#include "scree/sim/simulation.hpp"

namespace scree::python {

/// While it lives, no other thread gets at a simulation. Who steps gives Python's lock away, so
/// that others may come; who only looks holds it, and is done before they can.
class Use {
 public:
  /// Throws BusyError if another thread has it.
  explicit Use(std::atomic<bool>& taken) : taken_(taken) {
    if (taken_.exchange(true))
      throw BusyError(
          "another thread is stepping this simulation; wait until it is done, or give each thread "
          "a simulation of its own");
  }
  ~Use() { taken_ = false; }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

 private:
  std::atomic<bool>& taken_;
};

struct Held {
  std::string name;
  double until;                       ///< as the scene says [s]
  std::optional<RestCriterion> rest;  ///< the same
  std::optional<EndCondition> condition;
  Scene staged;                   ///< the model that stages begin with, and these
  std::vector<StageBegin> begun;  ///< stages that have; none: the scene has none
  Simulation simulation;
  RunSummary summary;
  double wall_seconds = 0;  ///< in steps [s]
  std::vector<std::string> warnings;
  std::atomic<bool> taken = false;

  /// Throws InputError as the constructor of Simulation does.
  Held(const Scene& scene, int threads)
      : name(scene.name),
        until(scene.until),
        rest(scene.rest),
        condition(scene.condition),
        staged(stages_of(scene)),
        begun(first_of(scene)),
        simulation(begun.empty() ? scene.model : model_in_stage(staged, begun), scene.state,
                   threads),
        summary(simulation.model().solver.tolerance, simulation.report()) {
    summary.strict_inflow = scene.strict_inflow;
  }

  /// The stage that it is in; null if the scene has none.
  const RunStage* stage() const {
    return begun.empty() ? nullptr : &staged.stages[begun.size() - 1];
  }
  bool has_next_stage() const { return begun.size() < staged.stages.size(); }
  /// From the next step on.
  void begin_next_stage() {
    begun.push_back(begin_of(staged.stages[begun.size()], simulation.state()));
    simulation.change_model(model_in_stage(staged, begun));
    summary.begin_stage(simulation.model().solver.tolerance);
  }

  /// One step, taken into account; false: do not go on. Needs nothing of Python.
  bool step() {
    const auto start = std::chrono::steady_clock::now();
    simulation.step();
    wall_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    add_step(summary, simulation, [&](const std::string& warning) { warnings.push_back(warning); });
    return !summary.failed();
  }

  /// Throws StepError, with what the verdict says of it.
  [[noreturn]] void raise_failure() const {
    const std::vector<std::string> sentences = judgement(summary, simulation.model());
    throw StepError(sentences.empty() ? "the state is not to be trusted" : sentences.front());
  }

 private:
  static Scene stages_of(const Scene& scene) {
    Scene kept;
    if (scene.stages.empty()) return kept;
    kept.model = scene.model;
    kept.stages = scene.stages;
    return kept;
  }
  static std::vector<StageBegin> first_of(const Scene& scene) {
    if (scene.stages.empty()) return {};
    return {begin_of(scene.stages.front(), scene.state)};
  }
};

/// Whether it is time to ask Python for signals, as of Ctrl-C: some twenty times a second.
class SignalClock {
 public:
  bool is_due() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return false;
    next_ = now + kInterval;
    return true;
  }

 private:
  static constexpr std::chrono::milliseconds kInterval{50};
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + kInterval;
};

/// Whether a handler of signals raised, to be called by who gave Python's lock away; then the
/// exception waits.
inline bool signal_raised() {
  const pybind11::gil_scoped_acquire lock;
  return PyErr_CheckSignals() != 0;
}

}  // namespace scree::python

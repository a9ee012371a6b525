/// A simulation owned by Python, with its verdict so far. One thread at a time may use it.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <pybind11/pybind11.h>
#include <string>
#include <vector>

#include "python/errors.hpp"
#include "run/run_stages.hpp"
#include "scree/scene/scene.hpp"
#include "scree/sim/run_summary.hpp"
#include "scree/sim/simulation.hpp"

namespace scree::python {

/// Exclusive use of a simulation for the lifetime of this object. Needed because steps release
/// Python's lock, so that other threads can run.
class Use {
 public:
  /// Throws BusyError if another thread uses the simulation.
  explicit Use(std::atomic<bool>& taken) : taken_(taken) {
    if (taken_.exchange(true))
      throw BusyError(
          "another thread is stepping this simulation; wait until it is done, or give each thread "
          "its own simulation");
  }
  ~Use() { taken_ = false; }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

 private:
  std::atomic<bool>& taken_;
};

struct Held {
  std::string name;
  double until;                       ///< end of the scene [s]
  std::optional<RestCriterion> rest;  ///< rest that ends the scene
  std::optional<EndCondition> condition;
  std::map<std::string, BodyId, std::less<>> bodies;  ///< those with a name in the scene
  std::vector<Sensor> sensors;
  Scene staged;                   ///< stages of the scene, and the model before the first
  std::vector<StageBegin> begun;  ///< stages that have begun; none if the scene has no stages
  int threads;
  Simulation simulation;
  RunSummary summary;
  double wall_seconds = 0;  ///< wall time of all steps [s]
  std::vector<std::string> warnings;
  std::atomic<bool> taken = false;

  /// Throws InputError, as does the constructor of Simulation.
  Held(const Scene& scene, int thread_count)
      : name(scene.name),
        until(scene.until),
        rest(scene.rest),
        condition(scene.condition),
        sensors(scene.sensors),
        staged(stages_of(scene)),
        begun(first_of(scene)),
        threads(thread_count),
        simulation(begun.empty() ? scene.model : model_in_stage(staged, begun), scene.state,
                   threads),
        summary(simulation.model().solver.tolerance, simulation.report()) {
    summary.strict_inflow = scene.strict_inflow;
    for (const NamedBody& body : scene.named_bodies) bodies.emplace(body.name, body.id);
    prepare(simulation, sensors);
  }

  /// Current stage; null if the scene has no stages.
  const RunStage* stage() const {
    return begun.empty() ? nullptr : &staged.stages[begun.size() - 1];
  }
  bool has_next_stage() const { return begun.size() < staged.stages.size(); }
  /// Applies the model of the next stage from the next step on.
  void begin_next_stage() {
    begun.push_back(begin_of(staged.stages[begun.size()], simulation.state()));
    simulation.change_model(model_in_stage(staged, begun));
    summary.begin_stage(simulation.model().solver.tolerance);
  }

  /// Continues from a state, in the stage that is the last of `stages`. The summary begins anew.
  /// Throws InputError, with nothing changed, if the state does not fit.
  void restore(const State& state, const std::vector<StageBegin>& stages) {
    if (stages.size() > staged.stages.size() || stages.empty() != staged.stages.empty())
      throw InputError("the snapshot is one of a scene with other stages");
    if (std::ranges::equal(stages, begun, {}, &as_text, &as_text)) {
      simulation.restore(state);
    } else {
      simulation = Simulation(model_in_stage(staged, stages), state, threads);
      begun = stages;
    }
    const bool strict = summary.strict_inflow;
    summary = RunSummary(simulation.model().solver.tolerance, simulation.report());
    summary.strict_inflow = strict;
    warnings.clear();
  }

  /// Makes one step and adds it to the summary. False if the run failed. Needs no lock of Python.
  bool step() {
    const auto start = std::chrono::steady_clock::now();
    simulation.step();
    wall_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    add_step(summary, simulation, [&](const std::string& warning) { warnings.push_back(warning); });
    return !summary.failed();
  }

  /// Throws StepError with the first sentence of the verdict.
  [[noreturn]] void raise_failure() const {
    const std::vector<std::string> sentences = judgement(summary, simulation.model());
    throw StepError(sentences.empty() ? "the state cannot be trusted" : sentences.front());
  }

 private:
  static std::string as_text(const StageBegin& begin) { return as_json(begin).dump(); }
  static Scene stages_of(const Scene& scene) {
    Scene staged;
    if (scene.stages.empty()) return staged;
    staged.model = scene.model;
    staged.stages = scene.stages;
    return staged;
  }
  static std::vector<StageBegin> first_of(const Scene& scene) {
    if (scene.stages.empty()) return {};
    return {begin_of(scene.stages.front(), scene.state)};
  }
};

/// Limits checks for signals, such as Ctrl-C, to twenty a second.
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

/// True if a signal handler raised; its exception is pending then. Call it without Python's lock.
inline bool signal_raised() {
  const pybind11::gil_scoped_acquire lock;
  return PyErr_CheckSignals() != 0;
}

}  // namespace scree::python

/// The class Simulation of Python: steps, runs, and read-only properties.
#include "python/simulations.hpp"

#include <pybind11/stl.h>

#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/records.hpp"
#include "python/scenes.hpp"
#include "scree/io/build_info.hpp"
#include "scree/sim/steps.hpp"

namespace scree::python {
namespace {

HeldPointer held_of(const py::object& source, const py::object& set, int threads) {
  if (threads < 0) throw InputError("threads is negative; 0 means all cores");
  if (threads == 0) threads = static_cast<int>(machine_info().cores);
  if (!py::isinstance<ReadScene>(source))
    return std::make_shared<Held>(scene_of(source, set), threads);
  if (!set.is_none()) throw py::type_error("a Scene is read already; pass `set` to Scene()");
  return std::make_shared<Held>(py::cast<const ReadScene&>(source), threads);
}

// Steps.

/// Makes steps until `is_end()`. False after a failed step, or if a signal handler raised; its
/// exception is still pending. Runs without Python's lock.
template <class IsEnd>
bool step_while(Held& held, SignalClock& signals, IsEnd&& is_end) {
  const py::gil_scoped_release unlocked;
  while (!is_end()) {
    if (!held.step()) return false;
    if (signals.is_due() && signal_raised()) return false;
  }
  return true;
}

[[noreturn]] void raise(const Held& held) {
  if (PyErr_Occurred()) throw py::error_already_set();
  held.raise_failure();
}

Report step(Held& held, std::uint64_t steps) {
  const Use use(held.taken);
  SignalClock signals;
  std::uint64_t done = 0;
  if (!step_while(held, signals, [&] { return done++ == steps; })) raise(held);
  return held.simulation.report();
}

/// Conditions that end a run.
struct RunEnd {
  std::uint64_t last_step;
  std::optional<RestWatch> rest;
  std::optional<ConditionWatch> condition;

  RunEnd(const Held& held, const py::object& until) {
    double time = held.until;
    const double h = held.simulation.model().step.h;
    const RunStage* stage = held.stage();
    if (until.is_none() && stage) {
      // A stage ends no later than the scene.
      last_step = std::min(held.begun.back().step + steps_until(stage->until, h),
                           steps_until(held.until, h));
      if (stage->rest) rest.emplace(*stage->rest);
      if (stage->condition) condition.emplace(*stage->condition, held.simulation);
      return;
    }
    if (until.is_none()) {
      if (held.rest) rest.emplace(*held.rest);
      if (held.condition) condition.emplace(*held.condition, held.simulation);
    } else if (py::isinstance<py::str>(until)) {
      if (py::cast<std::string>(until) != "rest")
        throw InputError("until is '" + py::cast<std::string>(until) +
                         "'; give a time in seconds, \"rest\", or None for the end of the scene");
      const auto& criterion = stage ? stage->rest : held.rest;
      rest.emplace(criterion.value_or(RestCriterion{}));
    } else {
      time = py::cast<double>(until);
      constexpr double kMaxSteps = 1e15;
      if (!(time >= 0) || !(time / h < kMaxSteps))
        throw InputError("until is " + std::to_string(time) +
                         " s; give a time of at least 0 s and at most 1e15 steps");
    }
    last_step = steps_until(time, h);
  }

  void step(const Simulation& simulation) {
    if (rest) {
      rest->step(simulation);
      rest->wait_for_changes(simulation,
                             static_cast<double>(last_step) * simulation.model().step.h);
    }
    if (condition) condition->step(simulation);
  }
  bool at_rest() const { return rest && rest->at_rest(); }
  bool at_condition() const { return condition && condition->reached(); }
  bool is_early() const { return at_rest() || at_condition(); }
};

/// Truth of a value, as Python's `if` sees it; NumPy's bools included.
bool is_true(const py::object& value) {
  const int truth = PyObject_IsTrue(value.ptr());
  if (truth < 0) throw py::error_already_set();
  return truth == 1;
}

std::string run(const py::object& self, const py::object& until, const py::object& callback,
                std::uint64_t every) {
  Held& held = py::cast<Held&>(self);
  if (every == 0) throw InputError("every is 0; give the number of steps between two callbacks");
  std::optional<RunEnd> end;
  SignalClock signals;
  for (std::uint64_t done = 0;;) {
    {
      const Use use(held.taken);
      if (!end) {
        end.emplace(held, until);
        held.summary.rest.reset();  // from an earlier call
        held.summary.condition.reset();
      }
      const Simulation& simulation = held.simulation;
      bool stepped = false;
      const auto is_end = [&] {
        if (stepped) {
          ++done;
          end->step(simulation);
        }
        const bool is_over = simulation.state().step >= end->last_step || end->is_early();
        const bool calls = stepped && !callback.is_none() && done % every == 0;
        stepped = true;
        return is_over || calls;
      };
      if (!step_while(held, signals, is_end)) raise(held);
    }
    if (!callback.is_none() && done > 0 && done % every == 0 && is_true(callback(self)))
      return "callback";
    const Use use(held.taken);
    if (!end->is_early() && held.simulation.state().step < end->last_step) continue;
    if (end->rest)
      held.summary.rest = rest_outcome(*end->rest, held.summary, held.simulation.model());
    if (end->condition)
      held.summary.condition = {end->condition->condition().text,
                                end->condition->condition().lasting, end->at_condition(),
                                end->condition->count().held_at_once, end->condition->is_number()};
    // The next stage begins only if this one has reached its rest or its condition.
    const bool stage_is_done =
        until.is_none() && held.has_next_stage() && (!end->rest || held.summary.rest->reached) &&
        (!end->condition || end->at_condition()) && held.simulation.state().time < held.until;
    if (stage_is_done) {
      held.begin_next_stage();
      end.reset();
      continue;
    }
    if (end->at_rest() && !held.summary.rest->reached) return "no_bodies";
    return end->at_rest() ? "rest" : end->at_condition() ? "condition" : "time";
  }
}

void next_stage(Held& held) {
  const Use use(held.taken);
  if (!held.has_next_stage())
    throw InputError(held.begun.empty() ? "the scene has no stages"
                                        : "the scene has no stage after this one");
  held.begin_next_stage();
}

// Properties.

py::array contacts(Held& held) {
  const Use use(held.taken);
  return contacts_array(held.simulation.contacts(), RecordFields::of_simulation);
}

std::vector<std::string> verdict_of(const Held& held) {
  RunSummary summary = held.summary;
  if (!summary.failed()) {
    summary.lasting_overlap = worst_overlap(held.simulation);
    summary.starved = starved_fillings(held.simulation);
    summary.falling = falling_bodies(held.simulation);
  }
  return verdict(summary, held.wall_seconds, held.simulation.model());
}

void bind_steps(SimulationClass& simulation) {
  simulation
      .def("step", &step, py::arg("steps") = 1,
           R"(Makes steps and returns the Report of the last one; 0 steps leave all as it is.

Raises StepError if a step was not done or its state cannot be trusted. The report and verdict()
show steps that missed the tolerance.)")
      .def("run", &run, py::arg("until") = py::none(), py::arg("callback") = py::none(),
           py::arg("every") = 1, R"(Makes steps until an end.

until is a time in seconds, "rest", or None: the end of the scene, through all remaining stages. A
time that has passed makes no step and returns "time": it is a point in time, not a duration. A
stage that should reach rest or a condition, and does not, ends the run. Conditions count from this
call on, or from the start of their stage. callback(sim) is called after each `every` steps; the run
ends if it returns a true value. If it raises, the simulation keeps the state after that step.
Returns the cause of the end: "time", "rest", "condition", "callback" or "no_bodies" (no body is
left to come to rest). Ctrl-C raises KeyboardInterrupt between two steps.)")
      .def("next_stage", &next_stage,
           R"(Begins the next stage of the scene, also if the current one has not reached its end;
step() alone stays in a stage. Bodies, contacts and time continue. Raises InputError after the last
stage.)");
}

/// Adds a property that is f(held).
template <class F>
void add_property(SimulationClass& simulation, const char* name, const char* doc, F f) {
  simulation.def_property_readonly(
      name,
      [f](Held& held) {
        const Use use(held.taken);
        return f(held);
      },
      doc);
}

/// Values of the scene.
void bind_scene(SimulationClass& simulation) {
  const auto property = [&](const char* name, const char* doc, auto f) {
    add_property(simulation, name, doc, f);
  };
  property("h", "Time step [s].", [](Held& h) { return h.simulation.model().step.h; });
  property("name", "Name of the scene.", [](Held& h) { return h.name; });
  property("until", "Time of the end in the scene [s].", [](Held& h) { return h.until; });
  property("stage", "Name of the current stage; None if the scene has no stages.", [](Held& h) {
    const RunStage* stage = h.stage();
    return stage ? std::optional(stage->name) : std::nullopt;
  });
  property("stage_names", "Names of all stages of the scene.", [](Held& h) {
    std::vector<std::string> names;
    for (const RunStage& stage : h.staged.stages) names.push_back(stage.name);
    return names;
  });
  property("gravity", "Gravity: (3,) [m/s²].",
           [](Held& h) { return array_of(h.simulation.model().gravity); });
  property("material_names", "Names of materials, by index.", [](Held& h) {
    std::vector<std::string> names;
    for (const Material& material : h.simulation.model().materials) names.push_back(material.name);
    return names;
  });
  property("obstacle_names", "Names of obstacles, by index.", [](Held& h) {
    std::vector<std::string> names;
    for (const Obstacle& obstacle : h.simulation.model().obstacles) names.push_back(obstacle.name);
    return names;
  });
}

/// State and results of the steps so far.
void bind_results(SimulationClass& simulation) {
  const auto property = [&](const char* name, const char* doc, auto f) {
    add_property(simulation, name, doc, f);
  };
  property("time", "Simulated time [s].", [](Held& h) { return h.simulation.state().time; });
  property("report", "Report of the last step; before the first step, of the initial state.",
           [](Held& h) { return h.simulation.report(); });
  property("state_hash",
           "Hash of all that a restart needs; runs with equal hashes continue with equal bits.",
           [](Held& h) { return state_hash(h.simulation.state()); });
  property("motion_hash", "Hash of all positions and velocities, without the memory of contacts.",
           [](Held& h) { return motion_hash(h.simulation.state()); });
  property("memory_bytes", "Memory in use between steps [byte].",
           [](Held& h) { return h.simulation.memory_bytes(); });
  property("met", "True if all steps so far meet the verdict.",
           [](Held& h) { return h.summary.is_met(); });
  property("warnings", "Warnings of steps so far.", [](Held& h) { return h.warnings; });
  simulation.def(
      "verdict",
      [](Held& held) {
        const Use use(held.taken);
        return verdict_of(held);
      },
      "Sentences on all steps so far; the first one is the judgement.");
  simulation.def("__repr__", [](Held& held) {
    const Use use(held.taken);
    const Report& report = held.simulation.report();
    return py::str("<scree.Simulation {}: {} bodies, t = {:.6g} s>")
        .format(held.name, report.bodies, report.time);
  });
}

void bind_contacts(SimulationClass& simulation) {
  simulation.def_property_readonly(
      "contacts", &contacts,
      R"(Contacts of the last step: a structured array of shape (n,), in the order of their keys:

a, b                 ids; those of obstacles begin at FIRST_OBSTACLE_ID
point                midway between the surfaces [m]
normal               unit vector from a to b
gap                  before the step [m]
impulse              on b, inertial frame [N s]; divided by sim.h it is the force
relative_velocity    of b relative to a at the contact, after the step, inertial frame [m/s]
angular_impulse      of rolling friction, on b [N m s]
kind                 index in CONTACT_CLASSES
residual             natural-map residual of the contact's own law [m/s]
cone_violation [N s], complementarity_violation [J], dissipated_energy [J], painleve_number [-])");
}

}  // namespace

void bind_simulations(py::module_& module) {
  SimulationClass simulation(module, "Simulation", R"(A scene to step.

Simulation(scene, set=None, threads=1): scene is a Scene, or a source of one. threads is the number
of threads, 0 for all cores; results do not depend on it. A step releases Python's lock. While one
thread steps a simulation, any use of it by another thread raises BusyError.)");
  simulation.def(py::init(&held_of), py::arg("scene"), py::arg("set") = py::none(),
                 py::arg("threads") = 1);
  bind_steps(simulation);
  bind_scene(simulation);
  bind_results(simulation);
  bind_contacts(simulation);
  bind_columns(module, simulation);
  bind_changes(module, simulation);
  bind_named_bodies(module, simulation);
  bind_joints(module, simulation);
  bind_rays(simulation);
  bind_scene_sensors(module, simulation);
  bind_snapshots(module, simulation);
}

}  // namespace scree::python

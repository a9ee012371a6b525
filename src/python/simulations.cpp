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
  if (threads < 0) throw InputError("threads is negative; 0 stands for all cores");
  if (threads == 0) threads = static_cast<int>(machine_info().cores);
  if (!py::isinstance<ReadScene>(source))
    return std::make_shared<Held>(scene_of(source, set), threads);
  if (!set.is_none()) throw py::type_error("a Scene is read already: give `set` to it");
  return std::make_shared<Held>(py::cast<const ReadScene&>(source), threads);
}

// Steps.

/// Steps until `is_end()`, a failure, or an exception that a signal raised and that waits; false
/// then. Without Python's lock.
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

/// When a run ends.
struct RunEnd {
  std::uint64_t last_step;
  std::optional<RestWatch> rest;
  std::optional<ConditionWatch> condition;

  RunEnd(const Held& held, const py::object& until) {
    double time = held.until;
    const double h = held.simulation.model().step.h;
    const RunStage* stage = held.stage();
    if (until.is_none() && stage) {
      // No later than the scene ends, if that says so.
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
                         "'; it is a time in seconds, \"rest\", or None for what the scene says");
      const auto& criterion = stage ? stage->rest : held.rest;
      rest.emplace(criterion.value_or(RestCriterion{}));
    } else {
      time = py::cast<double>(until);
      constexpr double kMaxSteps = 1e15;
      if (!(time >= 0) || !(time / h < kMaxSteps))
        throw InputError("until is " + std::to_string(time) +
                         " s; it is a time from 0 on, at most 1e15 steps away");
    }
    last_step = steps_until(time, h);
  }

  void step(const Simulation& simulation) {
    if (rest) rest->step(simulation);
    if (condition) condition->step(simulation);
  }
  bool at_rest() const { return rest && rest->at_rest(); }
  bool at_condition() const { return condition && condition->reached(); }
  bool is_early() const { return at_rest() || at_condition(); }
};

/// As `if` has it: NumPy's truth values, too.
bool is_true(const py::object& value) {
  const int truth = PyObject_IsTrue(value.ptr());
  if (truth < 0) throw py::error_already_set();
  return truth == 1;
}

std::string run(const py::object& self, const py::object& until, const py::object& callback,
                std::uint64_t every) {
  Held& held = py::cast<Held&>(self);
  if (every == 0) throw InputError("every is 0; the callback comes after so many steps");
  std::optional<RunEnd> end;
  SignalClock signals;
  for (std::uint64_t done = 0;;) {
    {
      const Use use(held.taken);
      if (!end) {
        end.emplace(held, until);
        held.summary.rest.reset();  // of a run before
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
    // What follows a stage until rest, or a condition, is for what has come to it.
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

// What it looks like.

py::array contacts(Held& held) {
  const Use use(held.taken);
  return contacts_array(held.simulation.contacts(), RecordFields::of_simulation);
}

std::vector<std::string> verdict_of(const Held& held) {
  RunSummary summary = held.summary;
  if (!summary.failed()) {
    summary.lasting_overlap = worst_overlap(held.simulation);
    summary.starved = starved_fillings(held.simulation);
  }
  return verdict(summary, held.wall_seconds, held.simulation.model());
}

void bind_steps(SimulationClass& simulation) {
  simulation
      .def("step", &step, py::arg("steps") = 1,
           R"(Makes steps and returns the Report of the last. Raises StepError where a step was not
done, or left a state that is not to be trusted. A step that missed its tolerance is told by the
report, and by verdict().)")
      .def("run", &run, py::arg("until") = py::none(), py::arg("callback") = py::none(),
           py::arg("every") = 1, R"(Steps to a time in seconds, to "rest", or, by None, to the end
that the scene has, through all of its stages that are left; one that is to come to rest, or to a
condition, and does not ends the run. Conditions count from here on, or from where their stage
begins. callback(sim) is called after every so many steps; the run ends where it returns what is
true, and where it raises, which leaves the simulation as it was after that step. Returns what
ended it: "time", "rest", "condition", "callback", or "no_bodies": none was left to come to rest.
Ctrl-C raises KeyboardInterrupt between two steps.)")
      .def(
          "next_stage", &next_stage,
          R"(Begins the next stage of the scene, whatever the stage before has come to; step() alone
stays in a stage. Bodies, contacts and time go on. Raises InputError after the last.)");
}

void bind_looks(SimulationClass& simulation) {
  const auto property = [&](const char* name, const char* doc, auto f) {
    simulation.def_property_readonly(
        name,
        [f](Held& held) {
          const Use use(held.taken);
          return f(held);
        },
        doc);
  };
  property("time", "[s]", [](Held& h) { return h.simulation.state().time; });
  property("h", "Time step [s].", [](Held& h) { return h.simulation.model().step.h; });
  property("name", "Of the scene.", [](Held& h) { return h.name; });
  property("until", "Time at the end, as the scene has it [s].", [](Held& h) { return h.until; });
  property("stage", "Name of the stage that it is in; None without stages.", [](Held& h) {
    const RunStage* stage = h.stage();
    return stage ? std::optional(stage->name) : std::nullopt;
  });
  property("stage_names", "Of all stages of the scene.", [](Held& h) {
    std::vector<std::string> names;
    for (const RunStage& stage : h.staged.stages) names.push_back(stage.name);
    return names;
  });
  property("gravity", "(3,) [m/s²].",
           [](Held& h) { return array_of(h.simulation.model().gravity); });
  property("report", "Of the last step; before the first, of the initial state.",
           [](Held& h) { return h.simulation.report(); });
  property("state_hash", "Over all that a restart needs; equal where runs go on equal, bit by bit.",
           [](Held& h) { return state_hash(h.simulation.state()); });
  property("motion_hash", "Over what moves and how, contacts' memory left out.",
           [](Held& h) { return motion_hash(h.simulation.state()); });
  property("material_names", "By index.", [](Held& h) {
    std::vector<std::string> names;
    for (const Material& material : h.simulation.model().materials) names.push_back(material.name);
    return names;
  });
  property("obstacle_names", "By index.", [](Held& h) {
    std::vector<std::string> names;
    for (const Obstacle& obstacle : h.simulation.model().obstacles) names.push_back(obstacle.name);
    return names;
  });
  property("memory_bytes", "Held between steps [byte].",
           [](Held& h) { return h.simulation.memory_bytes(); });
  property("met", "Whether all steps so far were solved as the verdict demands.",
           [](Held& h) { return h.summary.is_met(); });
  property("warnings", "What steps warned of.", [](Held& h) { return h.warnings; });
  simulation.def(
      "verdict",
      [](Held& held) {
        const Use use(held.taken);
        return verdict_of(held);
      },
      "What is to be known of all steps so far: sentences, the judgement first.");
  simulation.def_property_readonly(
      "contacts", &contacts,
      R"(Of the last step: a structured array of shape (n,), in the order of their keys, with
a, b                 ids; obstacles have those from FIRST_OBSTACLE_ID on
point                midway between the surfaces [m]
normal               unit, from a to b
gap                  before the step [m]
impulse           on b, inertial frame [N s]; over sim.h, the force
relative_velocity    of b against a where they touch, after the step, inertial frame [m/s]
angular_impulse   rolling friction, on b [N m s]
kind                 an index in CONTACT_CLASSES
residual             natural map of the contact's own law [m/s]
cone_violation [N s], complementarity_violation [J], dissipated_energy [J], painleve_number [-])");
  simulation.def("__repr__", [](Held& held) {
    const Use use(held.taken);
    const Report& report = held.simulation.report();
    return py::str("<scree.Simulation {}: {} bodies, t = {:.6g} s>")
        .format(held.name, report.bodies, report.time);
  });
}

}  // namespace

void bind_simulations(py::module_& module) {
  SimulationClass simulation(module, "Simulation", R"(A scene that is stepped.

Simulation(scene, set=None, threads=1): scene is a Scene, or what one is made of. threads=0 takes
all cores; results do not depend on it. A step gives Python's lock away. While one thread steps a
simulation, another that asks it for anything gets a BusyError.)");
  simulation.def(py::init(&held_of), py::arg("scene"), py::arg("set") = py::none(),
                 py::arg("threads") = 1);
  bind_steps(simulation);
  bind_looks(simulation);
  bind_columns(module, simulation);
  bind_changes(module, simulation);
}

}  // namespace scree::python

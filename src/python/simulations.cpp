#include <memory>
#include <pybind11/stl.h>

#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/held.hpp"
#include "python/records.hpp"
#include "python/scenes.hpp"
#include "scree/core/kept_memory.hpp"
#include "scree/io/build_info.hpp"
#include "scree/sim/steps.hpp"

namespace scree::python {
namespace {

using HeldPointer = std::shared_ptr<Held>;

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

  RunEnd(const Held& held, const py::object& until) {
    double time = held.until;
    if (until.is_none()) {
      if (held.rest) rest.emplace(*held.rest);
    } else if (py::isinstance<py::str>(until)) {
      if (py::cast<std::string>(until) != "rest")
        throw InputError("until is '" + py::cast<std::string>(until) +
                         "'; it is a time in seconds, \"rest\", or None for what the scene says");
      rest.emplace(held.rest.value_or(RestCriterion{}));
    } else {
      time = py::cast<double>(until);
      constexpr double kMostSteps = 1e15;
      if (!(time >= 0) || !(time / held.simulation.model().step.h < kMostSteps))
        throw InputError("until is " + std::to_string(time) +
                         " s; it is a time from 0 on, at most 1e15 steps away");
    }
    last_step = steps_until(time, held.simulation.model().step.h);
  }

  bool at_rest() const { return rest && rest->at_rest(); }
};

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
      }
      const Simulation& simulation = held.simulation;
      bool stepped = false;
      const auto is_end = [&] {
        if (stepped) {
          ++done;
          if (end->rest) end->rest->step(simulation);
        }
        const bool is_over = simulation.state().step >= end->last_step || end->at_rest();
        const bool calls = stepped && !callback.is_none() && done % every == 0;
        stepped = true;
        return is_over || calls;
      };
      if (!step_while(held, signals, is_end)) raise(held);
    }
    if (!callback.is_none() && done > 0 && done % every == 0 && callback(self).is(py::bool_(true)))
      return "callback";
    const Use use(held.taken);
    if (!end->at_rest() && held.simulation.state().step < end->last_step) continue;
    if (end->rest)
      held.summary.rest = {end->rest->criterion(), end->rest->report(), end->at_rest()};
    return end->at_rest() ? "rest" : "time";
  }
}

// What it looks like.

/// An array of a column, which keeps its memory.
template <class T>
py::array column(std::span<const T> values) {
  const auto owner = [&]() -> py::object {
    auto* kept = new KeptMemory(values.data());
    return py::capsule(kept, [](void* p) { delete static_cast<KeptMemory*>(p); });
  };
  return view_of(values, owner());
}

/// Rows of bodies as they stood when it was made.
struct Columns {
  HeldPointer held;
  BodyColumns rows;

  explicit Columns(HeldPointer of) : held(std::move(of)), rows(held->simulation.columns()) {}

  const BodyColumns& current() const {
    if (!rows.is_current())
      throw StaleError(
          "these columns are stale: bodies were reordered, added or removed since; take "
          "sim.columns anew, and sim.ids for who is where");
    return rows;
  }
};

/// f(columns) of a simulation that nobody steps.
template <class F>
auto look_at(const Columns& columns, F&& f) {
  const Use use(columns.held->taken);
  return f(columns.current());
}

py::array presence_of(const BodyColumns& columns) {
  py::array_t<bool> present(static_cast<py::ssize_t>(columns.size()));
  for (std::size_t i = 0; i < columns.size(); ++i) present.mutable_data()[i] = !columns.has_left(i);
  return present;
}

/// Calls f(name, doc, columns → array) for every column.
template <class F>
void for_each_column(F&& f) {
  using C = const BodyColumns&;
  f("ids", "Who is where: (n,) uint64.", [](C c) { return column(c.ids()); });
  f("positions", "Of centres of mass: (n, 3) [m].", [](C c) { return column(c.positions()); });
  f("orientations", "Body frame to inertial frame, w first: (n, 4).",
    [](C c) { return column(c.orientations()); });
  f("velocities", "(n, 3) [m/s].", [](C c) { return column(c.velocities()); });
  f("angular_velocities", "Inertial frame: (n, 3) [rad/s].",
    [](C c) { return column(c.angular_velocities()); });
  f("radii", "Of bounding spheres: (n,) [m].", [](C c) { return column(c.radii()); });
  f("masses", "(n,) [kg].", [](C c) { return column(c.masses()); });
  f("prototypes", "(n,) uint16; 0 is the sphere.", [](C c) { return column(c.prototypes()); });
  f("materials", "(n,) uint16, an index in material_names.",
    [](C c) { return column(c.materials()); });
  f("present", R"((n,) bool, a copy: False for bodies that have left, by an outflow or removed, and
whose row is still there. They act on nobody.)",
    [](C c) { return presence_of(c); });
}

py::array contacts(Held& held) {
  const Use use(held.taken);
  return contacts_array(held.simulation.contacts(), RecordFields::of_simulation);
}

std::vector<std::string> verdict_of(const Held& held) {
  RunSummary summary = held.summary;
  if (!summary.failed()) summary.lasting_overlap = worst_overlap(held.simulation);
  return verdict(summary, held.wall_seconds, held.simulation.model());
}

// Bodies.

/// Calls f(id, k) for each of `ids`; a refusal names the body.
template <class F>
void for_each_id(const std::vector<BodyId>& ids, F&& f) {
  for (std::size_t k = 0; k < ids.size(); ++k) try {
      f(ids[k], k);
    } catch (const InputError& error) {
      throw InputError("body " + std::to_string(ids[k].value) + ": " + error.what());
    }
}

/// f(simulation, id, vector) for each body and its row of an argument.
template <class F>
void change(Held& held, const py::object& of, const Doubles& rows, const char* name, F&& f) {
  const Use use(held.taken);
  const std::vector<BodyId> ids = ids_of(of);
  const Rows<3> vectors(rows, name, ids.size());
  for_each_id(ids, [&](BodyId id, std::size_t k) { f(held.simulation, id, vec3_of(vectors[k])); });
}

void turn_to(Held& held, const py::object& of, const Doubles& orientations) {
  const Use use(held.taken);
  const std::vector<BodyId> ids = ids_of(of);
  const Rows<4> rows(orientations, "orientations", ids.size());
  for_each_id(
      ids, [&](BodyId id, std::size_t k) { held.simulation.turn_to(id, quaternion_of(rows[k])); });
}

void apply_force(Held& held, const py::object& of, const Doubles& forces,
                 const std::optional<Doubles>& torques, const std::optional<Doubles>& points) {
  if (torques && points)
    throw InputError("give torque or point: a force at a point has its torque already");
  const Use use(held.taken);
  const std::vector<BodyId> ids = ids_of(of);
  const Rows<3> force(forces, "force", ids.size());
  std::optional<Rows<3>> torque, point;
  if (torques) torque.emplace(*torques, "torque", ids.size());
  if (points) point.emplace(*points, "point", ids.size());
  for_each_id(ids, [&](BodyId id, std::size_t k) {
    if (point)
      held.simulation.apply_force_at(id, vec3_of(force[k]), vec3_of((*point)[k]));
    else
      held.simulation.apply_force(id, vec3_of(force[k]), torque ? vec3_of((*torque)[k]) : Vec3{});
  });
}

/// A material by its name or its index.
MaterialId material_of(const Model& model, const py::object& material) {
  if (!py::isinstance<py::str>(material)) return py::cast<MaterialId>(material);
  const auto name = py::cast<std::string>(material);
  const auto found = std::ranges::find(model.materials, name, &Material::name);
  if (found == model.materials.end()) throw InputError("there is no material '" + name + "'");
  return static_cast<MaterialId>(found - model.materials.begin());
}

std::uint64_t add(Held& held, const Doubles& position, double radius, const py::object& material,
                  const Doubles& velocity, const Doubles& angular_velocity,
                  const Doubles& orientation, PrototypeId prototype, std::optional<double> mass) {
  const Use use(held.taken);
  const Model& model = held.simulation.model();
  Body body;
  body.position = vec3_of(position, "position");
  body.velocity = vec3_of(velocity, "velocity");
  body.angular_velocity = vec3_of(angular_velocity, "angular_velocity");
  body.orientation = quaternion_of(Rows<4>(orientation, "orientation", 1)[0]);
  body.radius = radius;
  body.prototype = prototype;
  body.material = material_of(model, material);
  if (mass) {
    body.mass = *mass;
  } else {
    if (prototype >= model.prototypes.size() || body.material >= model.materials.size())
      throw InputError("there is no such prototype or material in the scene");
    body.mass = model.materials[body.material].density * radius * radius * radius *
                volume_properties(model.prototypes[prototype].shape).volume;
  }
  return held.simulation.add(body).value;
}

py::array rows_of(Held& held, const py::object& of) {
  const Use use(held.taken);
  AlignedVector<std::uint32_t> rows;
  for (const BodyId id : ids_of(of)) rows.push_back(held.simulation.index_of(id));
  return array_of_own(std::move(rows));
}

// Parts.

std::uint32_t part_of(const Simulation& simulation, const py::object& part) {
  return py::isinstance<py::str>(part) ? simulation.part(py::cast<std::string>(part))
                                       : py::cast<std::uint32_t>(part);
}

/// f(simulation, index) of a part by its name or its index.
template <class F>
auto with_part(Held& held, const py::object& part, F&& f) {
  const Use use(held.taken);
  return f(held.simulation, part_of(held.simulation, part));
}

py::tuple pair_of(const Wrench& wrench) {
  return py::make_tuple(array_of(wrench.force), array_of(wrench.torque));
}

void bind_steps(py::class_<Held, HeldPointer>& simulation) {
  simulation
      .def("step", &step, py::arg("steps") = 1,
           R"(Makes steps and returns the Report of the last. Raises StepError where a step was not
done, or left a state that is not to be trusted. A step that missed its tolerance is told by the
report, and by verdict().)")
      .def("run", &run, py::arg("until") = py::none(), py::arg("callback") = py::none(),
           py::arg("every") = 1, R"(Steps to a time in seconds, to "rest", or, by None, to the end
that the scene has. callback(sim) is called after every so many steps; the run ends where it returns
True, and where it raises, which leaves the simulation as it was after that step. Returns what ended
it: "time", "rest" or "callback". Ctrl-C raises KeyboardInterrupt between two steps.)");
}

void bind_looks(py::class_<Held, HeldPointer>& simulation) {
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
  property("part_names", "By index.", [](Held& h) {
    std::vector<std::string> names;
    for (const Obstacle& part : h.simulation.model().obstacles) names.push_back(part.name);
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
a, b                 ids; parts have those from FIRST_PART_ID on
point                midway between the surfaces [m]
normal               unit, from a to b
gap                  before the step [m]
percussion           on b, inertial frame [N s]; over sim.h, the force
relative_velocity    of b against a where they touch, after the step, inertial frame [m/s]
angular_percussion   what resists turning, on b [N m s]
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

void bind_columns(py::module_& module, py::class_<Held, HeldPointer>& simulation) {
  py::class_<Columns> columns(module, "Columns", R"(All bodies, a row each, as they stood when this
was made. Arrays are views of the engine's memory, to read only. They follow bodies as these move,
until rows change places: where the list of neighbours is made anew, where bodies come or go. Then
is_current is False, and asking for an array raises StaleError. An array that was taken before stays
readable, even when the simulation is gone, but is of no more use.)");
  columns.def_property_readonly(
      "is_current", [](const Columns& c) { return c.rows.is_current(); },
      "Whether rows stand where they stood.");
  columns.def_property_readonly(
      "generation", [](const Columns& c) { return c.rows.generation(); },
      "How often rows had changed places when this was made.");
  columns.def("__len__", [](const Columns& c) {
    return look_at(c, [](const BodyColumns& rows) { return rows.size(); });
  });
  for_each_column([&](const char* name, const char* doc, auto array) {
    columns.def_property_readonly(
        name, [array](const Columns& c) { return look_at(c, array); }, doc);
    simulation.def_property_readonly(
        name,
        [array](const HeldPointer& held) {
          const Use use(held->taken);
          return array(held->simulation.columns());
        },
        doc);
  });
  simulation.def_property_readonly(
      "columns",
      [](const HeldPointer& held) {
        const Use use(held->taken);
        return Columns(held);
      },
      "All bodies, a row each, with the means to tell whether rows changed places.");
  simulation.def("rows", &rows_of, py::arg("ids"),
                 "Rows of bodies in the arrays, until these are stale: (n,) uint32.");
}

void bind_bodies(py::class_<Held, HeldPointer>& simulation) {
  simulation
      .def(
          "has_body",
          [](Held& held, std::uint64_t id) {
            const Use use(held.taken);
            return held.simulation.has_body({id});
          },
          py::arg("id"), "Whether there is a body of this id.")
      .def(
          "body",
          [](Held& held, std::uint64_t id) {
            const Use use(held.taken);
            return held.simulation.body({id});
          },
          py::arg("id"), "A copy of all that a body has.")
      .def("add", &add, py::arg("position"), py::arg("radius"), py::arg("material") = 0,
           py::kw_only(), py::arg("velocity") = Doubles(py::make_tuple(0., 0., 0.)),
           py::arg("angular_velocity") = Doubles(py::make_tuple(0., 0., 0.)),
           py::arg("orientation") = Doubles(py::make_tuple(1., 0., 0., 0.)),
           py::arg("prototype") = 0, py::arg("mass") = py::none(),
           R"(Adds a body, which is there from the next step on; returns its id. radius is that of
the bounding sphere [m]; prototype a shape that the scene has, 0 the sphere; mass [kg] follows from
the density of the material, a name or an index, unless it is given. It may overlap others.)")
      .def(
          "remove",
          [](Held& held, const py::object& ids) {
            const Use use(held.taken);
            for_each_id(ids_of(ids), [&](BodyId id, std::size_t) { held.simulation.remove(id); });
          },
          py::arg("ids"), "Removes bodies; their rows go with the next step, see present.")
      .def(
          "move_to",
          [](Held& held, const py::object& ids, const Doubles& positions) {
            change(held, ids, positions, "positions",
                   [](Simulation& s, BodyId id, const Vec3& v) { s.move_to(id, v); });
          },
          py::arg("ids"), py::arg("positions"), "New centres of mass: (3,) or (n, 3) [m].")
      .def("turn_to", &turn_to, py::arg("ids"), py::arg("orientations"),
           "New orientations, w first: (4,) or (n, 4), of any length but 0.")
      .def(
          "change_velocity",
          [](Held& held, const py::object& ids, const Doubles& velocities) {
            change(held, ids, velocities, "velocities",
                   [](Simulation& s, BodyId id, const Vec3& v) { s.change_velocity(id, v); });
          },
          py::arg("ids"), py::arg("velocities"), "(3,) or (n, 3) [m/s].")
      .def(
          "change_angular_velocity",
          [](Held& held, const py::object& ids, const Doubles& angular_velocities) {
            change(
                held, ids, angular_velocities, "angular_velocities",
                [](Simulation& s, BodyId id, const Vec3& v) { s.change_angular_velocity(id, v); });
          },
          py::arg("ids"), py::arg("angular_velocities"), "Inertial frame: (3,) or (n, 3) [rad/s].")
      .def("apply_force", &apply_force, py::arg("ids"), py::arg("force"), py::kw_only(),
           py::arg("torque") = py::none(), py::arg("point") = py::none(),
           R"(In the next step alone, added to what was applied since the last: force (3,) or (n, 3)
[N], at the centre of mass with a torque [N m], or at a point [m]; inertial frame.)")
      .def(
          "contact_force",
          [](Held& held, std::uint64_t id) {
            const Use use(held.taken);
            return pair_of(held.simulation.contact_force({id}));
          },
          py::arg("id"),
          R"(Force [N] and torque [N m] of all contacts of the last step on a body, about its centre
as it stood when the step began: two arrays of shape (3,).)")
      .def(
          "contacts_of",
          [](Held& held, std::uint64_t id) {
            const Use use(held.taken);
            return contacts_array(held.simulation.contacts_of({id}), RecordFields::of_simulation);
          },
          py::arg("id"), "Those of contacts that a body takes part in.");
}

void bind_parts(py::class_<Held, HeldPointer>& simulation) {
  simulation
      .def(
          "part_pose",
          [](Held& held, const py::object& part) {
            return with_part(held, part, [](Simulation& s, std::uint32_t k) {
              const Pose& pose = s.part_pose(k);
              return py::make_tuple(array_of(pose.position), array_of(pose.orientation));
            });
          },
          py::arg("part"),
          "Where a part, a name or an index, stands: position (3,) [m], orientation (4,).")
      .def(
          "move_part",
          [](Held& held, const py::object& part, const Doubles& linear, const Doubles& angular) {
            const Twist twist{vec3_of(linear, "linear"), vec3_of(angular, "angular")};
            with_part(held, part, [&](Simulation& s, std::uint32_t k) { s.move_part(k, twist); });
          },
          py::arg("part"), py::arg("linear") = Doubles(py::make_tuple(0., 0., 0.)),
          py::arg("angular") = Doubles(py::make_tuple(0., 0., 0.)),
          R"(How a part moves in each step from now on: linear [m/s] of its frame's origin, angular
[rad/s] about it. Refused for a part that the scene moves.)")
      .def(
          "part_force",
          [](Held& held, const py::object& part, const std::optional<Doubles>& about) {
            std::optional<Vec3> point;
            if (about) point = vec3_of(*about, "about");
            return with_part(held, part, [&](Simulation& s, std::uint32_t k) {
              return pair_of(s.contact_force_on_part(k, point));
            });
          },
          py::arg("part"), py::arg("about") = py::none(),
          R"(Force [N] and torque [N m] of all contacts of the last step on a part, about a point
[m], or about where its pivot stands now: two arrays of shape (3,).)");
}

}  // namespace

void bind_simulations(py::module_& module) {
  py::class_<Body>(module, "Body", "A copy of all that a body has.")
      .def_property_readonly("id", [](const Body& b) { return b.id.value; })
      .def_property_readonly(
          "position", [](const Body& b) { return array_of(b.position); }, "(3,) [m].")
      .def_property_readonly(
          "orientation", [](const Body& b) { return array_of(b.orientation); }, "(4,), w first.")
      .def_property_readonly(
          "velocity", [](const Body& b) { return array_of(b.velocity); }, "(3,) [m/s].")
      .def_property_readonly(
          "angular_velocity", [](const Body& b) { return array_of(b.angular_velocity); },
          "(3,) [rad/s], inertial frame.")
      .def_readonly("radius", &Body::radius, "Of the bounding sphere [m].")
      .def_readonly("mass", &Body::mass, "[kg]")
      .def_readonly("prototype", &Body::prototype, "0 is the sphere.")
      .def_readonly("material", &Body::material, "An index in material_names.");

  py::class_<Held, HeldPointer> simulation(module, "Simulation", R"(A scene that is stepped.

Simulation(scene, set=None, threads=1): scene is a Scene, or what one is made of. threads=0 takes
all cores; results do not depend on it. A step gives Python's lock away. While one thread steps a
simulation, another that asks it for anything gets a BusyError.)");
  simulation.def(py::init(&held_of), py::arg("scene"), py::arg("set") = py::none(),
                 py::arg("threads") = 1);
  bind_steps(simulation);
  bind_looks(simulation);
  bind_columns(module, simulation);
  bind_bodies(simulation);
  bind_parts(simulation);
}

}  // namespace scree::python

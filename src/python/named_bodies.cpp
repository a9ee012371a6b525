/// The classes Bodies and Link of Python: bodies by the names that they have in the scene.
#include "python/named_bodies.hpp"

#include <pybind11/stl.h>

#include "python/arrays.hpp"
#include "scree/core/spelling.hpp"
#include "scree/sim/solid_prototype.hpp"
#include "sim/motion/body_motion.hpp"

namespace scree::python {
namespace {

/// All bodies with names.
struct NamedBodies {
  HeldPointer held;
};

struct Link {
  HeldPointer held;
  std::string name;
  BodyId id;
};

std::vector<std::string> names_of_bodies(const Held& held) {
  std::vector<std::string> names;
  for (const auto& [name, id] : held.bodies) names.push_back(name);
  return names;
}

Pose pose_of(const Simulation& simulation, const Body& body) {
  return shape_pose(simulation.model().prototypes[body.prototype], body.radius,
                    {body.position, body.orientation});
}

/// Adds a property that is f(simulation, id), while no other thread steps the simulation.
template <class F>
void add_of_link(py::class_<Link>& type, const char* name, const char* doc, F f) {
  type.def_property_readonly(
      name,
      [f](const Link& link) {
        const Use use(link.held->taken);
        return f(link.held->simulation, link.id);
      },
      doc);
}

/// Vector of the inertial frame in the link's frame.
Vec3 in_link(const Simulation& simulation, BodyId id, const Vec3& v) {
  return rotate_back(pose_of(simulation, simulation.body(id)).orientation, v);
}

py::tuple as_tuple(const Wrench& wrench) {
  return py::make_tuple(array_of(wrench.force), array_of(wrench.torque));
}

/// Gives a body another mass. Its change of energy counts as work from outside.
void change_mass(const Link& link, double mass) {
  const Use use(link.held->taken);
  Simulation& simulation = link.held->simulation;
  State state = simulation.state();
  const BodyIndex i = simulation.index_of(link.id);
  const double before = total_energy(simulation.model(), state.bodies, i);
  state.bodies.mass[i] = mass;
  state.ledger.wall_work += total_energy(simulation.model(), state.bodies, i) - before;
  state.sleep.disturb(i);
  simulation.restore(state);
}

void bind_motion(py::class_<Link>& link) {
  using S = const Simulation&;
  add_of_link(link, "position", "Origin of its frame: (3,) [m].",
              [](S s, BodyId id) { return array_of(pose_of(s, s.body(id)).position); });
  add_of_link(link, "orientation",
              "Its frame to the inertial frame, a unit quaternion, w first: (4,) [-].",
              [](S s, BodyId id) { return array_of(pose_of(s, s.body(id)).orientation); });
  add_of_link(link, "velocity", "Velocity of the origin of its frame: (3,) [m/s].",
              [](S s, BodyId id) {
                const Body body = s.body(id);
                const Vec3 arm = pose_of(s, body).position - body.position;
                return array_of(body.velocity + cross(body.angular_velocity, arm));
              });
  add_of_link(link, "angular_velocity", "Angular velocity in the inertial frame: (3,) [rad/s].",
              [](S s, BodyId id) { return array_of(s.body(id).angular_velocity); });
  add_of_link(link, "centre_of_mass", "Centre of mass: (3,) [m].",
              [](S s, BodyId id) { return array_of(s.body(id).position); });
  link.def_property(
      "mass",
      [](const Link& l) {
        const Use use(l.held->taken);
        return l.held->simulation.body(l.id).mass;
      },
      &change_mass,
      R"(Mass [kg]. Assign it to scale the moments of inertia, too; contacts and forces of the last
step are forgotten.)");
}

void bind_sensors(py::class_<Link>& link) {
  using S = const Simulation&;
  const auto acceleration = [](Simulation& s, BodyId id) {
    s.watch(id);
    return s.acceleration(id).linear;
  };
  add_of_link(link, "acceleration",
              R"(Acceleration of the centre of mass in the last step, inertial frame: (3,) [m/s²]; 0
before the first step after this link was taken from Simulation.bodies.)",
              [=](Simulation& s, BodyId id) { return array_of(acceleration(s, id)); });
  add_of_link(
      link, "accelerometer",
      R"(Reading of an accelerometer at the centre of mass: the acceleration less gravity, in
the link's frame: (3,) [m/s²]. At rest it points up, with 9.81.)",
      [=](Simulation& s, BodyId id) {
        return array_of(in_link(s, id, acceleration(s, id) - s.model().gravity));
      });
  add_of_link(link, "gyroscope", "Angular velocity in the link's frame: (3,) [rad/s].",
              [](S s, BodyId id) { return array_of(in_link(s, id, s.body(id).angular_velocity)); });
  add_of_link(link, "contact_force",
              R"(Force (3,) [N] and torque (3,) [N m] of all contacts in the last step, as
Simulation.contact_force().)",
              [](S s, BodyId id) { return as_tuple(s.contact_force(id)); });
  add_of_link(link, "applied",
              "Force (3,) [N] and torque (3,) [N m] of apply_force() for the next step.",
              [](S s, BodyId id) {
                const auto& applied = s.state().applied;
                return as_tuple(applied.empty() ? Wrench{} : applied[s.index_of(id)]);
              });
}

}  // namespace

Pose frame_of_link(const Simulation& simulation, BodyId id) {
  return pose_of(simulation, simulation.body(id));
}

BodyId body_of(const Held& held, py::handle body) {
  if (!py::isinstance<py::str>(body)) return {py::cast<std::uint64_t>(body)};
  const auto name = py::cast<std::string>(body);
  const auto found = held.bodies.find(name);
  if (found != held.bodies.end()) return found->second;
  const std::vector<std::string> names = names_of_bodies(held);
  throw InputError(names.empty() ? "there is no body '" + name + "': the scene names none"
                                 : "there is no body '" + name + "'" + suggestion(name, names));
}

std::vector<BodyId> bodies_of(const Held& held, const py::object& bodies) {
  if (py::isinstance<py::str>(bodies)) return {body_of(held, bodies)};
  const bool is_list = py::isinstance<py::list>(bodies) || py::isinstance<py::tuple>(bodies);
  const auto is_name = [](py::handle entry) { return py::isinstance<py::str>(entry); };
  if (!is_list || py::len(bodies) == 0 || !is_name(*py::iter(bodies))) return ids_of(bodies);
  std::vector<BodyId> ids;
  for (const py::handle name : bodies) ids.push_back(body_of(held, name));
  return ids;
}

void bind_named_bodies(py::module_& module, SimulationClass& simulation) {
  py::class_<NamedBodies>(module, "Bodies", "Bodies by the names that they have in the scene.")
      .def("__len__", [](const NamedBodies& b) { return b.held->bodies.size(); })
      .def(
          "__getitem__",
          [](const NamedBodies& b, const std::string& name) {
            const Use use(b.held->taken);
            const BodyId id = body_of(*b.held, py::str(name));
            if (b.held->simulation.has_body(id)) b.held->simulation.watch(id);
            return Link{b.held, name, id};
          },
          py::arg("name"))
      .def("__contains__", [](const NamedBodies& b,
                              const std::string& name) { return b.held->bodies.contains(name); })
      .def("__iter__",
           [](const NamedBodies& b) { return py::iter(py::cast(names_of_bodies(*b.held))); })
      .def(
          "keys", [](const NamedBodies& b) { return names_of_bodies(*b.held); },
          "Names, in alphabetical order.");
  py::class_<Link> link(module, "Link", R"(A body with a name in the scene, such as a robot's link.

Its frame is that of its shape in the scene, for an imported robot that of the link. Every property
raises InputError if the body has left.)");
  link.def_readonly("name", &Link::name)
      .def_property_readonly(
          "id", [](const Link& l) { return l.id.value; }, "Id of the body.");
  bind_motion(link);
  bind_sensors(link);
  simulation.def_property_readonly(
      "bodies", [](const HeldPointer& held) { return NamedBodies{held}; },
      "Bodies with names in the scene, as Bodies. Other calls take these names as ids.");
}

}  // namespace scree::python

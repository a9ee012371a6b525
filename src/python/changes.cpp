/// Members of Python's Simulation that change bodies, forces and obstacles between steps, or show
/// one body or obstacle.
#include <algorithm>
#include <pybind11/stl.h>

#include "python/arrays.hpp"
#include "python/named_bodies.hpp"
#include "python/records.hpp"
#include "scree/core/spelling.hpp"

namespace scree::python {
namespace {

// Bodies.

/// Calls f(id, k) for each of `ids`. An InputError gets the id of the body.
template <class F>
void for_each_id(const std::vector<BodyId>& ids, F&& f) {
  for (std::size_t k = 0; k < ids.size(); ++k) try {
      f(ids[k], k);
    } catch (const InputError& error) {
      throw InputError("body " + std::to_string(ids[k].value) + ": " + error.what());
    }
}

/// Calls f(simulation, id, vector) for each body and its row of an argument.
template <class F>
void change(Held& held, const py::object& bodies, const Doubles& rows, const char* name, F&& f) {
  const Use use(held.taken);
  const std::vector<BodyId> ids = bodies_of(held, bodies);
  const Rows<3> vectors(rows, name, ids.size());
  for_each_id(ids, [&](BodyId id, std::size_t k) { f(held.simulation, id, vec3_of(vectors[k])); });
}

void turn_to(Held& held, const py::object& bodies, const Doubles& orientations) {
  const Use use(held.taken);
  const std::vector<BodyId> ids = bodies_of(held, bodies);
  const Rows<4> rows(orientations, "orientations", ids.size());
  for_each_id(
      ids, [&](BodyId id, std::size_t k) { held.simulation.turn_to(id, quaternion_of(rows[k])); });
}

void apply_force(Held& held, const py::object& bodies, const Doubles& forces,
                 const std::optional<Doubles>& torques, const std::optional<Doubles>& points) {
  if (torques && points)
    throw InputError(
        "torque and point are both given; give one, as a force at a point has its torque");
  const Use use(held.taken);
  const std::vector<BodyId> ids = bodies_of(held, bodies);
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
  if (found == model.materials.end())
    throw InputError("there is no material '" + name + "'; material_names lists them");
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
      throw InputError("the scene has no prototype or material with this index");
    body.mass = model.materials[body.material].density * radius * radius * radius *
                volume_properties(model.prototypes[prototype].shape).volume;
  }
  return held.simulation.add(body).value;
}

// Obstacles.

std::uint32_t obstacle_of(const Simulation& simulation, const py::object& obstacle) {
  if (py::isinstance<py::str>(obstacle))
    return simulation.obstacle(py::cast<std::string>(obstacle));
  if (!py::isinstance<py::int_>(obstacle))
    throw py::type_error("an obstacle is a name or an index");
  const auto obstacles = static_cast<std::int64_t>(simulation.state().obstacles.size());
  const auto index = py::cast<std::int64_t>(obstacle);
  if (index < 0 || index >= obstacles)
    throw InputError("there is no obstacle " + std::to_string(index) + "; there are " +
                     std::to_string(obstacles) + ", counted from 0");
  return static_cast<std::uint32_t>(index);
}

/// Calls f(simulation, index) for an obstacle given by name or index.
template <class F>
auto with_obstacle(Held& held, const py::object& obstacle, F&& f) {
  const Use use(held.taken);
  return f(held.simulation, obstacle_of(held.simulation, obstacle));
}

py::tuple pair_of(const Wrench& wrench) {
  return py::make_tuple(array_of(wrench.force), array_of(wrench.torque));
}

/// The other body or obstacle of contacts; none for None.
std::optional<BodyId> partner_of(const Held& held, const py::object& other) {
  if (other.is_none()) return {};
  const auto& obstacles = held.simulation.model().obstacles;
  const bool is_name = py::isinstance<py::str>(other);
  if (!is_name || held.bodies.contains(py::cast<std::string>(other))) return body_of(held, other);
  const auto name = py::cast<std::string>(other);
  if (std::ranges::find(obstacles, name, &Obstacle::name) == obstacles.end()) {
    std::vector<std::string> names;
    for (const auto& [body, id] : held.bodies) names.push_back(body);
    for (const Obstacle& obstacle : obstacles) names.push_back(obstacle.name);
    throw InputError("there is no body or obstacle '" + name + "'" + suggestion(name, names));
  }
  return obstacle_id(held.simulation.obstacle(name));
}

/// Bodies that exist, come and go.
void bind_presence(SimulationClass& simulation) {
  simulation
      .def(
          "has_body",
          [](Held& held, const py::object& id) {
            const Use use(held.taken);
            return held.simulation.has_body(body_of(held, id));
          },
          py::arg("id"), "True if there is a body with this id, or the named body has not left.")
      .def(
          "body",
          [](Held& held, const py::object& id) {
            const Use use(held.taken);
            return held.simulation.body(body_of(held, id));
          },
          py::arg("id"), "A copy of a body's state.")
      .def(
          "add", &add, py::arg("position"), py::arg("radius"), py::arg("material") = 0,
          py::kw_only(), py::arg("velocity") = Doubles(py::make_tuple(0., 0., 0.)),
          py::arg("angular_velocity") = Doubles(py::make_tuple(0., 0., 0.)),
          py::arg("orientation") = Doubles(py::make_tuple(1., 0., 0., 0.)),
          py::arg("prototype") = 0, py::arg("mass") = py::none(),
          R"(Adds a body, which exists from the next step on; it may overlap others. Returns its id.

position          centre of mass: (3,) [m]
radius            radius of the bounding sphere [m]
material          name or index
velocity          (3,) [m/s]
angular_velocity  inertial frame: (3,) [rad/s]
orientation       quaternion, w first: (4,)
prototype         index of a shape of the scene; 0: the sphere
mass              [kg]; None: from the density of the material)")
      .def(
          "remove",
          [](Held& held, const py::object& ids) {
            const Use use(held.taken);
            for_each_id(bodies_of(held, ids),
                        [&](BodyId id, std::size_t) { held.simulation.remove(id); });
          },
          py::arg("ids"), "Removes bodies; their rows vanish in the next step, see present.");
}

/// Positions and velocities of bodies.
void bind_body_motion(SimulationClass& simulation) {
  simulation
      .def(
          "move_to",
          [](Held& held, const py::object& ids, const Doubles& positions) {
            change(held, ids, positions, "positions",
                   [](Simulation& s, BodyId id, const Vec3& v) { s.move_to(id, v); });
          },
          py::arg("ids"), py::arg("positions"), "Sets centres of mass: (3,) or (n, 3) [m].")
      .def("turn_to", &turn_to, py::arg("ids"), py::arg("orientations"),
           "Sets orientations, w first: (4,) or (n, 4), of any length but 0.")
      .def(
          "change_velocity",
          [](Held& held, const py::object& ids, const Doubles& velocities) {
            change(held, ids, velocities, "velocities",
                   [](Simulation& s, BodyId id, const Vec3& v) { s.change_velocity(id, v); });
          },
          py::arg("ids"), py::arg("velocities"), "Sets velocities: (3,) or (n, 3) [m/s].")
      .def(
          "change_angular_velocity",
          [](Held& held, const py::object& ids, const Doubles& angular_velocities) {
            change(
                held, ids, angular_velocities, "angular_velocities",
                [](Simulation& s, BodyId id, const Vec3& v) { s.change_angular_velocity(id, v); });
          },
          py::arg("ids"), py::arg("angular_velocities"),
          "Sets angular velocities in the inertial frame: (3,) or (n, 3) [rad/s].");
}

/// Forces on bodies, given and of contacts.
void bind_body_forces(SimulationClass& simulation) {
  simulation
      .def("apply_force", &apply_force, py::arg("ids"), py::arg("force"), py::kw_only(),
           py::arg("torque") = py::none(), py::arg("point") = py::none(),
           R"(Adds a force for the next step only: (3,) or (n, 3) [N], inertial frame.

It acts at the centre of mass with a torque [N m], or at a point [m]. Forces of several calls
before a step add up.)")
      .def(
          "contact_force",
          [](Held& held, const py::object& id) {
            const Use use(held.taken);
            return pair_of(held.simulation.contact_force(body_of(held, id)));
          },
          py::arg("id"),
          R"(Force (3,) [N] and torque (3,) [N m] of all contacts of the last step on a body, about
its centre at the start of the step.)")
      .def(
          "contacts_of",
          [](Held& held, const py::object& id, const py::object& other) {
            const Use use(held.taken);
            return contacts_array(
                held.simulation.contacts_of(body_of(held, id), partner_of(held, other)),
                RecordFields::of_simulation);
          },
          py::arg("id"), py::arg("other") = py::none(),
          R"(Rows of `contacts` that involve a body; with `other`, those between the two. `other` is
a body, or an obstacle by its name or id.)");
}

void bind_obstacles(SimulationClass& simulation) {
  simulation
      .def(
          "obstacle_pose",
          [](Held& held, const py::object& obstacle) {
            return with_obstacle(held, obstacle, [](Simulation& s, std::uint32_t k) {
              const Pose& pose = s.obstacle_pose(k);
              return py::make_tuple(array_of(pose.position), array_of(pose.orientation));
            });
          },
          py::arg("obstacle"),
          "Position (3,) [m] and orientation (4,), w first, of an obstacle, by name or index.")
      .def(
          "move_obstacle",
          [](Held& held, const py::object& obstacle, const Doubles& linear,
             const Doubles& angular) {
            const Twist twist{vec3_of(linear, "linear"), vec3_of(angular, "angular")};
            with_obstacle(held, obstacle,
                          [&](Simulation& s, std::uint32_t k) { s.move_obstacle(k, twist); });
          },
          py::arg("obstacle"), py::arg("linear") = Doubles(py::make_tuple(0., 0., 0.)),
          py::arg("angular") = Doubles(py::make_tuple(0., 0., 0.)),
          R"(Moves an obstacle in each step from now on: linear (3,) [m/s] and angular (3,) [rad/s]
velocity of its frame's origin. Raises InputError if the scene moves it.)")
      .def(
          "obstacle_force",
          [](Held& held, const py::object& obstacle, const std::optional<Doubles>& about) {
            std::optional<Vec3> point;
            if (about) point = vec3_of(*about, "about");
            return with_obstacle(held, obstacle, [&](Simulation& s, std::uint32_t k) {
              return pair_of(s.contact_force_on_obstacle(k, point));
            });
          },
          py::arg("obstacle"), py::arg("about") = py::none(),
          R"(Force (3,) [N] and torque (3,) [N m] of all contacts of the last step on an obstacle,
about a point (3,) [m], or about the current position of its pivot.)");
}

void bind_body(py::module_& module) {
  py::class_<Body>(module, "Body", "A copy of a body's state.")
      .def_property_readonly("id", [](const Body& b) { return b.id.value; })
      .def_property_readonly(
          "position", [](const Body& b) { return array_of(b.position); },
          "Centre of mass: (3,) [m].")
      .def_property_readonly(
          "orientation", [](const Body& b) { return array_of(b.orientation); },
          "Body frame to inertial frame, a unit quaternion, w first: (4,) [-].")
      .def_property_readonly(
          "velocity", [](const Body& b) { return array_of(b.velocity); }, "Velocity: (3,) [m/s].")
      .def_property_readonly(
          "angular_velocity", [](const Body& b) { return array_of(b.angular_velocity); },
          "Angular velocity in the inertial frame: (3,) [rad/s].")
      .def_readonly("radius", &Body::radius, "Radius of the bounding sphere [m].")
      .def_readonly("mass", &Body::mass, "Mass [kg].")
      .def_readonly("prototype", &Body::prototype, "Index of the shape; 0 is the sphere.")
      .def_readonly("material", &Body::material, "Index in material_names.");
}

}  // namespace

void bind_changes(py::module_& module, SimulationClass& simulation) {
  bind_body(module);
  bind_presence(simulation);
  bind_body_motion(simulation);
  bind_body_forces(simulation);
  bind_obstacles(simulation);
}

}  // namespace scree::python

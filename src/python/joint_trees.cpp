/// Members of Python's Joints for control: coordinates, rates, and the equations of motion.
#include <pybind11/stl.h>

#include "python/arrays.hpp"
#include "python/coordinates.hpp"
#include "python/named_bodies.hpp"
#include "scree/sim/joint_tree.hpp"

namespace scree::python {
namespace {

/// Array of numbers, row by row.
py::array numbers_array(const std::vector<double>& numbers, std::vector<py::ssize_t> shape) {
  return py::array_t<double>(std::move(shape), numbers.data());
}
py::array numbers_array(const std::vector<double>& numbers) {
  return numbers_array(numbers, {static_cast<py::ssize_t>(numbers.size())});
}

std::span<const double> span_of(const Doubles& array, const char* name) {
  if (array.ndim() != 1)
    throw InputError(std::string(name) + " has the shape " + shape_of(array) +
                     "; it needs one axis");
  return {array.data(), static_cast<std::size_t>(array.size())};
}

/// Calls f(tree) while no other thread steps the simulation.
template <class F>
auto with_tree(const Joints& joints, F&& f) {
  const Use use(joints.held->taken);
  JointTree tree(joints.held->simulation);
  return f(tree);
}

/// Name of a body in the scene, or its id.
std::string name_of_body(const Held& held, BodyId id) {
  for (const auto& [name, body] : held.bodies)
    if (body == id) return name;
  return std::to_string(id.value);
}

py::array jacobian(const Joints& joints, const py::object& body,
                   const std::optional<Doubles>& point) {
  return with_tree(joints, [&](const JointTree& tree) {
    const BodyId id = body_of(*joints.held, body);
    const Vec3 at =
        point ? vec3_of(*point, "point") : frame_of_link(joints.held->simulation, id).position;
    return numbers_array(tree.jacobian(id, at), {6, static_cast<py::ssize_t>(tree.size())});
  });
}

/// Adds a function without arguments that returns numbers.
void add_numbers(py::class_<Joints>& joints, const char* name,
                 std::vector<double> (JointTree::*numbers)() const, const char* doc) {
  joints.def(
      name,
      [numbers](const Joints& j) {
        return with_tree(j,
                         [&](const JointTree& tree) { return numbers_array((tree.*numbers)()); });
      },
      doc);
}

void bind_tree_coordinates(py::class_<Joints>& joints) {
  joints.def_property_readonly(
      "rate_names",
      [](const Joints& j) {
        return with_tree(j, [&](const JointTree& tree) {
          return tree.rate_names([&](BodyId id) { return name_of_body(*j.held, id); });
        });
      },
      R"(Names of the rates: of bases, such as "trunk.velocity_x" and "trunk.turn_z", then of
joints.)");
  joints.def_property(
      "coordinates",
      [](const Joints& j) {
        return with_tree(j,
                         [](const JointTree& tree) { return numbers_array(tree.coordinates()); });
      },
      [](const Joints& j, const Doubles& given) {
        with_tree(j, [&](JointTree& tree) { tree.move_to(span_of(given, "coordinates")); });
      },
      R"(All coordinates: of each base that no joint connects to the world its position [m] and
orientation, w first; then of the joints, as `position`; of a spherical joint its orientation.
Assign them to move all bodies of the joints. Velocities stay.)");
  joints.def_property(
      "rates",
      [](const Joints& j) {
        return with_tree(j, [](const JointTree& tree) { return numbers_array(tree.rates()); });
      },
      [](const Joints& j, const Doubles& given) {
        with_tree(j, [&](JointTree& tree) { tree.change_rates(span_of(given, "rates")); });
      },
      R"(All rates: of each base its velocity [m/s] and angular velocity [rad/s] along the axes of
the scene; then of the joints, as `velocity`. Assign them to set the velocities of all bodies.)");
}

}  // namespace

void bind_joint_trees(py::class_<Joints>& joints) {
  bind_tree_coordinates(joints);
  joints.def(
      "mass_matrix",
      [](const Joints& j) {
        return with_tree(j, [](const JointTree& tree) {
          const auto size = static_cast<py::ssize_t>(tree.size());
          return numbers_array(tree.mass_matrix(), {size, size});
        });
      },
      "Mass matrix M of the rates at the present state: (m, m).");
  add_numbers(joints, "bias_forces", &JointTree::bias_forces,
              R"(Efforts b at which the rates stay constant: of gravity, Coriolis and centrifugal
forces: (m,).)");
  add_numbers(joints, "gravity_forces", &JointTree::gravity_forces,
              "Efforts that hold the bodies at rest against gravity: (m,).");
  joints.def(
      "inverse_dynamics",
      [](const Joints& j, const Doubles& accelerations) {
        return with_tree(j, [&](const JointTree& tree) {
          return numbers_array(tree.inverse_dynamics(span_of(accelerations, "accelerations")));
        });
      },
      py::arg("accelerations"),
      "Efforts M a + b for accelerations a of the rates, without contacts: (m,).");
  joints.def("jacobian", &jacobian, py::arg("body"), py::arg("point") = py::none(),
             R"(Velocity of a point of a body, and its angular velocity, for unit rates: (6, m).

point  (3,) [m], along the axes of the scene; None: the origin of the body's frame)");
}

}  // namespace scree::python

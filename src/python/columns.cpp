/// The class Columns of Python: all bodies as arrays without copies.
#include "python/arrays.hpp"
#include "python/named_bodies.hpp"
#include "scree/core/kept_memory.hpp"

namespace scree::python {
namespace {

/// Array over a column that keeps the column's memory alive.
template <class T>
py::array column(std::span<const T> values) {
  const auto owner = [&]() -> py::object {
    auto* memory = new KeptMemory(values.data());
    return py::capsule(memory, [](void* p) { delete static_cast<KeptMemory*>(p); });
  };
  return view_of(values, owner());
}

/// Rows of bodies at the time of the call.
struct Columns {
  HeldPointer held;
  BodyColumns rows;

  explicit Columns(HeldPointer simulation)
      : held(std::move(simulation)), rows(held->simulation.columns()) {}

  const BodyColumns& current() const {
    if (!rows.is_current())
      throw StaleError(
          "these columns are stale: bodies were reordered, added or removed since; take "
          "sim.columns again, and sim.ids for the body of each row");
    return rows;
  }
};

/// Calls f(columns) while no other thread steps the simulation.
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
  f("ids", "Id of the body in each row: (n,) uint64.", [](C c) { return column(c.ids()); });
  f("positions", "Centres of mass: (n, 3) [m].", [](C c) { return column(c.positions()); });
  f("orientations", "Body frame to inertial frame, unit quaternions, w first: (n, 4) [-].",
    [](C c) { return column(c.orientations()); });
  f("velocities", "Velocities: (n, 3) [m/s].", [](C c) { return column(c.velocities()); });
  f("angular_velocities", "Angular velocities in the inertial frame: (n, 3) [rad/s].",
    [](C c) { return column(c.angular_velocities()); });
  f("radii", "Radii of bounding spheres: (n,) [m].", [](C c) { return column(c.radii()); });
  f("masses", "Masses: (n,) [kg].", [](C c) { return column(c.masses()); });
  f("prototypes", "Indices of shapes: (n,) uint16; 0 is the sphere.",
    [](C c) { return column(c.prototypes()); });
  f("materials", "Indices in material_names: (n,) uint16.",
    [](C c) { return column(c.materials()); });
  f("present", R"(False for bodies that have left, by an outflow or a removal, but still have a row:
(n,) bool, a copy. Such bodies act on no other.)",
    [](C c) { return presence_of(c); });
}

py::array rows_of(Held& held, const py::object& bodies) {
  const Use use(held.taken);
  AlignedVector<std::uint32_t> rows;
  for (const BodyId id : bodies_of(held, bodies)) rows.push_back(held.simulation.index_of(id));
  return array_of_own(std::move(rows));
}

}  // namespace

void bind_columns(py::module_& module, SimulationClass& simulation) {
  py::class_<Columns> columns(module, "Columns",
                              R"(All bodies at the time of the call, one in each row.

Arrays are read-only views of the engine's memory, so they show the motion of the bodies. They are
valid until the engine moves rows: when it rebuilds the list of neighbours, adds bodies or removes
them. From then on is_current is False, and every array of this object raises StaleError. Arrays
taken before remain readable, even after the simulation is deleted, but their rows are out of
date.)");
  columns.def_property_readonly(
      "is_current", [](const Columns& c) { return c.rows.is_current(); },
      "True if rows have not moved since.");
  columns.def_property_readonly(
      "generation", [](const Columns& c) { return c.rows.generation(); },
      "Number of times that rows had moved before this object was made.");
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
      "All bodies as Columns, which know if their rows are current.");
  simulation.def("rows", &rows_of, py::arg("ids"),
                 "Rows of bodies in the arrays, valid until these are stale: (n,) uint32.");
}

}  // namespace scree::python

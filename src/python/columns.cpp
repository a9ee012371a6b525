/// All bodies as arrays without copies.
#include "python/arrays.hpp"
#include "python/simulations.hpp"
#include "scree/core/kept_memory.hpp"

namespace scree::python {
namespace {

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

py::array rows_of(Held& held, const py::object& of) {
  const Use use(held.taken);
  AlignedVector<std::uint32_t> rows;
  for (const BodyId id : ids_of(of)) rows.push_back(held.simulation.index_of(id));
  return array_of_own(std::move(rows));
}

}  // namespace

void bind_columns(py::module_& module, SimulationClass& simulation) {
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

}  // namespace scree::python

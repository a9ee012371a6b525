/// The classes Sensors and Sensor of Python: readings of the scene's sensors.
#include <algorithm>
#include <pybind11/stl.h>

#include "python/arrays.hpp"
#include "python/simulations.hpp"
#include "scree/core/spelling.hpp"

namespace scree::python {

namespace py = pybind11;

namespace {

struct Sensors {
  HeldPointer held;
};
struct OneSensor {
  HeldPointer held;
  std::size_t index;

  const Sensor& sensor() const { return held->sensors[index]; }
};

std::vector<std::string> names_of_sensors(const Sensors& all) {
  std::vector<std::string> names;
  for (const Sensor& sensor : all.held->sensors) names.push_back(sensor.name);
  return names;
}

OneSensor sensor_of(const Sensors& all, const std::string& name) {
  const std::vector<std::string> names = names_of_sensors(all);
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return {all.held, static_cast<std::size_t>(found - names.begin())};
  throw InputError(names.empty() ? "the scene has no sensors"
                                 : "there is no sensor '" + name + "'" + suggestion(name, names));
}

py::object value_of(const OneSensor& one) {
  const Use use(one.held->taken);
  prepare(one.held->simulation, {&one.sensor(), 1});
  const std::vector<double> numbers = read(one.held->simulation, one.sensor());
  if (numbers.size() == 1) return py::float_(numbers[0]);
  return py::array_t<double>(static_cast<py::ssize_t>(numbers.size()), numbers.data());
}

}  // namespace

void bind_scene_sensors(py::module_& module, SimulationClass& simulation) {
  py::class_<Sensors>(module, "Sensors", "Sensors of the scene, by name.")
      .def("__len__", [](const Sensors& s) { return s.held->sensors.size(); })
      .def("__getitem__", &sensor_of, py::arg("name"))
      .def("__contains__",
           [](const Sensors& s, const std::string& name) {
             return std::ranges::find(s.held->sensors, name, &Sensor::name) !=
                    s.held->sensors.end();
           })
      .def("__iter__", [](const Sensors& s) { return py::iter(py::cast(names_of_sensors(s))); })
      .def("keys", &names_of_sensors, "Names, in the order of the scene.");
  py::class_<OneSensor>(module, "Sensor", "A sensor of the scene.")
      .def_property_readonly("name", [](const OneSensor& s) { return s.sensor().name; })
      .def_property_readonly(
          "kind", [](const OneSensor& s) { return std::string(name(s.sensor().kind)); },
          R"("force", "torque", "imu", "joint" or "range".)")
      .def_property_readonly(
          "columns", [](const OneSensor& s) { return columns_of(s.sensor().kind); },
          "Names of its numbers, as in sensors.csv.")
      .def_property_readonly(
          "value", &value_of,
          R"(Reading after the last step, whatever its rate: a number if it has one column, else
(k,).)");
  simulation.def_property_readonly(
      "sensors", [](const HeldPointer& held) { return Sensors{held}; },
      "Sensors of the scene by name, as Sensors.");
}

}  // namespace scree::python

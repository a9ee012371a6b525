/// The class Snapshot of Python: states in memory.
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "python/simulations.hpp"
#include "scree/io/state_bytes.hpp"

namespace scree::python {

namespace py = pybind11;

namespace {

/// State of a simulation, and the stages that had begun.
struct Snapshot {
  State state;
  std::vector<StageBegin> begun;
};

/// Size of the text about stages, the text, and the bytes of the state.
py::bytes bytes_of_snapshot(const Snapshot& snapshot) {
  nlohmann::json stages = nlohmann::json::array();
  for (const StageBegin& begin : snapshot.begun) stages.push_back(as_json(begin));
  const std::string text = stages.dump();
  const std::uint64_t size = text.size();
  std::string bytes(reinterpret_cast<const char*>(&size), sizeof size);
  return py::bytes(bytes + text + state_bytes(snapshot.state));
}

Snapshot snapshot_of(const py::bytes& given) {
  const auto bytes = py::cast<std::string_view>(given);
  std::uint64_t size = 0;
  if (bytes.size() < sizeof size) throw InputError("these bytes are no snapshot");
  std::memcpy(&size, bytes.data(), sizeof size);
  if (size > bytes.size() - sizeof size) throw InputError("these bytes are no snapshot");
  Snapshot snapshot{state_of_bytes(bytes.substr(sizeof size + size)), {}};
  try {
    for (const auto& stage : nlohmann::json::parse(bytes.substr(sizeof size, size)))
      snapshot.begun.push_back(stage_begin_from(stage));
  } catch (const nlohmann::json::exception&) {
    throw InputError("these bytes are no snapshot");
  }
  return snapshot;
}

}  // namespace

void bind_snapshots(py::module_& module, SimulationClass& simulation) {
  py::class_<Snapshot>(module, "Snapshot", R"(State of a simulation, by Simulation.snapshot().

bytes(snapshot) and pickle carry it to other processes; Snapshot(data) reads such bytes. It raises
InputError if they are damaged or of another version of the state.)")
      .def(py::init(&snapshot_of), py::arg("data"))
      .def("__bytes__", &bytes_of_snapshot)
      .def_property_readonly(
          "time", [](const Snapshot& s) { return s.state.time; }, "Simulated time [s].")
      .def_property_readonly(
          "state_hash", [](const Snapshot& s) { return state_hash(s.state); },
          "Hash of the state, as Simulation.state_hash.")
      .def(py::pickle([](const Snapshot& s) { return bytes_of_snapshot(s); }, &snapshot_of));
  simulation
      .def(
          "snapshot",
          [](Held& held) {
            const Use use(held.taken);
            return Snapshot{held.simulation.state(), held.begun};
          },
          "A copy of all that later steps depend on, as a Snapshot.")
      .def(
          "restore",
          [](Held& held, const Snapshot& snapshot) {
            const Use use(held.taken);
            held.restore(snapshot.state, snapshot.begun);
          },
          py::arg("snapshot"),
          R"(Continues from a Snapshot, which may come from another simulation of the scene. Later
steps have the same bits as those that followed it.

Until the next step there are no contacts, and joints have no forces. The verdict begins anew.
Raises InputError, with nothing changed, if the bodies, obstacles or joints are others.)");
}

}  // namespace scree::python

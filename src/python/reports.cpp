/// The class Report of Python, and arrays of contacts.
#include <cstddef>
#include <pybind11/stl.h>

#include "python/bindings.hpp"
#include "python/records.hpp"
#include "scree/sim/report.hpp"

namespace scree::python {
namespace {

/// Result of the step in a word.
const char* status_of(const Report& report) {
  if (report.motion_fault) return "motion_fault";
  if (report["bodies_not_finite"]) return "not_finite";
  if (report["energy_growth"]) return "energy_growth";
  if (report["excessive_rotation"]) return "excessive_rotation";
  return report.converged ? "met" : "missed";
}

std::optional<std::string> motion_fault_of(const Report& report) {
  if (!report.motion_fault) return {};
  return report.motion_fault->what;
}

/// An int for a count.
py::object number_of(const FindingRow& row, const Report& report) {
  const double value = measured(row, report).value;
  if (row.unit == "1") return py::int_(static_cast<std::int64_t>(value));
  return py::float_(value);
}

py::dict findings_of(const Report& report) {
  py::dict numbers;
  for (const FindingRow& row : finding_table())
    if (row.is_of_step()) numbers[py::str(row.id.data(), row.id.size())] = number_of(row, report);
  return numbers;
}

py::dict stage_seconds_of(const Report& report) {
  py::dict seconds;
  for (std::size_t k = 0; k < kStageNames.size(); ++k)
    seconds[py::str(kStageNames[k].data(), kStageNames[k].size())] = report.stage_seconds[k];
  return seconds;
}

}  // namespace

py::array contacts_array(std::vector<ContactRecord> records, RecordFields fields) {
  py::list names, formats, offsets;
  const auto field = [&](const char* name, const char* format, std::size_t offset) {
    names.append(name);
    formats.append(format);
    offsets.append(offset);
  };
  field("a", "u8", offsetof(ContactRecord, a));
  field("b", "u8", offsetof(ContactRecord, b));
  field("point", "(3,)f8", offsetof(ContactRecord, point));
  field("normal", "(3,)f8", offsetof(ContactRecord, normal));
  field("gap", "f8", offsetof(ContactRecord, gap));
  field("impulse", "(3,)f8", offsetof(ContactRecord, impulse));
  if (fields == RecordFields::of_simulation)
    field("relative_velocity", "(3,)f8", offsetof(ContactRecord, relative_velocity));
  field("angular_impulse", "(3,)f8", offsetof(ContactRecord, angular_impulse));
  field("kind", "u1", offsetof(ContactRecord, kind));
  field("residual", "f8", offsetof(ContactRecord, residual));
  field("cone_violation", "f8", offsetof(ContactRecord, cone_violation));
  field("complementarity_violation", "f8", offsetof(ContactRecord, complementarity_violation));
  field("dissipated_energy", "f8", offsetof(ContactRecord, dissipated_energy));
  field("painleve_number", "f8", offsetof(ContactRecord, painleve_number));
  const py::dtype type(names, formats, offsets, sizeof(ContactRecord));
  auto* owned = new std::vector<ContactRecord>(std::move(records));
  const py::capsule owner(owned,
                          [](void* p) { delete static_cast<std::vector<ContactRecord>*>(p); });
  return {type, {static_cast<py::ssize_t>(owned->size())}, {type.itemsize()}, owned->data(), owner};
}

void bind_reports(py::module_& module) {
  py::class_<Report> report(module, "Report", "Result of the last step; a copy.");
  report.def_property_readonly("status", &status_of, R"(Result of the step in a word.

"met", "missed": E_s is within the tolerance, or above it; "motion_fault": the step was not done;
"not_finite", "energy_growth", "excessive_rotation": the state cannot be trusted.)");
  report.def_property_readonly("motion_fault", &motion_fault_of,
                               "Bad value or error of a prescribed motion or a field; None if "
                               "there is none.");
  const auto field = [&](const char* name, auto member, const char* doc) {
    report.def_readonly(name, member, doc);
  };
  field("time", &Report::time, "Simulated time after the step [s].");
  field("step", &Report::step, "Number of steps so far.");
  field("bodies", &Report::bodies, "Number of bodies.");
  field("bodies_asleep", &Report::bodies_asleep, "Number of sleeping bodies.");
  field("contacts_asleep", &Report::contacts_asleep,
        "Number of contacts that this step did not solve, as their bodies slept.");
  field("contacts", &Report::contacts, "Number of contacts, those of sleeping bodies included.");
  field("contacts_touching", &Report::contacts_touching, "Number of contacts with gap < 0.");
  field("contacts_loaded", &Report::contacts_loaded, "Number of contacts with a normal impulse.");
  field("contacts_sliding", &Report::contacts_sliding,
        "Number of loaded contacts whose impulse is on the surface of the cone.");
  field("contacts_over_tolerance", &Report::contacts_over_tolerance,
        "Number of contacts with more than their share of the tolerance.");
  field("max_penetration", &Report::max_penetration, "Largest overlap [m].");
  field("residual", &Report::residual, "E_s at the end of the solve [-].");
  field("worst_residual", &Report::worst_residual,
        "Largest natural-map residual of one contact [m/s].");
  field("sweeps", &Report::sweeps, "Number of the solver's sweeps.");
  field("converged", &Report::converged, "True if E_s is within the tolerance.");
  field("kinetic_energy", &Report::kinetic_energy, "Kinetic energy [J].");
  field("potential_energy", &Report::potential_energy,
        "Potential energy of gravity, zero at the origin, half a step back [J].");
  field("dissipated_energy", &Report::dissipated_energy,
        "Energy dissipated in contacts since the start [J].");
  field("wall_work", &Report::wall_work,
        "Work from outside since the start: obstacles, fields, forces, edits, flow of bodies [J].");
  field("field_work", &Report::field_work,
        "Work of fields since the start, included in wall_work [J].");
  report.def_property_readonly(
      "elastic_energy", [](const Report& r) { return r.force_energy.elastic(); },
      "Energy in springs of compliant laws, half a step back [J].");
  field("joint_energy", &Report::joint_energy,
        "Energy of the springs and rotors of joints, half a step back [J].");
  field("bodies_added", &Report::bodies_added, "Number of bodies that inflows added in this step.");
  field("bodies_removed", &Report::bodies_removed,
        "Number of bodies that outflows removed in this step.");
  field("bodies_skipped", &Report::bodies_skipped,
        "Number of bodies for which an inflow found no space in this step.");
  field("neighbours_rebuilt", &Report::neighbours_rebuilt,
        "True if bodies are stored in a new order.");
  for (const Finding finding :
       std::initializer_list<Finding>{"local_failures", "contacts_left_out", "energy_created",
                                      "energy_of_rebounds", "bodies_not_finite"}) {
    const FindingRow& row = finding_table()[finding.index()];
    report.def_property_readonly(
        std::string(row.id).c_str(), [&row](const Report& r) { return number_of(row, r); },
        std::string(row.meaning).c_str());
  }
  report.def_property_readonly("findings", &findings_of,
                               "Numbers of all findings of the step, by their ids.");
  report.def_property_readonly("stage_seconds", &stage_seconds_of,
                               "Wall time of each stage of the step [s], by its name.");
  report.def("__repr__", [](const Report& r) {
    return py::str("<scree.Report step {}, t = {:.6g} s, {}: E_s = {:.3g}, {} sweeps>")
        .format(r.step, r.time, status_of(r), r.residual, r.sweeps);
  });
  module.attr("CONTACT_CLASSES") = py::make_tuple(
      name(ContactClass::separating), name(ContactClass::sticking), name(ContactClass::sliding));
  module.attr("FIRST_OBSTACLE_ID") = kFirstObstacleId;
}

}  // namespace scree::python

#include <cstddef>
#include <pybind11/stl.h>

#include "python/bindings.hpp"
#include "python/records.hpp"
#include "scree/sim/report.hpp"

namespace scree::python {
namespace {

/// How the step went, in a word.
const char* status_of(const Report& report) {
  if (report.motion_fault) return "motion_fault";
  if (report.bodies_not_finite > 0) return "not_finite";
  if (report.energy_growth) return "energy_growth";
  if (report.excessive_rotation) return "excessive_rotation";
  return report.converged ? "met" : "missed";
}

std::optional<std::string> motion_fault_of(const Report& report) {
  if (!report.motion_fault) return {};
  return report.motion_fault->what;
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
  auto* kept = new std::vector<ContactRecord>(std::move(records));
  const py::capsule owner(kept,
                          [](void* p) { delete static_cast<std::vector<ContactRecord>*>(p); });
  return {type, {static_cast<py::ssize_t>(kept->size())}, {type.itemsize()}, kept->data(), owner};
}

void bind_reports(py::module_& module) {
  py::class_<Report> report(module, "Report", "What the last step did; a copy.");
  report.def_property_readonly("status", &status_of, R"(How the step went:
"met" or "missed" (the tolerance); "motion_fault": the step was not done; "not_finite",
"energy_growth", "excessive_rotation": the state is not to be trusted.)");
  report.def_property_readonly("motion_fault", &motion_fault_of,
                               "What a prescribed motion or a field gave, or None.");
  const auto field = [&](const char* name, auto member, const char* doc) {
    report.def_readonly(name, member, doc);
  };
  field("time", &Report::time, "After the step [s].");
  field("step", &Report::step, "Steps done so far.");
  field("bodies", &Report::bodies, "That are there.");
  field("bodies_asleep", &Report::bodies_asleep, "Of them, those that sleep.");
  field("contacts_asleep", &Report::contacts_asleep,
        "Of contacts, those of bodies that slept in the step.");
  field("contacts", &Report::contacts, "In the set, and of bodies that sleep.");
  field("contacts_touching", &Report::contacts_touching, "Of them, with gap < 0.");
  field("contacts_loaded", &Report::contacts_loaded, "Of them, with a normal impulse.");
  field("contacts_sliding", &Report::contacts_sliding, "Of the loaded, at the edge of the cone.");
  field("contacts_over_tolerance", &Report::contacts_over_tolerance,
        "With more than their part of the tolerance.");
  field("max_penetration", &Report::max_penetration, "[m]");
  field("residual", &Report::residual, "E_s at the end of the solve [-].");
  field("worst_residual", &Report::worst_residual,
        "Largest natural-map residual of one contact [m/s].");
  field("sweeps", &Report::sweeps, "Of the solver.");
  field("converged", &Report::converged, "Whether E_s is within the tolerance.");
  field("local_failures", &Report::local_failures, "Contacts without a solution of their own law.");
  field("contacts_left_out", &Report::contacts_left_out,
        "Pairs that meet although no contact was made of them.");
  field("kinetic_energy", &Report::kinetic_energy, "[J]");
  field("potential_energy", &Report::potential_energy,
        "Of gravity, zero at the origin, half a step back [J].");
  field("dissipated_energy", &Report::dissipated_energy, "In contacts, since the start [J].");
  field("wall_work", &Report::wall_work,
        "From outside since the start: by obstacles, fields, forces, edits, flow of bodies [J].");
  field("field_work", &Report::field_work, "Of fields since the start, part of wall_work [J].");
  report.def_property_readonly(
      "elastic_energy", [](const Report& r) { return r.force_energy.elastic(); },
      "In springs of compliant laws, half a step back [J].");
  field("energy_created", &Report::energy_created,
        "By contacts beyond what they may give, this step; 0 within rounding [J].");
  field("energy_of_rebounds", &Report::energy_of_rebounds,
        "Made where Newton's law gives sets of contacts rebounds, this step [J].");
  field("bodies_added", &Report::bodies_added, "By inflows, this step.");
  field("bodies_removed", &Report::bodies_removed, "By outflows, this step.");
  field("bodies_skipped", &Report::bodies_skipped, "That an inflow found no room for, this step.");
  field("bodies_not_finite", &Report::bodies_not_finite,
        "More than 0: the state is not to be trusted.");
  field("neighbours_rebuilt", &Report::neighbours_rebuilt, "Bodies are stored in another order.");
  report.def_property_readonly("stage_seconds", &stage_seconds_of,
                               "Wall clock of each stage [s], by its name.");
  report.def("__repr__", [](const Report& r) {
    return py::str("<scree.Report step {}, t = {:.6g} s, {}: E_s = {:.3g}, {} sweeps>")
        .format(r.step, r.time, status_of(r), r.residual, r.sweeps);
  });
  module.attr("CONTACT_CLASSES") = py::make_tuple(
      name(ContactClass::separating), name(ContactClass::sticking), name(ContactClass::sliding));
  module.attr("FIRST_OBSTACLE_ID") = kFirstObstacleId;
}

}  // namespace scree::python

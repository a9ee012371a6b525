/// Report of a solve: its certificate, loads and work.
#include "sim/cell/cell.hpp"
#include "sim/compliant/forces.hpp"
#include "sim/contacts/store.hpp"
#include "sim/events/events.hpp"
#include "sim/impacts/impacts.hpp"
#include "sim/joints/joints.hpp"

namespace scree {

const Finding kLocalFailures("local_failures"), kSeveralSolutions("several_solutions");

void certify(StepContext& c) {
  SolveResult& solved = c.scratch.solved;
  if (c.scratch.phases.any) solved.take_worse(c.scratch.phases.worst);
  c.report.residual = solved.certificate.residual;
  c.report.worst_residual = solved.certificate.worst_residual;
  c.report.converged = solved.converged;
  c.report.convergence_ratio = solved.convergence_ratio;
  c.report.contacts_loaded = solved.certificate.loaded;
  c.report.contacts_sliding = solved.certificate.sliding;
  c.report[kLocalFailures].value = static_cast<double>(solved.certificate.local_failures);
  c.report[kSeveralSolutions].value = static_cast<double>(solved.certificate.several_solutions);
  c.report.contacts = c.scratch.problem.contacts + c.report.force_contacts;
  const double work_of_events = certify_events(c);
  c.report.contacts_over_tolerance = solved.certificate.over_tolerance;
  load_cell(c);
  if (c.scratch.any_restitution) count_missed_restitution(c);
  find_energy_of_rebounds(c);
  if (c.scratch.forces.any) accumulate_forces(c);
  load_obstacles(c);
  load_obstacles_by_joints(c);
  // The flow of a cell is a bias of contacts, and its work is summed separately.
  c.report.bias_work = solved.certificate.bias_work - c.scratch.cell_rigid_work +
                       c.report.impact_work.expansion + c.scratch.phases.driven + work_of_events;
}

}  // namespace scree

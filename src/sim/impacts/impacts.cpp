// Impacts by phases, around the solve of the step. Compression covers only the impacts: velocities
// before forces, and pairs that hit. Its impulses determine the expansion after the solve, which is
// that of a step without restitution. docs/theory/impacts.md
#include "sim/impacts/impacts.hpp"

#include <algorithm>
#include <cmath>

#include "sim/contacts/closing_speeds.hpp"
#include "sim/contacts/solve.hpp"
#include "sim/impacts/impact_contacts.hpp"
#include "sim/impacts/impact_joints.hpp"
#include "sim/motion/body_motion.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

using ImpactContact = ImpactPhases::ImpactContact;

/// Sets e of each contact; lanes without one get 0.
void set_restitution(StepContext& c) {
  const Scratch& s = c.scratch;
  const Bodies& bodies = c.state.bodies;
  const ImpactContacts contacts(c.scratch.problem);
  auto& impacts = c.scratch.phases.contacts;
  impacts.assign(contacts.size(), {});
  c.pool.for_each_range(
      s.slot.size(), kImpactContactsPerChunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t p = begin; p < end; ++p) {
          const std::uint32_t slot = s.slot[p];
          if (slot == Scratch::kNoContact || Scratch::is_force(slot)) continue;
          const auto [owner, other] = c.state.neighbours.pairs[p];
          const MaterialId with = other & Neighbours::kObstacle
                                      ? c.model.obstacles[other & ~Neighbours::kObstacle].material
                                      : bodies.material[other];
          const double e = c.model.laws(bodies.material[owner], with).restitution;
          if (!(slot & Scratch::kFull)) {
            impacts[slot].restitution = e;
            continue;
          }
          std::uint32_t lane = slot & ~Scratch::kFull;
          for (std::uint32_t k = s.problem.contact_blocks[lane / kBlock].stack; k > 0;
               --k, lane += kBlock)
            impacts[contacts.of_full(lane)].restitution = e;
        }
      });
}

/// Bias of compression. A pair that hits is stopped, or allowed to close its gap. Any other pair
/// keeps its velocity unless others press it: it gets no impulse by itself, and resting or sliding
/// contacts do not rebound.
double bias_of_compression(const StepContext& c, const ImpactContacts& contacts, std::size_t k,
                           const ImpactContact& impact, double normal_velocity) {
  const double gap_term = std::max(0.0, impact.bias);
  if (normal_velocity < -c.model.step.restitution_threshold) return gap_term;
  return std::max(gap_term, contacts.parting_speed(k, impact.before) - normal_velocity);
}

/// Stores the problem's velocities, impulses and biases, and replaces them by those of compression.
/// Returns false, with nothing changed, if no pair hits.
bool set_compression(StepContext& c) {
  Scratch& s = c.scratch;
  ImpactPhases& phases = s.phases;
  const ImpactContacts contacts(s.problem);
  set_velocities_before(c);
  set_restitution(c);
  for_each_impact_contact(c, [&](std::size_t k, ImpactContact& impact) {
    impact.bias = contacts.bias(k);
    impact.before = contacts.velocity(k, phases.bodies);
    impact.rolling_before = contacts.rolling_velocity(k, phases.bodies);
  });
  phases.measure.take(s.problem);
  for_each_impact_contact(c, [&](std::size_t k, const ImpactContact& impact) {
    const Vec3 n = contacts.normal(k);
    const double u_n = dot(impact.before, n);
    const Vec3 q = impact.before + bias_of_compression(c, contacts, k, impact, u_n) * n;
    const bool hits = u_n < -c.model.step.restitution_threshold && dot(q, n) < 0;
    contacts.set_closing(k, hits ? contacts.closing_speed(k, q) : 0);
  });
  for (JointMiss& missed : s.problem.missed) missed.squared = 0;
  add_up_closing(c);
  if (!s.problem.anything_closes()) {
    phases.measure.give_back(s.problem);
    return false;
  }
  std::swap(s.problem.bodies, phases.bodies);
  phases.rolling = s.problem.rolling;
  for_each_impact_contact(c, [&](std::size_t k, ImpactContact& impact) {
    const double u_n = dot(impact.before, contacts.normal(k));
    impact.start = contacts.impulse(k);
    contacts.bias(k) = bias_of_compression(c, contacts, k, impact, u_n);
  });
  set_joint_rows_for_compression(c);
  s.problem.clear_impulses();
  return true;
}

/// Adds the residuals of a phase to those of the step and of each contact.
void accumulate_phase(StepContext& c, const SolveResult& solved) {
  const ImpactContacts contacts(c.scratch.problem);
  for_each_impact_contact(c, [&](std::size_t k, ImpactContact& impact) {
    const ContactVerdict verdict = contacts.verdict(k);
    impact.residual = std::max(impact.residual, verdict.residual);
    impact.unsolved_impulse = std::max(impact.unsolved_impulse, verdict.unsolved_impulse);
    impact.violation += verdict.complementarity_violation;
  });
  c.scratch.phases.worst.take_worse(solved);
}

void clear_rolling(ContactProblem& problem) {
  for (RollingBlock& block : problem.rolling)
    for (auto& component : block.impulse) std::ranges::fill(component, 0.0);
}

/// Adds rolling impulses to the problem's.
void add_rolling(ContactProblem& problem, const AlignedVector<RollingBlock>& more) {
  for (std::size_t block = 0; block < problem.rolling.size(); ++block)
    for (int row = 0; row < 3; ++row)
      for (int lane = 0; lane < kBlock; ++lane)
        problem.rolling[block].impulse[row][lane] += more[block].impulse[row][lane];
}

/// True if there is an expansion; its impulses are then those of the problem.
bool start_expansion(StepContext& c) {
  const ImpactContacts contacts(c.scratch.problem);
  const double threshold = c.model.step.restitution_threshold;
  const double squared =
      sum_over_impact_contacts(c, [&](std::size_t k, const ImpactContact& impact) {
        const double speed =
            contacts.normal_delassus(k) * dot(impact.compression, contacts.normal(k));
        const bool rebounds = impact.restitution > 0 && speed > threshold;
        contacts.set_impulse(k, rebounds ? impact.restitution * impact.compression : Vec3{});
        return rebounds ? speed * speed : 0;
      });
  clear_rolling(c.scratch.problem);
  return squared > 0;
}

/// Solves for additional impulses where expansion makes bodies close.
void separate_after_expansion(StepContext& c) {
  ContactProblem& problem = c.scratch.problem;
  const ImpactContacts contacts(problem);
  for_each_impact_contact(c, [&](std::size_t k, ImpactContact& impact) {
    impact.expansion = contacts.impulse(k);
    contacts.set_impulse(k, {});
  });
  c.scratch.phases.given_rolling = problem.rolling;
  clear_rolling(problem);
  move_joint_impulses_to_expansion(c);
  for_each_impact_contact(c, [&](std::size_t k, const ImpactContact& impact) {
    const Vec3 q = contacts.velocity(k, problem.bodies) + impact.bias * contacts.normal(k);
    contacts.set_closing(k, contacts.closing_speed(k, q));
  });
  for (JointMiss& missed : problem.missed) missed.squared = 0;
  add_up_closing(c);
  SolveResult nothing_to_do;
  nothing_to_do.converged = true;
  accumulate_phase(c, problem.anything_closes() ? solve_contacts(c) : nothing_to_do);
  for_each_impact_contact(
      c, [&](std::size_t k, ImpactContact& impact) { impact.expansion += contacts.impulse(k); });
  add_rolling(problem, c.scratch.phases.given_rolling);
  move_joint_impulses_to_expansion(c);
}

/// Sums the impulses of the step: those of the solve, and those of expansion.
void add_up_impulses(StepContext& c) {
  ContactProblem& problem = c.scratch.problem;
  const ImpactContacts contacts(problem);
  for_each_impact_contact(c, [&](std::size_t k, const ImpactContact& impact) {
    contacts.set_impulse(k, impact.solved + impact.expansion);
  });
  add_rolling(problem, c.scratch.phases.rolling);
  end_expansion_of_joints(c);
}

/// Motion of a body before forces, and after its impacts that were resolved in their order.
BodyRecord record_before(const StepContext& c, std::size_t i) {
  BodyRecord record = c.scratch.problem.bodies[i];
  if (const ImpactEvents::Flight* flight = c.scratch.events.flight(i)) {
    const double time = half_step_factor(c) * c.model.step.h;
    record.velocity -= time * flight->acceleration;
    record.spin -= time * flight->spin_acceleration;
  } else {
    record.velocity = c.state.bodies.velocity[i];
    record.spin = scaled_spin(c, i);
  }
  return record;
}

}  // namespace

void set_velocities_before(StepContext& c) {
  auto& records = c.scratch.phases.bodies;
  records = c.scratch.problem.bodies;
  c.pool.for_each_range(c.state.bodies.size(), kBodiesPerChunk,
                        [&](std::size_t begin, std::size_t end) {
                          for (std::size_t i = begin; i < end; ++i) {
                            if (!c.state.neighbours.has_left(i)) records[i] = record_before(c, i);
                          }
                        });
}

void compress(StepContext& c) {
  Scratch& s = c.scratch;
  ImpactPhases& phases = s.phases;
  phases.any = false;
  phases.driven = 0;
  phases.worst = {};
  phases.worst.converged = true;
  c.report.impact_work = {};
  if (c.model.step.impacts == ImpactLaw::newton || !s.any_restitution || s.problem.contacts == 0)
    return;
  phases.any = set_compression(c);
  if (!phases.any) return;
  accumulate_phase(c, solve_contacts(c));

  // The solve starts from the impulses of the step before, which nearly solve it.
  const ImpactContacts contacts(s.problem);
  const bool warm = c.model.solver.warm_start;
  for_each_impact_contact(c, [&](std::size_t k, ImpactContact& impact) {
    impact.compression = contacts.impulse(k);
    impact.work = -contacts.work(k, impact.before, impact.rolling_before, s.problem.bodies);
    contacts.bias(k) = impact.bias;
    contacts.set_impulse(k, warm ? impact.start + impact.compression : Vec3{});
  });
  end_compression_of_joints(c);
  std::swap(s.problem.bodies, phases.bodies);
  record_free_joint_rates(c);
  for_each_impact_contact(c, [&](std::size_t k, ImpactContact& impact) {
    impact.free = contacts.velocity(k, s.problem.bodies);
    impact.rolling_free = contacts.rolling_velocity(k, s.problem.bodies);
  });
  s.problem.rolling = phases.rolling;
  phases.measure.give_back(s.problem);
}

void expand(StepContext& c) {
  Scratch& s = c.scratch;
  ImpactPhases& phases = s.phases;
  if (!phases.any) return;
  accumulate_phase(c, s.solved);
  const ImpactContacts contacts(s.problem);
  for_each_impact_contact(c, [&](std::size_t k, ImpactContact& impact) {
    impact.solved = contacts.impulse(k);
    impact.solve_work = -contacts.work(k, impact.free, impact.rolling_free, s.problem.bodies);
  });
  phases.bodies = s.problem.bodies;
  phases.rolling = s.problem.rolling;
  record_solved_joints(c);
  if (start_expansion(c)) {
    set_joint_rows_for_expansion(c);
    s.solver.apply_warm_start(s.problem, c.pool);
    phases.worst.take_worse(solve_friction(c));
    separate_after_expansion(c);
  }
  bound_expansion(c);
  add_up_impulses(c);
}

}  // namespace scree

// End of a step: moves bodies with their new velocities, and sums energies.
#include <algorithm>
#include <cmath>
#include <span>

#include "scree/sim/integrators.hpp"
#include "sim/boundaries/boundaries.hpp"
#include "sim/cell/cell.hpp"
#include "sim/compliant/forces.hpp"
#include "sim/joints/joints.hpp"
#include "sim/motion/body_motion.hpp"
#include "sim/motion/free_spheres.hpp"
#include "sim/motion/motion.hpp"
#include "solvers/kernels/contact_kernels.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

const Finding kNotFinite("bodies_not_finite"), kCreated("energy_created"),
    kWorkOfJoints("joint_work");

/// Adds energies of a present body, and counts it if it is not finite.
inline void add_body(const StepContext& c, std::size_t i, Scratch::BodySums& sum,
                     bool before_all = false) {
  const Bodies& bodies = c.state.bodies;
  sum.kinetic.add(kinetic_energy(c.model, bodies, i));
  sum.potential.add(before_all ? potential_energy_at_start(c.model, bodies, i)
                               : potential_energy(c.model, bodies, i));
  sum.heaviest = std::max(sum.heaviest, bodies.mass[i]);
  ++sum.bodies;
  sum.not_finite += !is_finite(bodies.position[i]) || !is_finite(bodies.velocity[i]) ||
                    !is_finite(bodies.angular_velocity[i]);
}

/// Sums over all chunks; sets the report.
Scratch::BodySums add_up(StepContext& c) {
  Scratch::BodySums total;
  for (const Scratch::BodySums& sum : c.scratch.body_sums) {
    total.kinetic += sum.kinetic;
    total.potential += sum.potential;
    total.contact_work += sum.contact_work;
    total.gained += sum.gained;
    total.heaviest = std::max(total.heaviest, sum.heaviest);
    total.not_finite += sum.not_finite;
    total.carried_out += sum.carried_out;
    total.leaving += sum.leaving;
    total.bodies += sum.bodies;
    total.applied_work += sum.applied_work;
    total.field_work += sum.field_work;
    total.push_work += sum.push_work;
    total.local_work += sum.local_work;
    total.slowed_work += sum.slowed_work;
    total.start_work += sum.start_work;
  }
  c.report.kinetic_energy = total.kinetic.value();
  c.report.potential_energy = total.potential.value();
  c.report[kNotFinite].value = static_cast<double>(total.not_finite);
  c.report.bodies = total.bodies;
  return total;
}

const Locks& locks_of(const StepContext& c, std::size_t i) {
  return c.scratch.kinds[c.state.bodies.prototype[i]].locked;
}

/// Motion that such increments have added to body i.
inline Motion motion_of(const StepContext& c, std::size_t i,
                        const AlignedVector<VelocityIncrement>& increment) {
  if (increment.empty()) return {};
  return {without(increment[i].velocity, locks_of(c, i).ways),
          angular_velocity(c, i, free_spin(c, i, increment[i].spin))};
}

/// Adds the work of the impulses on body i, whose final motion is `after`, and the kinetic energy
/// that they add to its free motion.
void add_work_of_impulses(const StepContext& c, std::size_t i, const Motion& after,
                          const Motion& twice_mean, const Motion& own, const Motion& local,
                          Scratch::BodySums& sum) {
  const Bodies& bodies = c.state.bodies;
  const Motion before{bodies.velocity[i], bodies.angular_velocity[i]};
  Motion soft =
      c.scratch.forces.has_increment ? motion_of(c, i, c.scratch.forces.increment) : Motion{};
  soft.velocity += local.velocity;
  soft.angular_velocity += local.angular_velocity;
  const Vec3 increment = without(c.scratch.problem.increment, locks_of(c, i).ways);
  const Motion free{before.velocity + increment + own.velocity + soft.velocity,
                    before.angular_velocity + own.angular_velocity + soft.angular_velocity};
  const Motion change{after.velocity - free.velocity,
                      after.angular_velocity - free.angular_velocity};
  const double work = kinetic_product(c.model, bodies, i, twice_mean, change);
  sum.contact_work.add(work);
  if (const double inertia_scaling = inertia_scaling_of(c, i); inertia_scaling > 0)
    sum.slowed_work.add(inertia_scaling * kinetic_product(c.model, bodies, i,
                                                          {{}, twice_mean.angular_velocity},
                                                          {{}, change.angular_velocity}));
  sum.gained.add(work + 0.5 * bodies.mass[i] * dot(increment, change.velocity));
  if (c.scratch.forces.has_increment)
    sum.gained.add(kinetic_product(c.model, bodies, i, soft, change));
  if (!c.scratch.problem.own_increment.empty())
    sum.gained.add(kinetic_product(c.model, bodies, i, own, change));
}

/// Adds what impacts within the step change in these works: they displace and turn the body.
void add_work_of_events(const StepContext& c, std::size_t i, const Motion& own,
                        const ImpactEvents::Flight& flight, Scratch::BodySums& sum) {
  const double over = 1 / (half_step_factor(c) * c.model.step.h);
  const Motion by_fields{over * own.velocity, over * own.angular_velocity},
      moved{flight.displacement, angular_velocity(c, i, flight.turn)};
  const double work = 2 * kinetic_product(c.model, c.state.bodies, i, by_fields, moved);
  sum.applied_work.add(work);
  sum.contact_work.add(-work - c.state.bodies.mass[i] * dot(c.model.gravity, flight.displacement));
}

/// Adds the work of impulses, of fields and applied forces, and of local damping on body i.
void add_work(const StepContext& c, std::size_t i, const Motion& after, Scratch::BodySums& sum) {
  const bool applied = !c.scratch.problem.own_increment.empty(),
             damped = !c.scratch.forces.local.empty(), solved = !c.scratch.problem.is_empty();
  if (!applied && !damped && !solved) return;
  const Bodies& bodies = c.state.bodies;
  const Motion own = motion_of(c, i, c.scratch.problem.own_increment),
               local = motion_of(c, i, c.scratch.forces.local),
               twice_mean{bodies.velocity[i] + after.velocity,
                          bodies.angular_velocity[i] + after.angular_velocity};
  if (applied) sum.applied_work.add(kinetic_product(c.model, bodies, i, twice_mean, own));
  if (!c.scratch.fields.wrench.empty()) {
    const Wrench& field = c.scratch.fields.wrench[i];
    sum.field_work.add(
        0.5 * half_step_factor(c) * c.model.step.h *
        (dot(field.force, twice_mean.velocity) + dot(field.torque, twice_mean.angular_velocity)));
  }
  if (const ImpactEvents::Flight* flight = c.scratch.events.flight(i))
    add_work_of_events(c, i, own, *flight, sum);
  if (damped) sum.local_work.add(kinetic_product(c.model, bodies, i, twice_mean, local));
  if (solved) add_work_of_impulses(c, i, after, twice_mean, own, local, sum);
}

/// Adds the work of gravity in a first step. Gravity acts for half the step, with the mean of the
/// velocities before and after. The motion to the middle of the step, the time of potential
/// energies, has the velocity after.
void add_work_of_start(const StepContext& c, std::size_t i, const Motion& after,
                       Scratch::BodySums& sum) {
  const Bodies& bodies = c.state.bodies;
  sum.start_work.add(-0.5 * bodies.mass[i] *
                     dot(c.scratch.problem.increment, after.velocity - bodies.velocity[i]));
}

/// Pseudo-velocity that separates a body from others.
Motion pseudo_velocity_of(const StepContext& c, std::size_t i) {
  const auto body = static_cast<BodyIndex>(i);
  const Vec3 spin = c.scratch.pseudo_spin(body);
  return {c.scratch.pseudo_velocity(body), spin == Vec3{} ? spin : angular_velocity(c, i, spin)};
}

/// Rotates body i by its pseudo-spin, and adds the energy of this and of its pseudo-displacement.
void rotate_with_pseudo_spin(const StepContext& c, std::size_t i, const Motion& elastic,
                             Bodies& bodies, Scratch::BodySums& sum) {
  const double h = c.model.step.h;
  sum.push_work.add(-h * bodies.mass[i] * dot(c.model.gravity, elastic.velocity));
  if (elastic.angular_velocity == Vec3{}) return;
  const double before = kinetic_energy(c.model, bodies, i);
  turn(bodies.orientation[i], bodies.angular_velocity[i],
       c.model.prototypes[bodies.prototype[i]].inertia, h * elastic.angular_velocity,
       locks_of(c, i).turns);
  sum.push_work.add(kinetic_energy(c.model, bodies, i) - before);
}

// Bodies [begin, end) of a chunk, in separate short loops, so that a processor overlaps several
// bodies.

/// Copies the velocities of the records to the bodies.
void copy_velocities(const StepContext& c, std::size_t begin, std::size_t end, Bodies& bodies,
                     Scratch::BodySums& sum) {
  const bool starts = begins_at_whole_step(c);
  for (std::size_t i = begin; i < end; ++i) {
    if (c.state.neighbours.has_left(i)) continue;
    if (c.state.sleep.sleeps(i)) {
      c.scratch.problem.bodies[i] = {};  // its supports take what gravity gave it
      continue;
    }
    const Motion after{c.scratch.problem.bodies[i].velocity, angular_velocity(c, i)};
    add_work(c, i, after, sum);
    if (starts) add_work_of_start(c, i, after, sum);
    bodies.velocity[i] = after.velocity;
    bodies.angular_velocity[i] = without(after.angular_velocity, locks_of(c, i).turns);
  }
}

/// Moves bodies with their new velocities and pseudo-velocities. Those that leave are listed in
/// `leaving`.
void move(const StepContext& c, std::size_t begin, std::size_t end, Bodies& bodies,
          AlignedVector<double>& skin, std::vector<std::size_t>& leaving) {
  const double h = c.model.step.h;
  const Vec3 drift = h * c.state.neighbours.drift;
  for (std::size_t i = begin; i < end; ++i) {
    if (c.state.neighbours.has_left(i)) continue;
    const Vec3 from = bodies.position[i],
               elastic = c.scratch.pseudo_velocity(static_cast<BodyIndex>(i));
    bodies.position[i] = from + h * (bodies.velocity[i] + elastic);
    if (const ImpactEvents::Flight* flight = c.scratch.events.flight(i))
      bodies.position[i] += flight->displacement;
    skin[i] -= norm(bodies.position[i] - from - drift);
    if (c.scratch.strain > 0) {
      // A pair at the distance of both search radii approaches by no more.
      skin[i] -= c.scratch.strain * (bodies.radius[i] + skin[i]);
      bodies.position[i] += h * (c.scratch.domain.gradient() * from);
    }
    if (leaves(c.model, from, bodies.position[i])) leaving.push_back(i);
  }
}

/// Mean angular velocity of an isotropic body in the step.
Vec3 mean_angular_velocity(const StepContext& c, std::size_t i) {
  const Vec3& final = c.state.bodies.angular_velocity[i];
  const ImpactEvents::Flight* flight = c.scratch.events.flight(i);
  return flight ? final + angular_velocity(c, i, flight->turn / c.model.step.h) : final;
}

/// Rotates bodies likewise.
void turn(const StepContext& c, std::size_t begin, std::size_t end, Bodies& bodies,
          Scratch::BodySums& sum) {
  const double h = c.model.step.h;
  const bool soft = c.scratch.forces.any, pushes = c.scratch.has_pseudo_velocities();
  const auto turn_exactly = kernels::free_sphere_kernels_of(c.pool.instruction_set()).turn;
  if (soft && !pushes && c.scratch.all_spheres && c.scratch.all_sphere_contacts) {
    turn_exactly(&bodies.orientation[begin], &bodies.angular_velocity[begin], end - begin, h);
    return;
  }
  for (std::size_t i = begin; i < end; ++i) {
    if (c.state.neighbours.has_left(i) || c.state.sleep.sleeps(i)) continue;
    const Motion elastic = pushes ? pseudo_velocity_of(c, i) : Motion{};
    const Prototype& prototype = c.model.prototypes[bodies.prototype[i]];
    if (rotates_freely(c, i))
      rotate_freely(bodies.orientation[i], bodies.angular_velocity[i], prototype.inertia, h,
                    prototype.locked.turns);
    else if (soft)
      turn_exactly(&bodies.orientation[i], &bodies.angular_velocity[i], 1, h);
    else
      bodies.orientation[i] =
          advance_orientation(bodies.orientation[i], mean_angular_velocity(c, i), h);
    if (pushes) rotate_with_pseudo_spin(c, i, elastic, bodies, sum);
  }
}

/// Advances bodies [begin, end) by the step.
void advance_bodies(StepContext& c, std::size_t begin, std::size_t end, Scratch::BodySums& sum) {
  Bodies& bodies = c.state.bodies;
  std::vector<std::size_t> leaving;
  copy_velocities(c, begin, end, bodies, sum);
  move(c, begin, end, bodies, c.state.neighbours.skin, leaving);
  turn(c, begin, end, bodies, sum);
  for (const std::size_t i : leaving) {
    c.state.neighbours.skin[i] = Neighbours::kLeft;
    sum.carried_out.add(total_energy(c.model, bodies, i));
    sum.heaviest = std::max(sum.heaviest, bodies.mass[i]);
    ++sum.leaving;
  }
  for (std::size_t i = begin; i < end; ++i)
    if (!c.state.neighbours.has_left(i)) add_body(c, i, sum);
}

/// The same for free spheres, none of which leaves.
void advance_spheres(StepContext& c, std::size_t begin, std::size_t end, Scratch::BodySums& sum) {
  const auto advance_eight = kernels::free_sphere_kernels_of(c.pool.instruction_set()).advance;
  const SphereStep step = sphere_step(c);
  SphereEnergies energies;
  const auto all = [&](std::size_t i) {
    const EightSpheres spheres = eight_spheres(c, i);
    advance_eight(spheres, step, &c.state.neighbours.skin[i], energies);
    for (int k = 0; k < kBlock; ++k) {
      sum.kinetic.add(energies.kinetic[k]);
      sum.potential.add(energies.potential[k]);
      sum.heaviest = std::max(sum.heaviest, spheres.mass[k]);
      sum.not_finite += energies.finite[k] == 0;
    }
    sum.bodies += kBlock;
  };
  const auto some = [&](std::size_t i) { advance_bodies(c, i, i + kBlock, sum); };
  advance_bodies(c, for_eights(c, begin, end, all, some), end, sum);
}

/// Upper bound of what cohesion adds to kinetic energy above that of the free velocities without
/// it, −Σ s u_n⁺, with u_n⁺ after the solve: expansion comes after cohesion, and has its own work
/// [J].
double cohesion_work(const Scratch& s) {
  const ContactProblem& problem = s.problem;
  ExactSum work;
  if (!problem.has_cohesion()) return 0;
  const std::span<const BodyRecord> solved = s.phases.any ? s.phases.bodies : problem.bodies;
  kernels::for_each_lane(problem, problem.blocks, [&](std::size_t b, int k) {
    const SphereContactBlock& block = problem.blocks[b];
    work.add(-kernels::cohesion_of(problem.cohesion, b, k) *
             dot({block.normal[0][k], block.normal[1][k], block.normal[2][k]},
                 solved[block.b[k]].velocity - solved[block.a[k]].velocity));
  });
  kernels::for_each_lane(problem, problem.contact_blocks, [&](std::size_t b, int k) {
    const Vec3 u = kernels::relative_velocity(solved, problem.contact_blocks[b].contact(k));
    work.add(-kernels::cohesion_of(problem.contact_cohesion, b, k) * u.x);
  });
  return work.value();
}

/// Σ |r|² (1/m_A + 1/m_B) over contacts: for bodies pressed together at rest, works are errors of
/// the solve times such impulses [J].
double energy_of_impulses(const ContactProblem& problem) {
  const std::span<const BodyRecord> bodies = problem.bodies;
  ExactSum energy;
  kernels::for_each_lane(problem, problem.blocks, [&](std::size_t b, int k) {
    const SphereContactBlock& block = problem.blocks[b];
    const Vec3 r{block.impulse[0][k], block.impulse[1][k], block.impulse[2][k]};
    energy.add(squared_norm(r) *
               (bodies[block.a[k]].inverse_mass + bodies[block.b[k]].inverse_mass));
  });
  kernels::for_each_lane(problem, problem.contact_blocks, [&](std::size_t b, int k) {
    const ContactRows contact = problem.contact_blocks[b].contact(k);
    energy.add(squared_norm(contact.impulse) *
               (bodies[contact.a].inverse_mass + bodies[contact.b].inverse_mass));
  });
  return energy.value();
}

/// Increase of kinetic energy beyond the work that is accounted for, and beyond that of joints,
/// which is reported separately; 0 within rounding [J].
double energy_created(const Scratch::BodySums& bodies, double wall_work, double joint_work,
                      const ContactProblem& problem, double bias_work) {
  if (problem.contacts == 0) return 0;
  const double gained = bodies.gained.value(),
               created = gained - wall_work - bias_work - std::max(0.0, joint_work);
  const double rounding =
      kEnergyRounding * (2 * (bodies.kinetic.value() + std::abs(bodies.carried_out.value())) +
                         std::abs(gained) + std::abs(wall_work) + std::abs(bias_work)) +
      static_cast<double>(bodies.bodies + bodies.leaving) * bodies.heaviest * problem.rounding *
          problem.rounding;
  if (!(created > rounding)) return 0;
  return created > rounding + kCreatedEnergyOfImpulses * energy_of_impulses(problem) ? created : 0;
}

/// Energy of expansion beyond that of compression; 0 within rounding [J].
double energy_created(const ImpactWork& work, double kinetic) {
  const double created = work.expansion - work.compression;
  const double rounding =
      kEnergyRounding * (std::abs(work.expansion) + std::abs(work.compression) + kinetic);
  return created > rounding ? created : 0;
}

}  // namespace

void advance(StepContext& c) {
  const double h = c.model.step.h;
  Scratch& s = c.scratch;
  const std::size_t n = c.state.bodies.size();
  s.body_sums.assign((n + kBodiesPerChunk - 1) / kBodiesPerChunk, {});
  const bool free_spheres =
      are_free_spheres(c) && !begins_at_whole_step(c) && c.model.outflows.empty();

  c.pool.for_each_range(n, kBodiesPerChunk, [&](std::size_t begin, std::size_t end) {
    Scratch::BodySums& sum = s.body_sums[begin / kBodiesPerChunk];
    if (free_spheres)
      advance_spheres(c, begin, end, sum);
    else
      advance_bodies(c, begin, end, sum);
  });

  for (std::size_t k = 0; k < c.state.obstacles.size(); ++k) {
    ObstacleState& obstacle = c.state.obstacles[k];
    ObstacleApproach& skin = c.state.neighbours.obstacle_skin[k];
    skin = skin - approach_of_obstacle(c, k);
    obstacle.pose = c.model.obstacles[k].path ? s.prescribed[k].after
                                              : advance_pose(obstacle.pose, obstacle.twist, h);
  }

  const Scratch::BodySums total = add_up(c);
  const double work = s.obstacle_contacts.rigid_work + s.cell_rigid_work;
  const JointWork of_joints = accumulate_joints(c);
  find_joint_work(c, total.slowed_work.value());
  c.state.ledger.wall_work += work + s.obstacle_contacts.soft_work + s.cell_soft_work +
                              of_joints.from_outside + total.applied_work.value() +
                              total.start_work.value() - total.carried_out.value();
  c.state.field_work += total.field_work.value();
  c.report.field_work = c.state.field_work;
  c.report.bodies_removed += total.leaving;
  c.state.ledger.dissipated += work + of_joints.from_outside - of_joints.stored -
                               total.contact_work.value() - total.push_work.value() -
                               total.local_work.value();
  c.report.dissipated_energy = c.state.ledger.dissipated + c.report.force_energy.dissipated();
  c.report.wall_work = c.state.ledger.wall_work;
  c.report[kCreated].value = energy_created(total, work, c.report[kWorkOfJoints].value, s.problem,
                                            c.report.bias_work + cohesion_work(s)) +
                             energy_created(c.report.impact_work, total.kinetic.value());
  c.report.push_work = total.push_work.value();
  if (c.scratch.forces.any) look_for_energy_growth(c);
  if (c.model.strain.any()) advance_cell(c);
}

void measure(StepContext& c) {
  c.report = Report{.time = c.state.time, .step = c.state.step};
  const std::size_t n = c.state.bodies.size();
  c.scratch.body_sums.assign((n + kBodiesPerChunk - 1) / kBodiesPerChunk, {});
  const bool before_all = begins_at_whole_step(c);
  for (std::size_t i = 0; i < n; ++i)
    if (!c.state.neighbours.has_left(i))
      add_body(c, i, c.scratch.body_sums[i / kBodiesPerChunk], before_all);
  add_up(c);
  measure_joints(c);
  c.report.dissipated_energy = c.state.ledger.dissipated;
  c.report.wall_work = c.state.ledger.wall_work;
  c.report.field_work = c.state.field_work;
}

}  // namespace scree

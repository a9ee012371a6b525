/// Velocity increments of bodies by contacts with compliant laws.
#include "sim/compliant/forces.hpp"
#include "sim/joints/joint_places.hpp"
#include "sim/motion/body_motion.hpp"
#include "sim/motion/free_spheres.hpp"
#include "sim/motion/motion.hpp"

namespace scree {
namespace {

/// Adds to the row of a body the rows that other chunks filled for it.
void add_up(ForceContacts& f, std::size_t i) {
  for (std::uint32_t k = f.first_row[i]; k < f.first_row[i + 1]; ++k) f.rows[i] += f.rows[k];
}

/// Wrench from the rows of a body: forces and torques.
Wrench wrench_of(ForceContacts& f, std::size_t i) {
  Wrench sum{f.rows[i].force(), f.rows[i].torque()};
  if (!f.has_torque_rows()) return sum;
  TorqueRow& torques = f.torque_rows[i];
  for (std::uint32_t k = f.first_row[i]; k < f.first_row[i + 1]; ++k) torques += f.torque_rows[k];
  sum.torque += torques.elastic + torques.moment;
  return sum;
}

/// Increment by Cundall's local damping: by component −λ times the step's increment where this
/// accelerates the body, and λ times where it slows it.
VelocityIncrement local_damping(const StepContext& c, std::size_t i,
                                const VelocityIncrement& force) {
  const double fraction = c.model.step.local_damping;
  const auto damped = [fraction](const Vec3& before, const Vec3& increment) {
    Vec3 change;
    for (int axis = 0; axis < 3; ++axis) {
      const double power = increment[axis] * (before[axis] + increment[axis] / 2);
      change[axis] = power > 0   ? -fraction * increment[axis]
                     : power < 0 ? fraction * increment[axis]
                                 : 0;
    }
    return change;
  };
  VelocityIncrement all = force;
  all.velocity += c.scratch.problem.increment;
  if (const auto& own = c.scratch.problem.own_increment; !own.empty()) {
    all.velocity += own[i].velocity;
    all.spin += own[i].spin;
  }
  return {damped(c.state.bodies.velocity[i], all.velocity), damped(scaled_spin(c, i), all.spin)};
}

/// Marks bodies with rows of the solve, of rigid contacts and of joints. Their effect is not known
/// before the solve: such bodies are not damped.
void mark_solved_bodies(StepContext& c) {
  std::vector<std::uint8_t>& marks = c.scratch.forces.has_rows;
  marks.assign(c.state.bodies.size(), 0);
  const auto mark = [&](BodyIndex i) {
    if (is_free_body(i)) marks[i] = 1;
  };
  if (!c.model.joints.empty()) {
    find_joint_ends(c);
    for (const JointScratch::Ends& ends : c.scratch.joints.ends) {
      if (!ends.is_there) continue;
      mark(ends.a);
      mark(ends.b);
    }
  }
  if (!c.scratch.forces.any_rigid) return;
  const auto& pairs = c.state.neighbours.pairs;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const std::uint32_t slot = c.scratch.slot[p];
    if (slot == Scratch::kNoContact || Scratch::is_force(slot)) continue;
    mark(pairs[p].owner);
    mark(pairs[p].other);
  }
}

/// Converts rows of bodies [begin, end) to increments, and finds the power of the forces.
void give(StepContext& c, std::size_t begin, std::size_t end, ForceContacts::BothPowers& powers) {
  ForceContacts& f = c.scratch.forces;
  const Bodies& bodies = c.state.bodies;
  const double fraction = half_step_factor(c);
  for (std::size_t i = begin; i < end; ++i) {
    add_up(f, i);
    f.increment[i] = increment_of(c, i, wrench_of(f, i));
    f.increment[i] *= fraction;
    powers.before.add(f.rows[i], f.torque_row_of(i), bodies.velocity[i],
                      bodies.angular_velocity[i]);
    if (c.model.step.local_damping > 0)
      f.local[i] = f.has_rows[i] ? VelocityIncrement{} : local_damping(c, i, f.increment[i]);
    if (c.state.neighbours.has_left(i)) continue;
    set_free_velocity(c, i);
    powers.after.add(f.rows[i], f.torque_row_of(i), c.scratch.problem.bodies[i].velocity,
                     angular_velocity(c, i));
  }
}

/// The same for free spheres. Their increments are not stored: no solve needs them.
void give_spheres(StepContext& c, std::size_t begin, std::size_t end,
                  ForceContacts::BothPowers& powers) {
  const auto give_eight = kernels::free_sphere_kernels_of(c.pool.instruction_set()).give;
  const SphereStep step = sphere_step(c);
  LanePowers before, after;
  const auto all = [&](std::size_t i) {
    for (std::size_t k = i; k < i + kBlock; ++k) add_up(c.scratch.forces, k);
    give_eight(eight_spheres(c, i), step, &c.scratch.forces.rows[i], before, after);
  };
  const auto some = [&](std::size_t i) { give(c, i, i + kBlock, powers); };
  give(c, for_eights(c, begin, end, all, some), end, powers);
  powers += {before.sum(), after.sum()};
}

}  // namespace

void give_forces(StepContext& c) {
  ForceContacts& f = c.scratch.forces;
  const std::size_t n = c.state.bodies.size();
  const bool free_spheres = are_free_spheres(c);
  resize_tightly(f.increment, n);
  f.has_increment = true;
  if (c.model.step.local_damping > 0) {
    f.local.resize(n);
    mark_solved_bodies(c);
  }
  f.powers.assign((n + kBodiesPerChunk - 1) / kBodiesPerChunk, {});
  c.pool.for_each_range(n, kBodiesPerChunk, [&](std::size_t begin, std::size_t end) {
    ForceContacts::BothPowers& powers = f.powers[begin / kBodiesPerChunk];
    if (free_spheres)
      give_spheres(c, begin, end, powers);
    else
      give(c, begin, end, powers);
  });
}

}  // namespace scree

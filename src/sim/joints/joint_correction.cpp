// Joints after the solve: pseudo-velocities that close them, their energies and memories.
// docs/theory/joints.md
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "scree/core/decimal.hpp"
#include "scree/core/exact_sum.hpp"
#include "sim/joints/joint_places.hpp"
#include "sim/joints/joints.hpp"
#include "sim/motion/motion.hpp"
#include "solvers/kernels/joint_blocks.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

const Finding kBroken("joints_broken"), kJointRotation("excessive_rotation"),
    kJointWork("joint_work"), kJointVelocity("joint_velocity");

using Drive = JointScratch::Drive;

Motion push_of_end(const StepContext& c, BodyIndex end) {
  if (!is_free_body(end) || !c.scratch.has_pseudo_velocities()) return {};
  const Vec3 spin = c.scratch.pseudo_spin(end);
  return {c.scratch.pseudo_velocity(end), spin == Vec3{} ? spin : angular_velocity(c, end, spin)};
}

JointScratch::Found end_of(const StepContext& c, std::uint32_t joint, const JointFunctions& rows) {
  JointScratch::Found end{.is_known = true, .error = error_of(c, joint, rows)};
  for (std::size_t d = 0; d < static_cast<std::size_t>(rows.free_count); ++d)
    end.coordinate[d] = rows.free[d].value;
  return end;
}

/// True if an end has the pose that find_missed() had last.
bool went_as_found(const StepContext& c, BodyIndex end) {
  if (end == JointScratch::kWorldEnd) return true;
  if (!is_free_body(end)) return false;
  const Pose &found = c.scratch.joints.poses[end], now = pose_of_end(c, end);
  return found.position == now.position && found.orientation == now.orientation;
}

/// Finds by how far joints miss at the end of the step, with the pseudo-velocities of bodies on
/// their paths; returns the largest miss [m].
double find_missed(StepContext& c) {
  JointScratch& s = c.scratch.joints;
  const JointElimination& joints = c.scratch.solver.joints();
  c.pool.for_each_chunk(joints.islands(), [&](std::size_t island) {
    for (const BodyIndex body : joints.bodies_of(island))
      s.poses[body] = pose_after(c, body, s.paths[body], push_of_end(c, body));
    double& most = s.looks[island].max_missed = 0;
    for_each_block_after(c, joints.joints_of(island),
                         [&](std::size_t k, const JointFunctions& after) {
                           most = std::max(most, note_missed(c, k, after));
                           s.found[s.blocks[k].joint] = end_of(c, s.blocks[k].joint, after);
                         });
  });
  s.max_missed = 0;
  for (const JointScratch::IslandLook& look : looks_at_islands(c))
    s.max_missed = std::max(s.max_missed, look.max_missed);
  return s.max_missed;
}

/// Limits pseudo-velocities to the margin: pairs that are no contacts stay apart.
void bound_pseudo_velocity(StepContext& c) {
  JointScratch& s = c.scratch.joints;
  double scale = 1;
  for (std::size_t i = 0; i < s.pseudo_velocity.size(); ++i) {
    const double distance =
        c.model.step.h * (norm(s.pseudo_velocity[i].velocity) + norm(s.pseudo_velocity[i].spin));
    const double most = kMarginOfRadius * c.state.bodies.radius[i];
    if (distance * scale > most) scale = most / distance;
  }
  if (scale == 1) return;
  for (auto& [velocity, spin] : s.pseudo_velocity) {
    velocity *= scale;
    spin *= scale;
  }
}

/// Rate of a coordinate with the present velocities [m/s] or [rad/s].
double rate_now(const StepContext& c, std::uint32_t joint, const JointFunction& row) {
  const auto moving = [&](BodyIndex end) {
    return is_free_body(end) ? motion_before(c, end) : motion_of_wall(c, end);
  };
  const JointScratch::Ends& ends = c.scratch.joints.ends[joint];
  return rate_of(row, motion_between(frames_now(c, joint), moving(ends.a), moving(ends.b)));
}

/// Energy of springs and rotors at the start of a run [J].
double energy_at_start(StepContext& c) {
  ExactSum energy;
  for (std::uint32_t k = 0; k < c.scratch.joints.ends.size(); ++k) {
    if (!c.scratch.joints.ends[k].is_there) continue;
    const Joint& joint = c.model.joints[k];
    const JointFunctions rows = functions_now(c, k);
    double& stored = c.state.joints[k].stored = 0;
    for (std::size_t d = 0; d < joint.drives.size(); ++d) {
      const double stretch = rows.free[d].value - joint.drives[d].rest;
      const double rate = rate_now(c, k, rows.free[d]);
      stored += 0.5 * joint.drives[d].stiffness * stretch * stretch +
                0.5 * joint.drives[d].armature * rate * rate;
    }
    energy.add(stored);
  }
  return energy.value();
}

/// Adds the energy of rotors after a step to JointState::stored.
void add_rotors(StepContext& c) {
  const JointScratch& s = c.scratch.joints;
  for (std::size_t b = 0; b < s.blocks.size(); ++b) {
    if (!s.blocks[b].has(Drive::rotor)) continue;
    const std::uint32_t k = s.blocks[b].joint;
    const auto d = static_cast<std::size_t>(s.blocks[b].coordinate);
    const double rate = rate_now(c, k, functions_now(c, k).free[d]);
    c.state.joints[k].stored += 0.5 * c.model.joints[k].drives[d].armature * rate * rate;
  }
}

/// Adds the energy of springs after a step to JointState::stored: half a step earlier, where
/// velocities and positions belong to the same time. With stretch X and rate V there, forces F = k
/// X and masses 1/W, the step conserves
///
///     ½ V²/W + ½ k X²,   and with it   (½ V²/W + ½ k X²)(1 + h² k W / 4),
///
/// which is the energy at the start of the oscillation. So the reported energy of springs is ½ k X²
/// plus h²/8 (k V² + G W G), with G the part of F that nothing else balances: a spring that presses
/// on something rigid does not oscillate [J].
void add_springs(StepContext& c) {
  JointScratch& s = c.scratch.joints;
  const double h = c.model.step.h;
  const auto for_each_spring = [&](auto&& f) {
    for (std::size_t b = 0; b < s.blocks.size(); ++b) {
      if (!s.blocks[b].has(Drive::spring)) continue;
      const auto d = static_cast<std::size_t>(s.blocks[b].coordinate);
      const JointDrive& drive = c.model.joints[s.blocks[b].joint].drives[d];
      for (std::size_t r = 0;
           drive.stiffness > 0 && r < static_cast<std::size_t>(c.scratch.problem.joints[b].rows);
           ++r)
        if (s.blocks[b].drive[r] == Drive::spring) f(b, r, d, drive);
    }
  };
  bool any = false;
  for_each_spring([&](auto&&...) { any = true; });
  if (!any) return;
  s.forces.assign(s.blocks.size(), {});
  s.responses.assign(s.blocks.size(), {});
  for_each_spring([&](std::size_t b, std::size_t r, std::size_t d, const JointDrive& drive) {
    const std::uint32_t k = s.blocks[b].joint;
    const JointFunction row = functions_now(c, k).free[d];
    const double rate = rate_now(c, k, row);
    const double stretch = row.value - h / 2 * rate - drive.rest;
    s.forces[b][r] = drive.stiffness * stretch / s.row(b, r).scale;
    c.state.joints[k].stored +=
        0.5 * drive.stiffness * (stretch * stretch + h * h / 4 * rate * rate);
  });
  const JointElimination& joints = c.scratch.solver.joints();
  auto &W = s.compliances, &impulses = s.impulses;
  W.assign(s.blocks.size(), {});
  impulses.assign(s.blocks.size(), {});
  for (std::size_t island = 0; island < joints.islands(); ++island)
    joints.find_compliances(island, c.scratch.problem, W);
  for_each_spring([&](std::size_t b, std::size_t r, std::size_t, const JointDrive&) {
    impulses[b][r] = c.scratch.problem.joints[b].impulse[r];
  });
  joints.respond(c.scratch.problem, impulses, s.responses);
  for_each_spring([&](std::size_t b, std::size_t r, std::size_t, const JointDrive&) {
    const JointBlock& block = c.scratch.problem.joints[b];
    const double after =
        kernels::hard_velocity(c.scratch.problem.bodies, block)[static_cast<int>(r)] -
        block.bias[r] + s.row(b, r).wall;
    const double others = after - s.row(b, r).before - s.responses[b][r];
    if (W[b][r] == 0) return;
    const double F = s.forces[b][r], held = others / (s.effective_dt * W[b][r]);
    s.forces[b][r] = std::clamp(F - held, std::min(F, 0.0), std::max(F, 0.0));
  });
  joints.respond(c.scratch.problem, s.forces, s.responses);
  for_each_spring([&](std::size_t b, std::size_t r, std::size_t, const JointDrive&) {
    c.state.joints[s.blocks[b].joint].stored += h * h / 8 * s.forces[b][r] * s.responses[b][r];
  });
}

/// Energy that joints store [J].
double stored_energy(const State& state) {
  ExactSum energy;
  for (const JointState& joint : state.joints) energy.add(joint.stored);
  return energy.value();
}

/// Σ e² of a joint [m²/s²]; drives have no part in the expansion of impacts.
double squared_residual(const StepContext& c, std::size_t joint) {
  const ImpactPhases& phases = c.scratch.phases;
  const JointBlock& block = c.scratch.problem.joints[joint];
  return phases.any && block.kind == JointBlock::Kind::driven
             ? kernels::certify(phases.joints[joint].asked, phases.bodies)
             : kernels::certify(block, c.scratch.problem.bodies);
}

/// Breaks joints whose load exceeds their strength.
void break_joints(StepContext& c) {
  JointScratch& s = c.scratch.joints;
  const ContactProblem& problem = c.scratch.problem;
  for (std::size_t first = 0, end = 0; first < s.blocks.size(); first = end) {
    const std::uint32_t k = s.blocks[first].joint;
    Vec3 force, torque;
    for (; end < s.blocks.size() && s.blocks[end].joint == k; ++end)
      for (int row = 0; row < problem.joints[end].rows; ++row) {
        const JointScratch::Row& known = s.row(end, static_cast<std::size_t>(row));
        const double of_row = problem.joints[end].impulse[row] / s.effective_dt;
        force += of_row * known.force;
        torque += of_row * known.torque;
      }
    const Joint& joint = c.model.joints[k];
    if (norm(force) <= joint.strength && norm(torque) <= joint.torque_strength) continue;
    c.state.joints[k].broken_at = decimal_multiple(c.state.step + 1, c.model.step.h);
    c.report[kBroken] = on_joint(c.report[kBroken].value + 1, k);
  }
}

/// True if an end is on a moving obstacle: the work of such an obstacle is less exact in a step in
/// which its speed changes.
bool is_on_moved_obstacle(const StepContext& c, std::uint32_t joint) {
  const Joint& of = c.model.joints[joint];
  if (is_gear(of.kind))
    return is_on_moved_obstacle(c, of.geared[0].joint) ||
           is_on_moved_obstacle(c, of.geared[1].joint);
  const JointScratch::Ends& ends = c.scratch.joints.ends[joint];
  const auto is_moved = [&](BodyIndex end) {
    return end != JointScratch::kWorldEnd && !is_free_body(end) &&
           c.model.obstacles[end & ~Neighbours::kObstacle].is_moved();
  };
  return is_moved(ends.a) || is_moved(ends.b);
}

/// Stores coordinates in the state, and distances of the ends in the report.
void store_coordinates(StepContext& c) {
  JointScratch& s = c.scratch.joints;
  find_joint_ends(c);
  c.report.joints = 0;
  c.report.joint_error = 0;
  for (std::uint32_t k = 0; k < s.ends.size(); ++k) {
    if (!s.ends[k].is_there) continue;
    ++c.report.joints;
    // If the step went as predicted, its results are still valid.
    const bool found = k < s.found.size() && s.found[k].is_known &&
                       !is_gear(c.model.joints[k].kind) && went_as_found(c, s.ends[k].a) &&
                       went_as_found(c, s.ends[k].b);
    const JointScratch::Found end = found ? s.found[k] : end_of(c, k, functions_now(c, k));
    c.report.joint_error = std::max(c.report.joint_error, end.error);
    c.state.joints[k].coordinate = end.coordinate;
  }
  s.found.clear();
}

/// Reports the largest relative rotation of the ends of a joint above π in the step: the joint
/// mistakes it for a rotation in the opposite direction.
void look_for_excessive_rotations_of_joints(StepContext& c) {
  const JointScratch& s = c.scratch.joints;
  const double h = c.model.step.h;
  // Same rotation as in advance().
  const auto rotation_of = [&](BodyIndex end) {
    if (!is_free_body(end)) return h * twist_of_obstacle(c, end).angular;
    const Vec3& w = c.state.bodies.angular_velocity[end];
    const bool is_ball = c.scratch.kinds[c.state.bodies.prototype[end]].isotropic;
    const double spin = norm(w);
    return is_ball && !c.scratch.forces.any && spin > 0 ? 2 * std::atan(h / 2 * spin) / spin * w
                                                        : h * w;
  };
  for (std::size_t k = 0; k < s.ends.size(); ++k) {
    const JointKind kind = c.model.joints[k].kind;
    if (!s.ends[k].is_there || is_gear(kind) || is_loose(kind)) continue;
    const BodyIndex a = s.ends[k].a, b = s.ends[k].b;
    const double rotation = norm(rotation_of(b) - rotation_of(a));
    if (rotation > std::max(std::numbers::pi, c.report[kJointRotation].value))
      c.report[kJointRotation] = on_body(rotation, c.state.bodies.id[is_free_body(b) ? b : a]);
  }
}

}  // namespace

void correct_joints(StepContext& c) {
  JointScratch& s = c.scratch.joints;
  if (c.scratch.problem.joints.empty()) return;
  double size = 0;
  for (const JointScratch::Ends& ends : s.ends)
    for (const BodyIndex end : {ends.a, ends.b})
      if (is_free_body(end))
        size = std::max({size, norm(c.state.bodies.position[end]), c.state.bodies.radius[end]});
  // Paths and miss are those of the last curvature update, if no velocities or pseudo-velocities
  // followed.
  if (!s.fits) {
    const JointElimination& joints = c.scratch.solver.joints();
    c.pool.for_each_chunk(joints.islands(), [&](std::size_t island) {
      find_poses_after(c, joints.bodies_of(island),
                       [&](BodyIndex end) { return motion_of_record(c, end); });
    });
  }
  double missed = s.fits && !c.scratch.has_pseudo_velocities() ? s.max_missed : find_missed(c);
  const bool corrects = c.model.step.overlap_correction == OverlapCorrection::positions;
  for (int done = 0; corrects && done < kMaxJointCorrections && missed > kClosedJointMiss * size;
       ++done) {
    if (s.pseudo_velocity.empty()) s.pseudo_velocity.assign(c.state.bodies.size(), {});
    const double before = missed;
    s.pseudo_velocity_before = s.pseudo_velocity;
    c.scratch.solver.joints().move(c.scratch.problem, s.missed, s.pseudo_velocity, c.pool);
    missed = find_missed(c);
    if (missed < before) continue;
    s.pseudo_velocity = s.pseudo_velocity_before;
    break;
  }
  if (!s.pseudo_velocity.empty()) bound_pseudo_velocity(c);
}

JointWork accumulate_joints(StepContext& c) {
  JointScratch& s = c.scratch.joints;
  JointWork work;
  if (s.ends.empty()) return work;
  const ContactProblem& problem = c.scratch.problem;
  // Expansion comes after motors, and has its own work.
  const ImpactPhases& phases = c.scratch.phases;
  const std::span<const BodyRecord> solved = phases.any ? phases.bodies : problem.bodies;
  ExactSum outside;
  for (std::size_t k = 0; k < problem.joints.size(); ++k) {
    const JointBlock& block = problem.joints[k];
    for (int row = 0; row < block.rows; ++row)
      outside.add(-block.impulse[row] * s.row(k, static_cast<std::size_t>(row)).wall);
    if (!s.blocks[k].has(Drive::motor)) continue;
    const kernels::JointVector u = kernels::hard_velocity(solved, block);
    for (int row = 0; row < block.rows; ++row) {
      if (s.blocks[k].drive[static_cast<std::size_t>(row)] != Drive::motor) continue;
      const JointScratch::Row& known = s.row(k, static_cast<std::size_t>(row));
      const double after = u[row] - block.bias[row] + known.wall;
      outside.add(block.impulse[row] * (known.before + after) / 2);
    }
  }
  work.from_outside = outside.value();
  const double before = stored_energy(c.state);
  for (JointState& joint : c.state.joints) joint.stored = 0;
  add_springs(c);
  add_rotors(c);
  c.report.joint_energy = stored_energy(c.state);
  work.stored = c.report.joint_energy - before;
  return work;
}

namespace {

/// Twice the energy that the impulses of a joint would give the heavier of its bodies, alone and at
/// rest [J].
double energy_borne(const JointBlock& block, std::span<const BodyRecord> bodies) {
  double inverse_mass = std::numeric_limits<double>::infinity();
  for (const BodyIndex body : {block.a, block.b})
    if (body != JointBlock::kNobody && bodies[body].inverse_mass > 0)
      inverse_mass = std::min(inverse_mass, bodies[body].inverse_mass);
  double squares = 0;
  for (int row = 0; row < block.rows; ++row) squares += block.impulse[row] * block.impulse[row];
  return squares > 0 ? squares * inverse_mass : 0;
}

/// Energy of the bodies of a joint with velocities that are rounding of their positions [J].
double energy_of_rounding(const StepContext& c, const JointBlock& block) {
  double energy = 0;
  for (const BodyIndex body : {block.a, block.b}) {
    if (body >= c.state.bodies.size()) continue;
    const double size = norm(c.state.bodies.position[body]) + c.state.bodies.radius[body],
                 velocity = std::numeric_limits<double>::epsilon() * size / c.model.step.h;
    energy += c.state.bodies.mass[body] * velocity * velocity;
  }
  return energy;
}

}  // namespace

void find_joint_work(StepContext& c, double slowed) {
  const JointScratch& s = c.scratch.joints;
  const ContactProblem& problem = c.scratch.problem;
  if (problem.joints.empty() || begins_at_whole_step(c)) return;
  const ImpactPhases& phases = c.scratch.phases;
  const std::span<const BodyRecord> solved = phases.any ? phases.bodies : problem.bodies;
  ExactSum work, borne;
  double most = -1, rounding = 0;
  std::uint32_t working = 0;
  for (std::size_t k = 0; k < problem.joints.size(); ++k) {
    rounding += energy_of_rounding(c, problem.joints[k]);
    borne.add(energy_borne(problem.joints[k], solved));
    // Attaching a joint is a plastic impact.
    if (s.blocks[k].coordinate != JointScratch::kHeld ||
        is_on_moved_obstacle(c, s.blocks[k].joint) ||
        c.state.joints[s.blocks[k].joint].attached_at == c.state.time)
      continue;
    const JointBlock& block = problem.joints[k];
    const kernels::JointVector u = kernels::hard_velocity(solved, block);
    double of_joint = 0;
    for (int row = 0; row < block.rows; ++row) {
      const JointScratch::Row& known = s.row(k, static_cast<std::size_t>(row));
      const double after = u[row] - block.bias[row] + known.wall;
      of_joint += block.impulse[row] * (known.before + after) / 2;
    }
    work.add(of_joint);
    if (std::abs(of_joint) <= most) continue;
    most = std::abs(of_joint);
    working = s.blocks[k].joint;
  }
  // Rounding, or the tolerance of the solve with contacts.
  const double fraction = problem.contacts == 0
                              ? kJointWorkRounding
                              : std::max(kJointWorkRounding, c.model.solver.tolerance);
  const double made = work.value() - slowed;
  c.report[kJointWork] =
      on_joint(std::abs(made) > fraction * borne.value() + rounding ? made : 0, working);
}

void keep_joints(StepContext& c) {
  JointScratch& s = c.scratch.joints;
  const ContactProblem& problem = c.scratch.problem;
  if (c.model.joints.empty()) return;
  const ImpactPhases& phases = c.scratch.phases;
  for (JointState& joint : c.state.joints) {
    joint.held = {};
    joint.driven = {};
    joint.curvature = {};
  }
  double worst = 0;
  std::uint32_t worst_joint = 0;
  for (std::size_t k = 0; k < problem.joints.size(); ++k) {
    const JointScratch::Block& of = s.blocks[k];
    const JointBlock& block = problem.joints[k];
    JointState& memory = c.state.joints[of.joint];
    const double missed = squared_residual(c, k);
    if (missed > worst) {
      worst = missed;
      worst_joint = of.joint;
    }
    for (int row = 0; row < block.rows; ++row) {
      const auto r = static_cast<std::size_t>(row);
      memory.curvature[of.curvature(row)] = s.curvature[k][r] - s.first_curvature[k][r];
      const double kept = block.impulse[row] - phases.joint_impulse_of_impact(k, r);
      if (of.coordinate == JointScratch::kHeld)
        memory.held[r] = kept;
      else if (of.is_effort(row))
        memory.driven[static_cast<std::size_t>(of.coordinate)]
                     [static_cast<std::size_t>(of.drive[r])] = kept;
    }
  }
  c.report[kJointVelocity] = on_joint(std::sqrt(worst), worst_joint);
  for (std::size_t k = 0; k < problem.joints.size() && !c.report.converged && worst > 0; ++k) {
    const std::uint32_t joint = s.blocks[k].joint;
    auto& missed = c.report.joints_missed;
    if (squared_residual(c, k) >= kListedJointFraction * worst &&
        (missed.empty() || missed.back() != joint))
      missed.push_back(joint);
  }
  break_joints(c);
  store_coordinates(c);
  look_for_excessive_rotations_of_joints(c);
}

void measure_joints(StepContext& c) {
  if (c.model.joints.empty()) return;
  store_coordinates(c);
  if (begins_at_whole_step(c)) {
    c.report.joint_energy = energy_at_start(c);
    return;
  }
  c.report.joint_energy = stored_energy(c.state);
}

}  // namespace scree

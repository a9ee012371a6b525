// Assembly of joints as rows of the problem, and their curvature within a step:
// docs/theory/joints.md
#include <algorithm>
#include <cmath>

#include "sim/joints/block_filler.hpp"
#include "sim/joints/joints.hpp"
#include "sim/joints/motors.hpp"
#include "sim/motion/motion.hpp"
#include "solvers/kernels/joint_blocks.hpp"
#include "solvers/step_settings.hpp"

namespace scree {

namespace {

const Finding kSpringSwing("spring_swing");

using Drive = JointScratch::Drive;

void add_gear(StepContext& c, std::uint32_t joint) {
  const Joint& gear = c.model.joints[joint];
  const std::uint32_t first = gear.geared[0].joint, second = gear.geared[1].joint;
  const JointBodies bodies(c, first), others(c, second);
  BlockFiller filler(c, joint, bodies, lever_of(c, bodies.ends()));
  filler.hold(c.scratch.joints.functions[joint], gear.ratio, others,
              c.model.solver.warm_start ? c.state.joints[joint].held[0] : 0);
}

void add_blocks(StepContext& c, std::uint32_t joint) {
  const JointBodies bodies(c, joint);
  const JointState& memory = c.state.joints[joint];
  const JointFunctions& rows = c.scratch.joints.functions[joint];
  const double lever = lever_of(c, bodies.ends());
  const bool warm = c.model.solver.warm_start;
  Vec3 together;
  if (rows.held_count > 0) {
    BlockFiller held(c, joint, bodies, lever);
    for (std::size_t k = 0; k < static_cast<std::size_t>(rows.held_count); ++k) {
      held.hold(rows.held[k], warm ? memory.held[k] : 0);
      together += memory.held[k] * rows.held[k].axis;
    }
  }
  for (std::size_t k = 0; k < static_cast<std::size_t>(rows.free_count); ++k) {
    const JointDrive& drive = drive_of(c.model.joints[joint], k);
    const JointScratch::StepMotor& motor = c.scratch.joints.motors[joint][k];
    if (drive.is_free() && motor.kind == Motor::Kind::none) continue;
    BlockFiller driven(c, joint, bodies, lever);
    driven.held_with(norm(together));
    driven.drive(rows.free[k], static_cast<int>(k), drive, motor, c.scratch.joints.limits[joint][k],
                 warm ? memory.driven[k] : std::array<double, JointScratch::kRemembered>{});
    if (driven.is_empty()) driven.take_back();
  }
}

/// Mean rate of a row of velocities in the step, to second order: that of the displacement of B's
/// origin as A sees it, and of the rotation, along the means of the row's axes at both ends.
double mean_rate_in_step(const StepContext& c, std::uint32_t joint, const JointFunction& from,
                         const JointFunctions& after, const JointFunction& to) {
  const JointScratch& s = c.scratch.joints;
  const auto turn_of = [&](BodyIndex end) {
    return (is_free_body(end) ? s.paths[end].motion : motion_of_wall(c, end)).angular_velocity;
  };
  const Vec3 before = s.functions[joint].d, of_a = turn_of(s.ends[joint].a),
             velocity = (after.d - before) / c.model.step.h - cross(of_a, 0.5 * (before + after.d));
  return dot(0.5 * (from.axis + to.axis), velocity) +
         dot(0.5 * (from.angular + to.angular), turn_of(s.ends[joint].b) - of_a);
}

/// Changes of the rates of an island's rows along the paths of its bodies with such motions [m/s].
template <class MotionOf>
void find_curvature(StepContext& c, std::size_t island, MotionOf&& motion_of) {
  JointScratch& s = c.scratch.joints;
  const JointElimination& joints = c.scratch.solver.joints();
  const double h = c.model.step.h;
  find_poses_after(c, joints.bodies_of(island), motion_of);
  const auto found = [&](BodyIndex end) {
    return is_free_body(end) ? s.paths[end].motion : Motion{};
  };
  double& max_missed = s.looks[island].max_missed = 0;
  for_each_block_after(
      c, joints.joints_of(island), [&](std::size_t k, const JointFunctions& after) {
        const JointScratch::Block& of = s.blocks[k];
        const bool held = of.coordinate == JointScratch::kHeld,
                   gear = is_gear(c.model.joints[of.joint].kind);
        max_missed = std::max(max_missed, note_missed(c, k, after));
        const JointFunctions& now = s.functions[of.joint];
        const Motion between = gear ? Motion{} : motion_between_ends(c, of.joint, found);
        for (int row = 0; row < c.scratch.problem.joints[k].rows; ++row) {
          const auto r = static_cast<std::size_t>(row),
                     d = held ? r : static_cast<std::size_t>(of.coordinate);
          const JointFunction &from = held ? now.held[d] : now.free[d],
                              &to = held ? after.held[d] : after.free[d];
          const double scale = from.is_angle ? of.lever : 1,
                       rate = gear ? rate_of_gear(c, of.joint, now, found) : rate_of(from, between);
          const double mean_rate = from.of_velocities
                                       ? mean_rate_in_step(c, of.joint, from, after, to)
                                       : (to.value - from.value) / h;
          s.curvature[k][r] = scale * (mean_rate - rate) - s.row(k, r).wall;
        }
      });
}

/// Calls f(bias of a row, its bias with the last curvature: target, prescribed motion and
/// curvature) for each row of an island.
template <class F>
void for_each_bias(StepContext& c, std::size_t island, F&& f) {
  JointScratch& s = c.scratch.joints;
  for (const std::uint32_t k : c.scratch.solver.joints().joints_of(island)) {
    JointBlock& block = c.scratch.problem.joints[k];
    for (int row = 0; row < block.rows; ++row) {
      const auto r = static_cast<std::size_t>(row);
      f(block.bias[row], s.row(k, r).own + s.row(k, r).wall + s.curvature[k][r]);
    }
  }
}

/// Curvature of an island with such motions, as far as impulses can cause it, and the change of its
/// biases.
template <class MotionOf>
void evaluate_curvature(StepContext& c, std::size_t island, MotionOf&& motion_of) {
  JointScratch& s = c.scratch.joints;
  find_curvature(c, island, motion_of);
  c.scratch.solver.joints().make_attainable(island, s.curvature);
  double& squared = s.looks[island].curvature_change = 0;
  for_each_bias(c, island,
                [&](double before, double bias) { squared += (bias - before) * (bias - before); });
}

void apply_curvature(StepContext& c, std::size_t island) {
  for_each_bias(c, island, [](double& before, double bias) { before = bias; });
}

/// Predicts the curvature from the last step: the change that velocities before the step do not
/// predict was nearly the same there. For joints alone the curvature converges from any start.
void expect_curvature(StepContext& c, std::size_t island) {
  JointScratch& s = c.scratch.joints;
  for (const std::uint32_t k : c.scratch.solver.joints().joints_of(island)) {
    s.first_curvature[k] = s.curvature[k];
    if (c.scratch.problem.contacts == 0) continue;
    const JointScratch::Block& of = s.blocks[k];
    JointBlock& block = c.scratch.problem.joints[k];
    for (int row = 0; row < block.rows; ++row)
      block.bias[row] += c.state.joints[of.joint].curvature[of.curvature(row)];
  }
}

/// Finds the fastest oscillation of an island's springs. Other joints that hold the moving bodies
/// count, contacts do not.
void look_for_fast_springs(StepContext& c, std::size_t island) {
  JointScratch& s = c.scratch.joints;
  const JointElimination& joints = c.scratch.solver.joints();
  JointScratch::IslandLook& look = s.looks[island];
  look.spring_swing = 0;
  const auto has_spring = [&](std::uint32_t b) { return s.blocks[b].has(Drive::spring); };
  if (std::ranges::none_of(joints.joints_of(island), has_spring)) return;
  joints.find_compliances(island, c.scratch.problem, s.responses);
  for (const std::uint32_t b : joints.joints_of(island)) {
    const JointScratch::Block& of = s.blocks[b];
    for (int row = 0; row < c.scratch.problem.joints[b].rows; ++row) {
      const auto r = static_cast<std::size_t>(row);
      if (of.coordinate == JointScratch::kHeld || of.drive[r] != Drive::spring) continue;
      const JointDrive& drive =
          c.model.joints[of.joint].drives[static_cast<std::size_t>(of.coordinate)];
      const double scale = s.row(b, r).scale, W = s.responses[b][r] / (scale * scale);
      const bool creeps = drive.damping * drive.damping * W >= 4 * drive.stiffness;
      const double swing = c.model.step.h * std::sqrt(drive.stiffness * W);
      if (creeps || swing <= look.spring_swing) continue;
      look.spring_swing = swing;
      look.fastest_spring = of.joint;
    }
  }
}

/// Updates friction that depends on constraint forces after a solve; true if it changed by more
/// than a fraction.
bool update_friction_bounds(StepContext& c) {
  JointScratch& s = c.scratch.joints;
  bool changed = false;
  for (std::size_t b = 0, held = 0; b < s.blocks.size(); ++b) {
    const JointScratch::Block& of = s.blocks[b];
    if (of.coordinate == JointScratch::kHeld) {
      held = b;
      continue;
    }
    if (!of.has(Drive::friction)) continue;
    const JointDrive& drive =
        c.model.joints[of.joint].drives[static_cast<std::size_t>(of.coordinate)];
    if (drive.friction_of_force == 0) continue;
    Vec3 together;
    if (s.blocks[held].joint == of.joint && s.blocks[held].coordinate == JointScratch::kHeld) {
      const JointBlock& block = c.scratch.problem.joints[held];
      for (int row = 0; row < block.rows; ++row) together += block.impulse[row] * block.axis[row];
    }
    JointBlock& block = c.scratch.problem.joints[b];
    for (int row = 0; row < block.rows; ++row) {
      const auto r = static_cast<std::size_t>(row);
      if (of.drive[r] != Drive::friction) continue;
      const double bound =
          (s.effective_dt * drive.friction + drive.friction_of_force * norm(together)) /
          s.row(b, r).scale;
      changed =
          changed || std::abs(bound - block.max_impulse[row]) > kFrictionBoundTolerance * bound;
      block.min_impulse[row] = -bound;
      block.max_impulse[row] = bound;
    }
  }
  return changed;
}

/// Size of the numbers from which the values of a block's rows are computed [m].
double size_of_values(const StepContext& c, std::size_t block) {
  const std::uint32_t joint = c.scratch.joints.blocks[block].joint;
  const Joint& of = c.model.joints[joint];
  if (is_gear(of.kind)) {
    const JointFunctions& rows = c.scratch.joints.functions[joint];
    return c.scratch.joints.row(block, 0).scale *
           (std::abs(rows.free[0].value) + std::abs(of.ratio * rows.free[1].value));
  }
  double size = 0;
  for (const BodyIndex end : {c.scratch.joints.ends[joint].a, c.scratch.joints.ends[joint].b}) {
    size += norm(pose_of_end(c, end).position);
    if (is_free_body(end)) size += c.state.bodies.radius[end];
  }
  return size;
}

/// Size of the velocities of a block's bodies [m/s].
double speed_of_bodies(const StepContext& c, std::size_t block) {
  double speed = 0;
  c.scratch.problem.joints[block].for_each_side([&](const JointBlock::Side& side) {
    if (side.body >= c.scratch.problem.free_bodies) return;
    const BodyRecord& body = c.scratch.problem.bodies[side.body];
    speed += norm(body.velocity) + norm(body.spin);
  });
  return speed;
}

/// Finds what rows of an island miss without impulses, and its rounding error.
void find_missed_speeds(StepContext& c, std::size_t island) {
  constexpr double kHalfEpsilon = std::numeric_limits<double>::epsilon() / 2;
  ContactProblem& problem = c.scratch.problem;
  for (const std::uint32_t k : c.scratch.solver.joints().joints_of(island)) {
    const JointBlock& block = problem.joints[k];
    const double rounding = kHalfEpsilon * (size_of_values(c, k) / c.model.step.h +
                                            kRoundingOfSweeps * speed_of_bodies(c, k));
    // A drive counts at most what its bounds can give: the distance of a weak motor from its target
    // is no measure of velocities.
    const kernels::JointVector q =
        kernels::residuals_with(block, kernels::JointVector{}, problem.bodies,
                                kernels::hard_velocity(problem.bodies, block));
    problem.missed[k] = {};
    for (int row = 0; row < block.rows; ++row) {
      // A constraint row counts, with its rounding, even if it misses nothing.
      if (q[row] == 0 && block.kind != JointBlock::Kind::held) continue;
      problem.missed[k].squared += q[row] * q[row];
      problem.missed[k].squared_rounding += rounding * rounding;
    }
  }
}

/// Sets up the joints of a new island once.
void assemble_island(StepContext& c, std::size_t island) {
  look_for_fast_springs(c, island);
  evaluate_curvature(c, island, [&](BodyIndex end) { return motion_before(c, end); });
  if (std::isfinite(c.scratch.joints.looks[island].curvature_change)) apply_curvature(c, island);
  expect_curvature(c, island);
  find_missed_speeds(c, island);
}

}  // namespace

void prepare_joints(StepContext& c) {
  c.scratch.joints.inertia_scaling.clear();
  if (c.model.joints.empty()) return;
  look_at_joints(c);
  scale_inertia(c);
}

void assemble_joints(StepContext& c) {
  JointScratch& s = c.scratch.joints;
  ContactProblem& problem = c.scratch.problem;
  s.pseudo_velocity.clear();
  s.effective_dt = half_step_factor(c) * c.model.step.h;
  BlockFiller::begin(c);
  for (std::uint32_t k = 0; k < s.ends.size(); ++k)
    if (s.ends[k].is_there) is_gear(c.model.joints[k].kind) ? add_gear(c, k) : add_blocks(c, k);
  BlockFiller::end(c);
  problem.missed.resize(problem.joints.size());
  if (c.model.joints.empty()) return;
  s.curvature_change = std::numeric_limits<double>::infinity();
  for (auto* rows : {&s.curvature, &s.first_curvature, &s.missed, &s.responses})
    rows->resize(problem.joints.size());
  ++problem.joints_stamp;
  JointElimination& joints = c.scratch.solver.joints();
  s.looks.resize(problem.joints.size());  // at most as many islands
  joints.prepare(problem, c.pool, [&](std::size_t island) { assemble_island(c, island); });
  for (const JointScratch::IslandLook& look : looks_at_islands(c)) {
    if (look.spring_swing > c.report[kSpringSwing].value)
      c.report[kSpringSwing] = on_joint(look.spring_swing, look.fastest_spring);
  }
}

bool apply_nonlinear_correction(StepContext& c) {
  const ContactProblem& problem = c.scratch.problem;
  JointScratch& s = c.scratch.joints;
  s.fits = false;
  if (problem.joints.empty()) return false;
  const double allowed = problem.residual_scale().allowed(
      std::min(kCurvatureToleranceFraction * c.model.solver.tolerance, kMaxCurvatureTolerance));
  // Near a singular position velocities change by more than their correction: the present ones are
  // as good as any.
  const std::size_t islands = c.scratch.solver.joints().islands();
  c.pool.for_each_chunk(islands, [&](std::size_t island) {
    evaluate_curvature(c, island, [&](BodyIndex end) { return motion_of_record(c, end); });
  });
  double squared = 0;
  s.max_missed = 0;
  for (const JointScratch::IslandLook& look : looks_at_islands(c)) {
    squared += look.curvature_change;
    s.max_missed = std::max(s.max_missed, look.max_missed);
  }
  const bool changed = squared > allowed * allowed && squared < s.curvature_change;
  s.curvature_change = squared;
  if (changed)
    c.pool.for_each_chunk(islands, [&](std::size_t island) { apply_curvature(c, island); });
  const bool bounds_changed = update_friction_bounds(c);
  // Expansion of impacts comes after this.
  s.fits = !changed && !bounds_changed && !c.scratch.phases.any;
  return changed || bounds_changed;
}

}  // namespace scree

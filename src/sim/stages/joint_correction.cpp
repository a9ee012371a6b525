// Joints after the solve: what closes them apart from velocities, their energies, what they
// remember. docs/theory/joints.md
#include <algorithm>
#include <cmath>

#include "scree/core/exact_sum.hpp"
#include "sim/joints/joint_places.hpp"
#include "solvers/kernels/joint_blocks.hpp"

namespace scree {
namespace {

using Drive = JointScratch::Drive;

Motion push_of_end(const StepContext& c, BodyIndex end) {
  if (!is_free_body(end) || !c.scratch.pushes()) return {};
  const Vec3 spin = c.scratch.push_spin(end);
  return {c.scratch.push_velocity(end), spin == Vec3{} ? spin : angular_velocity(c, end, spin)};
}

JointFunctions rows_at_end(const StepContext& c, std::uint32_t joint) {
  const JointScratch::Ends& ends = c.scratch.joints.ends[joint];
  return rows_after(c, joint, motion_of_record(c, ends.a), motion_of_record(c, ends.b),
                    push_of_end(c, ends.a), push_of_end(c, ends.b));
}

double scale_of(const JointFunction& row, double lever) { return row.is_angle ? lever : 1; }

/// By how far joints miss at the end of the step, each of their rows as a velocity that would undo
/// it; and the largest of all [m].
double find_missed(StepContext& c) {
  JointScratch& s = c.scratch.joints;
  s.missed.assign(s.blocks.size(), {});
  double most = 0;
  for (std::size_t k = 0; k < s.blocks.size(); ++k) {
    const JointScratch::Block& of = s.blocks[k];
    if (of.coordinate != JointScratch::kHeld) continue;
    const JointFunctions rows = rows_at_end(c, of.joint);
    for (int row = 0; row < rows.held_count; ++row) {
      const JointFunction& at = rows.held[static_cast<std::size_t>(row)];
      const double missed = scale_of(at, of.lever) * at.value;
      s.missed[k][static_cast<std::size_t>(row)] = missed / c.model.step.h;
      most = std::max(most, std::abs(missed));
    }
  }
  return most;
}

/// No body is pushed further than pairs that are no contacts are apart.
void bound_push(StepContext& c) {
  JointScratch& s = c.scratch.joints;
  double scale = 1;
  for (std::size_t i = 0; i < s.push.size(); ++i) {
    const double way = c.model.step.h * (norm(s.push[i].velocity) + norm(s.push[i].spin));
    const double most = kMarginOfRadius * c.state.bodies.radius[i];
    if (way * scale > most) scale = most / way;
  }
  if (scale == 1) return;
  for (auto& [velocity, spin] : s.push) {
    velocity *= scale;
    spin *= scale;
  }
}

/// Of the coordinates of a joint where its bodies stand now.
JointFunctions rows_now(const StepContext& c, std::uint32_t joint) {
  return functions_of(c.model.joints[joint], frames_now(c, joint),
                      c.state.joints[joint].coordinate);
}

/// Of springs, half a step back, where velocities and positions belong to the same time; `whole`:
/// they do so now [J].
double elastic_energy(const StepContext& c, bool whole) {
  ExactSum energy;
  for (std::uint32_t k = 0; k < c.scratch.joints.ends.size(); ++k) {
    const JointScratch::Ends& ends = c.scratch.joints.ends[k];
    if (!ends.is_there) continue;
    const Joint& joint = c.model.joints[k];
    const bool springs = std::ranges::any_of(
        joint.drives, [](const JointDrive& drive) { return drive.stiffness > 0; });
    if (!springs) continue;
    const JointFrames frames = frames_now(c, k);
    const JointFunctions rows = rows_now(c, k);
    const auto moving = [&](BodyIndex end) {
      if (is_free_body(end)) return motion_before(c, end);
      const Twist twist = twist_of_part(c, end);
      return Motion{twist.linear, twist.angular};
    };
    for (std::size_t d = 0; d < joint.drives.size(); ++d) {
      const double rate = rate_of(rows.free[d], frames, moving(ends.a), moving(ends.b));
      const double stretch =
          rows.free[d].value - (whole ? 0 : c.model.step.h / 2 * rate) - joint.drives[d].rest;
      energy.add(0.5 * joint.drives[d].stiffness * stretch * stretch);
    }
  }
  return energy.value();
}

/// Coordinates to the state, and by how far ends are apart to the report.
void take_coordinates(StepContext& c) {
  JointScratch& s = c.scratch.joints;
  find_joint_ends(c);
  c.report.joints = 0;
  c.report.joint_error = 0;
  for (std::uint32_t k = 0; k < s.ends.size(); ++k) {
    if (!s.ends[k].is_there) continue;
    ++c.report.joints;
    const JointFunctions rows = rows_now(c, k);
    const double lever = lever_of(c, s.ends[k]);
    for (int row = 0; row < rows.held_count; ++row) {
      const JointFunction& at = rows.held[static_cast<std::size_t>(row)];
      c.report.joint_error =
          std::max(c.report.joint_error, std::abs(scale_of(at, lever) * at.value));
    }
    for (int d = 0; d < rows.free_count; ++d)
      c.state.joints[k].coordinate[static_cast<std::size_t>(d)] =
          rows.free[static_cast<std::size_t>(d)].value;
  }
}

}  // namespace

void correct_joints(StepContext& c) {
  JointScratch& s = c.scratch.joints;
  if (c.scratch.problem.joints.empty()) return;
  constexpr int kMostTurns = 4;
  constexpr double kClosed = 1e-14;  // of where bodies are, and how large
  double size = 0;
  for (const JointScratch::Ends& ends : s.ends)
    for (const BodyIndex end : {ends.a, ends.b})
      if (is_free_body(end))
        size = std::max({size, norm(c.state.bodies.position[end]), c.state.bodies.radius[end]});
  double missed = find_missed(c);
  const bool corrects = c.model.step.overlap_correction == OverlapCorrection::positions;
  for (int turn = 0; corrects && turn < kMostTurns && missed > kClosed * size; ++turn) {
    if (s.push.empty()) s.push.assign(c.state.bodies.size(), {});
    const double before = missed;
    s.push_before = s.push;
    c.scratch.solver.joints().move(c.scratch.problem, s.missed, s.push, c.pool);
    missed = find_missed(c);
    if (missed < before) continue;
    s.push = s.push_before;
    break;
  }
  if (!s.push.empty()) bound_push(c);
}

JointWork book_joints(StepContext& c) {
  JointScratch& s = c.scratch.joints;
  JointWork work;
  if (s.ends.empty()) return work;
  const ContactProblem& problem = c.scratch.problem;
  ExactSum outside;
  for (std::size_t k = 0; k < problem.joints.size(); ++k) {
    const JointBlock& block = problem.joints[k];
    JointBlock bare = block;
    std::ranges::fill(bare.percussion, 0.0);
    const kernels::JointVector u = kernels::relative_velocity(problem.bodies, bare);
    for (int row = 0; row < block.rows; ++row) {
      const JointScratch::Row& known = s.rows[k][static_cast<std::size_t>(row)];
      const double r = block.percussion[row];
      outside.add(-r * known.wall);
      if (s.blocks[k].coordinate == JointScratch::kHeld ||
          s.blocks[k].drive[static_cast<std::size_t>(row)] != Drive::motor)
        continue;
      const double after = u[row] - block.bias[row] + known.wall;
      outside.add(r * (known.before + after) / 2);
    }
  }
  work.from_outside = outside.value();
  c.report.joint_energy = elastic_energy(c, false);
  work.stored = c.report.joint_energy - s.elastic_before;
  s.elastic_before = c.report.joint_energy;
  return work;
}

void keep_joints(StepContext& c) {
  JointScratch& s = c.scratch.joints;
  const ContactProblem& problem = c.scratch.problem;
  if (c.model.joints.empty()) return;
  for (JointState& joint : c.state.joints) {
    joint.held = {};
    joint.driven = {};
  }
  double worst = 0;
  for (std::size_t k = 0; k < problem.joints.size(); ++k) {
    const JointScratch::Block& of = s.blocks[k];
    const JointBlock& block = problem.joints[k];
    JointState& memory = c.state.joints[of.joint];
    const double missed = kernels::certify(block, problem.bodies);
    if (missed > worst) {
      worst = missed;
      c.report.worst_joint = of.joint;
    }
    for (int row = 0; row < block.rows; ++row) {
      const auto r = static_cast<std::size_t>(row);
      if (of.coordinate == JointScratch::kHeld)
        memory.held[r] = block.percussion[row];
      else
        memory.driven[static_cast<std::size_t>(of.coordinate)]
                     [static_cast<std::size_t>(of.drive[r])] = block.percussion[row];
    }
  }
  c.report.joint_velocity = std::sqrt(worst);
  take_coordinates(c);
}

void measure_joints(StepContext& c) {
  if (c.model.joints.empty()) return;
  take_coordinates(c);
  c.report.joint_energy = elastic_energy(c, begins_at_whole_step(c));
  c.scratch.joints.elastic_before = c.report.joint_energy;
}

}  // namespace scree

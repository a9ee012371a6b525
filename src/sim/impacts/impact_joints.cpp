// Joints in phases of impacts: docs/theory/impacts.md
#include "sim/impacts/impact_joints.hpp"

#include <algorithm>
#include <limits>

#include "solvers/kernels/joint_blocks.hpp"

namespace scree {
namespace {

constexpr double kNoBound = std::numeric_limits<double>::infinity();
using JointImpact = ImpactPhases::JointImpact;

enum class Passes : std::uint8_t { nothing, all, one_side };

/// Part of an impact that a row transmits.
Passes passes(const JointBlock& block, int row) {
  if (block.kind == JointBlock::Kind::held) return Passes::all;
  const bool pulls = block.min_impulse[row] == -kNoBound,
             presses = block.max_impulse[row] == kNoBound;
  if (block.softness[row] > 0) return Passes::nothing;
  return pulls && presses ? Passes::all : presses || pulls ? Passes::one_side : Passes::nothing;
}

/// Rates without the bias [m/s].
JointImpact::Numbers rates(const JointBlock& block, std::span<const BodyRecord> bodies) {
  const kernels::JointVector u = kernels::hard_velocity(bodies, block);
  JointImpact::Numbers rate{};
  for (int row = 0; row < block.rows; ++row)
    rate[static_cast<std::size_t>(row)] = u[row] - block.bias[row];
  return rate;
}

JointImpact::Numbers impulses(const JointBlock& block) {
  JointImpact::Numbers r{};
  std::copy_n(block.impulse, block.rows, r.begin());
  return r;
}

/// Sets the biases for a phase: constraint rows keep their rates with the problem's velocities;
/// `limit(row, kept)` is the bias of limits, `kept` the bias that keeps the rate.
template <class Limit>
void ask(StepContext& c, std::size_t joint, Limit&& limit) {
  JointBlock& block = c.scratch.problem.joints[joint];
  const JointBlock& asked = c.scratch.phases.joints[joint].asked;
  const JointImpact::Numbers rate = rates(block, c.scratch.problem.bodies);
  for (int row = 0; row < block.rows; ++row) {
    const double kept = -rate[static_cast<std::size_t>(row)];
    const Passes of = passes(asked, row);
    block.impulse[row] = 0;
    if (of == Passes::nothing) block.min_impulse[row] = block.max_impulse[row] = 0;
    block.bias[row] = of == Passes::one_side ? limit(row, kept) : kept;
  }
}

}  // namespace

void set_joint_rows_for_compression(StepContext& c) {
  ContactProblem& problem = c.scratch.problem;
  auto& joints = c.scratch.phases.joints;
  joints.assign(problem.joints.size(), {});
  for (std::size_t k = 0; k < joints.size(); ++k) {
    joints[k].asked = problem.joints[k];
    joints[k].before = rates(problem.joints[k], problem.bodies);
    const JointBlock& asked = joints[k].asked;
    ask(c, k, [&](int row, double kept) {
      const bool is_upper = asked.min_impulse[row] == -kNoBound;
      return is_upper ? std::min(asked.bias[row], kept) : std::max(asked.bias[row], kept);
    });
  }
}

void end_compression_of_joints(StepContext& c) {
  ContactProblem& problem = c.scratch.problem;
  for (std::size_t k = 0; k < problem.joints.size(); ++k) {
    JointImpact& of = c.scratch.phases.joints[k];
    JointBlock& block = problem.joints[k];
    of.compression = impulses(block);
    const JointImpact::Numbers after = rates(block, problem.bodies);
    block = of.asked;
    for (int row = 0; row < block.rows; ++row) {
      const auto r = static_cast<std::size_t>(row);
      // The drive of a constraint row brings work from outside.
      const double driven = passes(of.asked, row) == Passes::all ? of.before[r] : 0;
      of.work -= 0.5 * of.compression[r] * (of.before[r] + after[r] - 2 * driven);
      if (c.model.solver.warm_start) block.impulse[row] += of.compression[r];
    }
  }
}

void record_free_joint_rates(StepContext& c) {
  const ContactProblem& problem = c.scratch.problem;
  for (std::size_t k = 0; k < problem.joints.size(); ++k)
    c.scratch.phases.joints[k].free = rates(problem.joints[k], problem.bodies);
}

void record_solved_joints(StepContext& c) {
  const ContactProblem& problem = c.scratch.problem;
  for (std::size_t k = 0; k < problem.joints.size(); ++k)
    c.scratch.phases.joints[k].asked = problem.joints[k];
}

void set_joint_rows_for_expansion(StepContext& c) {
  for (std::size_t k = 0; k < c.scratch.problem.joints.size(); ++k)
    ask(c, k, [&](int row, double) { return c.scratch.phases.joints[k].asked.bias[row]; });
}

void move_joint_impulses_to_expansion(StepContext& c) {
  ContactProblem& problem = c.scratch.problem;
  for (std::size_t k = 0; k < problem.joints.size(); ++k) {
    JointBlock& block = problem.joints[k];
    for (int row = 0; row < block.rows; ++row) {
      c.scratch.phases.joints[k].expansion[static_cast<std::size_t>(row)] += block.impulse[row];
      block.impulse[row] = 0;
    }
  }
}

void end_expansion_of_joints(StepContext& c) {
  ContactProblem& problem = c.scratch.problem;
  for (std::size_t k = 0; k < problem.joints.size(); ++k) {
    const JointImpact& of = c.scratch.phases.joints[k];
    problem.joints[k] = of.asked;
    for (int row = 0; row < of.asked.rows; ++row)
      problem.joints[k].impulse[row] += of.expansion[static_cast<std::size_t>(row)];
  }
}

ImpactPhases::JointWorks works_of_joint(const StepContext& c, std::size_t joint) {
  const JointImpact& of = c.scratch.phases.joints[joint];
  const JointImpact::Numbers solved = rates(of.asked, c.scratch.phases.bodies),
                             after = rates(of.asked, c.scratch.problem.bodies);
  ImpactPhases::JointWorks works{.compression = of.work};
  for (int row = 0; row < of.asked.rows; ++row) {
    if (passes(of.asked, row) == Passes::nothing) continue;
    const auto r = static_cast<std::size_t>(row);
    // Rate of the drive of a constraint row: in the step its target, in an expansion the rate
    // before it.
    const bool holds = passes(of.asked, row) == Passes::all;
    const double asked_for = holds ? -of.asked.bias[row] : 0, kept = holds ? solved[r] : 0;
    works.solve -= 0.5 * of.asked.impulse[row] * (of.free[r] + solved[r] - 2 * asked_for);
    works.linear += of.expansion[r] * (solved[r] - kept);
    works.driven += of.expansion[r] * kept;
    works.quadratic += of.expansion[r] * (after[r] - solved[r]);
  }
  return works;
}

}  // namespace scree

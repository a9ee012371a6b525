// The speeds that contacts must undo, by which residuals are measured.
#include "sim/contacts/closing_speeds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "scree/core/exact_sum.hpp"
#include "solvers/kernels/contact_kernels.hpp"
#include "solvers/step_settings.hpp"

namespace scree {

double closing_speed_of(const ContactProblem& problem, const SphereContactBlock& block, int k) {
  const BodyRecord &a = problem.bodies[block.a[k]], &b = problem.bodies[block.b[k]];
  const Vec3 n{block.normal[0][k], block.normal[1][k], block.normal[2][k]};
  return -(dot(b.velocity - a.velocity, n) + block.bias[k]);
}

double closing_speed_of(const ContactProblem& problem, const ContactBlock& block, int k) {
  const ContactRows contact = block.contact(k);
  const Vec3 q = kernels::relative_velocity(std::span<const BodyRecord>(problem.bodies), contact) +
                 contact.bias;
  return std::visit([&](const auto& law) { return closing_speed(law, q); },
                    problem.laws[block.law]);
}

namespace {

/// Σ c² over contacts that close with the present velocities [m²/s²].
double squared_closing(const ContactProblem& problem, ThreadPool& pool) {
  std::array<ExactSum, kPairChunks> sums;
  const auto add = [&](const auto& blocks, std::size_t chunk) {
    const std::size_t n = blocks.size();
    for (std::size_t b = n * chunk / kPairChunks; b < n * (chunk + 1) / kPairChunks; ++b)
      for (int k = 0; k < kBlock; ++k)
        if (holds_contact(blocks[b], static_cast<std::size_t>(k), problem.at_rest()))
          if (const double c = closing_speed_of(problem, blocks[b], k); c > 0)
            sums[chunk].add(c * c);
  };
  pool.for_each_chunk(kPairChunks, [&](std::size_t chunk) {
    add(problem.blocks, chunk);
    add(problem.contact_blocks, chunk);
  });
  ExactSum total;
  for (const ExactSum& sum : sums) total += sum;
  return total.value();
}

}  // namespace

void let_joints_act_first(StepContext& c) {
  ContactProblem& problem = c.scratch.problem;
  if (problem.joints.empty()) return;
  JointElimination& joints = c.scratch.solver.joints();
  std::vector<JointBlock>& remembered = c.scratch.joints.remembered;
  std::vector<BodyRecord>& free = c.scratch.joints.free_records;
  remembered.assign(problem.joints.begin(), problem.joints.end());
  free.clear();
  for (std::size_t island = 0; island < joints.islands(); ++island)
    for (const BodyIndex body : joints.bodies_of(island)) free.push_back(problem.bodies[body]);
  if (problem.contacts == 0) return;
  for (JointBlock& joint : problem.joints) std::ranges::fill(joint.impulse, 0.0);

  joints.solve_rows(problem, c.pool);
  // What joints leave of the speeds that they undo is rounding.
  const double undone_by_joints = std::sqrt(problem.undone.closing + problem.undone.missed);
  problem.rounding = std::hypot(problem.rounding, kRoundingOfJoints * undone_by_joints);
  problem.undone.closing = squared_closing(problem, c.pool);

  std::ranges::copy(remembered, problem.joints.begin());
  auto record = free.begin();
  for (std::size_t island = 0; island < joints.islands(); ++island)
    for (const BodyIndex body : joints.bodies_of(island)) problem.bodies[body] = *record++;
}

}  // namespace scree

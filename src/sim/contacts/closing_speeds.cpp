/// The speeds that contacts must undo, by which residuals are measured.
#include "sim/contacts/closing_speeds.hpp"

#include <algorithm>
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

/// Calls f(closing block, lane, contact block, chunk) for each contact, by several threads.
template <class F>
void for_each_closing(ContactProblem& problem, ThreadPool& pool, const F& f) {
  const auto visit = [&](auto& closing, const auto& blocks, std::size_t chunk) {
    const std::size_t n = blocks.size();
    for (std::size_t b = n * chunk / kPairChunks; b < n * (chunk + 1) / kPairChunks; ++b)
      for (int k = 0; k < kBlock; ++k)
        if (holds_contact(blocks[b], static_cast<std::size_t>(k), problem.at_rest()))
          f(closing[b], k, blocks[b]);
  };
  pool.for_each_chunk(kPairChunks, [&](std::size_t chunk) {
    visit(problem.closing, problem.blocks, chunk);
    visit(problem.contact_closing, problem.contact_blocks, chunk);
  });
}

}  // namespace

void find_closing_speeds(ContactProblem& problem, ThreadPool& pool) {
  for_each_closing(problem, pool, [&](ClosingBlock& closing, int lane, const auto& block) {
    closing.speed[lane] = static_cast<float>(closing_speed_of(problem, block, lane));
  });
}

void add_up_closing(StepContext& c) {
  ContactProblem& problem = c.scratch.problem;
  std::vector<Scratch::ClosingSums>& sums = c.scratch.closing_sums;
  const std::size_t spheres = problem.closing.size(),
                    blocks = spheres + problem.contact_closing.size();
  sums.resize(std::min(blocks, kPairChunks));
  c.pool.for_each_chunk(sums.size(), [&](std::size_t chunk) {
    Scratch::ClosingSums& sum = sums[chunk];
    sum.clear();
    for (std::size_t b = blocks * chunk / sums.size(); b < blocks * (chunk + 1) / sums.size();
         ++b) {
      const ClosingBlock& block =
          b < spheres ? problem.closing[b] : problem.contact_closing[b - spheres];
      for (std::size_t lane = 0; lane < kBlock; ++lane) {
        if (const double closes = block.squared(lane); closes > 0) sum.squared.add(closes);
        if (const double error = block.squared_rounding(lane); error > 0) sum.rounding.add(error);
      }
    }
  });
  ExactSum closing, missed, rounding;
  for (const Scratch::ClosingSums& sum : sums) {
    closing += sum.squared;
    rounding += sum.rounding;
  }
  for (const JointMiss& of_joint : problem.missed) {
    missed.add(of_joint.squared);
    rounding.add(of_joint.squared_rounding);
  }
  problem.undone = {closing.value(), missed.value()};
  problem.rounding = std::sqrt(rounding.value());
}

void let_joints_act_first(StepContext& c) {
  ContactProblem& problem = c.scratch.problem;
  if (problem.joints.empty()) return;
  JointElimination& joints = c.scratch.solver.joints();
  auto& remembered = c.scratch.joints.remembered;
  std::vector<BodyRecord>& free = c.scratch.joints.free_records;
  free.clear();
  for (std::size_t island = 0; island < joints.islands(); ++island)
    for (const BodyIndex body : joints.bodies_of(island)) free.push_back(problem.bodies[body]);
  if (problem.contacts == 0) return;
  remembered.clear();
  for (JointBlock& joint : problem.joints) {
    std::ranges::copy(joint.impulse, remembered.emplace_back().begin());
    std::ranges::fill(joint.impulse, 0.0);
  }

  joints.solve_rows(problem, c.pool);
  // What joints leave of the speeds that they undo is rounding.
  for (JointMiss& missed : problem.missed)
    missed.squared_rounding += kRoundingOfJoints * kRoundingOfJoints * missed.squared;
  for_each_closing(problem, c.pool, [&](ClosingBlock& closing, int lane, const auto& block) {
    const float before = closing.speed[lane];
    closing.speed[lane] = static_cast<float>(closing_speed_of(problem, block, lane));
    if (closing.speed[lane] != before)
      closing.rounding[lane] = static_cast<float>(
          std::hypot(closing.rounding[lane], kRoundingOfJoints * std::max(0.0F, before)));
  });

  for (std::size_t k = 0; k < remembered.size(); ++k)
    std::ranges::copy(remembered[k], problem.joints[k].impulse);
  auto record = free.begin();
  for (std::size_t island = 0; island < joints.islands(); ++island)
    for (const BodyIndex body : joints.bodies_of(island)) problem.bodies[body] = *record++;
}

}  // namespace scree

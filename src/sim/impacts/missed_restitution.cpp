// Counts impacts that were stopped without the restitution of their law.
#include <cmath>

#include "sim/cell/cell.hpp"
#include "sim/impacts/impacts.hpp"
#include "solvers/kernels/contact_kernels.hpp"

namespace scree {
namespace {

/// Counts an impact that was stopped; `u_n` is after the step, without the bias. Without the growth
/// of its impulse since the last step the pair would have met with u_n − W_nn (r_n − carried). An
/// approach along `n` by weight within a step is no impact.
void count(StepContext& c, double e, double w_nn, const Vec3& n, double u_n, double r_n,
           double carried) {
  // In a repeated step the memories are of this step.
  if (c.scratch.rounds > 0) carried = 0;
  const double impact = w_nn * (r_n - carried) - u_n;
  if (!(r_n > 0) || !(impact > std::abs(dot(c.model.gravity, n)) * c.model.step.h)) return;
  const bool slow = impact < c.model.step.restitution_threshold;
  (slow ? c.report.slow_restitution : c.report.missed_restitution) +=
      {1, 0.5 * e * e * impact * impact / w_nn};
}

void count_spheres(StepContext& c, std::size_t pair, std::uint32_t slot) {
  const Scratch& s = c.scratch;
  if (s.suppressed_restitution[slot] == 0 || s.phases.gives_back(slot)) return;
  const ContactProblem& problem = s.problem;
  const SphereContactBlock& block = problem.blocks[slot / kBlock];
  const std::size_t k = slot % kBlock;
  const BodyRecord &a = problem.bodies[block.a[k]], &b = problem.bodies[block.b[k]];
  const Vec3 n{block.normal[0][k], block.normal[1][k], block.normal[2][k]};
  const Vec3 r{block.impulse[0][k], block.impulse[1][k], block.impulse[2][k]};
  count(c, double{s.suppressed_restitution[slot]}, a.inverse_mass + b.inverse_mass, n,
        dot(b.velocity - a.velocity, n), dot(r, n), dot(c.state.neighbours.remembered(pair), n));
}

void count_points(StepContext& c, std::size_t pair, std::uint32_t first) {
  const Scratch& s = c.scratch;
  const ContactProblem& problem = s.problem;
  const std::size_t spheres = kBlock * problem.blocks.size();
  const std::uint32_t lane = first % kBlock, height = problem.contact_blocks[first / kBlock].stack;
  for (std::uint32_t block = first / kBlock; block < first / kBlock + height; ++block) {
    const float suppressed_restitution = s.full_suppressed_restitution[block * kBlock + lane];
    if (suppressed_restitution == 0 || s.phases.gives_back(spheres + block * kBlock + lane))
      continue;
    const ContactRows contact = problem.contact_blocks[block].contact(static_cast<int>(lane));
    double u_n = kernels::relative_velocity(std::span<const BodyRecord>(problem.bodies), contact).x;
    if (contact.b < problem.free_bodies)
      u_n += dot(contact.axis[0], flow_between(c, contact.a, contact.b));
    const Vec3 carried = contact.to_frame(
        c.state.neighbours.remembered(pair, s.full_point(block * kBlock + lane).feature));
    count(c, double{suppressed_restitution}, contact.W.xx, contact.axis[0], u_n, contact.impulse.x,
          carried.x);
  }
}

}  // namespace

void count_missed_restitution(StepContext& c) {
  const AlignedVector<std::uint32_t>& slots = c.scratch.slot;
  for (std::size_t pair = 0; pair < slots.size(); ++pair) {
    const std::uint32_t slot = slots[pair];
    if (slot == Scratch::kNoContact || Scratch::is_force(slot)) continue;
    if (slot & Scratch::kFull)
      count_points(c, pair, slot & ~Scratch::kFull);
    else
      count_spheres(c, pair, slot);
  }
}

}  // namespace scree

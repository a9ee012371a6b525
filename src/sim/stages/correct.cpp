#include <algorithm>

#include "sim/step.hpp"
#include "solvers/kernels/full_kernels.hpp"

namespace scree {
namespace {

/// The motions, and by what they are scaled.
void push_apart(StepContext& c) {
  Scratch& s = c.scratch;
  s.correction.solve(s.problem, c.model.step.error_reduction, c.pool);

  // No further than the margin of bodies at rest: pairs that are no contacts cannot come to
  // overlap. All by the same factor, so that pushes keep agreeing with each other.
  const std::size_t n = c.state.bodies.size();
  const double h = c.model.step.h;
  s.scales.assign((n + kBodiesPerChunk - 1) / kBodiesPerChunk, 1.0);
  c.pool.for_each_range(n, kBodiesPerChunk, [&](std::size_t begin, std::size_t end) {
    double& scale = s.scales[begin / kBodiesPerChunk];
    for (std::size_t i = begin; i < end; ++i) {
      const auto body = static_cast<BodyIndex>(i);
      const double way = h * (norm(s.correction.velocity(body)) + norm(s.correction.spin(body)));
      const double most = kMarginOfRadius * c.state.bodies.radius[i];
      if (way * scale > most) scale = most / way;
    }
  });
  s.push_scale = *std::ranges::min_element(s.scales);
}

/// Deep overlaps that velocities make grow, whatever pushes do against it. What pushes share out
/// among overlaps is not counted.
class DrivenDeeper {
 public:
  explicit DrivenDeeper(StepContext& c) : c_(c), s_(c.scratch) {}

  void count() const {
    const ContactProblem& problem = s_.problem;
    for (std::size_t slot = 0; slot < s_.gap.size(); ++slot) {
      const DiagonalBlock& block = problem.blocks[slot / kBlock];
      const std::size_t k = slot % kBlock;
      const BodyIndex a = block.a[k], b = block.b[k];
      if (a == problem.at_rest()) continue;
      const Vec3 n{block.normal[0][k], block.normal[1][k], block.normal[2][k]};
      count(a, b, double{s_.gap[slot]},
            dot(n, problem.bodies[b].velocity - problem.bodies[a].velocity),
            dot(n, s_.push_velocity(b) - s_.push_velocity(a)));
    }
    for (std::size_t place = 0; place < s_.full_places.size(); ++place) {
      const FullContact contact =
          problem.full[place / kBlock].contact(static_cast<int>(place % kBlock));
      const BodyIndex a = contact.a, b = contact.b;
      if (a == problem.at_rest()) continue;
      const double pushed = dot(contact.axis[0], s_.push_velocity(b) - s_.push_velocity(a)) +
                            dot(contact.turn_a[0], s_.push_spin(a)) +
                            dot(contact.turn_b[0], s_.push_spin(b));
      count(a, b, s_.full_places[place].gap,
            kernels::relative_velocity(std::span<const BodyRecord>(problem.bodies), contact).x,
            pushed);
    }
  }

 private:
  /// `u_n` of velocities, `w_n` of pushes [m/s].
  void count(BodyIndex a, BodyIndex b, double gap, double u_n, double w_n) const {
    constexpr double kRounding = 1e-9;  // of the radius, a step
    const auto& radii = c_.state.bodies.radius;
    const double radius = b < radii.size() ? std::min(radii[a], radii[b]) : radii[a];
    const bool grows = c_.model.step.h * (u_n + w_n) < -kRounding * radius;
    c_.report.contacts_driven_deeper += gap < -kDeepOverlap * radius && grows && u_n < w_n;
  }

  StepContext& c_;
  const Scratch& s_;
};

}  // namespace

void correct(StepContext& c) {
  // A little more than what is let be, or a bed at rest would be corrected in every step.
  constexpr double kCorrected = 1.1 * kSlop;
  const StepSettings& step = c.model.step;
  const double depth = c.report.max_relative_penetration;
  c.scratch.push_scale = 0;
  if (depth > kCorrected && step.overlap_correction == OverlapCorrection::positions &&
      step.error_reduction > 0)
    push_apart(c);
  if (depth > kDeepOverlap) DrivenDeeper(c).count();
}

}  // namespace scree

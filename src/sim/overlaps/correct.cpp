#include <algorithm>

#include "sim/joints/joints.hpp"
#include "sim/overlaps/overlaps.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

/// Finds the pseudo-velocities and their scale.
void find_pseudo_velocities(StepContext& c) {
  Scratch& s = c.scratch;
  // Memories of pairs are in the problem, and store() rewrites them, except for sleeping pairs.
  s.correction.solve(s.problem, c.model.step.error_reduction,
                     c.model.step.sleep ? s.workspace : c.state.neighbours.impulse, c.pool);

  // No further than the margin of bodies at rest: pairs that are no contacts cannot come to
  // overlap. All have the same factor, so that pseudo-velocities stay consistent.
  const std::size_t n = c.state.bodies.size();
  const double h = c.model.step.h;
  s.scales.assign((n + kBodiesPerChunk - 1) / kBodiesPerChunk, 1.0);
  c.pool.for_each_range(n, kBodiesPerChunk, [&](std::size_t begin, std::size_t end) {
    double& scale = s.scales[begin / kBodiesPerChunk];
    for (std::size_t i = begin; i < end; ++i) {
      const auto body = static_cast<BodyIndex>(i);
      const double distance =
          h * (norm(s.correction.velocity(body)) + norm(s.correction.spin(body)));
      const double most = kMarginOfRadius * c.state.bodies.radius[i];
      if (distance * scale > most) scale = most / distance;
    }
  });
  s.pseudo_velocity_scale = *std::ranges::min_element(s.scales);
}

}  // namespace

void correct(StepContext& c) {
  // Above the slop, or a bed at rest would be corrected in every step.
  const StepSettings& step = c.model.step;
  const double depth = c.report.max_relative_penetration;
  c.scratch.pseudo_velocity_scale = 0;
  if (!c.scratch.problem.is_empty() && depth > kMinCorrectedOverlap &&
      step.overlap_correction == OverlapCorrection::positions && step.error_reduction > 0)
    find_pseudo_velocities(c);
  correct_joints(c);
  if (depth > kDeepOverlap) count_growing_penetration(c);
}

}  // namespace scree

#include <algorithm>

#include "sim/step.hpp"

namespace scree {

void correct(StepContext& c) {
  Scratch& s = c.scratch;
  s.push_scale = 0;
  if (!s.any_overlap) return;
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

}  // namespace scree

/// Cuts space into blocks, for Gauss–Seidel inside them and Jacobi between them.
#include <algorithm>

#include "sim/contacts/assemble.hpp"

namespace scree {
namespace {

/// Number of the slice of [low, high] that x is in, of `count` equal ones.
int slice_of(double x, double low, double high, int count) {
  const double slice = count * (x - low) / (high - low);
  return slice >= 0 ? std::min(static_cast<int>(std::min(slice, 1e9)), count - 1) : 0;
}

}  // namespace

/// The blocks fill the box of all centres of mass.
void cut_into_blocks(StepContext& c) {
  std::vector<int>& labels = c.scratch.problem.body_block;
  labels.clear();
  const auto& position = c.state.bodies.position;
  if (!c.model.solver.blocks || position.empty()) return;
  Vec3 low = position.front(), high = low;
  for (const Vec3& p : position)
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], p[k]);
      high[k] = std::max(high[k], p[k]);
    }
  for (const Vec3& p : position) {
    int label = 0;
    for (int k = 0; k < 3; ++k) {
      const int count = (*c.model.solver.blocks)[static_cast<std::size_t>(k)];
      label = label * count + slice_of(p[k], low[k], high[k], count);
    }
    labels.push_back(label);
  }
}

}  // namespace scree

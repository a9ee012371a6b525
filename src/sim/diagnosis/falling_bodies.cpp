/// Finds bodies that fall and will land nowhere.
#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "scree/sim/run_summary.hpp"

namespace scree {
namespace {

/// Lowest point that could catch a body, along gravity [m]: of an obstacle that is bounded, or of a
/// region that deletes bodies. A half-space catches all bodies or none.
double lowest_end(const Model& model, const State& state, const Vec3& down) {
  double lowest = -std::numeric_limits<double>::infinity();
  const auto reach = [&](double x) { lowest = std::max(lowest, x); };
  for (std::size_t k = 0; k < model.obstacles.size(); ++k) {
    const Obstacle& obstacle = model.obstacles[k];
    if (obstacle.is_absent) continue;
    const Pose& pose = state.obstacles[k].pose;
    const bool is_plane = std::holds_alternative<HalfSpace>(obstacle.shape);
    constexpr double kRounding = 1e-9;  // of normals of vertical planes
    if (!is_plane)
      reach(dot(pose.position, down) + support(obstacle.shape, pose, down));
    else if (dot(rotate(pose.orientation, {0, 0, 1}), down) < -kRounding)
      reach(std::numeric_limits<double>::infinity());
  }
  for (const Outflow& outflow : model.outflows)
    for (int axis = 0; axis < 3; ++axis)
      if (down[axis] != 0)
        reach(std::max(down[axis] * outflow.min[axis], down[axis] * outflow.max[axis]));
  return lowest;
}

/// True if bodies may be held by something else than obstacles.
bool may_be_held(const Model& model, const Vec3& down) {
  const Vec3 period = model.domain.period();
  bool repeats = false;
  for (int axis = 0; axis < 3; ++axis) repeats = repeats || (period[axis] > 0 && down[axis] != 0);
  return repeats || !model.joints.empty() || !model.fields.empty();
}

}  // namespace

FallingBodies falling_bodies(const Simulation& simulation) {
  const Model& model = simulation.model();
  const State& state = simulation.state();
  FallingBodies falling;
  const double g = norm(model.gravity);
  if (!(g > 0) || model.obstacles.empty()) return falling;
  const Vec3 down = model.gravity / g;
  if (may_be_held(model, down)) return falling;
  const double lowest = lowest_end(model, state, down);

  const Bodies& bodies = state.bodies;
  std::vector<std::size_t> by_depth(bodies.size());
  std::iota(by_depth.begin(), by_depth.end(), std::size_t{0});
  std::ranges::sort(by_depth, std::greater<>(),
                    [&](std::size_t i) { return dot(bodies.position[i], down); });
  // The first body that falls nowhere may catch those above it.
  for (const std::size_t i : by_depth) {
    if (state.neighbours.has_left(i)) continue;
    const bool is_below = dot(bodies.position[i], down) - bodies.radius[i] > lowest;
    const bool falls = is_below && dot(bodies.velocity[i], down) > 0 &&
                       !model.prototypes[bodies.prototype[i]].locked.any();
    if (!falls) break;
    if (falling.count++ == 0) falling.lowest = bodies.id[i];
  }
  return falling;
}

}  // namespace scree

// Tests whether bodies and obstacles fit into a periodic cell.
#include "scree/sim/periodic_cell.hpp"

#include <cmath>

#include "sim/checks/requirements.hpp"

namespace scree {
namespace {

using requirements::text_of;

constexpr double kAxisRounding = 1e-12;

bool is_along(const Vec3& direction, int axis) {
  return std::abs(direction[axis]) >= 1 - kAxisRounding;
}

/// Length to both sides of its frame over which a shape has one cross-section along an inertial
/// axis [m]; 0 if it has none.
double run_along(const Shape& shape, const Quaternion& orientation, int axis) {
  const Vec3 x = rotate(orientation, {1, 0, 0}), y = rotate(orientation, {0, 1, 0}),
             z = rotate(orientation, {0, 0, 1});
  if (const auto* box = std::get_if<Box>(&shape)) {
    if (is_along(x, axis)) return box->half_extent.x;
    if (is_along(y, axis)) return box->half_extent.y;
    return is_along(z, axis) ? box->half_extent.z : 0;
  }
  if (!is_along(z, axis)) return 0;
  if (const auto* cylinder = std::get_if<Cylinder>(&shape)) return cylinder->half_length;
  if (const auto* capsule = std::get_if<Capsule>(&shape)) return capsule->half_length;
  if (const auto* pipe = std::get_if<Hollow>(&shape))
    return pipe->bottom_radius == pipe->top_radius ? std::min(pipe->top, -pipe->bottom) : 0;
  return 0;
}

std::string misfit_along(const Obstacle& obstacle, int axis, double period, double largest) {
  const char* const name[] = {"x", "y", "z"};
  const Quaternion& orientation = obstacle.pose.orientation;
  if (std::holds_alternative<HalfSpace>(obstacle.shape)) {
    const Vec3 normal = rotate(orientation, {0, 0, 1});
    if (std::abs(normal[axis]) <= kAxisRounding) return {};
    return std::string("a half-space must run along ") + name[axis] +
           ", a periodic axis of the cell";
  }
  if (bounding_radius(obstacle.shape) + largest < 0.5 * period) return {};
  if (!obstacle.is_moved() && reach(obstacle.shape, orientation)[axis] + largest < 0.5 * period)
    return {};
  if (!obstacle.is_moved() &&
      run_along(obstacle.shape, orientation, axis) >= 0.5 * period + largest)
    return {};
  return std::string("along ") + name[axis] + " the cell repeats every " + text_of(period) +
         " m, and bodies of radius " + text_of(largest) +
         " m could meet two images of the obstacle, or miss one: from the origin of its frame it "
         "must reach less than " +
         text_of(0.5 * period - largest) +
         " m (in any orientation, if it moves), or be a box, cylinder, capsule or pipe at rest "
         "that extends along this axis by " +
         text_of(0.5 * period + largest) + " m or more on both sides";
}

}  // namespace

std::string misfit_of_body(const Domain& domain, double radius) {
  for (int axis = 0; axis < 3; ++axis)
    if (const double period = domain.period()[axis]; period > 0 && !(4 * radius < period))
      return "the cell repeats every " + text_of(period) + " m along " +
             std::string(1, "xyz"[axis]) + "; bodies of radius " + text_of(radius) +
             " m need a period above " + text_of(4 * radius) + " m";
  return {};
}

std::string misfit_of_obstacle(const Model& model, std::size_t index, double largest_radius) {
  const Obstacle& obstacle = model.obstacles[index];
  if (obstacle.is_absent) return {};
  for (int axis = 0; axis < 3; ++axis) {
    const double period = model.domain.period()[axis];
    if (period == 0) continue;
    if (std::string misfit = misfit_along(obstacle, axis, period, largest_radius); !misfit.empty())
      return misfit;
  }
  return {};
}

}  // namespace scree

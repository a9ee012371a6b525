#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "scene/build.hpp"

namespace scree::scene {

namespace {

/// Whether a body can catch on a seam: round ones slide over it.
bool has_edges(const Shape& shape) {
  return !std::holds_alternative<Sphere>(shape) && !std::holds_alternative<Capsule>(shape) &&
         !std::holds_alternative<Superellipsoid>(shape);
}

/// A box as it lies in the frame of another whose edges are parallel to its own.
struct AlignedBox {
  Vec3 low, high;
};

constexpr double kRounding = 1e-6;  // [edge]

/// `b` in the frame of `a`; nothing if their edges are not parallel.
std::optional<AlignedBox> in_frame_of(const Domain& domain, const Obstacle& a, const Obstacle& b) {
  const Vec3 half = std::get<Box>(b.shape).half_extent,
             centre = rotate_back(a.pose.orientation,
                                  domain.separation(a.pose.position, b.pose.position));
  Vec3 reach{};
  for (int k = 0; k < 3; ++k) {
    Vec3 edge{};
    edge[k] = half[k];
    const Vec3 turned = rotate_back(a.pose.orientation, rotate(b.pose.orientation, edge));
    const Vec3 along{std::abs(turned.x), std::abs(turned.y), std::abs(turned.z)};
    const double longest = std::max({along.x, along.y, along.z});
    if (along.x + along.y + along.z > (1 + kRounding) * longest) return {};
    reach += along;
  }
  return AlignedBox{centre - reach, centre + reach};
}

/// Whether both have a face in one plane, side by side, with a body that may slide over both: one
/// before this plane and above one of the faces.
bool have_seam(const AlignedBox& a, const AlignedBox& b, const std::vector<Vec3>& bodies) {
  const Vec3 size = a.high - a.low, other = b.high - b.low;
  const double eps = kRounding * std::min({size.x, size.y, size.z, other.x, other.y, other.z});
  for (int normal = 0; normal < 3; ++normal) {
    const int j = (normal + 1) % 3, k = (normal + 2) % 3;
    const auto above = [&](const AlignedBox& box, const Vec3& x) {
      return x[j] > box.low[j] && x[j] < box.high[j] && x[k] > box.low[k] && x[k] < box.high[k];
    };
    const auto shared = [&](int axis) {
      return std::min(a.high[axis], b.high[axis]) - std::max(a.low[axis], b.low[axis]);
    };
    // They meet along a line, not in a corner.
    if (std::min(shared(j), shared(k)) < -eps || std::max(shared(j), shared(k)) < eps) continue;
    for (const bool upper : {false, true}) {
      const double plane = upper ? a.high[normal] : a.low[normal];
      if (std::abs(plane - (upper ? b.high[normal] : b.low[normal])) > eps) continue;
      const auto slides = [&](const Vec3& x) {
        return (upper ? x[normal] > plane : x[normal] < plane) && (above(a, x) || above(b, x));
      };
      if (std::ranges::any_of(bodies, slides)) return true;
    }
  }
  return false;
}

}  // namespace

void check_seams(Build& build) {
  const Model& model = build.scene.model;
  const Bodies& bodies = build.scene.state.bodies;
  std::vector<Vec3> edged;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (has_edges(model.prototypes[bodies.prototype[i]].shape)) edged.push_back(bodies.position[i]);
  if (edged.empty()) return;
  std::size_t seams = 0;
  std::array<std::size_t, 2> first{};
  for (std::size_t a = 0; a < model.obstacles.size(); ++a) {
    const Obstacle& one = model.obstacles[a];
    if (!std::holds_alternative<Box>(one.shape)) continue;
    const Vec3 half = std::get<Box>(one.shape).half_extent;
    std::vector<Vec3> local;
    local.reserve(edged.size());
    for (const Vec3& x : edged)
      local.push_back(
          rotate_back(one.pose.orientation, model.domain.separation(one.pose.position, x)));
    for (std::size_t b = a + 1; b < model.obstacles.size(); ++b) {
      if (!std::holds_alternative<Box>(model.obstacles[b].shape)) continue;
      const auto other = in_frame_of(model.domain, one, model.obstacles[b]);
      if (!other || !have_seam({-half, half}, *other, local)) continue;
      if (seams++ == 0) first = {a, b};
    }
  }
  if (seams == 0) return;
  build.problems.warn(
      build.root["obstacles"],
      fmt::format("'{}' and '{}' have faces in one plane, side by side{}: a box that slides over "
                  "their seam hits the edge below it, and is slowed, stopped or thrown; make one "
                  "obstacle of them, such as a larger box or a half_space",
                  model.obstacles[first[0]].name, model.obstacles[first[1]].name,
                  seams > 1 ? fmt::format(", and {} more pairs", seams - 1) : ""));
}

}  // namespace scree::scene

/// Builds clumps from parts, in the frame of their centre of mass and principal axes.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "geometry/union_moments.hpp"
#include "scree/geometry/clump_about.hpp"

namespace scree {
namespace {

/// Distance of a part's farthest point from the origin; an upper bound for superellipsoids.
struct Farthest {
  const Pose& pose;

  double operator()(const Sphere& s) const { return norm(pose.position) + s.radius; }
  double operator()(const Box& b) const {
    const Vec3 at = rotate_back(pose.orientation, pose.position);
    return norm(Vec3{std::abs(at.x) + b.half_extent.x, std::abs(at.y) + b.half_extent.y,
                     std::abs(at.z) + b.half_extent.z});
  }
  double operator()(const Cylinder& c) const {
    return (*this)(Frustum{c.radius, c.radius, -c.half_length, c.half_length});
  }
  double operator()(const Capsule& c) const {
    const Vec3 half = rotate(pose.orientation, {0, 0, c.half_length});
    return std::max(norm(pose.position + half), norm(pose.position - half)) + c.radius;
  }
  double operator()(const Frustum& f) const {
    const Vec3 at = rotate_back(pose.orientation, pose.position);
    const double radial = std::hypot(at.x, at.y);
    return std::max(std::hypot(radial + f.bottom_radius, at.z + f.bottom),
                    std::hypot(radial + f.top_radius, at.z + f.top));
  }
  double operator()(const Polyhedron& p) const {
    double farthest = 0;
    for (const Vec3& v : p.hull->vertices())
      farthest = std::max(farthest, norm(pose.position + rotate(pose.orientation, p.scale * v)));
    return farthest;
  }
  double operator()(const auto& shape) const {
    return norm(pose.position) + bounding_radius(shape);
  }
};

double farthest(const std::vector<ClumpPart>& parts) {
  double max_distance = 0;
  for (const ClumpPart& part : parts)
    max_distance = std::max(max_distance, std::visit(Farthest{part.pose}, part.shape));
  return max_distance;
}

bool is_round(const Shape& shape) {
  return std::holds_alternative<Sphere>(shape) || std::holds_alternative<Superellipsoid>(shape);
}

void check(const std::vector<ClumpPart>& parts) {
  if (parts.empty()) throw std::invalid_argument("a clump has no parts");
  if (parts.size() > kMaxClumpParts)
    throw std::invalid_argument("a clump has " + std::to_string(parts.size()) +
                                " parts, more than " + std::to_string(kMaxClumpParts));
  for (const ClumpPart& part : parts)
    if (is_surface(part.shape) || is_clump(part.shape) ||
        std::holds_alternative<HalfSpace>(part.shape))
      throw std::invalid_argument("a part of a clump is not convex, or its volume is not finite");
}

}  // namespace

std::shared_ptr<const ClumpParts> clump_of_parts(
    std::vector<ClumpPart> parts, std::vector<std::shared_ptr<const ConvexHull>> hulls,
    double volume, const Vec3& inertia) {
  check(parts);
  auto clump = std::make_shared<ClumpParts>();
  clump->hulls_ = std::move(hulls);
  clump->volume_ = volume;
  clump->inertia_ = inertia;
  clump->radius_ = farthest(parts);
  clump->inscribed_radius_ = clump->radius_;
  for (const ClumpPart& part : parts) {
    const Vec3 middle = volume_properties(part.shape).centre;
    clump->inscribed_radius_ =
        std::min(clump->inscribed_radius_, -signed_distance(part.shape, middle).distance);
    clump->reaches_.push_back(bounding_radius(part.shape));
    clump->round_parts_ += is_round(part.shape) ? 1 : 0;
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    auto& covers = clump->covers_.emplace_back();
    for (std::size_t j = 0; j < parts.size(); ++j)
      if (i != j && norm(parts[i].pose.position - parts[j].pose.position) <
                        clump->reaches_[i] + clump->reaches_[j])
        covers.push_back(static_cast<std::uint16_t>(j));
  }
  clump->parts_ = std::move(parts);
  return clump;
}

namespace {

/// Clump from its volume, and its moments for density 1, about a frame.
PlacedClump place_clump(const Pose& frame, double volume, const Vec3& inertia,
                        std::vector<ClumpPart> parts,
                        std::vector<std::shared_ptr<const ConvexHull>> hulls) {
  const Quaternion back = conjugate(frame.orientation);
  const bool is_rotated = !(frame.orientation == Quaternion{});
  for (ClumpPart& part : parts) {
    part.pose.position = rotate(back, part.pose.position - frame.position);
    if (is_rotated) part.pose.orientation = normalised(back * part.pose.orientation);
  }
  const double size = farthest(parts);
  for (ClumpPart& part : parts)
    part = {scaled(part.shape, 1 / size), {part.pose.position / size, part.pose.orientation}};
  const double size3 = size * size * size;
  return {clump_of_parts(std::move(parts), std::move(hulls), volume / size3,
                         inertia / (size3 * size * size)),
          size, frame};
}

}  // namespace

PlacedClump clump_about(const Pose& frame, const Vec3& moments, double volume,
                        std::vector<ClumpPart> parts,
                        std::vector<std::shared_ptr<const ConvexHull>> hulls) {
  check(parts);
  return place_clump(frame, volume, volume * moments, std::move(parts), std::move(hulls));
}

PlacedClump clump_of(std::vector<ClumpPart> parts,
                     std::vector<std::shared_ptr<const ConvexHull>> hulls) {
  check(parts);
  const PrincipalFrame frame = principal_frame(moments_of_union(parts));
  return place_clump(frame.pose, frame.volume, frame.inertia, std::move(parts), std::move(hulls));
}

}  // namespace scree

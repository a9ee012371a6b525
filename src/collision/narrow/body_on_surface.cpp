/// Collects and reduces the points of a convex body on a surface.
#include "collision/narrow/body_on_surface.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "collision/narrow/feature_hash.hpp"
#include "collision/narrow/pairs.hpp"
#include "collision/narrow/wrench_reduction.hpp"

namespace scree {
namespace {

Vec3 middle_of(const Shape& shape, const Pose& pose) {
  const auto* frustum = std::get_if<Frustum>(&shape);
  if (!frustum) return pose.position;
  return pose.position + rotate(pose.orientation, {0, 0, 0.5 * (frustum->bottom + frustum->top)});
}

}  // namespace

BodyOnSurface::BodyOnSurface(const Shape& body_shape, const Pose& body_pose)
    : shape(body_shape),
      pose(body_pose),
      core(body_shape, body_pose),
      middle(middle_of(body_shape, body_pose)),
      size(bounding_radius(body_shape)) {}

std::uint32_t surface_feature(SurfacePart kind, std::uint32_t first, std::uint32_t second,
                              std::uint32_t body_part) {
  const std::uint64_t key =
      mixed(std::uint64_t{first} << 32 | second) + static_cast<std::uint64_t>(kind);
  return static_cast<std::uint32_t>(mixed(key) >> 44) << 12 | (body_part & kPartMask);
}

std::uint32_t crossing_part(std::uint32_t from, std::uint32_t to) {
  const std::uint64_t key = std::uint64_t{std::min(from, to)} << 32 | std::max(from, to);
  return kCrossingPart + static_cast<std::uint32_t>(mixed(key) >> 32) % (kInside - kCrossingPart);
}

struct PointCollector::Buffers {
  std::vector<Item> items;
  std::vector<Candidate> group;
  std::vector<double> nearest;  ///< distance of each item to the nearest selected one
};
PointCollector::Buffers& PointCollector::buffers() {
  thread_local Buffers all;
  return all;
}

PointCollector::PointCollector(const BodyOnSurface& body, double margin)
    : body_(body), margin_(margin), buffers_(buffers()) {
  buffers_.items.clear();
}

void PointCollector::add(std::uint32_t feature, const Vec3& on_surface, const Vec3& normal,
                         double gap) {
  if (!(gap < margin_)) return;
  // Two facets of a flat patch may both claim a point of the body.
  for (std::size_t k = group_; k < buffers_.items.size(); ++k)
    if (buffers_.items[k].feature == feature) {
      if (gap < buffers_.items[k].gap)
        buffers_.items[k] = {feature, on_surface + 0.5 * gap * normal, normal, gap};
      return;
    }
  buffers_.items.push_back({feature, on_surface + 0.5 * gap * normal, normal, gap});
}

double PointCollector::min_gap_of_group() const {
  double least = margin_;
  for (std::size_t k = group_; k < buffers_.items.size(); ++k)
    least = std::min(least, buffers_.items[k].gap);
  return least;
}

void PointCollector::end_group() {
  std::vector<Item>& items = buffers_.items;
  if (items.size() - group_ > 4) {
    buffers_.group.clear();
    for (std::size_t k = group_; k < items.size(); ++k)
      buffers_.group.push_back({items[k].feature, items[k].point, items[k].gap});
    const Chosen chosen = reduced_manifold(buffers_.group, items[group_].normal,
                                           kTie * (margin_ - min_gap_of_group()));
    for (int k = 0; k < chosen.count; ++k)
      items[group_ + static_cast<std::size_t>(k)] =
          items[group_ + static_cast<std::size_t>(chosen.index[k])];
    items.resize(group_ + static_cast<std::size_t>(chosen.count));
  }
  group_ = items.size();
}

/// Keeps the nearer of two points at one position with nearly equal normals, with the feature of
/// the first.
void PointCollector::drop_duplicates() {
  const double same_distance = 1e-4 * body_.size, rounding = 1e-9 * body_.size;
  std::size_t kept = 0;
  for (const Item& item : buffers_.items) {
    const auto end = buffers_.items.begin() + static_cast<std::ptrdiff_t>(kept);
    const auto known = std::find_if(buffers_.items.begin(), end, [&](const Item& other) {
      return squared_norm(item.point - other.point) <= same_distance * same_distance &&
             dot(item.normal, other.normal) > kFlush;
    });
    if (known == end)
      buffers_.items[kept++] = item;
    else if (item.gap < known->gap - rounding)
      *known = {known->feature, item.point, item.normal, item.gap};
  }
  buffers_.items.resize(kept);
}

SurfacePoints PointCollector::finish() {
  end_group();
  drop_duplicates();
  reduce_by_wrench(buffers_.items, buffers_.nearest, body_.middle, body_.size);
  SurfacePoints points;
  for (const Item& item : buffers_.items)
    points.points[points.count++] = {item.feature, item.point, -item.normal, item.gap};
  return points;
}

SurfacePoints points_on_surface(const Shape& body, const Pose& pose_body, const Shape& surface,
                                const Pose& pose_surface, double margin) {
  if (is_surface(body) || !is_surface(surface) || std::holds_alternative<Sphere>(body) ||
      std::holds_alternative<HalfSpace>(body))
    throw std::domain_error(
        "points_on_surface() takes a convex body other than a sphere, and a mesh or a hollow "
        "shape");
  const BodyOnSurface seen(body, seen_from(pose_surface, pose_body));
  const auto* mesh = std::get_if<Mesh>(&surface);
  SurfacePoints points = mesh ? points_on_mesh(seen, *mesh, margin)
                              : points_on_hollow(seen, std::get<Hollow>(surface), margin);
  for (int k = 0; k < points.count; ++k) {
    ContactPoint& p = points.points[k];
    p.point = pose_surface.position + rotate(pose_surface.orientation, p.point);
    p.normal = rotate(pose_surface.orientation, p.normal);
  }
  return points;
}

SurfaceDistance separation_from_surface(const Shape& body, const Pose& pose_body,
                                        const Shape& surface, const Pose& pose_surface) {
  const Vec3 middle = middle_of(body, pose_body);
  const SurfaceDistance from_middle = signed_distance(surface, pose_surface, middle);
  // Upper bound: the distance of one point of the body.
  const double bound = std::abs(from_middle.distance) + 1e-9 * bounding_radius(body);
  const SurfacePoints points = points_on_surface(body, pose_body, surface, pose_surface, bound);
  const ContactPoint* nearest = nullptr;
  for (int k = 0; k < points.count; ++k)
    if (!nearest || points.points[k].gap < nearest->gap) nearest = &points.points[k];
  if (nearest) return {nearest->gap, nearest->normal};
  return {from_middle.distance, -from_middle.normal};
}

}  // namespace scree

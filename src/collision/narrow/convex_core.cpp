/// Support points, support features and normals of convex cores.
#include "collision/narrow/convex_core.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "collision/narrow/rounded_box.hpp"
#include "scree/geometry/convex_hull.hpp"

namespace scree {
namespace {

/// Number of fixed points of a rim; being fixed, they keep their memory between steps.
constexpr int kRimPoints = 8;
constexpr std::uint32_t kTopRim = 8, kSideBottom = 16, kSideTop = 17;

Vec3 rim_point(int k) {
  constexpr double kHalf = 0.7071067811865476;
  constexpr double kCosine[kRimPoints] = {1, kHalf, 0, -kHalf, -1, -kHalf, 0, kHalf};
  return {kCosine[k], kCosine[(k + 6) % kRimPoints], 0};
}

Vec3 radial(const Vec3& n) {
  const double across = std::sqrt(n.x * n.x + n.y * n.y);
  return across > 0 ? Vec3{n.x / across, n.y / across, 0} : Vec3{1, 0, 0};
}

struct Support {
  const Vec3& n;

  Vec3 operator()(const Box& b) const {
    return {std::copysign(b.half_extent.x, n.x), std::copysign(b.half_extent.y, n.y),
            std::copysign(b.half_extent.z, n.z)};
  }
  Vec3 operator()(const Frustum& f) const {
    const Vec3 out = radial(n);
    const double across = dot(out, n);
    const bool top =
        f.top_radius * across + f.top * n.z > f.bottom_radius * across + f.bottom * n.z;
    return (top ? f.top_radius : f.bottom_radius) * out + Vec3{0, 0, top ? f.top : f.bottom};
  }
  Vec3 operator()(const Superellipsoid& s) const { return support_point(s, n); }
  Vec3 operator()(const Polyhedron& p) const {
    return p.scale * p.hull->vertices()[p.hull->farthest(n)];
  }
  Vec3 operator()(const auto& segment) const {
    return {0, 0, std::copysign(segment.half_length, n.z)};
  }
};

struct Facing {
  const Vec3& n;

  SupportFeature operator()(const Box& b) const {
    SupportFeature feature;
    const int k = std::abs(n.x) >= std::abs(n.y) && std::abs(n.x) >= std::abs(n.z) ? 0
                  : std::abs(n.y) >= std::abs(n.z)                                 ? 1
                                                                                   : 2;
    const bool up = n[k] > 0;
    feature.normal[k] = up ? 1 : -1;
    const int i = 1 << (k + 1) % 3, j = 1 << (k + 2) % 3;
    const int round[4] = {0, up ? i : j, i | j, up ? j : i};
    for (const int corner : round) {
      const int v = corner | (up ? 1 << k : 0);
      feature.add(vertex(b.half_extent, v), static_cast<std::uint32_t>(v));
    }
    return feature;
  }

  /// Feature of a frustum. A cap that leans rolls on its lowest point, which replaces the fixed
  /// points next to it. Those would be nearly as low, and would stop the roll when they come near
  /// the ground.
  SupportFeature operator()(const Frustum& f) const {
    constexpr double kLeans = 0.01;   // sine [-]
    constexpr double kBeside = 0.71;  // cosine along the rim, of one or two fixed points [-]
    const Vec3 out = radial(n);
    const double length = f.top - f.bottom, widening = f.top_radius - f.bottom_radius;
    const Vec3 side = length * out - Vec3{0, 0, widening};
    const double along_side = dot(side, n) / std::hypot(length, widening);
    SupportFeature feature;
    if (std::abs(n.z) < along_side) {
      feature.normal = side / norm(side);
      feature.add(f.bottom_radius * out + Vec3{0, 0, f.bottom}, kSideBottom);
      feature.add(f.top_radius * out + Vec3{0, 0, f.top}, kSideTop);
      return feature;
    }
    const bool top = n.z > 0;
    const double r = top ? f.top_radius : f.bottom_radius;
    feature.normal = {0, 0, top ? 1.0 : -1.0};
    const Vec3 centre{0, 0, top ? f.top : f.bottom};
    const auto add_lowest = [&] { feature.add(centre + r * out, top ? kSideTop : kSideBottom); };
    if (r == 0) {
      add_lowest();
      return feature;
    }
    const bool leans = dot(out, n) > kLeans;
    bool has_lowest = false;
    for (int k = 0; k < kRimPoints; ++k) {
      const int point = top ? k : kRimPoints - 1 - k;
      if (!leans || dot(rim_point(point), out) < kBeside) {
        feature.add(centre + r * rim_point(point),
                    static_cast<std::uint32_t>(point) + (top ? kTopRim : 0));
      } else if (!has_lowest) {
        add_lowest();
        has_lowest = true;
      }
    }
    return feature;
  }

  SupportFeature operator()(const Superellipsoid& s) const {
    SupportFeature feature;
    feature.normal = n;
    feature.add(support_point(s, n), 0);
    return feature;
  }

  SupportFeature operator()(const Polyhedron& p) const {
    const ConvexHull::Face& face = p.hull->faces()[p.hull->facing(n)];
    const auto loop = p.hull->loop(face);
    SupportFeature feature;
    feature.normal = face.normal;
    // Select well separated corners of a face with many.
    const std::size_t count = std::min<std::size_t>(loop.size(), SupportFeature::kMax);
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint16_t v = loop[count == loop.size() ? k : k * loop.size() / count];
      feature.add(p.scale * p.hull->vertices()[v], v);
    }
    return feature;
  }

  SupportFeature operator()(const auto& segment) const {
    SupportFeature feature;
    feature.normal = radial(n);
    feature.add({0, 0, -segment.half_length}, 0);
    if (segment.half_length > 0) feature.add({0, 0, segment.half_length}, 1);
    return feature;
  }
};

}  // namespace

ConvexCore::ConvexCore(const Form& form, const Pose& pose, double radius, double size)
    : form_(form),
      position_(pose.position),
      axes_{rotate(pose.orientation, {1, 0, 0}), rotate(pose.orientation, {0, 1, 0}),
            rotate(pose.orientation, {0, 0, 1})},
      is_rotated_(!polyhedron() || pose.orientation != Quaternion{}),
      radius_(radius),
      size_(size) {}

ConvexCore ConvexCore::of(const Shape& shape, const Pose& pose) {
  const double size = bounding_radius(shape);
  if (const auto* b = std::get_if<Box>(&shape)) return {Form(*b), pose, 0, size};
  if (const auto* c = std::get_if<Capsule>(&shape))
    return {Form(Segment{c->half_length}), pose, c->radius, c->half_length};
  if (const auto* c = std::get_if<Cylinder>(&shape))
    return {Form(Frustum{c->radius, c->radius, -c->half_length, c->half_length}), pose, 0, size};
  if (const auto* f = std::get_if<Frustum>(&shape)) return {Form(*f), pose, 0, size};
  if (const auto* s = std::get_if<Superellipsoid>(&shape)) return {Form(*s), pose, 0, size};
  assert(std::holds_alternative<Polyhedron>(shape));
  return {Form(std::get<Polyhedron>(shape)), pose, 0, size};
}

ConvexCore::ConvexCore(const Shape& shape, const Pose& pose) : ConvexCore(of(shape, pose)) {}

SurfaceDistance ConvexCore::distance_of(const Vec3& point) const {
  const Vec3 at = to_core(point - position_);
  SurfaceDistance found{};
  if (const auto* segment = std::get_if<Segment>(&form_)) {
    const Vec3 displacement =
        at - Vec3{0, 0, std::clamp(at.z, -segment->half_length, segment->half_length)};
    const double distance = norm(displacement);
    found = {distance, distance > 0 ? displacement / distance : Vec3{1, 0, 0}};
  } else if (const auto* box = std::get_if<Box>(&form_)) {
    found = signed_distance(*box, at);
  } else if (const auto* frustum = std::get_if<Frustum>(&form_)) {
    found = signed_distance(*frustum, at);
  } else if (const auto* polyhedron = std::get_if<Polyhedron>(&form_)) {
    found = signed_distance(*polyhedron, at);
  } else {
    found = signed_distance(*superellipsoid(), at);
  }
  return {found.distance, from_core(found.normal)};
}

bool ConvexCore::is_curved() const {
  return std::holds_alternative<Superellipsoid>(form_) || std::holds_alternative<Frustum>(form_);
}

NormalChoices ConvexCore::choices(const std::array<Vec3, 3>& points, int count,
                                  const Vec3& n) const {
  using Kind = NormalChoice::Kind;
  NormalChoices result;
  if (superellipsoid()) {
    result.add({.kind = Kind::any});
    return result;
  }
  if (const auto* f = std::get_if<Frustum>(&form_)) {
    const double widening = f->top_radius - f->bottom_radius;
    const Vec3& axis = axes_[2];
    result.add({.kind = Kind::one, .normal = dot(n, axis) > 0 ? axis : -axis});
    result.add({.kind = Kind::circle,
                .axis = axis,
                .along_axis = -widening / std::hypot(f->top - f->bottom, widening)});
    result.add({.kind = Kind::any});
    return result;
  }
  // Select the distinct corners.
  const double same_distance = 1e-9 * size_;
  std::array<Vec3, 3> corner;
  int corners = 0;
  for (int k = 0; k < std::min(count, 3); ++k)
    if (std::none_of(corner.begin(), corner.begin() + corners,
                     [&](const Vec3& p) { return norm(p - points[k]) <= same_distance; }))
      corner[corners++] = points[k];
  if (corners == 3) {
    const Vec3 area = cross(corner[1] - corner[0], corner[2] - corner[0]);
    if (const double twice = norm(area); twice > 0)
      result.add({.kind = Kind::one, .normal = std::copysign(1 / twice, dot(area, n)) * area});
  }
  for (int k = 0; k < corners; ++k)
    for (int l = k + 1; l < corners; ++l) {
      const Vec3 edge = corner[l] - corner[k];
      result.add({.kind = Kind::circle,
                  .axis = edge / norm(edge),
                  .is_edge = true,
                  .ends = {corner[k], corner[l]}});
    }
  if (corners == 1) result.add({.kind = Kind::any, .is_corner = true, .ends = {corner[0]}});
  return result;
}

Vec3 ConvexCore::support(const Vec3& n) const {
  return position_ + from_core(std::visit(Support{to_core(n)}, form_));
}

SupportFeature ConvexCore::facing(const Vec3& n) const {
  SupportFeature feature = std::visit(Facing{to_core(n)}, form_);
  for (int k = 0; k < feature.count; ++k)
    feature.corner[k] = position_ + from_core(feature.corner[k]);
  feature.normal = from_core(feature.normal);
  return feature;
}

}  // namespace scree

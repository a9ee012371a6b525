/// Touches of a sphere on meshes and hollow shapes: local minima of the distance from its centre.
#include "collision/narrow/surface_touches.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "scree/geometry/triangle_mesh.hpp"

namespace scree {
namespace {

/// Closest point of a facet, and its distance.
struct NearFacet {
  TriangleMesh::SurfacePoint place;
  double distance;
};

/// True if a point on an edge or a corner is the closest of all facets that meet there. `size` sets
/// the tolerance: a facet that is nearer by rounding only does not count, since duplicates are
/// dropped later.
bool is_least(const TriangleMesh& mesh, std::span<const NearFacet> near, const Vec3& p,
              const NearFacet& at, double size) {
  constexpr double kRounding = 1e-12;  // fraction of the radius
  if (at.place.region == TriangleMesh::kFace) return true;
  const double nearer = at.distance - kRounding * size;
  if (at.place.region < TriangleMesh::kCorner) {
    const std::uint32_t beyond =
        mesh.facets()[at.place.facet].across[at.place.region - TriangleMesh::kEdge];
    if (beyond != TriangleMesh::kNone && norm(p - mesh.closest_on(beyond, p).point) < nearer)
      return false;
  }
  const double touching = 1e-9 * size;
  return std::ranges::none_of(near, [&](const NearFacet& other) {
    return other.distance < nearer &&
           norm(mesh.closest_on(other.place.facet, at.place.point).point - at.place.point) <=
               touching;
  });
}

/// Workspace of a thread.
struct TouchBuffers {
  std::vector<NearFacet> near;
  std::vector<SurfaceTouch> touches;
  std::vector<std::uint8_t> on_face;  ///< for each touch: 1 if on a face
};
TouchBuffers& touch_buffers() {
  thread_local TouchBuffers all;
  return all;
}

/// Adds a touch unless it is a duplicate; of two duplicates, that of a face stays, or the nearer
/// one.
void add_touch(TouchBuffers& b, const SurfaceTouch& touch, bool on_face, double same_distance) {
  for (std::size_t k = 0; k < b.touches.size(); ++k) {
    SurfaceTouch& known = b.touches[k];
    if (squared_norm(known.point - touch.point) > same_distance * same_distance) continue;
    const bool better = on_face != (b.on_face[k] != 0) ? on_face
                        : known.height != touch.height ? touch.height < known.height
                                                       : touch.feature < known.feature;
    if (better) {
      known = touch;
      b.on_face[k] = on_face ? 1 : 0;
    }
    return;
  }
  b.touches.push_back(touch);
  b.on_face.push_back(on_face ? 1 : 0);
}

/// Half plane through the z axis at a given angle to the x axis.
struct Meridian {
  Vec3 outward;
  explicit Meridian(double cosine, double sine) : outward{cosine, sine, 0} {}
  Vec3 at(double across, double z) const { return across * outward + Vec3{0, 0, z}; }
};

/// Features of a hollow shape: its side nearest to the sphere, a third of a rotation to either
/// side, and its discs.
enum HollowFeature : std::uint32_t { kSide = 0, kLeft = 1, kRight = 2, kBottom = 3, kTop = 4 };

class HollowTouches {
 public:
  HollowTouches(const Hollow& hollow, const Vec3& centre, double distance)
      : h_(hollow),
        p_(centre),
        distance_(distance),
        l_(std::hypot(centre.x, centre.y)),
        length_(hollow.top - hollow.bottom),
        widening_(hollow.top_radius - hollow.bottom_radius) {}

  SurfaceTouches all(double same_distance) && {
    TouchBuffers& b = touch_buffers();
    b.touches.clear();
    b.on_face.clear();
    same_distance_ = same_distance;
    const Meridian own = l_ > 0 ? Meridian(p_.x / l_, p_.y / l_) : Meridian(1, 0);
    add_side(own, kSide, true);
    const double along = std::clamp((p_.z - h_.bottom) / length_, 0.0, 1.0);
    if (l_ < h_.bottom_radius + along * widening_) {
      const double sine = std::numbers::sqrt3 / 2;
      for (const double hand : {1.0, -1.0}) {
        const Vec3& x = own.outward;
        const Meridian aside(-0.5 * x.x - hand * sine * x.y, hand * sine * x.x - 0.5 * x.y);
        add_side(aside, hand > 0 ? kLeft : kRight, false);
      }
    }
    if (h_.closed_bottom) add_disc(own, h_.bottom_radius, h_.bottom, kBottom);
    if (h_.closed_top) add_disc(own, h_.top_radius, h_.top, kTop);
    return reduced_manifold(b.touches);
  }

 private:
  /// Adds a touch at a point of the surface, or of a tangent plane.
  void add(std::uint32_t feature, const Vec3& point, const Vec3& if_none, bool on_face) {
    const Vec3 displacement = p_ - point;
    const double height = norm(displacement);
    if (!(height < distance_)) return;
    add_touch(touch_buffers(),
              {feature, point, height > 0 ? displacement / height : if_none, height}, on_face,
              same_distance_);
  }

  void add_side(const Meridian& meridian, std::uint32_t feature, bool nearest) {
    const double slant2 = length_ * length_ + widening_ * widening_, slant = std::sqrt(slant2);
    const double x = dot(p_, meridian.outward);
    const double along =
        ((p_.z - h_.bottom) * length_ + (x - h_.bottom_radius) * widening_) / slant2;
    const Vec3 inward = meridian.at(-length_ / slant, widening_ / slant);
    if (along > 0 && along < 1) {
      const Vec3 on =
          meridian.at(h_.bottom_radius + along * widening_, h_.bottom + along * length_);
      if (nearest) return add(feature, on, inward, true);
      // Use the tangent plane of the side there.
      const double height = dot(inward, p_ - on);
      if (height > 0 && height < distance_)
        add_touch(touch_buffers(), {feature, p_ - height * inward, inward, height}, true,
                  same_distance_);
      return;
    }
    const bool top = along >= 1;
    // A nearer disc inside its rim shields the sphere from the side's end.
    if ((top ? h_.closed_top : h_.closed_bottom) && l_ < (top ? h_.top_radius : h_.bottom_radius))
      return;
    add(feature, meridian.at(top ? h_.top_radius : h_.bottom_radius, top ? h_.top : h_.bottom),
        inward, false);
  }

  void add_disc(const Meridian& meridian, double radius, double z, std::uint32_t feature) {
    const Vec3 inward{0, 0, z < p_.z ? 1.0 : -1.0};
    if (l_ < radius) return add(feature, {p_.x, p_.y, z}, inward, true);
    // At the rim the side is nearer if the foot on it lies inside.
    const double along = ((p_.z - h_.bottom) * length_ + (l_ - h_.bottom_radius) * widening_) /
                         (length_ * length_ + widening_ * widening_);
    if (along > 0 && along < 1) return;
    add(feature, meridian.at(radius, z), inward, false);
  }

  const Hollow& h_;
  Vec3 p_;
  double distance_, l_, length_, widening_, same_distance_ = 0;
};

}  // namespace

bool KnownFacets::covers(const Vec3& p, double distance) const {
  constexpr double kRounding = 1e-9;
  return distance + norm(p - middle_) <= (1 - kRounding) * reach_;
}

void KnownFacets::start(const Vec3& p, double reach) {
  middle_ = p;
  reach_ = reach;
  count_ = 0;
}

void KnownFacets::add(std::uint32_t facet) {
  if (count_ < kMax)
    facets_[static_cast<std::size_t>(count_++)] = facet;
  else
    reach_ = -1;
}

SurfaceTouches reduced_manifold(std::span<SurfaceTouch> touches) {
  SurfaceTouches kept;
  std::ranges::sort(touches, [](const SurfaceTouch& a, const SurfaceTouch& b) {
    return a.height != b.height ? a.height < b.height : a.feature < b.feature;
  });
  if (touches.size() <= kMaxOnSurface) {
    std::ranges::copy(touches, kept.touches.begin());
    kept.count = static_cast<int>(touches.size());
    return kept;
  }
  kept.touches[kept.count++] = touches[0];
  while (kept.count < kMaxOnSurface) {
    const SurfaceTouch* farthest = nullptr;
    double least = 1;
    for (const SurfaceTouch& touch : touches) {
      double nearest = -1;  // cosine of the angle to the nearest normal that is kept
      for (int k = 0; k < kept.count; ++k)
        nearest = std::max(nearest, dot(touch.normal, kept.touches[k].normal));
      if (nearest < least) {
        least = nearest;
        farthest = &touch;
      }
    }
    if (!farthest) break;  // all other normals equal those already kept
    kept.touches[kept.count++] = *farthest;
  }
  return kept;
}

namespace {

/// Finds the facets closer to p than `distance`, in their order.
void find_near(const TriangleMesh& mesh, const Vec3& p, double distance, double size,
               KnownFacets* known, std::vector<NearFacet>& near) {
  near.clear();
  const auto add = [&](const TriangleMesh::SurfacePoint& place) {
    if (const double d = norm(p - place.point); d < distance) near.push_back({place, d});
  };
  if (known && known->covers(p, distance)) {
    // Facets are far apart in memory: prefetch all before reading the first.
    for (const std::uint32_t facet : known->facets()) {
      __builtin_prefetch(&mesh.facets()[facet]);
      __builtin_prefetch(&mesh.facets()[facet].normal);
    }
    for (const std::uint32_t facet : known->facets()) add(mesh.closest_on(facet, p));
    return;
  }
  constexpr double kCacheMargin = 0.02;  // fraction of the radius: a larger cache serves for longer
  const double reach = known ? distance + kCacheMargin * size : distance;
  if (known) known->start(p, reach);
  mesh.for_each_near(p, reach, [&](std::uint32_t facet, const TriangleMesh::SurfacePoint& place) {
    if (known) known->add(facet);
    add(place);
    return true;
  });
}

/// Local minima of the distance from p that are closer than `distance`; `size` is the sphere's
/// radius.
SurfaceTouches touches_of_mesh(const TriangleMesh& mesh, const Vec3& p, double distance,
                               double size, KnownFacets* known) {
  TouchBuffers& b = touch_buffers();
  b.touches.clear();
  b.on_face.clear();
  find_near(mesh, p, distance, size, known, b.near);
  const NearFacet* nearest = nullptr;
  for (const NearFacet& n : b.near)
    if (!nearest || n.distance < nearest->distance) nearest = &n;
  if (!nearest) return {};
  const auto height_of = [&](const NearFacet& n) {
    return dot(p - n.place.point, mesh.normal(n.place));
  };
  const bool one_sided = mesh.sides() == Sides::one;
  const auto add = [&](const NearFacet& n, bool behind) {
    Vec3 normal = mesh.normal(n.place);
    const bool on_face = n.place.region == TriangleMesh::kFace;
    if (on_face ? height_of(n) < 0 && !behind : n.distance > 0)
      normal = on_face ? -normal : (p - n.place.point) / (behind ? -n.distance : n.distance);
    add_touch(b, {n.place.feature(), n.place.point, normal, behind ? -n.distance : n.distance},
              on_face, kSameTouch * size);
  };
  if (one_sided && height_of(*nearest) < 0) {
    add(*nearest, true);
  } else {
    for (const NearFacet& n : b.near) {
      if (one_sided && height_of(n) < 0) continue;
      if (is_least(mesh, b.near, p, n, size)) add(n, false);
    }
  }
  return reduced_manifold(b.touches);
}

}  // namespace

SurfaceTouches touches_of_sphere(const Shape& surface, const Vec3& centre, double radius,
                                 double margin, KnownFacets* known) {
  if (const auto* hollow = std::get_if<Hollow>(&surface))
    return HollowTouches(*hollow, centre, radius + margin).all(kSameTouch * radius);
  const Mesh& mesh = std::get<Mesh>(surface);
  const Vec3 p = centre / mesh.scale;
  const double distance = (radius + margin) / mesh.scale;
  SurfaceTouches touches = touches_of_mesh(*mesh.mesh, p, distance, radius / mesh.scale, known);
  for (int k = 0; k < touches.count; ++k) {
    touches.touches[k].point *= mesh.scale;
    touches.touches[k].height *= mesh.scale;
  }
  return touches;
}

double cosine_between(const Shape& surface, std::uint32_t feature, std::uint32_t other) {
  const auto* mesh = std::get_if<Mesh>(&surface);
  if (!mesh) return feature == other ? 1 : -1;
  return dot(mesh->mesh->normal_of_feature(feature), mesh->mesh->normal_of_feature(other));
}

}  // namespace scree

/// Distances of convex shapes by FCL and libccd, beside ours; and by points and planes between the
/// shapes, which prove them right where those libraries are not exact enough to tell.
#pragma once

#include <ccd/ccd.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/cone.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/ellipsoid.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/distance.h>
#include <gtest/gtest.h>
#include <memory>

#include "unit/collision/shape_pairs.hpp"

namespace scree::oracles {

using namespace shape_pairs;
using FclShape = std::shared_ptr<fcl::CollisionGeometryd>;

inline fcl::Vector3d vector(const Vec3& v) { return {v.x, v.y, v.z}; }

/// Null for shapes that FCL does not have. Cones stand about the middle of their length in both.
struct ToFcl {
  FclShape operator()(const Sphere& s) const { return std::make_shared<fcl::Sphered>(s.radius); }
  FclShape operator()(const Box& b) const {
    return std::make_shared<fcl::Boxd>(2 * vector(b.half_extent));
  }
  FclShape operator()(const Cylinder& c) const {
    return std::make_shared<fcl::Cylinderd>(c.radius, 2 * c.half_length);
  }
  FclShape operator()(const Capsule& c) const {
    return std::make_shared<fcl::Capsuled>(c.radius, 2 * c.half_length);
  }
  FclShape operator()(const Frustum& f) const {
    if (f.top_radius != 0 || f.top != -f.bottom) return nullptr;
    return std::make_shared<fcl::Coned>(f.bottom_radius, 2 * f.top);
  }
  FclShape operator()(const Superellipsoid& s) const {
    if (s.lateral != 2 || s.vertical != 2) return nullptr;
    return std::make_shared<fcl::Ellipsoidd>(vector(s.semi_axes));
  }
  FclShape operator()(const Polyhedron& p) const {
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    for (const Vec3& v : p.hull->vertices()) vertices->push_back(vector(p.scale * v));
    auto faces = std::make_shared<std::vector<int>>();
    for (const auto& loop : p.hull->face_loops()) {
      faces->push_back(static_cast<int>(loop.size()));
      for (const auto corner : loop) faces->push_back(corner);
    }
    const int count = static_cast<int>(p.hull->faces().size());
    return std::make_shared<fcl::Convexd>(vertices, count, faces);
  }
  FclShape operator()(const auto& /*surface*/) const { return nullptr; }
};

inline fcl::Transform3d transform(const Pose& pose) {
  fcl::Transform3d t = fcl::Transform3d::Identity();
  t.translation() = vector(pose.position);
  const Quaternion& q = pose.orientation;
  t.linear() = fcl::Quaterniond(q.w, q.x, q.y, q.z).toRotationMatrix();
  return t;
}

/// Distance of two shapes that are apart by FCL [m]; −1 of those that overlap.
inline double fcl_distance(const FclShape& a, const Pose& pose_a, const FclShape& b,
                           const Pose& pose_b) {
  fcl::DistanceRequestd request;
  request.distance_tolerance = 1e-9;
  fcl::DistanceResultd result;
  fcl::distance(a.get(), transform(pose_a), b.get(), transform(pose_b), request, result);
  return result.min_distance;
}

/// The farthest point along n [m], n of any length.
struct SupportPoint {
  Vec3 n;

  Vec3 operator()(const Sphere& s) const { return s.radius / norm(n) * n; }
  Vec3 operator()(const Box& b) const {
    return {std::copysign(b.half_extent.x, n.x), std::copysign(b.half_extent.y, n.y),
            std::copysign(b.half_extent.z, n.z)};
  }
  Vec3 operator()(const Cylinder& c) const {
    return (*this)(Frustum{c.radius, c.radius, -c.half_length, c.half_length});
  }
  Vec3 operator()(const Capsule& c) const {
    return (*this)(Sphere{c.radius}) + Vec3{0, 0, std::copysign(c.half_length, n.z)};
  }
  Vec3 operator()(const Frustum& f) const {
    const double across = std::hypot(n.x, n.y);
    const Vec3 side = across > 0 ? Vec3{n.x / across, n.y / across, 0} : Vec3{1, 0, 0};
    const bool top =
        f.top_radius * across + f.top * n.z > f.bottom_radius * across + f.bottom * n.z;
    return (top ? f.top_radius : f.bottom_radius) * side + Vec3{0, 0, top ? f.top : f.bottom};
  }
  /// By the gradient of the support function, in powers of its exponents' duals.
  Vec3 operator()(const Superellipsoid& s) const {
    const double l = s.lateral / (s.lateral - 1), v = s.vertical / (s.vertical - 1);
    const auto power = [](double x, double e) { return std::pow(std::abs(x), e); };
    const double x = n.x * s.semi_axes.x, y = n.y * s.semi_axes.y, z = n.z * s.semi_axes.z;
    const double side = power(x, l) + power(y, l), all = power(side, v / l) + power(z, v);
    const double common = std::pow(all, 1 / v - 1);
    const double of_side = side > 0 ? common * std::pow(side, v / l - 1) : 0;
    return {s.semi_axes.x * std::copysign(of_side * power(x, l - 1), x),
            s.semi_axes.y * std::copysign(of_side * power(y, l - 1), y),
            s.semi_axes.z * std::copysign(common * power(z, v - 1), z)};
  }
  Vec3 operator()(const Polyhedron& p) const {
    return p.scale * p.hull->vertices()[p.hull->farthest(n)];
  }
  Vec3 operator()(const auto& /*surface*/) const { return {}; }
};

inline void ccd_support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* point) {
  const auto& placed = *static_cast<const Placed*>(object);
  const Vec3 n{direction->v[0], direction->v[1], direction->v[2]};
  const Vec3 own = std::visit(SupportPoint{rotate_back(placed.pose.orientation, n)}, placed.shape);
  const Vec3 at = placed.pose.position + rotate(placed.pose.orientation, own);
  ccdVec3Set(point, at.x, at.y, at.z);
}
inline bool ccd_overlap(const Placed& a, const Placed& b) {
  ccd_t ccd;
  CCD_INIT(&ccd);
  ccd.support1 = ccd_support;
  ccd.support2 = ccd_support;
  ccd.max_iterations = 200;
  return ccdGJKIntersect(&a, &b, &ccd) != 0;
}

/// What a run over random pairs has met.
struct Tally {
  std::size_t by_fcl = 0, by_ccd = 0;            ///< pairs compared
  std::size_t fcl_differs = 0, ccd_differs = 0;  ///< by more than 1e-6 of the larger size
  /// Pairs whose answer was to be proved: all that are apart, those that differ, and those that
  /// overlap by less than half of the smaller
  std::size_t proved = 0;
  std::size_t misses = 0;  ///< where no proof holds to 1e-9 of the larger size
};

inline Shape random_shape(RandomStream& random) {
  switch (static_cast<int>(random.uniform(0, 8))) {
    case 0:
      return Sphere{random.uniform(0.1, 1)};
    case 1:
      return random_box(random);
    case 2:
      return random_capsule(random);
    case 3:
      return Cylinder{random.uniform(0.1, 1), random.uniform(0.1, 1)};
    case 4: {
      const double half = random.uniform(0.1, 1);
      return random.uniform(0, 1) < 0.5 ? Frustum{random.uniform(0.1, 1), 0, -half, half}
                                        : random_frustum(random);
    }
    case 5:
      return random_ellipsoid(random);
    case 6:
      return random_superellipsoid(random);
    default:
      return random_polyhedron(random);
  }
}

/// Whether a point of ours proves the distance right: of shapes that are apart, places on the two
/// surfaces with that distance, and a plane between them with that room; of others a point inside
/// both. Where it proves nothing, whether a search finds no plane with more room.
inline bool is_right(const Placed& a, const Placed& b, const SurfaceDistance& found, double size,
                     RandomStream& random) {
  const double enough = 1e-9 * size;
  const double margin = std::max(0.0, found.distance) + 1e-6 * size;
  const Manifold points = contact_points(a, b, margin);
  for (int k = 0; k < points.count; ++k) {
    const ContactPoint& p = points.points[k];
    if (found.distance < 0 && a.distance(p.point) < 0 && b.distance(p.point) < 0) return true;
    const Vec3 half = p.gap / 2 * p.normal;
    if (found.distance > 0 && std::abs(p.gap - found.distance) <= enough &&
        std::abs(a.distance(p.point - half)) <= enough &&
        std::abs(b.distance(p.point + half)) <= enough &&
        std::abs(width(a, b, found.normal) - found.distance) <= enough)
      return true;
  }
  return std::abs(width(a, b, found.normal) - found.distance) <= enough &&
         greatest_width(a, b, random) <= found.distance + enough;
}

/// Random pairs, most of them near to touching, beside the other libraries.
inline Tally compare(std::size_t pairs, std::uint64_t seed) {
  constexpr double kEnough = 1e-6;  // what FCL and libccd reach, of the larger size
  constexpr double kDeep = 0.5;     // of the smaller: such an overlap need not be the least
  RandomStream random{seed, 0};
  RandomStream search{seed, 1};
  Tally tally;
  for (std::size_t k = 0; k < pairs; ++k) {
    const double scale = std::exp(random.uniform(std::log(1e-3), std::log(1e3)));
    const Placed a{scaled(random_shape(random), scale), {{}, random_orientation(random)}},
        b{scaled(random_shape(random), scale * random.uniform(0.2, 1)),
          {random.uniform(0.1, 3) * scale * random_direction(random), random_orientation(random)}};
    const SurfaceDistance found = separation(a, b);
    const auto [smaller, size] = std::minmax({bounding_radius(a.shape), bounding_radius(b.shape)});
    if (!std::isfinite(found.distance) || !is_finite(found.normal)) {
      ADD_FAILURE() << "pair " << k << " of seed " << seed << " has no finite distance";
      continue;
    }
    const FclShape fcl_a = std::visit(ToFcl{}, a.shape), fcl_b = std::visit(ToFcl{}, b.shape);
    bool differs = false;
    double other = 0;
    if (fcl_a && fcl_b) {
      ++tally.by_fcl;
      other = fcl_distance(fcl_a, a.pose, fcl_b, b.pose);
      // Of shapes that overlap FCL says no depth.
      const double expected = other < 0 ? std::min(found.distance, 0.0) : other;
      differs = std::abs(found.distance - expected) > kEnough * size;
      tally.fcl_differs += differs;
    } else if (std::abs(found.distance) > kEnough * size) {
      ++tally.by_ccd;
      other = ccd_overlap(a, b) ? -1 : 1;
      differs = (other < 0) != (found.distance < 0);
      tally.ccd_differs += differs;
    }
    if (!differs && found.distance < -kDeep * smaller) continue;
    ++tally.proved;
    if (is_right(a, b, found, size, search)) continue;
    ++tally.misses;
    ADD_FAILURE() << "pair " << k << " of seed " << seed << " (shapes " << a.shape.index()
                  << " and " << b.shape.index() << "): " << found.distance << ", by "
                  << (fcl_a && fcl_b ? "FCL " : "libccd ") << other;
  }
  return tally;
}

}  // namespace scree::oracles

/// Extents of shapes: bounding spheres, support functions, bounding boxes; and scaled shapes.
#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/superellipsoid.hpp"
#include "scree/core/infinity.hpp"
#include "scree/geometry/clump.hpp"
#include "scree/geometry/convex_hull.hpp"
#include "scree/geometry/shape.hpp"
#include "scree/geometry/triangle_mesh.hpp"

namespace scree {
namespace {

/// Solid inside a shell.
Frustum solid(const Hollow& h) { return {h.bottom_radius, h.top_radius, h.bottom, h.top}; }

struct Bound {
  double operator()(const Sphere& s) const { return s.radius; }
  double operator()(const HalfSpace&) const { return std::numeric_limits<double>::infinity(); }
  double operator()(const Box& b) const { return norm(b.half_extent); }
  double operator()(const Cylinder& c) const { return std::hypot(c.radius, c.half_length); }
  double operator()(const Capsule& c) const { return c.radius + c.half_length; }
  double operator()(const Frustum& f) const {
    return std::max(std::hypot(f.bottom_radius, f.bottom), std::hypot(f.top_radius, f.top));
  }
  double operator()(const Superellipsoid& s) const { return bounding_radius_of(s); }
  double operator()(const Polyhedron& p) const { return p.scale; }
  double operator()(const Mesh& m) const { return m.scale * m.mesh->radius(); }
  double operator()(const Hollow& h) const { return (*this)(solid(h)); }
  double operator()(const Clump& c) const { return c.scale * c.parts->radius(); }
};

Vec3 absolute(const Vec3& v) { return {std::abs(v.x), std::abs(v.y), std::abs(v.z)}; }

struct Support {
  Vec3 n;  ///< unit, in the shape's frame

  double operator()(const Sphere& s) const { return s.radius; }
  double operator()(const HalfSpace&) const {
    constexpr double kNormalRounding = 1e-14;
    return n.z > 1 - kNormalRounding ? 0 : std::numeric_limits<double>::infinity();
  }
  double operator()(const Box& b) const { return dot(b.half_extent, absolute(n)); }
  double operator()(const Cylinder& c) const {
    return c.radius * std::sqrt(n.x * n.x + n.y * n.y) + c.half_length * std::abs(n.z);
  }
  double operator()(const Capsule& c) const { return c.radius + c.half_length * std::abs(n.z); }
  double operator()(const Frustum& f) const {
    const double across = std::sqrt(n.x * n.x + n.y * n.y);
    return std::max(f.bottom_radius * across + f.bottom * n.z, f.top_radius * across + f.top * n.z);
  }
  double operator()(const Superellipsoid& s) const { return dot(n, support_point(s, n)); }
  double operator()(const Polyhedron& p) const {
    return p.scale * dot(n, p.hull->vertices()[p.hull->farthest(n)]);
  }
  double operator()(const Mesh& m) const { return m.scale * m.mesh->support(n); }
  double operator()(const Hollow& h) const { return (*this)(solid(h)); }
  double operator()(const Clump& c) const {
    double farthest = -std::numeric_limits<double>::infinity();
    for (const ClumpPart& part : c.parts->parts())
      farthest = std::max(farthest, dot(n, part.pose.position) + support(part.shape, part.pose, n));
    return c.scale * farthest;
  }
};

struct Reach {
  Vec3 x, y, z;  ///< axes of the shape's frame, in the inertial frame

  Vec3 operator()(const Sphere& s) const { return {s.radius, s.radius, s.radius}; }
  Vec3 operator()(const HalfSpace&) const { return {kInfinity, kInfinity, kInfinity}; }
  Vec3 operator()(const Box& b) const {
    return b.half_extent.x * absolute(x) + b.half_extent.y * absolute(y) +
           b.half_extent.z * absolute(z);
  }
  Vec3 operator()(const Cylinder& c) const {
    const auto rim = [&](double along) {
      return c.radius * std::sqrt(std::max(0.0, 1 - along * along));
    };
    return Vec3{rim(z.x), rim(z.y), rim(z.z)} + c.half_length * absolute(z);
  }
  Vec3 operator()(const Capsule& c) const {
    return (*this)(Sphere{c.radius}) + c.half_length * absolute(z);
  }
  Vec3 operator()(const auto& shape) const {
    const auto farther = [&](double along_x, double along_y, double along_z) {
      const Vec3 n{along_x, along_y, along_z};
      return std::max(Support{n}(shape), Support{-n}(shape));
    };
    return {farther(x.x, y.x, z.x), farther(x.y, y.y, z.y), farther(x.z, y.z, z.z)};
  }
};

struct Scaled {
  double factor;

  Shape operator()(const Sphere& s) const { return Sphere{factor * s.radius}; }
  Shape operator()(const HalfSpace& s) const { return s; }
  Shape operator()(const Box& b) const { return Box{factor * b.half_extent}; }
  Shape operator()(const Cylinder& c) const {
    return Cylinder{factor * c.radius, factor * c.half_length};
  }
  Shape operator()(const Capsule& c) const {
    return Capsule{factor * c.radius, factor * c.half_length};
  }
  Shape operator()(const Frustum& f) const {
    return Frustum{factor * f.bottom_radius, factor * f.top_radius, factor * f.bottom,
                   factor * f.top};
  }
  Shape operator()(const Superellipsoid& s) const {
    return Superellipsoid{factor * s.semi_axes, s.lateral, s.vertical};
  }
  Shape operator()(const Polyhedron& p) const { return Polyhedron{p.hull, factor * p.scale}; }
  Shape operator()(const Mesh& m) const { return Mesh{m.mesh, factor * m.scale}; }
  Shape operator()(const Hollow& h) const {
    return Hollow{factor * h.bottom_radius, factor * h.top_radius, factor * h.bottom,
                  factor * h.top,           h.closed_bottom,       h.closed_top};
  }
  Shape operator()(const Clump& c) const { return Clump{c.parts, factor * c.scale}; }
};

}  // namespace

double bounding_radius(const Shape& shape) { return std::visit(Bound{}, shape); }

Vec3 reach(const Shape& shape, const Quaternion& orientation) {
  const Reach reach{rotate(orientation, {1, 0, 0}), rotate(orientation, {0, 1, 0}),
                    rotate(orientation, {0, 0, 1})};
  return std::visit(reach, shape);
}

double support(const Shape& shape, const Pose& pose, const Vec3& direction) {
  return std::visit(Support{rotate_back(pose.orientation, direction)}, shape);
}

Shape scaled(const Shape& shape, double factor) { return std::visit(Scaled{factor}, shape); }

}  // namespace scree

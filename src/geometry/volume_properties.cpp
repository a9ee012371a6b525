/// Volume, centre of mass and moments of inertia of each shape.
#include <numbers>
#include <stdexcept>

#include "geometry/superellipsoid.hpp"
#include "scree/geometry/clump.hpp"
#include "scree/geometry/convex_hull.hpp"
#include "scree/geometry/shape.hpp"

namespace scree {
namespace {

using std::numbers::pi;

struct Properties {
  VolumeProperties operator()(const Sphere& s) const {
    const double volume = 4 * pi / 3 * s.radius * s.radius * s.radius,
                 moment = 0.4 * volume * s.radius * s.radius;
    return {volume, {moment, moment, moment}, {}};
  }
  VolumeProperties operator()(const HalfSpace&) const {
    throw std::domain_error("a half-space has no finite volume");
  }
  VolumeProperties operator()(const Box& b) const {
    const Vec3 a = b.half_extent;
    const double volume = 8 * a.x * a.y * a.z;
    return {volume,
            volume / 3 * Vec3{a.y * a.y + a.z * a.z, a.z * a.z + a.x * a.x, a.x * a.x + a.y * a.y},
            {}};
  }
  VolumeProperties operator()(const Cylinder& c) const {
    const double r2 = c.radius * c.radius, volume = 2 * pi * r2 * c.half_length;
    const double across = volume * (r2 / 4 + c.half_length * c.half_length / 3);
    return {volume, {across, across, volume * r2 / 2}, {}};
  }
  VolumeProperties operator()(const Capsule& c) const {
    // Sum of a cylinder and two half spheres, whose centres of mass lie 3/8 of a radius outside the
    // cylinder's ends.
    const VolumeProperties middle = (*this)(Cylinder{c.radius, c.half_length}),
                           ball = (*this)(Sphere{c.radius});
    const double offset = c.half_length + 0.375 * c.radius;
    const double own = ball.inertia.x - ball.volume * 0.375 * c.radius * 0.375 * c.radius;
    const double across = middle.inertia.x + own + ball.volume * offset * offset;
    return {middle.volume + ball.volume, {across, across, middle.inertia.z + ball.inertia.z}, {}};
  }
  VolumeProperties operator()(const Frustum& f) const {
    // Integrals ∫ z^k r(z)^j dz over the height, with r linear in z, are sums of products of the
    // two radii.
    const double a = f.bottom_radius, b = f.top_radius, h = f.top - f.bottom;
    const double volume = pi * h / 3 * (a * a + a * b + b * b);
    const double first = pi * h * h / 12 * (a * a + 2 * a * b + 3 * b * b);  // ∫ z dV from bottom
    const double second = pi * h * h * h / 30 * (a * a + 3 * a * b + 6 * b * b);  // ∫ z² dV
    const double fourth =
        a * a * a * a + a * a * a * b + a * a * b * b + a * b * b * b + b * b * b * b;
    const double axial = pi * h / 10 * fourth, centre = first / volume;
    const double across = axial / 2 + second - volume * centre * centre;
    return {volume, {across, across, axial}, {0, 0, f.bottom + centre}};
  }
  VolumeProperties operator()(const Superellipsoid& s) const { return scree::volume_properties(s); }
  VolumeProperties operator()(const Polyhedron& p) const {
    const double s3 = p.scale * p.scale * p.scale;
    return {s3 * p.hull->volume(), s3 * p.scale * p.scale * p.hull->inertia(), {}};
  }
  VolumeProperties operator()(const Clump& c) const {
    const double s3 = c.scale * c.scale * c.scale;
    return {s3 * c.parts->volume(), s3 * c.scale * c.scale * c.parts->inertia(), {}};
  }
  VolumeProperties operator()(const Mesh&) const {
    throw std::domain_error("a surface of triangles has no volume");
  }
  VolumeProperties operator()(const Hollow&) const {
    throw std::domain_error("a shell has no volume");
  }
};

}  // namespace

VolumeProperties volume_properties(const Shape& shape) { return std::visit(Properties{}, shape); }

}  // namespace scree

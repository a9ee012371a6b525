// Prototypes of solid bodies: centre of mass, principal axes and moments of a shape.
#include "scree/sim/solid_prototype.hpp"

namespace scree {
namespace {

/// Shape with its centre of mass at its origin. Only frusta have theirs elsewhere.
Shape centred(const Shape& shape, const Vec3& centre) {
  const auto* frustum = std::get_if<Frustum>(&shape);
  if (!frustum) return shape;
  return Frustum{frustum->bottom_radius, frustum->top_radius, frustum->bottom - centre.z,
                 frustum->top - centre.z};
}

/// Divides all lengths by the bounding radius, instead of multiplying by 1 / radius, so that
/// similar shapes are equal to the bit.
struct AtUnitRadius {
  double radius;

  Shape operator()(const Sphere&) const { return Sphere{1}; }
  Shape operator()(const Box& s) const { return Box{s.half_extent / radius}; }
  Shape operator()(const Cylinder& s) const {
    return Cylinder{s.radius / radius, s.half_length / radius};
  }
  Shape operator()(const Capsule& s) const {
    return Capsule{s.radius / radius, s.half_length / radius};
  }
  Shape operator()(const Frustum& s) const {
    return Frustum{s.bottom_radius / radius, s.top_radius / radius, s.bottom / radius,
                   s.top / radius};
  }
  Shape operator()(const Superellipsoid& s) const {
    return Superellipsoid{s.semi_axes / radius, s.lateral, s.vertical};
  }
  Shape operator()(const Polyhedron& s) const { return Polyhedron{s.hull, 1}; }
  Shape operator()(const Clump& s) const { return Clump{s.parts, 1}; }
  Shape operator()(const auto& surface) const { return surface; }
};

bool is_none(const Pose& pose) {
  return pose.position == Vec3{} && pose.orientation == Quaternion{};
}

}  // namespace

SolidPrototype solid_prototype(const Shape& shape) {
  const Vec3 centre = volume_properties(shape).centre;
  const Shape about_centre = centred(shape, centre);
  const double radius = bounding_radius(about_centre);
  const Shape unit = std::visit(AtUnitRadius{radius}, about_centre);
  const VolumeProperties properties = volume_properties(unit);
  return {{unit, properties.inertia / properties.volume, {centre / radius, {}}}, radius};
}

SolidPrototype solid_prototype(const PlacedHull& placed) {
  SolidPrototype solid = solid_prototype(Polyhedron{placed.hull.get(), placed.size});
  solid.prototype.in_shape = {placed.pose.position / placed.size, placed.pose.orientation};
  return solid;
}

SolidPrototype solid_prototype(const PlacedClump& placed) {
  SolidPrototype solid = solid_prototype(Clump{placed.clump.get(), placed.size});
  solid.prototype.in_shape = {placed.pose.position / placed.size, placed.pose.orientation};
  return solid;
}

Pose body_pose(const Prototype& prototype, double radius, const Pose& shape_pose) {
  const Pose& own = prototype.in_shape;
  if (is_none(own)) return shape_pose;
  return moved(shape_pose, {radius * own.position, own.orientation});
}

Pose shape_pose(const Prototype& prototype, double radius, const Pose& body_pose) {
  const Pose& own = prototype.in_shape;
  if (is_none(own)) return body_pose;
  const Quaternion back = conjugate(own.orientation);
  return moved(body_pose, {rotate(back, -radius * own.position), back});
}

}  // namespace scree

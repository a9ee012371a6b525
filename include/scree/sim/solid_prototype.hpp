/// Free bodies of any convex shape, and clumps of them: what a shape's own frame is to the body's,
/// and its inertia.
///
/// A body's frame stands in its centre of mass, along principal axes; a shape's frame is where its
/// numbers are simplest. Users place shapes, and the engine moves bodies.
#pragma once

#include "scree/geometry/clump.hpp"
#include "scree/geometry/convex_hull.hpp"
#include "scree/sim/model.hpp"

namespace scree {

/// A solid body of a shape.
struct SolidPrototype {
  Prototype prototype;
  double radius;  ///< of the bounding sphere about the centre of mass [m]
};
/// Throws std::domain_error for a half-space and for surfaces, which have no volume.
SolidPrototype solid_prototype(const Shape& shape);
/// Placed by the frame of the points; the model has to keep the hull, in `Model::hulls`.
SolidPrototype solid_prototype(const PlacedHull& placed);
SolidPrototype solid_prototype(PlacedHull&&) = delete;  // nobody would keep it
/// Placed by the frame of the parts; the model has to keep the clump, in `Model::clumps`.
SolidPrototype solid_prototype(const PlacedClump& placed);
SolidPrototype solid_prototype(PlacedClump&&) = delete;  // nobody would keep it

/// Where a body stands whose shape stands at `shape_pose`; `radius` is the body's [m].
Pose body_pose(const Prototype& prototype, double radius, const Pose& shape_pose);
/// And back: where the shape's own frame stands.
Pose shape_pose(const Prototype& prototype, double radius, const Pose& body_pose);

}  // namespace scree

/// Prototypes of free bodies: the frame of a shape relative to the body's, and the inertia of
/// convex shapes and clumps.
///
/// A body's frame is at its centre of mass, along principal axes; a shape's frame is where its
/// numbers are simplest. Users position shapes, and the engine moves bodies.
#pragma once

#include "scree/geometry/clump.hpp"
#include "scree/geometry/convex_hull.hpp"
#include "scree/sim/model.hpp"

namespace scree {

/// Solid body of a shape.
struct SolidPrototype {
  Prototype prototype;
  double radius;  ///< radius of the bounding sphere about the centre of mass [m]
};
/// Throws std::domain_error for half-spaces and surfaces, which have no volume.
SolidPrototype solid_prototype(const Shape& shape);
/// Uses the frame of the points; the model has to keep the hull, in `Model::hulls`.
SolidPrototype solid_prototype(const PlacedHull& placed);
SolidPrototype solid_prototype(PlacedHull&&) = delete;  // the hull would be lost
/// Uses the frame of the parts; the model has to keep the clump, in `Model::clumps`.
SolidPrototype solid_prototype(const PlacedClump& placed);
SolidPrototype solid_prototype(PlacedClump&&) = delete;  // the clump would be lost

/// Pose of a body whose shape has `shape_pose`; `radius` is the body's [m].
Pose body_pose(const Prototype& prototype, double radius, const Pose& shape_pose);
/// Pose of the shape's frame: the inverse of body_pose.
Pose shape_pose(const Prototype& prototype, double radius, const Pose& body_pose);

}  // namespace scree

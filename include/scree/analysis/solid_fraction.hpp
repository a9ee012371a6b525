/// How much of a region is filled with bodies, exactly.
#pragma once

#include <span>

#include "scree/analysis/region.hpp"
#include "scree/geometry/shape.hpp"
#include "scree/math/vec3.hpp"
#include "scree/sim/model.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// Volume of the part of a sphere that lies in a region [m³], in closed form: the error is a few
/// roundings of the volume of the whole sphere, wherever the faces cut. The sphere: centre [m],
/// radius [m] > 0, both finite.
double sphere_box_overlap(const Vec3& centre, double radius, const Region& region);

/// The same of a box. The error is a few roundings of the volume of the whole box.
double box_overlap(const Box& box, const Pose& pose, const Region& region);

/// A body as the part of space that it fills.
struct Solid {
  Shape shape;  ///< a sphere or a box
  Pose pose;

  /// Half edges [m] of the smallest box along the axes that holds it.
  Vec3 reach() const { return scree::reach(shape, pose.orientation); }
  /// Volume of the part that lies in a region [m³].
  double overlap(const Region& region) const;
};
/// Of a body, by its number.
Solid solid_of(const Bodies& bodies, std::span<const Prototype> prototypes, std::size_t body);

/// The part of a region's volume that bodies fill [-]. Where bodies overlap each other, both count.
/// 0 if the region is empty.
double solid_fraction(const Bodies& bodies, std::span<const Prototype> prototypes,
                      const Region& region);

/// The part of a region's volume that spheres fill [-]. Where spheres overlap each other, both
/// count. 0 if the region is empty.
double solid_fraction(std::span<const Vec3> position, std::span<const double> radius,
                      const Region& region);

}  // namespace scree

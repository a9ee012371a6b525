/// How much of a region is filled with bodies.
#pragma once

#include <span>
#include <vector>

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

/// A body as the part of space that it fills.
class Solid {
 public:
  /// Of finite volume.
  Solid(const Shape& shape, const Pose& pose);

  /// A box along the axes that holds it: the smallest there is.
  const Region& bounds() const { return bounds_; }
  /// Volume of the part that lies in a region [m³]. The error is a few roundings of the volume of
  /// the whole body if that is a sphere, a box or a polyhedron. Others are seen as polyhedra of the
  /// same volume: then, where the region cuts the body, the error is up to a thousandth of it. Of a
  /// clump each part counts by its share of the volume: where the region cuts it, what parts have
  /// in common is spread over all of them.
  double overlap(const Region& region) const;

 private:
  double overlap_of_parts(const Clump& clump, const Region& region) const;

  Shape shape_;
  Pose pose_;
  double volume_;  ///< [m³]
  Region bounds_;
  mutable std::vector<std::vector<Vec3>> faces_;  ///< in space; made when a region cuts the body
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

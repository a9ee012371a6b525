/// Filled fraction of a region.
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

/// The space that a body fills.
class Solid {
 public:
  /// Requires a finite volume.
  Solid(const Shape& shape, const Pose& pose);

  /// Smallest box along the axes that contains the body.
  const Region& bounds() const { return bounds_; }
  /// Volume of the part that lies in a region [m³]. The error is a few roundings of the volume of
  /// the whole body if that is a sphere, a box or a polyhedron. Other shapes are approximated by
  /// polyhedra of the same volume: then, if the region cuts the body, the error is up to a
  /// thousandth of it. In a clump each part counts by its share of the volume: if the region cuts
  /// the clump, the overlap of parts is spread over all of them.
  double overlap(const Region& region) const;

 private:
  double overlap_of_parts(const Clump& clump, const Region& region) const;

  Shape shape_;
  Pose pose_;
  double volume_;  ///< [m³]
  Region bounds_;
  /// in space; computed when a region first cuts the body
  mutable std::vector<std::vector<Vec3>> faces_;
};
/// Solid of a body, by its index.
Solid solid_of(const Bodies& bodies, std::span<const Prototype> prototypes, std::size_t body);

/// Fraction of a region's volume filled by bodies [-]. Overlaps of bodies count twice. 0 if the
/// region is empty.
double solid_fraction(const Bodies& bodies, std::span<const Prototype> prototypes,
                      const Region& region);

/// Fraction of a region's volume filled by spheres [-]. Overlaps of spheres count twice. 0 if the
/// region is empty.
double solid_fraction(std::span<const Vec3> position, std::span<const double> radius,
                      const Region& region);

}  // namespace scree

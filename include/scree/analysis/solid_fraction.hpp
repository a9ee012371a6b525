/// How much of a region is filled with spheres, exactly.
#pragma once

#include <span>

#include "scree/analysis/region.hpp"
#include "scree/math/vec3.hpp"

namespace scree {

/// Volume of the part of a sphere that lies in a region [m³], in closed form: the error is a few roundings of the volume of
/// the whole sphere, wherever the faces cut. The sphere: centre [m], radius [m] > 0, both finite.
double sphere_box_overlap(const Vec3& centre, double radius, const Region& region);

/// The part of a region's volume that spheres fill [-]. Where spheres overlap each other, both count. 0 if the region is empty.
double solid_fraction(std::span<const Vec3> position, std::span<const double> radius, const Region& region);

}  // namespace scree

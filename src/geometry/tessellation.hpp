/// Tessellation of shapes into polygons, for pictures and for volumes cut by planes.
#pragma once

#include <cstdint>
#include <vector>

#include "scree/geometry/shape.hpp"

namespace scree {

/// Closed surface; each face is a loop of corners, counter-clockwise seen from outside.
struct Tessellation {
  std::vector<Vec3> corners;  ///< [m], in the shape's frame
  std::vector<std::vector<std::uint32_t>> faces;
};

/// Boxes, polyhedra, and frusta except for their rims are exact. Curved surfaces get `around`
/// corners around the axis, on the surface, so the polygons lie inside. `around` is a multiple of
/// four. For clumps each part is tessellated, including what other parts hide. Throws
/// std::domain_error for half-spaces and surfaces.
Tessellation tessellation(const Shape& shape, int around);

}  // namespace scree

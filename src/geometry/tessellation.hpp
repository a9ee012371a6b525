/// The surface of a convex shape as polygons, for pictures and for volumes cut by planes.
#pragma once

#include <cstdint>
#include <vector>

#include "scree/geometry/shape.hpp"

namespace scree {

/// Closed; each face a loop of corners, counter-clockwise for who looks at it from outside.
struct Tessellation {
  std::vector<Vec3> corners;  ///< [m], in the shape's frame
  std::vector<std::vector<std::uint32_t>> faces;
};

/// Boxes, frusta but for their rims, and polyhedra are their own tessellation; of what is curved
/// there are `around` corners round the axis, on the surface: the polygons lie inside it. `around`
/// is a multiple of four. Of a clump each part is tessellated, what other parts hide included.
/// Throws std::domain_error for half-spaces and surfaces.
Tessellation tessellation(const Shape& shape, int around);

}  // namespace scree

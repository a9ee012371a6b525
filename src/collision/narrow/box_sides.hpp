/// What a box shows along a direction: faces that a point may lie over, and edges.
#pragma once

#include <array>

#include "scree/math/vec3.hpp"

namespace scree {

/// Axis of the face that lies most nearly across n.
int most_across(const Vec3& n);

/// How far along n the point p lies above a box, both in its axes [m]; false if beside it.
bool height_above(const Vec3& half_extent, const Vec3& p, const Vec3& n, double slack,
                  double& height);

struct BoxEdge {
  int index, axis;
  Vec3 middle;  ///< [m]
};
/// Edges of the face most nearly across n that come within `depth` [m] of the farthest vertex
/// along n.
class FaceEdges {
 public:
  FaceEdges(const Vec3& half_extent, const Vec3& n, double depth);
  int size() const { return count_; }
  const BoxEdge& operator[](int k) const { return edges_[k]; }

 private:
  std::array<BoxEdge, 4> edges_;
  int count_ = 0;
};

}  // namespace scree

/// Visible sides of a box along a direction: faces that a point may lie over, and edges.
#pragma once

#include <array>

#include "scree/math/vec3.hpp"

namespace scree {

/// Axis of the face most nearly orthogonal to n.
int dominant_axis(const Vec3& n);

/// Height of a point above a box along n, both in the box's axes.
class HeightAboveBox {
 public:
  HeightAboveBox(const Vec3& half_extent, const Vec3& n, double slack);
  /// True if p lies over the box; then `height` is its height [m].
  bool operator()(const Vec3& p, double& height) const;

 private:
  /// Face visible along n, and not too nearly edge-on.
  struct Face {
    struct InPlaneAxis {
      int axis;
      double n, reach;
    };
    int across;
    double side, half_extent, cosine;
    std::array<InPlaneAxis, 2> in_plane;
  };
  std::array<Face, 3> faces_;
  int count_ = 0;
};

struct BoxEdge {
  int index, axis;
  Vec3 middle;  ///< [m]
};
/// Edges of the face most nearly orthogonal to n that come within `depth` [m] of the farthest
/// vertex along n.
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

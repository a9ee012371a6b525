/// What a box shows along a direction: faces that a point may lie over, and edges.
#pragma once

#include <array>

#include "scree/math/vec3.hpp"

namespace scree {

/// Axis of the face that lies most nearly across n.
int dominant_axis(const Vec3& n);

/// How far along n a point lies above a box, both in its axes.
class HeightAboveBox {
 public:
  HeightAboveBox(const Vec3& half_extent, const Vec3& n, double slack);
  /// Whether it lies over the box; then `height` is its own [m].
  bool operator()(const Vec3& p, double& height) const;

 private:
  /// One that is seen along n, and not too nearly edge-on.
  struct Face {
    struct Beside {
      int axis;
      double n, reach;
    };
    int across;
    double side, half_extent, cosine;
    std::array<Beside, 2> beside;
  };
  std::array<Face, 3> faces_;
  int count_ = 0;
};

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

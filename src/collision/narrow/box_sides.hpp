/// What a box shows along a direction: faces that a point may lie over, and edges.
#pragma once

#include <array>
#include <cmath>

#include "scree/math/vec3.hpp"

namespace scree {

/// Axis of the face that lies most nearly across n.
int most_across(const Vec3& n);

/// How far along n points lie above a box, both in its axes.
class HeightAboveBox {
 public:
  HeightAboveBox(const Vec3& half_extent, const Vec3& n, double slack);
  /// Returns false if p lies beside the box; else its height [m].
  bool operator()(const Vec3& p, double& height) const {
    const std::array<double, 3> at{p.x, p.y, p.z};
    for (int f = 0; f < count_; ++f) {
      const Face& face = faces_[f];
      const double t = (face.side * at[face.across] - face.half_extent) / face.cosine;
      const auto is_within = [&](const Face::Beside& beside) {
        return std::abs(at[beside.axis] - t * beside.n) <= beside.reach;
      };
      if (!is_within(face.beside[0]) || !is_within(face.beside[1])) continue;
      height = t;
      return true;
    }
    return false;
  }

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

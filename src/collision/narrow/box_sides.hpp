/// What a box shows along a direction: faces that a point may lie over, and edges.
#pragma once

#include <array>

#include "scree/math/vec3_lanes.hpp"

namespace scree {

/// Axis of the face that lies most nearly across n.
int most_across(const Vec3& n);

/// How far along n points lie above a box, both in its axes.
class HeightAboveBox {
 public:
  HeightAboveBox(const Vec3& half_extent, const Vec3& n, double slack);
  /// Whether points lie over the box, each in its lane; then `height` is theirs [m].
  template <int N>
  LaneMask<N> operator()(const Vec3Lanes<N>& p, Lanes<N>& height) const {
    const std::array<Lanes<N>, 3> at{p.x, p.y, p.z};
    LaneMask<N> found{};
    for (int f = 0; f < count_; ++f) {
      const Face& face = faces_[f];
      const Lanes<N> t = (face.side * at[face.across] - face.half_extent) / face.cosine;
      const auto is_within = [&](const Face::Beside& beside) {
        const Lanes<N> off = at[beside.axis] - t * beside.n;
        return (off <= beside.reach) & (-off <= beside.reach);
      };
      const LaneMask<N> covers = is_within(face.beside[0]) & is_within(face.beside[1]);
      height = found ? height : t;
      found = found | covers;
    }
    return found;
  }
  bool operator()(const Vec3& p, double& height) const {
    return (*this)(Vec3Lanes<1>{p.x, p.y, p.z}, height);
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

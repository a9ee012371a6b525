/// Two rounded boxes, in A's axes and relative to A's centre.
///
/// A core is the box without its radius. The separation of two cores along a unit vector n is the
/// gap between the two planes orthogonal to n that bound A's core from above and B's from below.
/// Its maximum over all n is the distance of separate cores, or minus the depth of overlapping
/// ones.
#pragma once

#include <array>
#include <limits>
#include <optional>

#include "collision/narrow/kernels/boxes.hpp"
#include "collision/narrow/rounded_box.hpp"

namespace scree {

class BoxPair {
 public:
  BoxPair(const RoundedBox& a, const Pose& pose_a, const RoundedBox& b, const Pose& pose_b);

  struct Axis {
    Vec3 normal;        ///< unit, from A to B
    double separation;  ///< separation of the cores [m]
  };
  /// Best of the 15 axes: normals of faces, and normals of pairs of edges.
  struct Axes {
    Axis any;
    Axis face;  ///< best among normals of non-degenerate faces; separation −∞ if there is none
    /// Best among normals of non-degenerate faces of the other body.
    Axis other_face{{}, -std::numeric_limits<double>::infinity()};
  };
  /// Finds the best axes; stops early if the faces show a gap of `margin` [m] or more.
  Axes best_axes(double margin);

  /// Closest points of two separate cores, given their best axis from best_axes().
  struct Closest {
    Axis axis;  ///< along the shortest displacement
    std::uint32_t feature;
    Vec3 on_a, on_b;
  };
  Closest closest_points(const Axis& best) const;

  Vec3 to_b(const Vec3& v) const {
    const Vec3(&axes)[3] = boxes_.axes_of_b;
    return {dot(axes[0], v), dot(axes[1], v), dot(axes[2], v)};
  }
  Vec3 from_b(const Vec3& v) const {
    const Vec3(&axes)[3] = boxes_.axes_of_b;
    return v.x * axes[0] + v.y * axes[1] + v.z * axes[2];
  }
  const kernels::TwoBoxes& boxes() const { return boxes_; }
  const RoundedBox& a() const { return a_; }
  const RoundedBox& b() const { return b_; }
  double radii() const { return a_.radius + b_.radius; }
  double size() const { return size_; }
  double min_half_extent() const;  ///< minimum over both boxes, without zero extents [m]

  /// Support vertices: the farthest of A along n, of B against n.
  Vec3 farthest_of_a(const Vec3& normal) const;
  Vec3 farthest_of_b(const Vec3& normal) const;
  int farthest_vertex_of_b(const Vec3& normal) const;
  Vec3 vertex_of_b(int v) const { return boxes_.centre_of_b + from_b(vertex(b_.half_extent, v)); }

 private:
  template <int k>
  double across_face_of_a() const;  ///< separation [m]
  template <int k>
  double across_face_of_b() const;
  Vec3 normal_across_face(int face) const;
  /// Axis a_i × b_j of a pair of edges. There is none if they are parallel, or if a box has no such
  /// edge.
  struct EdgePair {
    bool has_axis;
    double sine2, apart;  ///< squared length of a_i × b_j [-]; distance of the centres along it [m]
  };
  template <int i, int j>
  EdgePair edge_pair() const;
  template <int i, int j>
  double across_edges(double least) const;  ///< separation [m]; −∞ if less than `least` ≤ 0
  template <int i, int j>
  Vec3 normal_across_edges() const;
  Vec3 normal_across_edges(int pair) const;
  /// Closest points found so far; the normal of their axis is not normalised: it is the
  /// displacement between them.
  struct Shortest {
    Closest points;
    double distance2;  ///< [m²]
    int extent;  ///< dimension of the features that meet: 0 for vertices, 2 for a face or two edges
  };
  static bool is_shorter(double distance2, int extent, const Shortest& best);
  Shortest shortest_to_vertices() const;
  void try_edges(const Vec3& n, int i, int j, Shortest& best) const;

  RoundedBox a_, b_;
  kernels::TwoBoxes boxes_;
  std::array<double, 9> across_;  ///< separations across pairs of edges, 3 i + j [m]
  double size_;                   ///< size of the smaller box [m] > 0
};

/// Axis along which points are searched. In an overlap it is a face's normal unless another axis is
/// clearly better: by a twentieth, or by a thousandth of the thinner shape's `extent` [m].
BoxPair::Axis chosen_axis(const BoxPair::Axes& axes, double extent);
/// Normal between those of two faces, for two edges that touch along a line. There each adjacent
/// face separates the bodies, and so does every plane between the two faces. The result is the mean
/// where both faces separate equally well. Empty unless their separations differ by less than
/// kTouching of the smaller shape's `size` [m], and unless the faces differ by more than 2° and
/// less than 80°: between the corners of two bricks of one wall, the face carries the load.
std::optional<Vec3> normal_between_faces(const BoxPair::Axes& axes, double size);
/// True if a separation between faces is hardly less than the best [m].
bool is_nearly_best(double separation, double best, double size);
/// True if the points along an axis show the overlap of the best axis: the face may lie beside it
/// [m].
bool shows_overlap(double min_gap, double best_gap, double extent);

/// Kernels for the widest instruction set of this machine.
const kernels::BoxKernels& box_kernels();

/// Index of the edge of a box along axis k through vertex v, whose bit k is ignored: 0–11.
inline int edge_index(int k, int v) {
  const int other = (k + 1) % 3, third = (k + 2) % 3;
  return 4 * k + ((v >> other) & 1) + 2 * ((v >> third) & 1);
}
inline std::uint32_t vertex_feature_of_a(int v) { return v; }
inline std::uint32_t vertex_feature_of_b(int v) { return 8 + v; }
inline std::uint32_t edges_feature(int edge_of_a, int edge_of_b) {
  return 16 + 12 * edge_of_a + edge_of_b;
}

}  // namespace scree

/// Two rounded boxes as A sees them: in A's axes, from A's centre.
///
/// "Core" is the box without its radius. Its separation along a unit vector n is the width of the
/// gap between the two planes across n that hold A's core below and B's above; the greatest over
/// all n is the distance if the cores are apart, and less the depth if they overlap.
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
    double separation;  ///< of the cores [m]
  };
  /// The best of the 15 axes across faces and across pairs of edges.
  struct Axes {
    Axis any;
    Axis face;  ///< the best of those across a true face; separation −∞ if there is none
    /// The best of those across a true face of the body that `face` is none of.
    Axis other_face{{}, -std::numeric_limits<double>::infinity()};
  };
  /// Looks no further once the faces show a gap of `margin` [m] or more.
  Axes best_axes(double margin);

  /// Closest points of two cores, whose best axis, as best_axes found it, has a positive
  /// separation.
  struct Closest {
    Axis axis;  ///< along the shortest way
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
  double min_half_extent() const;  ///< of both, those that are zero left out [m]

  /// Support vertices: the farthest of A along n, of B against it.
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
  /// Along a_i × b_j. They have none where the two are parallel, or a box has no such edge.
  struct EdgePair {
    bool has_axis;
    double sine2, apart;  ///< squared length of a_i × b_j [-]; of the centres along it [m]
  };
  template <int i, int j>
  EdgePair edge_pair() const;
  template <int i, int j>
  double across_edges(double least) const;  ///< separation [m]; −∞ if less than `least` ≤ 0
  template <int i, int j>
  Vec3 normal_across_edges() const;
  Vec3 normal_across_edges(int pair) const;
  /// The closest points found so far; the normal of their axis is the whole way between them.
  struct Shortest {
    Closest points;
    double distance2;  ///< [m²]
    int extent;        ///< of the parts that meet: 0 for vertices, 2 for a face or two edges
  };
  static bool is_shorter(double way2, int extent, const Shortest& best);
  Shortest shortest_to_vertices() const;
  void try_edges(const Vec3& n, int i, int j, Shortest& best) const;

  RoundedBox a_, b_;
  kernels::TwoBoxes boxes_;
  std::array<double, 9> across_;  ///< separations across pairs of edges, 3 i + j [m]
  double size_;                   ///< of the smaller [m] > 0
};

/// The axis along which points are looked for: in an overlap a face where another axis is hardly
/// better, by a twentieth or by a thousandth of the thinner shape's `extent` [m].
BoxPair::Axis chosen_axis(const BoxPair::Axes& axes, double extent);
/// Where two edges touch along a line, each face beside them parts the bodies, and so does every
/// plane between the two faces: the normal between theirs, the middle where they part equally well.
/// None unless their separations differ by less than kTouching of the smaller shape's `size` [m],
/// and none where the faces are the same to 2° or more than 80° apart: between the corners of two
/// bricks of one wall the face is what they stand on.
inline constexpr double kTouching = 1e-4;
std::optional<Vec3> normal_between_faces(const BoxPair::Axes& axes, double size);
/// Whether a separation between faces is hardly less than the best [m].
bool is_as_good(double separation, double best, double size);
/// Whether the points along it show the overlap of the best axis: the face may lie beside it [m].
bool shows_overlap(double min_gap, double best_gap, double extent);

/// For the widest instruction set that this machine has.
const kernels::BoxKernels& box_kernels();

/// Edge of a box along axis k through vertex v, whose bit k is left out: 0–11.
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

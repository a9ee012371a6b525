/// Separation of two convex polyhedra.
///
/// The maximum separation over all directions is the distance, or minus the depth of an overlap.
/// For an overlap it is attained along a face's normal, or orthogonal to two edges whose arcs on
/// the Gauss map cross. The arc of an edge consists of the normals between those of its two faces.
/// Edges whose arcs do not cross can be skipped.
///
/// Most faces and edges are pruned first: a ball fits into each shape, so no separation along n
/// exceeds that of the other shape's middle minus the radius of its ball.
#include "collision/narrow/hull_separation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "collision/narrow/kernels/hulls.hpp"
#include "scree/core/unset_array.hpp"
#include "scree/geometry/convex_hull.hpp"

namespace scree {
namespace {

constexpr double kHullRounding = 1e-13;  // fraction of the size: closer hulls touch
constexpr int kMaxFaces = 256, kMaxEdges = kernels::kBits;

/// Edge, and the normals of its faces. Those of B are reversed, so that crossing arcs have a common
/// normal from A to B.
struct Arc {
  Vec3 first, second, across;  ///< across: second × first
  Vec3 from, along;            ///< [m]
};
bool cross_each_other(const Arc& a, const Arc& b) {
  const double b_first = dot(b.first, a.across), b_second = dot(b.second, a.across);
  const double a_first = dot(a.first, b.across), a_second = dot(a.second, b.across);
  return (b_first * b_second < 0) & (a_first * a_second < 0) & (b_first * a_second > 0);
}

/// Placed hull, with the heights of another shape's middle above its faces.
class PlacedFaces {
 public:
  PlacedFaces(const ConvexCore& core, const ConvexCore& other)
      : core_(core), hull_(*core.polyhedron()->hull), scale_(core.polyhedron()->scale) {
    const Vec3 displacement = core.to_core(other.centre() - core.centre());
    nearest_ = hull_.heights_above_faces(displacement, scale_, {beyond_.data(), kMaxFaces});
  }
  /// Keeps the faces that may be separated by more than `least`, themselves or by their edges.
  void keep_beyond(double least) {
    const double enough = least > 0 ? least / hull_.sharpness() : least;
    std::array<std::uint64_t, kMaxFaces / kernels::kBits> above;
    const auto faces = static_cast<int>(hull_.faces().size());
    hull_kernels().faces_above(beyond_.data(), faces, enough, above.data());
    kept_ = 0;
    for (int first = 0; first < faces; first += kernels::kBits)
      for_each_bit(above[first / kernels::kBits], [&](int k) { face_[kept_++] = first + k; });
    enough_ = enough;
  }
  std::span<const std::uint32_t> kept() const { return {face_.data(), kept_}; }
  bool is_kept(std::uint32_t face) const { return beyond_[face] > enough_; }

  const ConvexCore& core() const { return core_; }
  const ConvexHull& hull() const { return hull_; }
  double inscribed_radius() const { return scale_ * hull_.inscribed_radius(); }
  /// Face above which the other's middle is highest; height of the middle above a face [m].
  std::uint32_t nearest() const { return nearest_; }
  double beyond(std::uint32_t face) const { return beyond_[face]; }
  /// True if the other's middle is more than `least` [m] above a plane through the edge, between
  /// those of its faces.
  bool is_beyond(const ConvexHull::Edge& edge, double least) const {
    // Compute both cases, then choose: the branch would be nearly random.
    const double first = beyond_[edge.face[0]], second = beyond_[edge.face[1]], c = edge.cosine;
    const double from_edge2 = first * first + second * second - 2 * c * first * second;
    const bool is_between = (first > c * second) & (second > c * first);
    const bool edge_is = (least < 0) | (from_edge2 > least * least * (1 - c * c));
    const bool face_is = (first > least) | (second > least);
    return is_between ? edge_is : face_is;
  }
  /// Arc of an edge, reversed if the side is −1.
  Arc arc(const ConvexHull::Edge& edge, double side) const {
    const Vec3 first = side * normal(edge.face[0]), second = side * normal(edge.face[1]);
    const Vec3 from = vertex(edge.end[0]);
    return {first, second, cross(second, first), from, vertex(edge.end[1]) - from};
  }
  Vec3 normal(std::uint32_t face) const { return core_.from_core(hull_.faces()[face].normal); }
  Vec3 vertex(std::uint32_t v) const {
    return core_.centre() + core_.from_core(scale_ * hull_.vertices()[v]);
  }
  bool covers(std::uint32_t face, const Vec3& p) const {
    const ConvexHull::Face& of = hull_.faces()[face];
    const Vec3 at = core_.to_core(p - core_.centre());
    const auto loop = hull_.loop(of);
    Vec3 from = scale_ * hull_.vertices()[loop.back()];
    for (const std::uint16_t v : loop) {
      const Vec3 to = scale_ * hull_.vertices()[v];
      if (dot(cross(of.normal, to - from), at - from) < 0) return false;
      from = to;
    }
    return true;
  }

 private:
  const ConvexCore& core_;
  const ConvexHull& hull_;
  double scale_;
  UnsetArray<double, kMaxFaces> beyond_;
  UnsetArray<std::uint32_t, kMaxFaces> face_;
  std::size_t kept_ = 0;
  double enough_ = 0;
  std::uint32_t nearest_ = 0;
};

class TwoHulls {
 public:
  TwoHulls(const ConvexCore& a, const ConvexCore& b) : a_(a, b), b_(b, a) {}

  std::optional<HullSeparation> separation(double enough) {
    try_face(a_, b_, a_.nearest(), 1);
    try_face(b_, a_, b_.nearest(), -1);
    if (best_.distance >= enough) return HullSeparation{best_, {}, {}, true};
    a_.keep_beyond(best_.distance + b_.inscribed_radius());
    b_.keep_beyond(best_.distance + a_.inscribed_radius());
    try_faces(a_, b_, 1);
    try_faces(b_, a_, -1);
    if (best_.distance >= enough) return HullSeparation{best_, {}, {}, true};
    const BoxPair::Axis face{best_.normal, best_.distance};
    const BoxPair::Axis other_face = parts_ == Parts::face_of_a ? face_of_b_ : face_of_a_;
    if (!std::isfinite(face.separation)) return {};  // NaN poses
    const Edges of_a = edges_beyond(a_, b_), of_b = edges_beyond(b_, a_);
    if (of_a.count > kMaxEdges || of_b.count > kMaxEdges) return {};
    try_edges(of_a, of_b);
    const double rounding = kHullRounding * std::min(a_.core().size(), b_.core().size());
    const bool is_distance =
        best_.distance <= rounding || best_.distance >= enough || is_attained();
    return HullSeparation{best_, face, other_face, is_distance};
  }

 private:
  enum class Parts : std::uint8_t { face_of_a, face_of_b, edges };

  void try_face(const PlacedFaces& one, const PlacedFaces& other, std::uint32_t face, double side) {
    const Vec3 n = one.normal(face), corner = other.core().support(-n);
    const double distance = one.beyond(face) + dot(n, corner - other.core().centre());
    if (BoxPair::Axis& own = side > 0 ? face_of_a_ : face_of_b_; distance > own.separation)
      own = {side * n, distance};
    if (!(distance > best_.distance)) return;
    const Vec3 foot = corner - distance * n;
    best_ = {side * n, distance, side > 0 ? foot : corner, side > 0 ? corner : foot};
    parts_ = side > 0 ? Parts::face_of_a : Parts::face_of_b;
    face_ = face;
  }
  void try_faces(const PlacedFaces& one, const PlacedFaces& other, double side) {
    for (const std::uint32_t f : one.kept())
      if (f != one.nearest() && one.beyond(f) - other.inscribed_radius() > best_.distance)
        try_face(one, other, f, side);
  }

  /// Edges whose separation may be greater; a count above kMaxEdges means too many.
  struct Edges {
    UnsetArray<std::uint32_t, kMaxEdges + 1> edge;
    int count = 0;
  };
  Edges edges_beyond(const PlacedFaces& one, const PlacedFaces& other) const {
    Edges edges;
    const double least = best_.distance + other.inscribed_radius();
    for (const std::uint32_t f : one.kept())
      for (const std::uint32_t e : one.hull().edges_of(one.hull().faces()[f])) {
        const ConvexHull::Edge& edge = one.hull().edges()[e];
        const bool is_second = f == edge.face[1], first_is_kept = one.is_kept(edge.face[0]),
                   is_beyond = one.is_beyond(edge, least);
        edges.edge[std::min(edges.count, kMaxEdges)] = e;
        edges.count += is_beyond & !(is_second & first_is_kept);  // otherwise it was counted there
      }
    return edges;
  }

  /// Finds crossing arcs first, branch-free, since the outcome is nearly random.
  void try_edges(const Edges& of_a, const Edges& of_b) {
    UnsetArray<Arc, kMaxEdges> arcs;
    for (int k = 0; k < of_b.count; ++k) arcs[k] = b_.arc(b_.hull().edges()[of_b.edge[k]], -1);
    for (int k = 0; k < of_a.count; ++k) {
      const Arc arc = a_.arc(a_.hull().edges()[of_a.edge[k]], 1);
      std::uint64_t crossing = 0;
      for (int j = 0; j < of_b.count; ++j)
        crossing |= std::uint64_t{cross_each_other(arc, arcs[j])} << j;
      for_each_bit(crossing, [&](int j) { try_edges(arc, arcs[j]); });
    }
  }
  /// Tries two edges whose arcs cross.
  void try_edges(const Arc& a, const Arc& b) {
    constexpr double kParallel = 1e-20;  // sine squared, below which a face is as good
    Vec3 n = cross(a.along, b.along);
    const double length2 = squared_norm(n);
    if (!(length2 > kParallel * squared_norm(a.along) * squared_norm(b.along))) return;
    n = std::copysign(1 / std::sqrt(length2), dot(n, a.first + a.second)) * n;
    const Vec3 displacement = b.from - a.from;
    const double distance = dot(n, displacement);
    if (!(distance > best_.distance)) return;
    const Vec3 across = cross(a.along, b.along);
    s_ = dot(cross(displacement, b.along), across) / length2;
    t_ = dot(cross(displacement, a.along), across) / length2;
    const Vec3 on_a = a.from + s_ * a.along;
    best_ = {n, distance, on_a, on_a + distance * n};
    parts_ = Parts::edges;
  }

  /// True if both hulls have points at the ends of the separation: then it is the distance.
  bool is_attained() const {
    if (parts_ == Parts::edges) return s_ >= 0 && s_ <= 1 && t_ >= 0 && t_ <= 1;
    return parts_ == Parts::face_of_a ? a_.covers(face_, best_.on_b) : b_.covers(face_, best_.on_a);
  }

  PlacedFaces a_, b_;
  CoreDistance best_{{}, -std::numeric_limits<double>::infinity(), {}, {}};
  BoxPair::Axis face_of_a_{{}, best_.distance}, face_of_b_{{}, best_.distance};
  Parts parts_ = Parts::edges;
  std::uint32_t face_ = 0;
  double s_ = 0, t_ = 0;  ///< parameters on two edges
};

}  // namespace

std::optional<HullSeparation> separation_of_hulls(const ConvexCore& a, const ConvexCore& b,
                                                  double enough) {
  const auto is_small = [](const ConvexCore& core) {
    return core.polyhedron() && core.polyhedron()->hull->faces().size() <= kMaxFaces;
  };
  if (!is_small(a) || !is_small(b)) return {};
  return TwoHulls(a, b).separation(enough);
}

}  // namespace scree

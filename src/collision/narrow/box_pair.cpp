#include "collision/narrow/box_pair.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace scree {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Closer than this, of the size, the difference of two points has no direction for rounding [-].
constexpr double kTouch = 1e-10;

double sign(double x) { return x < 0 ? -1 : 1; }
Vec3 absolute(const Vec3& v) { return {std::abs(v.x), std::abs(v.y), std::abs(v.z)}; }
double largest(const Vec3& v) { return std::max({v.x, v.y, v.z}); }
Vec3 unit_vector(int k) { return {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0}; }
Vec3 clamped(const Vec3& p, const Vec3& half_extent) {
  return {std::clamp(p.x, -half_extent.x, half_extent.x),
          std::clamp(p.y, -half_extent.y, half_extent.y),
          std::clamp(p.z, -half_extent.z, half_extent.z)};
}
/// Of the vertex that is the farthest along n.
int farthest_vertex(const Vec3& n) { return (n.x > 0) + 2 * (n.y > 0) + 4 * (n.z > 0); }

/// Vertices at +half_extent along each axis.
constexpr VertexSet kFarSide[] = {0xAA, 0xCC, 0xF0};

bool is_face(const Vec3& half_extent, int k) {
  return half_extent[(k + 1) % 3] > 0 && half_extent[(k + 2) % 3] > 0;
}

}  // namespace

VertexSet vertices_at_their_own_place(const Vec3& half_extent) {
  VertexSet set = 0xFF;
  for (int k = 0; k < 3; ++k)
    if (half_extent[k] == 0) set &= ~kFarSide[k];
  return set;
}

VertexSet seen_vertices(const Vec3& half_extent, const Vec3& n) {
  constexpr double kUpright = 0.1;  // cosine of a face that is seen edge-on [-]
  VertexSet set = 0;
  for (int k = 0; k < 3; ++k)
    if (std::abs(n[k]) > kUpright)
      set |= half_extent[k] == 0 ? 0xFF : n[k] > 0 ? kFarSide[k] : ~kFarSide[k];
  return set & vertices_at_their_own_place(half_extent);
}

BoxPair::Axis chosen_axis(const BoxPair::Axes& axes, double extent) {
  constexpr double kRelative = 1.05, kAbsolute = 1e-3;
  const double enough = kRelative * axes.any.separation - kAbsolute * extent;
  const bool has_face = axes.face.separation > -kInfinity;
  return axes.any.separation <= 0 && has_face && axes.face.separation >= enough ? axes.face
                                                                                : axes.any;
}

bool shows_overlap(double least_gap, double best_gap, double extent) {
  constexpr double kRelative = 0.05, kAbsolute = 1e-6;
  return least_gap <= best_gap + kRelative * std::abs(best_gap) + kAbsolute * extent;
}

BoxPair::BoxPair(const RoundedBox& a, const Pose& pose_a, const RoundedBox& b, const Pose& pose_b)
    : a_(a),
      b_(b),
      centre_of_b_(rotate_back(pose_a.orientation, pose_b.position - pose_a.position)),
      size_(std::min(largest(a.half_extent) + a.radius, largest(b.half_extent) + b.radius)) {
  const Quaternion turn = conjugate(pose_a.orientation) * pose_b.orientation;
  for (int k = 0; k < 3; ++k) axes_of_b_[k] = rotate(turn, unit_vector(k));
}

double BoxPair::least_half_extent() const {
  double least = size_;
  for (int k = 0; k < 3; ++k)
    for (const double h : {a_.half_extent[k], b_.half_extent[k]})
      if (h > 0) least = std::min(least, h);
  return least;
}

Vec3 BoxPair::farthest_of_a(const Vec3& normal) const {
  return vertex(a_.half_extent, farthest_vertex(normal));
}
int BoxPair::farthest_vertex_of_b(const Vec3& normal) const {
  return farthest_vertex(-to_b(normal));
}
Vec3 BoxPair::farthest_of_b(const Vec3& normal) const {
  return centre_of_b_ + from_b(vertex(b_.half_extent, farthest_vertex_of_b(normal)));
}

template <int k>
BoxPair::Axis BoxPair::across_face_of_a() const {
  const double apart = centre_of_b_[k];
  double reach = a_.half_extent[k];
  for (int j = 0; j < 3; ++j) reach += b_.half_extent[j] * std::abs(axes_of_b_[j][k]);
  return {sign(apart) * unit_vector(k), std::abs(apart) - reach};
}

template <int k>
BoxPair::Axis BoxPair::across_face_of_b() const {
  const double apart = dot(centre_of_b_, axes_of_b_[k]);
  const double reach = b_.half_extent[k] + dot(a_.half_extent, absolute(axes_of_b_[k]));
  return {sign(apart) * axes_of_b_[k], std::abs(apart) - reach};
}

// e_i × b has no component along e_i, and its components along B's axes are those of e_i, turned.
template <int i, int j>
BoxPair::EdgePair BoxPair::edge_pair() const {
  constexpr double kParallel = 1e-20;  // sine squared: rounding alone makes 1e-32
  constexpr int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
  const Vec3& b = axes_of_b_[j];
  const double sine2 = b[i1] * b[i1] + b[i2] * b[i2];
  return {sine2 > kParallel && a_.half_extent[i] != 0 && b_.half_extent[j] != 0, std::sqrt(sine2),
          centre_of_b_[i2] * b[i1] - centre_of_b_[i1] * b[i2]};
}

template <int i, int j>
double BoxPair::across_edges() const {
  constexpr int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
  const auto [has_axis, length, apart] = edge_pair<i, j>();
  const Vec3& b = axes_of_b_[j];
  const double reach = a_.half_extent[i1] * std::abs(b[i2]) + a_.half_extent[i2] * std::abs(b[i1]) +
                       b_.half_extent[j1] * std::abs(axes_of_b_[j2][i]) +
                       b_.half_extent[j2] * std::abs(axes_of_b_[j1][i]);
  return has_axis ? (std::abs(apart) - reach) / length : -kInfinity;
}

template <int i, int j>
Vec3 BoxPair::normal_across_edges() const {
  constexpr int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
  const auto [has_axis, length, apart] = edge_pair<i, j>();
  Vec3 unit;
  unit[i1] = -sign(apart) * axes_of_b_[j][i2] / length;
  unit[i2] = sign(apart) * axes_of_b_[j][i1] / length;
  return unit;
}

Vec3 BoxPair::normal_across_edges(int pair) const {
  constexpr auto kNormals = []<int... p>(std::integer_sequence<int, p...>) {
    using Normal = Vec3 (BoxPair::*)() const;
    return std::array<Normal, 9>{&BoxPair::normal_across_edges<p / 3, p % 3>...};
  }
  (std::make_integer_sequence<int, 9>());
  return (this->*kNormals[pair])();
}

BoxPair::Axes BoxPair::best_axes(double margin) {
  Axes best{{{}, -kInfinity}, {{}, -kInfinity}};
  const auto consider = [&](const Axis& axis, bool face) {
    if (axis.separation > best.any.separation) best.any = axis;
    if (face && axis.separation > best.face.separation) best.face = axis;
  };
  [&]<int... k>(std::integer_sequence<int, k...>) {
    (consider(across_face_of_a<k>(), is_face(a_.half_extent, k)), ...);
    (consider(across_face_of_b<k>(), is_face(b_.half_extent, k)), ...);
  }
  (std::make_integer_sequence<int, 3>());
  if (best.any.separation - radii() >= margin) return best;
  [&]<int... p>(std::integer_sequence<int, p...>) {
    ((across_[p] = across_edges<p / 3, p % 3>()), ...);
  }
  (std::make_integer_sequence<int, 9>());
  const auto edges = std::ranges::max_element(across_);
  if (*edges > best.any.separation)
    best.any = {normal_across_edges(static_cast<int>(edges - across_.begin())), *edges};
  return best;
}

/// Whether a way of squared length `way2` is the shortest so far. Ways that differ by rounding may
/// differ by its root in direction: then the better is that to the part with the wider extent.
bool BoxPair::is_shorter(double way2, int extent, const Shortest& best) {
  constexpr double kRounding = 1e-13;
  return way2 < (extent > best.extent ? 1 + kRounding : 1 - kRounding) * best.distance2;
}

void BoxPair::try_vertices(Shortest& best) const {
  // Of a vertex, an edge and a face: the directions in which it extends.
  const auto is_better = [&](const Vec3& way_in_other, double& way2, int& extent) {
    way2 = squared_norm(way_in_other);
    extent = (way_in_other.x == 0) + (way_in_other.y == 0) + (way_in_other.z == 0);
    return is_shorter(way2, extent, best);
  };
  double way2;
  int extent;
  for_each_vertex(vertices_at_their_own_place(b_.half_extent), [&](int v) {
    const Vec3 p = centre_of_b_ + from_b(vertex(b_.half_extent, v));
    const Vec3 q = clamped(p, a_.half_extent), way = p - q;
    if (is_better(way, way2, extent))
      best = {{{way, 0}, vertex_feature_of_b(v), q, p}, way2, extent};
  });
  for_each_vertex(vertices_at_their_own_place(a_.half_extent), [&](int v) {
    const Vec3 p = vertex(a_.half_extent, v), p_in_b = to_b(p - centre_of_b_);
    const Vec3 way_in_b = clamped(p_in_b, b_.half_extent) - p_in_b;
    if (!is_better(way_in_b, way2, extent)) return;
    const Vec3 way = from_b(way_in_b);
    best = {{{way, 0}, vertex_feature_of_a(v), p, p + way}, way2, extent};
  });
}

void BoxPair::try_edges(const Vec3& n, int i, int j, Shortest& best) const {
  constexpr double kAcross = 1e-6;  // less, and either of two edges may be the one that meets
  constexpr int kExtent = 2;        // an edge in each box
  const Vec3 n_in_b = to_b(n), e = unit_vector(i), f = axes_of_b_[j], m = cross(e, f);
  const auto undecided = [&](const Vec3& normal, int along_edge) {
    int bits = 0;
    for (int k = 0; k < 3; ++k)
      if (k != along_edge && std::abs(normal[k]) <= kAcross) bits |= 1 << k;
    return bits;
  };
  const int bits_a = undecided(n, i), bits_b = undecided(n_in_b, j);
  for (int flip = 0; flip < 64; ++flip) {
    const int flip_a = flip & 7, flip_b = flip >> 3;
    if ((flip_a & bits_a) != flip_a || (flip_b & bits_b) != flip_b) continue;
    const int v = farthest_vertex(n) ^ flip_a, w = farthest_vertex(-n_in_b) ^ flip_b;
    Vec3 middle_a = vertex(a_.half_extent, v), middle_b = vertex(b_.half_extent, w);
    middle_a[i] = 0;
    middle_b[j] = 0;
    middle_b = centre_of_b_ + from_b(middle_b);
    // middle_a + s e + distance n = middle_b + t f
    const Vec3 r = middle_b - middle_a;
    const double s = dot(m, cross(r, f)) / squared_norm(m);
    const double t = dot(m, cross(r, e)) / squared_norm(m);
    if (std::abs(s) > a_.half_extent[i] || std::abs(t) > b_.half_extent[j]) continue;
    const double along_normal = dot(r, n), distance = std::max(along_normal, 0.0);
    if (along_normal > -kTouch * size_ && is_shorter(distance * distance, kExtent, best))
      best = {{{distance * n, 0},
               edges_feature(edge_index(i, v), edge_index(j, w)),
               middle_a + s * e,
               middle_b + t * f},
              distance * distance,
              kExtent};
  }
}

/// Two boxes are closest at a vertex of one, or where two edges cross. Two edges that cross keep
/// their boxes apart: theirs is the best of all axes. So vertices and that axis are all there is.
BoxPair::Closest BoxPair::closest_points(const Axis& best) const {
  constexpr double kSame = 1e-7;  // of the best axis and one as good [-]
  Shortest shortest{{}, kInfinity, 0};
  try_vertices(shortest);
  for (int p = 0; p < 9; ++p)
    if (across_[p] >= best.separation - kSame * size_)
      try_edges(normal_across_edges(p), p / 3, p % 3, shortest);
  Closest closest = shortest.points;
  const double distance = std::sqrt(shortest.distance2);
  if (distance > kTouch * size_)
    closest.axis = {closest.axis.normal / distance, distance};
  else
    closest.axis = best;
  return closest;
}

SurfaceDistance separation_of_boxes(const RoundedBox& a, const Pose& pose_a, const RoundedBox& b,
                                    const Pose& pose_b) {
  BoxPair pair(a, pose_a, b, pose_b);
  BoxPair::Axis axis = pair.best_axes(kInfinity).any;
  if (axis.separation > 0) axis = pair.closest_points(axis).axis;
  return {axis.separation - pair.radii(), rotate(pose_a.orientation, axis.normal)};
}

}  // namespace scree

/// Separating axes and closest points of two rounded boxes.
#include "collision/narrow/box_pair.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "collision/narrow/manifold_reduction.hpp"
#include "scree/core/infinity.hpp"

namespace scree {
namespace {

/// Distance over size below which rounding leaves the difference of two points without a direction
/// [-].
constexpr double kNoDirection = 1e-10;

/// Difference over size within which two separations count as equal [-].
constexpr double kSameSeparation = 1e-7;

double sign(double x) { return x < 0 ? -1 : 1; }
Vec3 absolute(const Vec3& v) { return {std::abs(v.x), std::abs(v.y), std::abs(v.z)}; }
double largest(const Vec3& v) { return std::max({v.x, v.y, v.z}); }
Vec3 unit_vector(int k) { return {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0}; }
Vec3 clamped(const Vec3& p, const Vec3& half_extent) {
  return {std::clamp(p.x, -half_extent.x, half_extent.x),
          std::clamp(p.y, -half_extent.y, half_extent.y),
          std::clamp(p.z, -half_extent.z, half_extent.z)};
}
/// Index of the vertex farthest along n.
int farthest_vertex(const Vec3& n) { return (n.x > 0) + 2 * (n.y > 0) + 4 * (n.z > 0); }

/// Vertices at +half_extent along each axis.
constexpr VertexSet kFarSide[] = {0xAA, 0xCC, 0xF0};

bool is_face(const Vec3& half_extent, int k) {
  return half_extent[(k + 1) % 3] > 0 && half_extent[(k + 2) % 3] > 0;
}

}  // namespace

const kernels::BoxKernels& box_kernels() {
  static const kernels::BoxKernels kKernels = kernels::box_kernels_of(widest_instruction_set());
  return kKernels;
}

VertexSet distinct_vertices(const Vec3& half_extent) {
  VertexSet set = 0xFF;
  for (int k = 0; k < 3; ++k)
    if (half_extent[k] == 0) set &= ~kFarSide[k];
  return set;
}

VertexSet seen_vertices(const Vec3& half_extent, const Vec3& n) {
  constexpr double kUpright = 0.1;  // cosine of a face that is nearly edge-on [-]
  VertexSet set = 0;
  for (int k = 0; k < 3; ++k)
    if (std::abs(n[k]) > kUpright)
      set |= half_extent[k] == 0 ? 0xFF : n[k] > 0 ? kFarSide[k] : ~kFarSide[k];
  return set & distinct_vertices(half_extent);
}

BoxPair::Axis chosen_axis(const BoxPair::Axes& axes, double extent) {
  constexpr double kRelative = 1.05, kAbsolute = 1e-3;
  const double enough = kRelative * axes.any.separation - kAbsolute * extent;
  const bool has_face = axes.face.separation > -kInfinity;
  return axes.any.separation <= 0 && has_face && axes.face.separation >= enough ? axes.face
                                                                                : axes.any;
}

std::optional<Vec3> normal_between_faces(const BoxPair::Axes& axes, double size) {
  constexpr double kSameNormals = 0.9994, kFarApart = 0.17;  // cosines
  const double more = (axes.face.separation - axes.other_face.separation) / (kTouching * size);
  if (!(more < 1)) return {};
  const double cosine = dot(axes.face.normal, axes.other_face.normal);
  if (cosine > kSameNormals || cosine < kFarApart) return {};
  const Vec3 between = (1 + more) * axes.face.normal + (1 - more) * axes.other_face.normal;
  return between / norm(between);
}

bool is_nearly_best(double separation, double best, double size) {
  constexpr double kRelative = 1.05;
  return separation >= kRelative * std::min(best, 0.0) - kTouching * size;
}

bool shows_overlap(double min_gap, double best_gap, double extent) {
  constexpr double kRelative = 0.05, kAbsolute = 1e-6;
  return min_gap <= best_gap + kRelative * std::abs(best_gap) + kAbsolute * extent;
}

BoxPair::BoxPair(const RoundedBox& a, const Pose& pose_a, const RoundedBox& b, const Pose& pose_b)
    : a_(a),
      b_(b),
      boxes_{a.half_extent,
             b.half_extent,
             {},
             rotate_back(pose_a.orientation, pose_b.position - pose_a.position)},
      size_(std::min(largest(a.half_extent) + a.radius, largest(b.half_extent) + b.radius)) {
  const Quaternion rotation = conjugate(pose_a.orientation) * pose_b.orientation;
  for (int k = 0; k < 3; ++k) boxes_.axes_of_b[k] = rotate(rotation, unit_vector(k));
}

double BoxPair::min_half_extent() const {
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
  return vertex_of_b(farthest_vertex_of_b(normal));
}

template <int k>
double BoxPair::across_face_of_a() const {
  double reach = a_.half_extent[k];
  for (int j = 0; j < 3; ++j) reach += b_.half_extent[j] * std::abs(boxes_.axes_of_b[j][k]);
  return std::abs(boxes_.centre_of_b[k]) - reach;
}

template <int k>
double BoxPair::across_face_of_b() const {
  const double apart = dot(boxes_.centre_of_b, boxes_.axes_of_b[k]);
  const double reach = b_.half_extent[k] + dot(a_.half_extent, absolute(boxes_.axes_of_b[k]));
  return std::abs(apart) - reach;
}

/// Normal of face axis 0–2 of A or 3–5 of B, from A to B.
Vec3 BoxPair::normal_across_face(int face) const {
  const Vec3 axis = face < 3 ? unit_vector(face) : boxes_.axes_of_b[face - 3];
  return sign(face < 3 ? boxes_.centre_of_b[face] : dot(boxes_.centre_of_b, axis)) * axis;
}

// Axis e_i × b: it has no component along e_i, and its components along B's axes are rotated ones
// of e_i.
template <int i, int j>
BoxPair::EdgePair BoxPair::edge_pair() const {
  constexpr double kParallel = 1e-20;  // sine squared: rounding alone makes 1e-32
  constexpr int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
  const Vec3& b = boxes_.axes_of_b[j];
  const double sine2 = b[i1] * b[i1] + b[i2] * b[i2];
  return {sine2 > kParallel && a_.half_extent[i] != 0 && b_.half_extent[j] != 0, sine2,
          boxes_.centre_of_b[i2] * b[i1] - boxes_.centre_of_b[i1] * b[i2]};
}

template <int i, int j>
double BoxPair::across_edges(double least) const {
  constexpr int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
  const auto [has_axis, sine2, apart] = edge_pair<i, j>();
  const Vec3& b = boxes_.axes_of_b[j];
  const double reach = a_.half_extent[i1] * std::abs(b[i2]) + a_.half_extent[i2] * std::abs(b[i1]) +
                       b_.half_extent[j1] * std::abs(boxes_.axes_of_b[j2][i]) +
                       b_.half_extent[j2] * std::abs(boxes_.axes_of_b[j1][i]);
  // If it is below 0, division by the sine only makes it smaller.
  const double times_sine = std::abs(apart) - reach;
  return has_axis && times_sine >= least ? times_sine / std::sqrt(sine2) : -kInfinity;
}

template <int i, int j>
Vec3 BoxPair::normal_across_edges() const {
  constexpr int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
  const auto [has_axis, sine2, apart] = edge_pair<i, j>();
  const double length = std::sqrt(sine2);
  Vec3 unit;
  unit[i1] = -sign(apart) * boxes_.axes_of_b[j][i2] / length;
  unit[i2] = sign(apart) * boxes_.axes_of_b[j][i1] / length;
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
  const std::array<double, 6> faces{across_face_of_a<0>(), across_face_of_a<1>(),
                                    across_face_of_a<2>(), across_face_of_b<0>(),
                                    across_face_of_b<1>(), across_face_of_b<2>()};
  int any = 0, of_a = -1, of_b = -1;
  for (int k = 1; k < 6; ++k) any = faces[k] > faces[any] ? k : any;
  for (int k = 0; k < 3; ++k) {
    if (is_face(a_.half_extent, k) && (of_a < 0 || faces[k] > faces[of_a])) of_a = k;
    if (is_face(b_.half_extent, k) && (of_b < 0 || faces[3 + k] > faces[of_b])) of_b = 3 + k;
  }
  const auto across_face = [&](int k) {
    return k < 0 ? Axis{{}, -kInfinity} : Axis{normal_across_face(k), faces[k]};
  };
  Axes best{across_face(any), across_face(of_a), across_face(of_b)};
  if (best.other_face.separation > best.face.separation) std::swap(best.face, best.other_face);
  if (best.any.separation - radii() >= margin) return best;
  // Axes that are worse by this do not matter to closest_points() either.
  const double least = std::min(0.0, best.any.separation - 2 * kSameSeparation * size_);
  [&]<int... p>(std::integer_sequence<int, p...>) {
    ((across_[p] = across_edges<p / 3, p % 3>(least)), ...);
  }
  (std::make_integer_sequence<int, 9>());
  const auto edges = std::ranges::max_element(across_);
  if (*edges > best.any.separation)
    best.any = {normal_across_edges(static_cast<int>(edges - across_.begin())), *edges};
  return best;
}

/// True if a displacement of squared length `distance2` is the shortest so far. Displacements whose
/// lengths differ by rounding may differ in direction by its square root; then the one to the
/// feature of higher dimension wins.
bool BoxPair::is_shorter(double distance2, int extent, const Shortest& best) {
  constexpr double kRounding = 1e-13;
  return distance2 < (extent > best.extent ? 1 + kRounding : 1 - kRounding) * best.distance2;
}

BoxPair::Shortest BoxPair::shortest_to_vertices() const {
  kernels::VertexDisplacements displacements;
  box_kernels().vertex_displacements(boxes_, displacements);
  Shortest best{{}, kInfinity, 0};
  int shortest = 0;
  const VertexSet positions = distinct_vertices(b_.half_extent) | distinct_vertices(a_.half_extent)
                                                                      << 8;
  for_each_vertex(displacements.shortest & positions, [&](int k) {
    const int extent = static_cast<int>(displacements.extent[k]);
    if (!is_shorter(displacements.distance2[k], extent, best)) return;
    best.distance2 = displacements.distance2[k];
    best.extent = extent;
    shortest = k;
  });
  if (shortest < 8) {
    const Vec3 p = vertex_of_b(shortest);
    const Vec3 q = clamped(p, a_.half_extent);
    best.points = {{p - q, 0}, vertex_feature_of_b(shortest), q, p};
  } else {
    const Vec3 p = vertex(a_.half_extent, shortest - 8), p_in_b = to_b(p - boxes_.centre_of_b);
    const Vec3 displacement = from_b(clamped(p_in_b, b_.half_extent) - p_in_b);
    best.points = {{displacement, 0}, vertex_feature_of_a(shortest - 8), p, p + displacement};
  }
  return best;
}

void BoxPair::try_edges(const Vec3& n, int i, int j, Shortest& best) const {
  constexpr double kAcross = 1e-6;  // below, either of two edges may be the one that meets
  constexpr int kExtent = 2;        // an edge in each box
  const Vec3 n_in_b = to_b(n), e = unit_vector(i), f = boxes_.axes_of_b[j], m = cross(e, f);
  const auto undecided = [&](const Vec3& normal, int along_edge) {
    int bits = 0;
    for (int k = 0; k < 3; ++k)
      if (k != along_edge && std::abs(normal[k]) <= kAcross) bits |= 1 << k;
    return bits;
  };
  const int bits_a = undecided(n, i), bits_b = undecided(n_in_b, j);
  const auto try_edge_of = [&](int v, int w) {
    Vec3 middle_a = vertex(a_.half_extent, v), middle_b = vertex(b_.half_extent, w);
    middle_a[i] = 0;
    middle_b[j] = 0;
    middle_b = boxes_.centre_of_b + from_b(middle_b);
    // middle_a + s e + distance n = middle_b + t f
    const Vec3 r = middle_b - middle_a;
    const double s = dot(m, cross(r, f)) / squared_norm(m);
    const double t = dot(m, cross(r, e)) / squared_norm(m);
    if (std::abs(s) > a_.half_extent[i] || std::abs(t) > b_.half_extent[j]) return;
    const double along_normal = dot(r, n), distance = std::max(along_normal, 0.0);
    if (along_normal > -kNoDirection * size_ && is_shorter(distance * distance, kExtent, best))
      best = {{{distance * n, 0},
               edges_feature(edge_index(i, v), edge_index(j, w)),
               middle_a + s * e,
               middle_b + t * f},
              distance * distance,
              kExtent};
  };
  // Try all subsets of the undecided bits.
  const int bits = bits_a | bits_b << 3;
  int flip = 0;
  do {
    try_edge_of(farthest_vertex(n) ^ (flip & 7), farthest_vertex(-n_in_b) ^ flip >> 3);
    flip = (flip - bits) & bits;
  } while (flip != 0);
}

/// Two boxes are closest at a vertex of one, or where two edges cross. Two crossing edges separate
/// their boxes, so their axis is the best of all. Hence vertices and that axis suffice.
BoxPair::Closest BoxPair::closest_points(const Axis& best) const {
  Shortest shortest = shortest_to_vertices();
  for (int p = 0; p < 9; ++p)
    if (across_[p] >= best.separation - kSameSeparation * size_)
      try_edges(normal_across_edges(p), p / 3, p % 3, shortest);
  Closest closest = shortest.points;
  const double distance = std::sqrt(shortest.distance2);
  if (distance > kNoDirection * size_)
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

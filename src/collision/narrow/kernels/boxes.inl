// Included once for each instruction set.
#include <limits>

#include "collision/narrow/kernels/boxes.hpp"
#include "collision/narrow/kernels/packs.inl"

namespace scree::kernels {
namespace {

using Mask = LaneMask<N>;

Pack magnitude(const Pack& x) { return x < 0 ? -x : x; }
double magnitude(double x) { return x < 0 ? -x : x; }
Pack clamped(const Pack& x, double reach) {
  const Pack low = all(-reach), high = all(reach);
  return x < low ? low : high < x ? high : x;
}
Packs clamped(const Packs& p, const Vec3& half_extent) {
  return {clamped(p.x, half_extent.x), clamped(p.y, half_extent.y), clamped(p.z, half_extent.z)};
}
Packs combination(const Packs& weight, const Vec3 (&v)[3]) {
  return {weight.x * v[0].x + weight.y * v[1].x + weight.z * v[2].x,
          weight.x * v[0].y + weight.y * v[1].y + weight.z * v[2].y,
          weight.x * v[0].z + weight.y * v[1].z + weight.z * v[2].z};
}
Pack along(const Vec3& n, const Packs& v) { return n.x * v.x + n.y * v.y + n.z * v.z; }
Packs components(const Packs& v, const Vec3 (&axes)[3]) {
  return {along(axes[0], v), along(axes[1], v), along(axes[2], v)};
}
/// Vertices from index `first` on.
Packs vertices(const Vec3& half_extent, int first) {
  constexpr double kSign[3][8] = {
      {-1, 1, -1, 1, -1, 1, -1, 1}, {-1, -1, 1, 1, -1, -1, 1, 1}, {-1, -1, -1, -1, 1, 1, 1, 1}};
  return {load<N>(kSign[0] + first) * half_extent.x, load<N>(kSign[1] + first) * half_extent.y,
          load<N>(kSign[2] + first) * half_extent.z};
}
Packs vertices_of_b(const TwoBoxes& boxes, int first) {
  return all(boxes.centre_of_b) + combination(vertices(boxes.half_of_b, first), boxes.axes_of_b);
}
/// Vertices of A in B's axes, relative to B's centre.
Packs vertices_of_a_in_b(const TwoBoxes& boxes, int first) {
  return components(vertices(boxes.half_of_a, first) - all(boxes.centre_of_b), boxes.axes_of_b);
}

void vertex_displacements(const TwoBoxes& boxes, VertexDisplacements& displacements) {
  constexpr double kRoundings = 1e-11;
  Pack least = all(std::numeric_limits<double>::infinity());
  const auto look = [&](int at, const Packs& displacement) {
    const auto extent = [](const Pack& x) { return x == 0 ? all(1) : Pack{}; };
    const Pack distance2 = dot<N>(displacement, displacement);
    store<N>(displacements.distance2 + at, distance2);
    store<N>(displacements.extent + at,
             extent(displacement.x) + extent(displacement.y) + extent(displacement.z));
    least = distance2 < least ? distance2 : least;
  };
  for (int first = 0; first < 8; first += N) {
    const Packs p = vertices_of_b(boxes, first), q = vertices_of_a_in_b(boxes, first);
    look(first, p - clamped(p, boxes.half_of_a));
    look(8 + first, clamped(q, boxes.half_of_b) - q);
  }
  double enough = least[0];
  for (int k = 1; k < N; ++k) enough = least[k] < enough ? least[k] : enough;
  enough = (1 + kRoundings) * enough;
  displacements.shortest = 0;
  for (int first = 0; first < 16; first += N)
    displacements.shortest |= lane_bits<N>(load<N>(displacements.distance2 + first) <= enough)
                              << first;
}

/// Box viewed against m, a direction in its axes.
struct SeenBox {
  double half[3], m[3];
  int across;  ///< axis of the face most nearly orthogonal to m

  SeenBox(const Vec3& half_extent, const Vec3& direction)
      : half{half_extent.x, half_extent.y, half_extent.z},
        m{direction.x, direction.y, direction.z} {
    across = magnitude(m[1]) > magnitude(m[0]) ? 1 : 0;
    across = magnitude(m[2]) > magnitude(m[across]) ? 2 : across;
  }
  double farthest() const {
    return magnitude(half[0] * m[0]) + magnitude(half[1] * m[1]) + magnitude(half[2] * m[2]);
  }
};

/// True for points, in a box's axes, that lie over the box; sets their height along its direction.
/// The face most nearly orthogonal to the direction comes first.
Mask are_over(const SeenBox& box, const Packs& points, double slack, Pack& height) {
  constexpr double kUpright = 0.1;  // cosine of a face that is nearly edge-on [-]
  const Pack at[3] = {points.x, points.y, points.z};
  Mask found{};
  for (int offset = 0; offset < 3; ++offset) {
    const int k = (box.across + offset) % 3;
    const double side = box.m[k] > 0 ? 1 : -1, cosine = magnitude(box.m[k]);
    const double admissible_slack =
        cosine < kUpright ? -std::numeric_limits<double>::infinity() : slack;
    const Pack t = (side * at[k] - box.half[k]) / cosine;
    Mask covers = t == t;
    for (const int in_plane : {(k + 1) % 3, (k + 2) % 3}) {
      const Pack off = at[in_plane] - t * box.m[in_plane];
      const double reach = box.half[in_plane] + admissible_slack;
      covers = covers & (off <= reach) & (-off <= reach);
    }
    height = found ? height : t;
    found = found | covers;
  }
  return found;
}

void vertices_over(const TwoBoxes& boxes, const SeenBox& a, const SeenBox& b, const Look& look,
                   Overlay& overlay) {
  const double farthest = a.farthest();
  overlay.of_a = overlay.of_b = 0;
  for (int first = 0; first < 8; first += N) {
    const Packs of_a = vertices(boxes.half_of_a, first);
    const std::uint32_t near =
        lane_bits<N>(farthest - along(look.n, of_a) < look.depth) << first & look.of_a;
    if (near == 0) continue;
    Pack height{};
    const Mask over = are_over(b, vertices_of_a_in_b(boxes, first), look.slack, height);
    overlay.of_a |= lane_bits<N>(over) << first & near;
    store<N>(overlay.height_of_a + first, height);
  }
  for (int first = 0; first < 8; first += N) {
    const Packs of_b = vertices_of_b(boxes, first);
    const std::uint32_t near =
        lane_bits<N>(along(look.n, of_b) - look.lowest_of_b < look.depth) << first & look.of_b;
    if (near == 0) continue;
    Pack height{};
    const Mask over = are_over(a, of_b, look.slack, height);
    overlay.of_b |= lane_bits<N>(over) << first & near;
    store<N>(overlay.height_of_b + first, height);
  }
}

/// Four edges of the face most nearly orthogonal to the direction: two along one axis, two along
/// the next.
struct FaceEdges {
  BoxEdge edge[4];
  double middle[4][3];
  std::uint32_t near;  ///< edges within a depth of the farthest vertex, bit k is edge k

  FaceEdges(const SeenBox& box, double depth) : near(0) {
    const double farthest = box.farthest();
    const int top = box.m[box.across] > 0 && box.half[box.across] > 0 ? 1 << box.across : 0;
    const double height = top != 0 ? box.half[box.across] : -box.half[box.across];
    const double lift = height * box.m[box.across];
    for (int l = 0; l < 4; ++l) {
      const int k = (box.across + 1 + l / 2) % 3, in_plane = 3 - box.across - k;
      edge[l] = {k, l % 2 == 1 ? top | 1 << in_plane : top};
      middle[l][k] = 0;
      middle[l][box.across] = height;
      middle[l][in_plane] = l % 2 == 1 ? box.half[in_plane] : -box.half[in_plane];
      const double along_edge = box.half[k] * magnitude(box.m[k]);
      const double below = farthest - (lift + middle[l][in_plane] * box.m[in_plane]) - along_edge;
      const bool is_one = box.half[k] > 0 && (l % 2 == 0 || box.half[in_plane] > 0);
      near |= static_cast<std::uint32_t>(is_one & !(below >= depth)) << l;
    }
  }
};

/// Edges of two faces in columns for crossings(): edge q % 4 of B, edge q / 4 of A.
struct EdgeColumns {
  double along[3][8], middle[3][8], half_length[8];
  double middle_of_a[3][16];
};

void fill(const TwoBoxes& boxes, const SeenBox& b, const FaceEdges& of_a, const FaceEdges& of_b,
          EdgeColumns& columns) {
  for (int l = 0; l < 8; ++l) {
    const int edge = l % 4, axis = of_b.edge[edge].axis;
    const double* m = of_b.middle[edge];
    const Vec3(&f)[3] = boxes.axes_of_b;
    columns.along[0][l] = f[axis].x;
    columns.along[1][l] = f[axis].y;
    columns.along[2][l] = f[axis].z;
    columns.middle[0][l] = boxes.centre_of_b.x + (m[0] * f[0].x + m[1] * f[1].x + m[2] * f[2].x);
    columns.middle[1][l] = boxes.centre_of_b.y + (m[0] * f[0].y + m[1] * f[1].y + m[2] * f[2].y);
    columns.middle[2][l] = boxes.centre_of_b.z + (m[0] * f[0].z + m[1] * f[1].z + m[2] * f[2].z);
    columns.half_length[l] = b.half[axis];
  }
  for (int q = 0; q < 16; ++q)
    for (int i = 0; i < 3; ++i) columns.middle_of_a[i][q] = of_a.middle[q / 4][i];
}

void crossings(const TwoBoxes& boxes, const SeenBox& a, const SeenBox& b, const Look& look,
               Overlay& overlay) {
  constexpr double kParallel = 1e-6;  // their ends are found as vertices over the other
  const FaceEdges of_a(a, look.depth), of_b(b, look.depth);
  overlay.crossings = 0;
  EdgeColumns columns;
  fill(boxes, b, of_a, of_b, columns);
  const auto pack = [](const double(&from)[3][8], int q) {
    return Packs{load<N>(from[0] + q % 8), load<N>(from[1] + q % 8), load<N>(from[2] + q % 8)};
  };
  std::uint32_t near = 0;
  for (int k = 0; k < 4; ++k) near |= (of_a.near >> k & 1) * of_b.near << 4 * k;
  for (int first = 0; first < 16; first += N) {
    constexpr std::uint32_t kAllLanes = (1U << N) - 1;
    const std::uint32_t here = near >> first & kAllLanes;
    if (here == 0) continue;
    const int i = of_a.edge[first / 4].axis, i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    const Packs f = pack(columns.along, first);
    const Packs middle_of_a{load<N>(columns.middle_of_a[0] + first),
                            load<N>(columns.middle_of_a[1] + first),
                            load<N>(columns.middle_of_a[2] + first)};
    const Packs r = pack(columns.middle, first) - middle_of_a;
    // n · (v × e), e the axis of A's edge
    const auto n_dot_cross_e = [&](const Packs& v) {
      const Pack of[3] = {v.x, v.y, v.z};
      return a.m[i1] * of[i2] - a.m[i2] * of[i1];
    };
    // a + s e + height n = b + t f
    const Pack sine = -n_dot_cross_e(f), t = n_dot_cross_e(r) / sine,
               s = along(look.n, cross<N>(r, f)) / sine;
    const double e[3] = {i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0};
    const Packs reach = r + scaled<N>(f, t) - Packs{s * e[0], s * e[1], s * e[2]};
    const Pack height = along(look.n, reach);
    std::uint32_t meet = lane_bits<N>((magnitude(sine) >= kParallel) &
                                      (magnitude(t) <= load<N>(columns.half_length + first % 8)) &
                                      (magnitude(s) <= a.half[i])) &
                         here;
    for (; meet != 0; meet &= meet - 1) {
      const int lane = __builtin_ctz(meet), q = first + lane;
      const double* m = of_a.middle[q / 4];
      overlay.crossing[overlay.crossings++] = {
          of_a.edge[q / 4],
          of_b.edge[q % 4],
          {m[0] + s[lane] * e[0], m[1] + s[lane] * e[1], m[2] + s[lane] * e[2]},
          height[lane]};
    }
  }
}

void lay_over(const TwoBoxes& boxes, const Look& look, Overlay& overlay) {
  const Vec3& m = look.n_in_b;
  const SeenBox a(boxes.half_of_a, look.n), b(boxes.half_of_b, {-m.x, -m.y, -m.z});
  vertices_over(boxes, a, b, look, overlay);
  crossings(boxes, a, b, look, overlay);
}

constexpr BoxKernels kBoxKernels{vertex_displacements, lay_over};

}  // namespace
}  // namespace scree::kernels

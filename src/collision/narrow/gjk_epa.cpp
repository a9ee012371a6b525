/// Distance of two convex cores by Gilbert, Johnson and Keerthi; depth of an overlap by the
/// expanding polytope.
#include "collision/narrow/gjk_epa.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "geometry/stationary_direction.hpp"
#include "scree/core/infinity.hpp"
#include "scree/core/unset_array.hpp"

namespace scree {
namespace {

/// Point of the Minkowski difference B − A, and the two points that it is made of.
struct Vertex {
  Vec3 w, a, b;  ///< w = b − a [m]
};

class Difference {
 public:
  Difference(const ConvexCore& a, const ConvexCore& b) : a_(a), b_(b) {}
  /// Farthest point along a direction.
  Vertex support(const Vec3& direction) const {
    const Vec3 on_a = a_.support(-direction), on_b = b_.support(direction);
    return {on_b - on_a, on_a, on_b};
  }
  double size() const { return a_.size() + b_.size(); }
  Vec3 middle() const { return b_.centre() - a_.centre(); }

 private:
  const ConvexCore &a_, &b_;
};

/// Simplex of up to four vertices, and its point closest to the origin.
class Simplex {
 public:
  int count() const { return count_; }
  const Vertex& operator[](int k) const { return vertex_[k]; }
  void add(const Vertex& vertex) { vertex_[count_++] = vertex; }
  bool has(const Vec3& w) const {
    for (int k = 0; k < count_; ++k)
      if (vertex_[k].w == w) return true;
    return false;
  }

  /// Drops the vertices that the closest point does not need. False if the origin lies inside a
  /// tetrahedron.
  bool reduce() {
    switch (count_) {
      case 1:
        weight_[0] = 1;
        return true;
      case 2:
        keep(of_segment(0, 1));
        return true;
      case 3:
        keep(of_triangle(0, 1, 2));
        return true;
      default:
        return reduce_four();
    }
  }

  /// Displacement to the closest point, of length `distance` [m].
  CoreSeparation separation(const Vec3& normal, double distance) const {
    CoreSeparation separation{{normal, distance, on_a(), on_b()}, count_, {}, {}};
    for (int k = 0; k < std::min(count_, 3); ++k) {
      separation.of_a[k] = vertex_[k].a;
      separation.of_b[k] = vertex_[k].b;
    }
    return separation;
  }
  Vec3 closest() const {
    return mean([](const Vertex& v) { return v.w; });
  }

 private:
  Vec3 on_a() const {
    return mean([](const Vertex& v) { return v.a; });
  }
  Vec3 on_b() const {
    return mean([](const Vertex& v) { return v.b; });
  }
  /// Closest point on a face of the simplex, as weights of its vertices.
  struct SimplexFace {
    int count;
    std::array<int, 3> index;
    std::array<double, 3> weight;
    double distance2;
  };

  template <class F>
  Vec3 mean(const F& of) const {
    Vec3 sum;
    for (int k = 0; k < count_; ++k) sum += weight_[k] * of(vertex_[k]);
    return sum;
  }
  SimplexFace of_vertex(int i) const { return {1, {i}, {1}, squared_norm(vertex_[i].w)}; }
  SimplexFace of_segment(int i, int j) const {
    const Vec3 &p = vertex_[i].w, edge = vertex_[j].w - p;
    const double length2 = squared_norm(edge), separation_along = -dot(p, edge);
    if (!(separation_along > 0)) return of_vertex(i);
    if (separation_along >= length2) return of_vertex(j);
    const double t = separation_along / length2;
    return {2, {i, j}, {1 - t, t}, squared_norm(p + t * edge)};
  }
  SimplexFace of_triangle(int i, int j, int k) const {
    const Vec3 &p = vertex_[i].w, &q = vertex_[j].w, &r = vertex_[k].w;
    constexpr double kThin = 1e-26;  // ratio of squared lengths; rounding alone gives 1e-32
    const Vec3 normal = cross(q - p, r - p);
    const double area2 = squared_norm(normal),
                 longest2 = std::max(squared_norm(q - p), squared_norm(r - p));
    if (area2 > kThin * longest2 * (longest2 + squared_norm(p))) {
      const double u = dot(normal, cross(q, r)), v = dot(normal, cross(r, p)),
                   w = dot(normal, cross(p, q));
      if (u > 0 && v > 0 && w > 0) {
        const double sum = u + v + w;
        const double height = dot(normal, p);
        return {3, {i, j, k}, {u / sum, v / sum, w / sum}, height * height / area2};
      }
    }
    SimplexFace best = of_segment(i, j);
    for (const SimplexFace& other : {of_segment(j, k), of_segment(k, i)})
      if (other.distance2 < best.distance2) best = other;
    return best;
  }
  bool reduce_four() {
    // sine squared, below which rounding decides which side is the inner one
    constexpr double kFlat = 1e-24;
    constexpr int kFaces[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
    SimplexFace best{0, {}, {}, kInfinity};
    for (const auto& [i, j, k, opposite] : kFaces) {
      const Vec3& p = vertex_[i].w;
      const Vec3 normal = cross(vertex_[j].w - p, vertex_[k].w - p);
      const Vec3 to_opposite = vertex_[opposite].w - p;
      const double inward = dot(normal, to_opposite), origin = -dot(normal, p);
      const bool is_flat =
          inward * inward <= kFlat * squared_norm(normal) * squared_norm(to_opposite);
      // the origin is on the inner side of this face
      if (inward * origin > 0 && !is_flat) continue;
      if (const SimplexFace face = of_triangle(i, j, k); face.distance2 < best.distance2)
        best = face;
    }
    if (best.count == 0) return false;
    keep(best);
    return true;
  }
  /// Reduces the simplex to a face. Indices of a face may not be increasing, so vertices are copied
  /// first.
  void keep(const SimplexFace& face) {
    UnsetArray<Vertex, 3> copied;
    for (int k = 0; k < face.count; ++k) copied[k] = vertex_[face.index[k]];
    count_ = face.count;
    for (int k = 0; k < count_; ++k) {
      vertex_[k] = copied[k];
      weight_[k] = face.weight[k];
    }
  }

  UnsetArray<Vertex, 4> vertex_;
  std::array<double, 4> weight_{};
  int count_ = 0;
};

/// Gilbert, Johnson and Keerthi. True with the closest points if the cores are separate. False if
/// they overlap or touch: then the simplex contains the origin.
bool closest_points(const Difference& difference, double enough, Simplex& simplex,
                    CoreSeparation& found) {
  constexpr int kMaxSteps = 200;
  constexpr double kRelative = 1e-14, kRounding = 4e-16;
  const double touch = 1e-10 * difference.size();  // below, the displacement has no direction
  Vec3 v = difference.middle();
  if (squared_norm(v) == 0) v = {0, 0, 1};
  simplex.add(difference.support(-v));
  simplex.reduce();
  v = simplex.closest();
  bool apart = false;  // proven
  for (int step = 0; step < kMaxSteps; ++step) {
    const double distance = norm(v);
    if (!(distance > touch)) return false;
    const Vertex next = difference.support(-v);
    const double bound = dot(v, next.w);  // times the distance: lower bound of the distance
    if (bound > enough * distance) {
      found = simplex.separation(v / distance, bound / distance);
      return true;
    }
    if (distance * distance - bound <=
            kRelative * distance * distance + kRounding * difference.size() * distance ||
        simplex.has(next.w))
      break;
    apart = apart || bound > touch * distance;
    const Simplex before = simplex;
    simplex.add(next);
    const bool outside = simplex.reduce();
    if (!outside && !apart) return false;
    const Vec3 nearer = simplex.closest();
    if (!outside || squared_norm(nearer) >= distance * distance) {  // rounding
      simplex = before;
      break;
    }
    v = nearer;
  }
  const double distance = norm(v);
  found = simplex.separation(v / distance, distance);
  return true;
}

/// Polytope inside B − A that grows about the origin until its nearest face lies in the surface.
class ExpandingPolytope {
 public:
  ExpandingPolytope(const Difference& difference, const Simplex& simplex)
      : difference_(difference), rounding_(1e-13 * difference.size()) {
    for (int k = 0; k < simplex.count(); ++k) vertex_[vertices_++] = simplex[k];
  }

  /// Expands the polytope. False if B − A has no interior.
  bool expand(CoreSeparation& found) {
    if (!fill()) return false;
    for (int step = 0; step < kMaxVertices; ++step) {
      const int nearest = nearest_face();
      if (nearest < 0) return false;
      const Face face = face_[nearest];
      const Vertex next = difference_.support(face.normal);
      const double beyond = dot(face.normal, next.w);
      if (beyond < -found.distance || step == 0) set(face, beyond, found);
      if (beyond - face.distance <= rounding_ || vertices_ == kMaxVertices || !add(next, nearest))
        break;
    }
    return true;
  }

 private:
  static constexpr int kMaxVertices = 96, kMaxFaces = 256;
  struct Face {
    std::array<int, 3> corner;
    Vec3 normal;  ///< outward
    double distance;
  };

  /// Finds four vertices that span a volume.
  bool fill() {
    const Vec3 directions[] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},    {0, -1, 0}, {0, 0, 1},
                               {0, 0, -1}, {1, 1, 1},  {-1, -1, -1}, {1, -1, 1}, {-1, 1, -1}};
    for (const Vec3& d : directions) {
      if (vertices_ == 4) break;
      add_if_spanning(difference_.support(d));
    }
    if (vertices_ == 3) {
      const Vec3 across = cross(vertex_[1].w - vertex_[0].w, vertex_[2].w - vertex_[0].w);
      for (const double side : {1.0, -1.0})
        if (vertices_ == 3) add_if_spanning(difference_.support(side * across));
    }
    if (vertices_ < 4) return false;
    const Vec3 inside = 0.25 * (vertex_[0].w + vertex_[1].w + vertex_[2].w + vertex_[3].w);
    for (const auto& corner : {std::array{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}})
      add_face(corner, inside);
    return true;
  }
  void add_if_spanning(const Vertex& next) {
    const double least = 1e3 * rounding_;
    double apart = 0;
    const auto w = [&](int k) { return vertex_[k].w; };
    if (vertices_ == 0) apart = kInfinity;
    if (vertices_ == 1) apart = norm(next.w - w(0));
    if (vertices_ == 2) {
      const Vec3 edge = w(1) - w(0);
      apart = norm(cross(edge, next.w - w(0))) / norm(edge);
    }
    if (vertices_ == 3) {
      const Vec3 normal = cross(w(1) - w(0), w(2) - w(0));
      apart = std::abs(dot(normal, next.w - w(0))) / norm(normal);
    }
    if (apart > least) vertex_[vertices_++] = next;
  }

  void add_face(std::array<int, 3> corner, const Vec3& inside) {
    const Vec3 &p = vertex_[corner[0]].w, &q = vertex_[corner[1]].w, &r = vertex_[corner[2]].w;
    Vec3 normal = cross(q - p, r - p);
    if (dot(normal, p - inside) < 0) {
      std::swap(corner[1], corner[2]);
      normal = -normal;
    }
    push_face(corner, normal, p);
  }
  void push_face(const std::array<int, 3>& corner, const Vec3& normal, const Vec3& p) {
    const double area = norm(normal);
    if (area > 0)
      face_[faces_++] = {corner, normal / area, std::max(0.0, dot(normal, p) / area)};
    else
      face_[faces_++] = {corner, {}, kInfinity};
  }

  int nearest_face() const {
    int nearest = -1;
    double least = kInfinity;
    for (int f = 0; f < faces_; ++f)
      if (face_[f].distance < least) {
        least = face_[f].distance;
        nearest = f;
      }
    return nearest;
  }

  /// Replaces the faces visible from the vertex. False if the arrays are full, or rounding hides
  /// the vertex.
  bool add(const Vertex& next, int nearest) {
    remove_seen(next, nearest);
    if (edges_ < 3 || faces_ + edges_ > kMaxFaces) return false;
    const int tip = vertices_;
    vertex_[vertices_++] = next;
    for (int k = 0; k < edges_; ++k) {
      const Vec3 &p = vertex_[rim_[k][0]].w, &q = vertex_[rim_[k][1]].w;
      push_face({rim_[k][0], rim_[k][1], tip}, cross(q - p, next.w - p), p);
    }
    return true;
  }
  /// Removes the faces visible from the vertex. Faces coplanar with it go as well, since triangles
  /// without area would replace them. Faces not joined to the nearest one over edges stay: only
  /// rounding makes them visible.
  void remove_seen(const Vertex& next, int nearest) {
    std::array<int, kMaxFaces> seen;
    int count = 0;
    for (int f = 0; f < faces_; ++f)
      if (dot(face_[f].normal, next.w - vertex_[face_[f].corner[0]].w) > -rounding_)
        seen[count++] = f;
    std::array<bool, kMaxFaces> is_gone{};
    edges_ = 0;
    remove(face_[nearest]);
    is_gone[nearest] = true;
    for (bool found = true; found;) {
      found = false;
      for (int k = 0; k < count; ++k) {
        if (is_gone[seen[k]] || !touches_rim(face_[seen[k]])) continue;
        remove(face_[seen[k]]);
        is_gone[seen[k]] = found = true;
      }
    }
    int copied = 0;
    for (int f = 0; f < faces_; ++f)
      if (!is_gone[f]) face_[copied++] = face_[f];
    faces_ = copied;
  }
  /// Removes a face: the rim of the gap loses the edges shared with it, and gains its others.
  void remove(const Face& face) {
    for (int k = 0; k < 3; ++k)
      if (const int shared = in_rim(face.corner[(k + 1) % 3], face.corner[k]); shared < edges_)
        rim_[shared] = rim_[--edges_];
      else
        rim_[edges_++] = {face.corner[k], face.corner[(k + 1) % 3]};
  }
  bool touches_rim(const Face& face) const {
    for (int k = 0; k < 3; ++k)
      if (in_rim(face.corner[(k + 1) % 3], face.corner[k]) < edges_) return true;
    return false;
  }
  /// Index of the rim edge from one corner to another; the number of edges if there is none.
  int in_rim(int from, int to) const {
    int k = 0;
    while (k < edges_ && rim_[k] != std::array{from, to}) ++k;
    return k;
  }

  /// Sets the separating displacement from the nearest point of a face.
  void set(const Face& face, double depth, CoreSeparation& found) const {
    const Vertex &p = vertex_[face.corner[0]], &q = vertex_[face.corner[1]],
                 &r = vertex_[face.corner[2]];
    const Vec3 at = dot(face.normal, p.w) * face.normal;
    const Vec3 area = cross(q.w - p.w, r.w - p.w);
    const double sum = squared_norm(area);
    double v = dot(area, cross(at - p.w, r.w - p.w)) / sum,
           w = dot(area, cross(q.w - p.w, at - p.w)) / sum;
    v = std::clamp(v, 0.0, 1.0);
    w = std::clamp(w, 0.0, 1 - v);
    found = {{-face.normal, -depth, (1 - v - w) * p.a + v * q.a + w * r.a,
              (1 - v - w) * p.b + v * q.b + w * r.b},
             3,
             {p.a, q.a, r.a},
             {p.b, q.b, r.b}};
  }

  const Difference& difference_;
  double rounding_;
  UnsetArray<Vertex, kMaxVertices> vertex_;
  int vertices_ = 0;
  UnsetArray<Face, kMaxFaces> face_;
  int faces_ = 0;
  UnsetArray<std::array<int, 2>, 3 * kMaxFaces> rim_;  ///< rim of the gap left by removed faces
  int edges_ = 0;
};

/// Separation along n, from the support points of both.
CoreSeparation separation_along(const Vec3& n, const ConvexCore& a, const ConvexCore& b) {
  const Vec3 on_a = a.support(n), on_b = b.support(-n);
  return {{n, dot(n, on_b - on_a), on_a, on_b}, 1, {on_a}, {on_b}};
}

/// Separation where B − A is flat or a line and contains the origin.
CoreSeparation separation_of_flat(const Simplex& simplex, const ConvexCore& a,
                                  const ConvexCore& b) {
  Vec3 n = b.centre() - a.centre();
  if (simplex.count() >= 3)
    n = cross(simplex[1].w - simplex[0].w, simplex[2].w - simplex[0].w);
  else if (simplex.count() == 2)
    n = Tangents((simplex[1].w - simplex[0].w) / norm(simplex[1].w - simplex[0].w)).first;
  const double length = norm(n);
  n = length > 0 ? n / length : Vec3{0, 0, 1};
  const CoreSeparation one = separation_along(n, a, b), other = separation_along(-n, a, b);
  return one.distance >= other.distance ? one : other;
}

}  // namespace

CoreSeparation separation_of_cores(const ConvexCore& a, const ConvexCore& b, double enough) {
  const Difference difference(a, b);
  Simplex simplex;
  CoreSeparation found;
  if (closest_points(difference, enough, simplex, found)) {
    if (found.distance >= enough) return found;
  } else if (!ExpandingPolytope(difference, simplex).expand(found)) {
    found = separation_of_flat(simplex, a, b);
  }
  return found;
}

}  // namespace scree

/// Triangle surfaces, with a bounding volume tree for closest-point queries.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "scree/core/aligned.hpp"
#include "scree/geometry/ray.hpp"
#include "scree/geometry/shape.hpp"
#include "scree/math/lanes.hpp"
#include "scree/math/vec3.hpp"

namespace scree {

/// Sides of a surface that repel.
enum class Sides : std::uint8_t {
  one,  ///< the front, where normals point: space behind the surface is inside a solid
  two,  ///< both: a sheet without thickness
};

/// Immutable triangle mesh. Facets are stored in the order of the tree, so facets near in space are
/// near in memory.
class TriangleMesh {
 public:
  using Corners = std::array<std::uint32_t, 3>;  ///< counter-clockwise, seen from the front
  static constexpr std::uint32_t kNone = 0xffffffff;

  /// Region of a facet: its interior, the edge from corner k to the next, or corner k.
  enum Region : std::uint8_t { kFace = 0, kEdge = 1, kCorner = 4 };

  struct Facet {
    std::array<Vec3, 3> corner;
    Vec3 normal;                          ///< unit
    Corners vertex;                       ///< of each corner
    std::array<std::uint32_t, 3> across;  ///< facet beyond the edge from each corner, or kNone
  };

  /// Point of the surface and the region it lies in.
  struct SurfacePoint {
    std::uint32_t facet = kNone;
    std::uint8_t region = kFace;  ///< kFace, kEdge + k or kCorner + k
    Vec3 point;
    std::uint32_t feature() const { return 7 * facet + region; }
  };
  static constexpr std::uint32_t kMaxFacets = 500'000'000;  ///< a feature must fit in 32 bits

  /// Builds the tree. Every triangle must have a non-zero area. Throws std::invalid_argument if
  /// there is no triangle, or if a corner does not name a vertex.
  TriangleMesh(std::span<const Vec3> vertices, std::span<const Corners> triangles, Sides sides);

  std::span<const Facet> facets() const { return facets_; }
  std::span<const Vec3> vertices() const { return vertices_; }
  Sides sides() const { return sides_; }
  bool is_closed() const { return is_closed_; }  ///< each edge has two facets
  /// Id of the flat patch that a facet belongs to: connected facets in one plane, to the rounding
  /// of single precision. It is the lowest facet index of the patch.
  std::uint32_t patch(std::uint32_t facet) const { return patch_[facet]; }
  /// distance of the farthest vertex from the origin [m]
  double radius() const { return radius_; }
  const Vec3& low() const { return low_; }
  const Vec3& high() const { return high_; }

  /// Point of a facet closest to p.
  SurfacePoint closest_on(std::uint32_t facet, const Vec3& p) const;
  /// Point of the surface closest to p; its facet is kNone if none is closer than `within`.
  SurfacePoint closest(const Vec3& p,
                       double within = std::numeric_limits<double>::infinity()) const;
  /// True if some point of the surface is closer to p than `distance` [m].
  bool is_near(const Vec3& p, double distance) const {
    bool near = false;
    for_each_near(p, distance, [&](std::uint32_t, const SurfacePoint&) {
      near = true;
      return false;
    });
    return near;
  }

  /// Unit normal of a region: on edges the mean over the adjacent facets, at corners weighted by
  /// their angles [Baerentzen05]. A point is in front of the surface if it is in front of the plane
  /// through its closest surface point, across this normal.
  Vec3 normal(std::uint32_t facet, std::uint8_t region) const;
  Vec3 normal(const SurfacePoint& place) const { return normal(place.facet, place.region); }
  Vec3 normal_of_feature(std::uint32_t feature) const {
    return normal(feature / 7, static_cast<std::uint8_t>(feature % 7));
  }

  /// Signed distance of a point from the surface. Negative behind a one-sided surface; for a
  /// two-sided one the normal points to the side of the point.
  SurfaceDistance signed_distance(const Vec3& p) const;

  /// Support function: extent of the surface from the origin along a direction [m]. Visits every
  /// vertex.
  double support(const Vec3& direction) const;

  /// Calls f(facet, place) with the closest point of each facet that is closer to p than `distance`
  /// [m], until f returns false.
  template <class F>
  void for_each_near(const Vec3& p, double distance, F&& f) const {
    const double d2 = distance * distance;
    for_each_in_boxes(
        [&](const Node& node, std::array<bool, kBoxes>& meets) {
          const std::array<double, kBoxes> squared = squared_distances(node, p);
          for (int c = 0; c < kBoxes; ++c) meets[c] = squared[c] < d2;
        },
        [&](std::uint32_t facet) {
          const SurfacePoint place = closest_on(facet, p);
          return !(squared_norm(p - place.point) < d2) || f(facet, place);
        });
  }

  /// Calls f(facet) for all facets whose boxes meet the box from low to high, and some others.
  template <class F>
  void for_each_in_box(const Vec3& low, const Vec3& high, F&& f) const {
    for_each_in_boxes(
        [&](const Node& node, std::array<bool, kBoxes>& meets) {
          for (int c = 0; c < kBoxes; ++c)
            meets[c] = node.low[0][c] <= high.x && node.high[0][c] >= low.x &&
                       node.low[1][c] <= high.y && node.high[1][c] >= low.y &&
                       node.low[2][c] <= high.z && node.high[2][c] >= low.z;
        },
        [&](std::uint32_t facet) {
          f(facet);
          return true;
        });
  }

  /// Calls f(facet) for all facets whose boxes a ray meets nearer than `within`, which f may
  /// reduce, and some others.
  template <class F>
  void for_each_on_ray(const Ray& ray, const double& within, F&& f) const {
    for_each_in_boxes(
        [&](const Node& node, std::array<bool, kBoxes>& meets) {
          for (int c = 0; c < node.count; ++c)
            meets[c] = meets_box(ray, {node.low[0][c], node.low[1][c], node.low[2][c]},
                                 {node.high[0][c], node.high[1][c], node.high[2][c]}, within);
        },
        [&](std::uint32_t facet) {
          f(facet);
          return true;
        });
  }

 private:
  static constexpr int kBoxes = 4;
  static constexpr std::uint32_t kFacet = std::uint32_t{1} << 31;
  /// Tree node: up to four child boxes, of facets or of nodes. Single precision, rounded outward,
  /// to save memory traffic.
  struct alignas(kCacheLine) Node {
    float low[3][kBoxes], high[3][kBoxes];
    std::uint32_t inside[kBoxes];  ///< child: a node, or kFacet | facet
    int count;
  };
  static constexpr std::uint32_t kMaxInLeaf = kBoxes;
  /// maximum stack size: three entries a level, at most 16 levels
  static constexpr int kMaxOpen = 64;

  /// Squared distances from p to each box; two boxes per register, which all processors support.
  static std::array<double, kBoxes> squared_distances(const Node& node, const Vec3& p) {
    using Two = Lanes<2>;
    typedef float TwoFloats __attribute__((vector_size(8)));
    std::array<double, kBoxes> sums;
    for (int c = 0; c < kBoxes; c += 2) {
      Two sum{};
      for (int k = 0; k < 3; ++k) {
        TwoFloats low, high;
        __builtin_memcpy(&low, &node.low[k][c], sizeof low);
        __builtin_memcpy(&high, &node.high[k][c], sizeof high);
        const Two below = __builtin_convertvector(low, Two) - p[k],
                  above = p[k] - __builtin_convertvector(high, Two),
                  outside = below > above ? below : above, distance = outside < 0 ? Two{} : outside;
        sum += distance * distance;
      }
      store<2>(&sums[c], sum);
    }
    return sums;
  }
  /// Traverses the tree; visits facets in order.
  template <class Meet, class F>
  void for_each_in_boxes(Meet meet, F&& f) const {
    std::array<std::uint32_t, kMaxOpen> open;
    int waiting = 0;
    open[waiting++] = 0;
    while (waiting > 0) {
      const std::uint32_t next = open[--waiting];
      if (next & kFacet) {
        if (!f(next & ~kFacet)) return;
        continue;
      }
      const Node& node = nodes_[next];
      std::array<bool, kBoxes> meets;
      meet(node, meets);
      for (int c = node.count - 1; c >= 0; --c) {
        open[waiting] = node.inside[c];
        waiting += meets[c] ? 1 : 0;
      }
    }
  }

  struct Item;
  void sort_by_halves(std::span<Item> items) const;
  struct Bounds {
    Vec3 low, high;
  };
  Bounds bounds_of(std::uint32_t begin, std::uint32_t count) const;
  std::uint32_t make_node(std::uint32_t begin, std::uint32_t count);
  void join_facets();
  void find_patches();
  void weigh_corners();

  std::vector<Vec3> vertices_;
  AlignedVector<Facet> facets_;
  std::vector<Vec3> vertex_normal_;
  std::vector<std::uint32_t> patch_;  ///< of each facet
  AlignedVector<Node> nodes_;
  Vec3 low_, high_;
  Sides sides_;
  bool is_closed_ = false;
  double radius_ = 0;
};

}  // namespace scree

/// Surfaces made of triangles: where they are near a point.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "scree/core/aligned.hpp"
#include "scree/geometry/shape.hpp"
#include "scree/math/lanes.hpp"
#include "scree/math/vec3.hpp"

namespace scree {

/// Which sides of a surface repel.
enum class Sides : std::uint8_t {
  one,  ///< that of the normals: what lies behind the surface is inside a solid
  two,  ///< both: a sheet without thickness
};

/// Immutable; facets stand in the order of the tree that finds them, near in memory where they are
/// near in space.
class TriangleMesh {
 public:
  using Corners = std::array<std::uint32_t, 3>;  ///< counter-clockwise, seen from the front
  static constexpr std::uint32_t kNone = 0xffffffff;

  /// Part of a facet: its inside, the edge from corner k to the next, or corner k.
  enum Region : std::uint8_t { kFace = 0, kEdge = 1, kCorner = 4 };

  struct Facet {
    std::array<Vec3, 3> corner;
    Vec3 normal;                          ///< unit
    Corners vertex;                       ///< of each corner
    std::array<std::uint32_t, 3> across;  ///< facet beyond the edge from each corner, or kNone
  };

  /// A point of the surface.
  struct Place {
    std::uint32_t facet = kNone;
    std::uint8_t region = kFace;  ///< kFace, kEdge + k or kCorner + k
    Vec3 point;
    std::uint32_t feature() const { return 7 * facet + region; }
  };
  static constexpr std::uint32_t kMaxFacets = 500'000'000;  ///< so that a feature has 32 bits

  /// Every triangle has an area. Throws std::invalid_argument if there is none, or a corner is none
  /// of the vertices.
  TriangleMesh(std::span<const Vec3> vertices, std::span<const Corners> triangles, Sides sides);

  std::span<const Facet> facets() const { return facets_; }
  std::span<const Vec3> vertices() const { return vertices_; }
  Sides sides() const { return sides_; }
  bool is_closed() const { return is_closed_; }  ///< each edge has two facets
  /// Name of the flat piece of the surface that a facet belongs to: facets that hang together and
  /// lie in one plane, to the rounding of files in single precision. It is the least of its facets.
  std::uint32_t patch(std::uint32_t facet) const { return patch_[facet]; }
  double radius() const { return radius_; }  ///< of the farthest vertex from the origin [m]
  const Vec3& low() const { return low_; }
  const Vec3& high() const { return high_; }

  /// The point of a facet that is closest to p.
  Place closest_on(std::uint32_t facet, const Vec3& p) const;
  /// The point of the surface that is closest to p; none if it is not closer than `within`.
  Place closest(const Vec3& p, double within = std::numeric_limits<double>::infinity()) const;
  /// Whether some point of the surface is closer to p than that [m].
  bool is_near(const Vec3& p, double distance) const {
    bool near = false;
    for_each_near(p, distance, [&](std::uint32_t, const Place&) {
      near = true;
      return false;
    });
    return near;
  }

  /// Unit normal of a place: on edges and corners the mean of the facets there, at corners weighted
  /// by their angles [Baerentzen05]: a point is in front of the surface where it is in front of the
  /// plane across the normal of its closest place.
  Vec3 normal(std::uint32_t facet, std::uint8_t region) const;
  Vec3 normal(const Place& place) const { return normal(place.facet, place.region); }
  Vec3 normal_of_feature(std::uint32_t feature) const {
    return normal(feature / 7, static_cast<std::uint8_t>(feature % 7));
  }

  /// Of a point from the surface; negative behind one with one side, and with two the normal is on
  /// the side of the point.
  SurfaceDistance signed_distance(const Vec3& p) const;

  /// How far the surface reaches from the origin along a direction [m]; looks at every vertex.
  double support(const Vec3& direction) const;

  /// Calls f(facet, place) with the closest place of each facet that is closer to p than `distance`
  /// [m], until f returns false.
  template <class F>
  void for_each_near(const Vec3& p, double distance, F&& f) const {
    const double d2 = distance * distance;
    for_each_in_boxes(
        [&](const Node& node, std::array<bool, kBoxes>& meets) {
          const std::array<double, kBoxes> way2 = squared_ways(node, p);
          for (int c = 0; c < kBoxes; ++c) meets[c] = way2[c] < d2;
        },
        [&](std::uint32_t facet) {
          const Place place = closest_on(facet, p);
          return !(squared_norm(p - place.point) < d2) || f(facet, place);
        });
  }

  /// Calls f(facet) for facets whose boxes meet the box from low to high, and some others.
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

 private:
  static constexpr int kBoxes = 4;
  static constexpr std::uint32_t kFacet = std::uint32_t{1} << 31;
  /// Boxes side by side in a box: of facets, or of nodes. Single precision, rounded outward: less
  /// to bring from memory.
  struct alignas(kCacheLine) Node {
    float low[3][kBoxes], high[3][kBoxes];
    std::uint32_t inside[kBoxes];  ///< a node, or kFacet | a facet
    int count;
  };
  static constexpr std::uint32_t kMaxInLeaf = kBoxes;
  static constexpr int kDeepest = 64;  ///< entries that wait: three a level, of 16 at most

  /// From p to each box; two boxes in a register, which all processors have.
  static std::array<double, kBoxes> squared_ways(const Node& node, const Vec3& p) {
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
                  beside = below > above ? below : above, way = beside < 0 ? Two{} : beside;
        sum += way * way;
      }
      store<2>(&sums[c], sum);
    }
    return sums;
  }
  /// Facets in their order.
  template <class Meet, class F>
  void for_each_in_boxes(Meet meet, F&& f) const {
    std::array<std::uint32_t, kDeepest> open;
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
  void put_in_order(std::span<Item> items) const;
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

/// Surfaces made of triangles: where they are near a point.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "scree/geometry/shape.hpp"
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
  static constexpr std::uint32_t kMostFacets = 500'000'000;  ///< so that a feature has 32 bits

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
  const Vec3& low() const { return nodes_[0].low; }
  const Vec3& high() const { return nodes_[0].high; }

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
    for_each_in_boxes([&](const Node& node) { return squared_way_to(node, p) < d2; },
                      [&](std::uint32_t facet) {
                        const Place place = closest_on(facet, p);
                        return !(squared_norm(p - place.point) < d2) || f(facet, place);
                      });
  }

  /// Calls f(facet) for facets whose boxes meet the box from low to high, and some others.
  template <class F>
  void for_each_in_box(const Vec3& low, const Vec3& high, F&& f) const {
    for_each_in_boxes(
        [&](const Node& node) {
          return node.low.x <= high.x && node.high.x >= low.x && node.low.y <= high.y &&
                 node.high.y >= low.y && node.low.z <= high.z && node.high.z >= low.z;
        },
        [&](std::uint32_t facet) {
          f(facet);
          return true;
        });
  }

 private:
  /// A box around facets; the first of two nodes in it comes next.
  struct Node {
    Vec3 low, high;
    std::uint32_t second = 0;            ///< the other node in it; 0 of a leaf
    std::uint32_t begin = 0, count = 0;  ///< facets, of a leaf
  };
  static constexpr std::uint32_t kMostInLeaf = 4;
  static constexpr int kDeepest = 64;

  static double squared_way_to(const Node& node, const Vec3& p);
  template <class Enter, class F>
  void for_each_in_boxes(Enter enter, F&& f) const {
    std::array<std::uint32_t, kDeepest> open;
    int count = 0;
    open[count++] = 0;
    while (count > 0) {
      const std::uint32_t k = open[--count];
      const Node& node = nodes_[k];
      if (!enter(node)) continue;
      if (node.second == 0) {
        for (std::uint32_t facet = node.begin; facet < node.begin + node.count; ++facet)
          if (!f(facet)) return;
        continue;
      }
      open[count++] = node.second;
      open[count++] = k + 1;
    }
  }

  struct Item;
  void make_nodes(std::span<Item> items, std::uint32_t begin);
  void join_facets();
  void find_patches();
  void weigh_corners();

  std::vector<Vec3> vertices_;
  std::vector<Facet> facets_;
  std::vector<Vec3> vertex_normal_;
  std::vector<std::uint32_t> patch_;  ///< of each facet
  std::vector<Node> nodes_;
  Sides sides_;
  bool is_closed_ = false;
  double radius_ = 0;
};

}  // namespace scree

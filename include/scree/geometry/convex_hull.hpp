/// Convex polyhedra: the hull of points, with its faces and mass properties.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "scree/geometry/shape.hpp"
#include "scree/math/vec3.hpp"

namespace scree {

/// Hull with its origin at the centre of mass, its axes along principal axes, scaled so that the
/// farthest vertex is at distance 1.
class ConvexHull {
 public:
  struct Face {
    Vec3 normal;                 ///< outward, unit
    double offset;               ///< distance of the plane from the origin: normal · x [-] > 0
    std::uint32_t first, count;  ///< its vertices in loops()
  };

  /// Edge between two vertices, where two faces meet.
  struct Edge {
    std::array<std::uint16_t, 2> end;
    std::array<std::uint32_t, 2> face;
    double cosine;  ///< of the angle between their normals [-]
  };

  std::span<const Vec3> vertices() const { return vertices_; }
  std::span<const Face> faces() const { return faces_; }
  std::span<const Edge> edges() const { return edges_; }
  /// Radius of the ball about the origin that lies inside [-].
  double inscribed_radius() const { return inscribed_radius_; }
  /// Indices of the edges of a face; entry k starts at vertex k of loop().
  std::span<const std::uint32_t> edges_of(const Face& face) const {
    return std::span(face_edges_).subspan(face.first, face.count);
  }
  /// Upper bound of a ratio [-] ≥ 1: the distance of an outside point from a plane through an edge,
  /// between those of its faces, over the larger of its distances from the two face planes.
  double sharpness() const { return sharpness_; }
  /// Writes the height of a point above the plane of each face, with the hull `scale` times as
  /// large, and −∞ beyond the last face. Returns the index of the largest. `heights` needs a
  /// multiple of 8 entries.
  std::uint32_t heights_above_faces(const Vec3& point, double scale,
                                    std::span<double> heights) const;
  /// Vertices of a face, counter-clockwise seen from outside.
  std::span<const std::uint16_t> loop(const Face& face) const {
    return std::span(loops_).subspan(face.first, face.count);
  }
  /// Vertex loops of all faces, each as loop() has it.
  std::vector<std::vector<std::uint16_t>> face_loops() const;
  std::uint32_t max_corners() const { return max_corners_; }  ///< of a face
  double volume() const { return volume_; }                   ///< [-]
  Vec3 inertia() const { return inertia_; }                   ///< for density 1 [-]

  /// Index of the vertex farthest along a direction.
  std::uint32_t farthest(const Vec3& direction) const;
  /// Index of the face whose normal is nearest to a direction.
  std::uint32_t facing(const Vec3& direction) const;
  /// Signed distance of a point from the surface, as `signed_distance` of a shape.
  SurfaceDistance signed_distance(const Vec3& point) const;

 private:
  friend struct PlacedHull convex_hull(std::span<const Vec3> points);
  friend std::shared_ptr<const ConvexHull> hull_of_faces(
      std::vector<Vec3> vertices, std::span<const std::vector<std::uint16_t>> faces);
  /// Builds the faces; needs the vertices.
  void add_faces(std::span<const std::vector<std::uint16_t>> loops);
  /// Builds the edges; needs the faces.
  void add_edges();
  std::vector<Vec3> vertices_;
  std::vector<Face> faces_;
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> face_edges_;
  std::vector<std::uint16_t> loops_;
  /// Copies of vertices, normals and offsets in columns, for farthest() and facing().
  std::vector<double> vertex_columns_, normal_columns_, offset_column_;
  std::uint32_t max_corners_ = 0;
  double inscribed_radius_ = 0, sharpness_ = 1;
  double volume_ = 0;
  Vec3 inertia_;
};

/// Hull, and its pose in the frame of the points that it was made from.
struct PlacedHull {
  std::shared_ptr<const ConvexHull> hull;
  double size;  ///< bounding radius about the centre of mass [m]: the hull's lengths times it
  Pose pose;    ///< of the hull's frame in that of the points
};
/// Smallest convex polyhedron that contains the points [m], by qhull; merges coplanar faces. Points
/// already along principal axes keep their axes. Throws std::invalid_argument if the points lie in
/// a plane, are not finite, or span more than kMaxHullVertices vertices.
PlacedHull convex_hull(std::span<const Vec3> points);
inline constexpr std::size_t kMaxHullVertices = 4096;

/// Hull from vertices() and face_loops() of another, as read from a file. Throws
/// std::invalid_argument if they do not form a hull.
std::shared_ptr<const ConvexHull> hull_of_faces(std::vector<Vec3> vertices,
                                                std::span<const std::vector<std::uint16_t>> faces);

}  // namespace scree

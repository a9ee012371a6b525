/// Convex polyhedra: the hull of some points, with its faces and mass properties.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "scree/geometry/shape.hpp"
#include "scree/math/vec3.hpp"

namespace scree {

/// Vertices about the centre of mass, along principal axes, the farthest at 1 from it.
class ConvexHull {
 public:
  struct Face {
    Vec3 normal;                 ///< outward, unit
    double offset;               ///< of the plane from the origin: normal · x [-] > 0
    std::uint32_t first, count;  ///< its vertices in loops()
  };

  /// Between two vertices, where two faces meet.
  struct Edge {
    std::array<std::uint16_t, 2> end;
    std::array<std::uint32_t, 2> face;
    double cosine;  ///< of the angle between their normals [-]
  };

  std::span<const Vec3> vertices() const { return vertices_; }
  std::span<const Face> faces() const { return faces_; }
  std::span<const Edge> edges() const { return edges_; }
  double inscribed_radius() const {
    return inscribed_radius_;
  }  ///< of a ball about the origin, inside [-]
  /// Indices of the edges of a face, each from the vertex that loop() has there to the next.
  std::span<const std::uint32_t> edges_of(const Face& face) const {
    return std::span(face_edges_).subspan(face.first, face.count);
  }
  /// The most that a plane through an edge, between those of its faces, can lie farther from a
  /// point outside than both [-] ≥ 1: a factor.
  double sharpness() const { return sharpness_; }
  /// Writes how far a point is above the plane of each face, the hull being `scale` times as large;
  /// −∞ beyond the last face, and returns the highest. Needs room for a multiple of 8.
  std::uint32_t heights_above_faces(const Vec3& point, double scale,
                                    std::span<double> heights) const;
  /// A face's vertices, counter-clockwise for who looks at it from outside.
  std::span<const std::uint16_t> loop(const Face& face) const {
    return std::span(loops_).subspan(face.first, face.count);
  }
  /// Corners that make up all faces, a loop for each, as loop() gives them.
  std::vector<std::vector<std::uint16_t>> face_loops() const;
  std::uint32_t max_corners() const { return max_corners_; }  ///< of a face
  double volume() const { return volume_; }                   ///< [-]
  Vec3 inertia() const { return inertia_; }                   ///< for density 1 [-]

  /// The vertex farthest along a direction, and the face whose normal is nearest to it.
  std::uint32_t farthest(const Vec3& direction) const;
  std::uint32_t facing(const Vec3& direction) const;
  /// Of a point from the surface, as `signed_distance` has it.
  SurfaceDistance signed_distance(const Vec3& point) const;

 private:
  friend struct PlacedHull convex_hull(std::span<const Vec3> points);
  friend std::shared_ptr<const ConvexHull> hull_of_faces(
      std::vector<Vec3> vertices, std::span<const std::vector<std::uint16_t>> faces);
  /// Needs the vertices.
  void add_faces(std::span<const std::vector<std::uint16_t>> loops);
  /// Needs the faces.
  void add_edges();
  std::vector<Vec3> vertices_;
  std::vector<Face> faces_;
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> face_edges_;
  std::vector<std::uint16_t> loops_;
  /// Vertices and normals of faces once more, in columns for farthest() and facing().
  std::vector<double> vertex_columns_, normal_columns_, offset_column_;
  std::uint32_t max_corners_ = 0;
  double inscribed_radius_ = 0, sharpness_ = 1;
  double volume_ = 0;
  Vec3 inertia_;
};

/// A hull, and where it stands in the frame of the points that it was made from.
struct PlacedHull {
  std::shared_ptr<const ConvexHull> hull;
  double size;  ///< bounding radius about the centre of mass [m]: the hull's lengths times it
  Pose pose;    ///< of the hull's frame in that of the points
};
/// The smallest convex polyhedron that holds the points [m], by qhull; faces in one plane are one.
/// Points along principal axes keep their axes. Throws std::invalid_argument if the points lie in a
/// plane, are not finite, or span more than kMaxHullVertices vertices.
PlacedHull convex_hull(std::span<const Vec3> points);
inline constexpr std::size_t kMaxHullVertices = 4096;

/// The hull that vertices() and face_loops() of another describe, as from a file. Throws
/// std::invalid_argument if they are not those of a hull.
std::shared_ptr<const ConvexHull> hull_of_faces(std::vector<Vec3> vertices,
                                                std::span<const std::vector<std::uint16_t>> faces);

}  // namespace scree

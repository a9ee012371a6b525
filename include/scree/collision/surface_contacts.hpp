/// Where bodies touch surfaces that need not be convex: meshes and hollow forms.
///
/// A sphere touches a surface at each place whose distance from its centre is least among those
/// nearby: once on a plane, however it is cut into facets, twice in a groove, three times in a
/// corner of three walls, and not at edges that faces beside them keep it off.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "scree/collision/contact_points.hpp"
#include "scree/collision/separating_plane.hpp"
#include "scree/geometry/shape.hpp"
#include "scree/math/vec3.hpp"

namespace scree {

/// The most points that a body and a surface have. Of more, a sphere keeps the nearest and those
/// whose normals differ most from the others.
inline constexpr int kMaxOnSurface = 12;

/// A place of a surface near a sphere.
struct SurfaceTouch {
  std::uint32_t feature;  ///< of a mesh: see TriangleMesh::Place
  Vec3 point;             ///< on the surface [m]
  Vec3 normal;            ///< unit, to where the sphere has to be
  double height;          ///< of the sphere's centre above it, along the normal [m]
};
struct SurfaceTouches {
  int count = 0;
  std::array<SurfaceTouch, kMaxOnSurface> touches;
};

/// Facets of a mesh about a place, which a sphere that hardly moves against it need not look for
/// again. What it touches does not depend on whether they are known.
class KnownFacets {
 public:
  static constexpr int kMax = 23;

  /// Whether they are all that are closer to p than that; in the mesh's own lengths.
  bool covers(const Vec3& p, double distance) const;
  std::span<const std::uint32_t> facets() const {
    return {facets_.data(), static_cast<std::size_t>(count_)};
  }
  /// From here on add() those that are closer to p than `reach`.
  void start(const Vec3& p, double reach);
  /// Of too many none are known.
  void add(std::uint32_t facet);

 private:
  Vec3 middle_;
  double reach_ = -1;
  std::int32_t count_ = 0;
  std::array<std::uint32_t, kMax> facets_;
};

/// Places of least distance that are less than `radius + margin` from the centre, all in the
/// surface's own frame. A sphere whose centre is behind a surface with one side has the nearest
/// alone, which pushes it out. Places closer than 1e-5 of the radius count as one. `known`: see
/// KnownFacets; of the sphere and the surface alone, or null.
SurfaceTouches touches_of_sphere(const Shape& surface, const Vec3& centre, double radius,
                                 double margin, KnownFacets* known = nullptr);

/// A point of a sphere and a surface for a step; of `plane` normals are out of the surface.
struct SphereOnSurface {
  std::uint32_t feature;
  SeparatingPlane plane;
};
struct SphereOnSurfaces {
  int count = 0;
  std::array<SphereOnSurface, kMaxOnSurface> points;
};

/// The same for a step of length h [s], in which the sphere may pass an edge, or come to a face
/// that lies farther on; see SeparatingPlane. `motion` is the way of the sphere against the surface
/// in half a step, see change_along() [m].
///
/// * A sphere whose free path does not meet the surface obeys what it gets.
/// * One that meets it gets the places of the start, and those that it would overlap at the end of
///   the step when it has slid along the first.
SphereOnSurfaces sphere_on_surface_in_step(const Shape& surface, const Pose& pose,
                                           const Twist& twist, const Vec3& centre, double radius,
                                           const Vec3& velocity, const Vec3& motion, double margin,
                                           double h, KnownFacets* known = nullptr);

/// Where a convex body that is no sphere (A) touches a surface (B), or may come to touch.
struct SurfacePoints {
  int count = 0;
  std::array<ContactPoint, kMaxOnSurface> points;
};
/// Points with a gap below `margin` [m]; see contact_points().
///
/// * Corners of the body over flat pieces of the surface, along their normals, edges that cross,
/// and
///   edges and corners of the surface that stand out, along the shortest way to them. The least gap
///   is the distance of the two, or less the depth of the overlap. Edges inside a flat piece, and
///   those in a groove, count for nothing: a body slides over a plane of triangles as over a plane.
/// * A surface with two sides pushes to the side on which the middle of the body is; one with one
///   side to its front, and a body whose middle is behind it has the shortest way out.
/// * Up to four points of each flat piece, well spread; of more than kMaxOnSurface in all the
///   nearest and those whose pushes (force and torque) differ most from the others.
/// * A feature is made of the flat piece, edge or corner of the surface and the part of the body.
///
/// Throws std::domain_error for other shapes.
SurfacePoints points_on_surface(const Shape& body, const Pose& pose_body, const Shape& surface,
                                const Pose& pose_surface, double margin);
/// The same for a step of length h [s]; see contact_points_in_step(), which it follows.
SurfacePoints points_on_surface_in_step(const Shape& body, const Pose& pose_body,
                                        const Twist& twist_body, const Shape& surface,
                                        const Pose& pose_surface, const Twist& twist_surface,
                                        double margin, double h);
/// Least of their gaps, whatever it is, and the direction from the body to the surface there.
SurfaceDistance separation_from_surface(const Shape& body, const Pose& pose_body,
                                        const Shape& surface, const Pose& pose_surface);
/// Whether two features are of one part of a body that is no sphere.
inline bool same_part_of_body(std::uint32_t feature, std::uint32_t other) {
  return ((feature ^ other) & 0xfff) == 0;
}

/// Cosine of the angle between the normals of two features of a surface [-].
double cosine_between(const Shape& surface, std::uint32_t feature, std::uint32_t other);

}  // namespace scree

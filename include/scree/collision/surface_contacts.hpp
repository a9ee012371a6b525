/// Contact points of bodies with surfaces that need not be convex: meshes and hollow shapes.
///
/// A sphere touches a surface at each local minimum of the distance from its centre: once on a
/// plane, however it is triangulated; twice in a groove; three times in a corner of three walls. It
/// does not touch edges that adjacent faces shield from it.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "scree/collision/contact_points.hpp"
#include "scree/collision/separating_plane.hpp"
#include "scree/geometry/shape.hpp"
#include "scree/math/vec3.hpp"

namespace scree {

/// Maximum number of points of a body and a surface. If there are more, a sphere keeps the nearest
/// and those whose normals differ most from the others.
inline constexpr int kMaxOnSurface = 12;

/// Point of a surface near a sphere.
struct SurfaceTouch {
  std::uint32_t feature;  ///< of a mesh: see TriangleMesh::SurfacePoint
  Vec3 point;             ///< on the surface [m]
  Vec3 normal;            ///< unit, towards the admissible side
  double height;          ///< height of the sphere's centre above the point, along the normal [m]
};
struct SurfaceTouches {
  int count = 0;
  std::array<SurfaceTouch, kMaxOnSurface> touches;
};

/// Cache of the mesh facets near a sphere, so that a sphere that hardly moves relative to the mesh
/// need not search again. Results do not depend on the cache.
class KnownFacets {
 public:
  static constexpr int kMax = 23;

  /// True if the cache contains all facets closer to p than `distance`, in the mesh's own lengths.
  bool covers(const Vec3& p, double distance) const;
  std::span<const std::uint32_t> facets() const {
    return {facets_.data(), static_cast<std::size_t>(count_)};
  }
  /// Starts a new cache; then add() all facets closer to p than `reach`.
  void start(const Vec3& p, double reach);
  /// Adds a facet; if there are too many, the cache becomes empty and covers nothing.
  void add(std::uint32_t facet);

 private:
  Vec3 middle_;
  double reach_ = -1;
  std::int32_t count_ = 0;
  std::array<std::uint32_t, kMax> facets_;
};

/// Local minima of the distance that are less than `radius + margin` from the centre, in the
/// surface's own frame. A sphere whose centre is behind a one-sided surface has only the nearest,
/// which pushes it out. Points closer than 1e-5 of the radius count as one. `known` is the cache of
/// this sphere and surface, or null.
SurfaceTouches touches_of_sphere(const Shape& surface, const Vec3& centre, double radius,
                                 double margin, KnownFacets* known = nullptr);

/// Point of a sphere and a surface for a step; the normal of `plane` points out of the surface.
struct SphereOnSurface {
  std::uint32_t feature;
  SeparatingPlane plane;
};
struct SphereOnSurfaces {
  int count = 0;
  std::array<SphereOnSurface, kMaxOnSurface> points;
};

/// Points for a step of length h [s], in which the sphere may pass an edge or reach a face farther
/// on; see SeparatingPlane. `motion` is the displacement of the sphere relative to the surface in
/// half a step, see change_along() [m].
///
/// * A sphere whose free path does not meet the surface satisfies the points returned.
/// * A sphere whose free path meets it gets the points of the start, and those that it would
///   overlap at the end of the step after sliding along the first.
SphereOnSurfaces sphere_on_surface_in_step(const Shape& surface, const Pose& pose,
                                           const Twist& twist, const Vec3& centre, double radius,
                                           const Vec3& velocity, const Vec3& motion, double margin,
                                           double h, KnownFacets* known = nullptr);

/// Points where a convex body other than a sphere (A) touches a surface (B), or may come to touch.
struct SurfacePoints {
  int count = 0;
  std::array<ContactPoint, kMaxOnSurface> points;
};
/// Points with a gap below `margin` [m]; see contact_points().
///
/// * Candidates: corners of the body over flat patches of the surface, along the patch normals;
///   crossing edges; and convex edges and corners of the surface, along the shortest displacement
///   to them. The least gap is the distance of the two, or minus the depth of the overlap. Edges
///   inside a flat patch or in a groove are ignored: a body slides over a triangulated plane as
///   over a plane.
/// * A two-sided surface pushes to the side of the body's middle. A one-sided surface pushes to its
///   front; a body whose middle is behind it gets the shortest way out.
/// * Selection: up to four widely spread points per flat patch. Of more than kMaxOnSurface in all,
///   the nearest stays, and those that touch or nearly touch and whose wrenches differ most from
///   the others.
/// * A feature combines the patch, edge or corner of the surface and the feature of the body.
///
/// Throws std::domain_error for other shapes.
SurfacePoints points_on_surface(const Shape& body, const Pose& pose_body, const Shape& surface,
                                const Pose& pose_surface, double margin);
/// Points for a step of length h [s], by the rules of contact_points_in_step().
SurfacePoints points_on_surface_in_step(const Shape& body, const Pose& pose_body,
                                        const Twist& twist_body, const Shape& surface,
                                        const Pose& pose_surface, const Twist& twist_surface,
                                        double margin, double h);
/// Minimum gap, of any size, and the direction from the body to the surface there.
SurfaceDistance separation_from_surface(const Shape& body, const Pose& pose_body,
                                        const Shape& surface, const Pose& pose_surface);
/// True if two features belong to the same part of a body other than a sphere.
inline bool same_part_of_body(std::uint32_t feature, std::uint32_t other) {
  return ((feature ^ other) & 0xfff) == 0;
}

/// Cosine of the angle between the normals of two features of a surface [-].
double cosine_between(const Shape& surface, std::uint32_t feature, std::uint32_t other);

}  // namespace scree

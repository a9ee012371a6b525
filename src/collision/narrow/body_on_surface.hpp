/// Convex body in the frame of a surface, and a collector that reduces their points to a few.
#pragma once

#include <cstdint>
#include <span>

#include "collision/narrow/manifold_reduction.hpp"
#include "collision/narrow/support_points.hpp"
#include "scree/collision/surface_contacts.hpp"

namespace scree {

/// Body in the surface's frame.
struct BodyOnSurface {
  BodyOnSurface(const Shape& body_shape, const Pose& body_pose);

  const Shape& shape;
  Pose pose;
  ConvexCore core;
  Vec3 middle;  ///< some point inside: it defines the body's side of the surface [m]
  double size;  ///< distance of the farthest point from the frame's origin [m]

  SupportPoints facing(const Vec3& n) const { return {shape, pose, core, n}; }
  /// Maximum of n·x over the body [m]; n is unit.
  double farthest(const Vec3& n) const { return dot(n, pose.position) + support(shape, pose, n); }
};

/// Cosine of the angle within which a side of the body is flush with a flat patch, and two normals
/// count as equal [-].
inline constexpr double kFlush = 0.9998;

/// Features of the body that meet the surface: indices of corners, and some special values.
enum BodyPart : std::uint32_t {
  kCrossingPart = 0x800,  ///< from here to kInside: crossings of edges
  kInside = 0xffd,        ///< interior of a side, over a corner of the surface
  kPartMask = 0xfff,
};
/// Kinds of features of the surface.
enum class SurfacePart : std::uint32_t { patch, edge, corner, side, disc, rim };

/// Key of a point within its pair: 20 bits of the surface's feature, then 12 of the body's.
std::uint32_t surface_feature(SurfacePart kind, std::uint32_t first, std::uint32_t second,
                              std::uint32_t body_part);
/// Feature of two edges that cross, from the ends of the body's edge.
std::uint32_t crossing_part(std::uint32_t from, std::uint32_t to);

/// Collects points; one collector at a time in a thread.
class PointCollector {
 public:
  PointCollector(const BodyOnSurface& body, double margin);

  /// Adds a surface point with a gap to the body along a unit normal that points to the body.
  /// Consecutive points with nearly equal normals form a group.
  void add(std::uint32_t feature, const Vec3& on_surface, const Vec3& normal, double gap);
  double min_gap_of_group() const;  ///< [m]; the margin if it is empty
  /// Ends a group and keeps at most four of its points.
  void end_group();
  /// Remaining points in the surface's frame, with normals from the body to the surface.
  SurfacePoints finish();

  double margin() const { return margin_; }

 private:
  struct Item {
    std::uint32_t feature;
    Vec3 point, normal;  ///< midway between the surfaces [m]; normal to the body
    double gap;          ///< [m]
  };
  struct Buffers;
  static Buffers& buffers();
  void drop_duplicates();

  const BodyOnSurface& body_;
  double margin_;
  Buffers& buffers_;
  std::size_t group_ = 0;
};

/// Points of a convex body and a mesh or a hollow shape, in the surface's frame.
SurfacePoints points_on_mesh(const BodyOnSurface& body, const Mesh& mesh, double margin);
SurfacePoints points_on_hollow(const BodyOnSurface& body, const Hollow& hollow, double margin);

}  // namespace scree

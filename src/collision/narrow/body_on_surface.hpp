/// A convex body as a surface sees it, and the points of the two on their way to a few.
#pragma once

#include <cstdint>
#include <span>

#include "collision/narrow/manifold_reduction.hpp"
#include "collision/narrow/support_points.hpp"
#include "scree/collision/surface_contacts.hpp"

namespace scree {

/// In the surface's frame.
struct BodyOnSurface {
  BodyOnSurface(const Shape& body_shape, const Pose& body_pose);

  const Shape& shape;
  Pose pose;
  ConvexCore core;
  Vec3 middle;  ///< some point inside: on its side of the surface the body has to be [m]
  double size;  ///< no point is farther from the frame's origin [m]

  SupportPoints facing(const Vec3& n) const { return {shape, pose, core, n}; }
  /// The greatest n·x [m]; n is unit.
  double farthest(const Vec3& n) const { return dot(n, pose.position) + support(shape, pose, n); }
};

/// Cosine of the angle up to which a side of the body lies flush with a flat piece of the surface,
/// and two normals are nearly one [-].
inline constexpr double kFlush = 0.9998;

/// Parts of the body that meet the surface: corners by their indices, and some others.
enum BodyPart : std::uint32_t {
  kCrossingPart = 0x800,  ///< and more, up to kInside: where edges cross
  kInside = 0xffd,        ///< of a side, over a corner of the surface
  kPartMask = 0xfff,
};
/// Kinds of parts of the surface.
enum class SurfacePart : std::uint32_t { patch, edge, corner, side, disc, rim };

/// Key of a point among those of its pair: 20 bits of the surface's part, then 12 of the body's.
std::uint32_t surface_feature(SurfacePart kind, std::uint32_t first, std::uint32_t second,
                              std::uint32_t body_part);
/// Of two edges that cross, by the body's.
std::uint32_t crossing_part(std::uint32_t from, std::uint32_t to);

/// Collects points; one at a time in a thread.
class PointCollector {
 public:
  PointCollector(const BodyOnSurface& body, double margin);

  /// A point of the surface over which the body stands by `gap` along a unit normal, which points
  /// to the body. Points that come in a row with normals nearly alike are one group.
  void add(std::uint32_t feature, const Vec3& on_surface, const Vec3& normal, double gap);
  double min_gap_of_group() const;  ///< [m]; the margin if it is empty
  /// Ends a group: four of it are kept.
  void end_group();
  /// What is left, in the surface's frame, normals from the body to the surface.
  SurfacePoints finish();

  double margin() const { return margin_; }

 private:
  struct Item {
    std::uint32_t feature;
    Vec3 point, normal;  ///< midway [m]; to the body
    double gap;          ///< [m]
  };
  struct Buffers;
  static Buffers& buffers();
  void drop_same_places();

  const BodyOnSurface& body_;
  double margin_;
  Buffers& b_;
  std::size_t group_ = 0;
};

/// Of a convex body and a mesh or a hollow form, in the surface's frame.
SurfacePoints points_on_mesh(const BodyOnSurface& body, const Mesh& mesh, double margin);
SurfacePoints points_on_hollow(const BodyOnSurface& body, const Hollow& hollow, double margin);

}  // namespace scree

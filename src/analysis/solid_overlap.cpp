/// A region is composed of octants by inclusion and exclusion; an octant has all points below a
/// corner along each axis. For a convex body cut by an octant, only faces of the body count in
/// Gauss's theorem,
///
///     3 V = Σ_faces (x − corner)·n A,
///
/// where A is the area of the part of the face in the octant: the faces of the octant hold its
/// corner, so that (x − corner)·n = 0 there. Faces cut by the octant need not be computed, and V is
/// continuous if faces of the body lie in those of the octant.
#include <algorithm>
#include <array>
#include <cmath>

#include "geometry/tessellation.hpp"
#include "scree/analysis/solid_fraction.hpp"
#include "scree/geometry/clump.hpp"

namespace scree {
namespace {

/// Corners of a convex polygon in space, counter-clockwise seen from outside of its body.
using Polygon = std::vector<Vec3>;

/// Part of a polygon with a coordinate up to a bound, by the algorithm of Sutherland and Hodgman.
void cut(const Polygon& polygon, int axis, double bound, Polygon& part) {
  part.clear();
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Vec3 &here = polygon[k], &next = polygon[k + 1 < polygon.size() ? k + 1 : 0];
    const double above = here[axis] - bound, next_above = next[axis] - bound;
    if (above <= 0) part.push_back(here);
    if ((above < 0 && next_above > 0) || (above > 0 && next_above < 0))
      part.push_back(here + above / (above - next_above) * (next - here));
  }
}

/// Area times the unit normal.
Vec3 area_vector(const Polygon& polygon) {
  Vec3 twice;
  for (std::size_t k = 2; k < polygon.size(); ++k)
    twice += cross(polygon[k - 1] - polygon[0], polygon[k] - polygon[0]);
  return 0.5 * twice;
}

/// Volume of the part below a corner [m³].
double volume_below(const std::vector<Polygon>& faces, const Vec3& corner) {
  double thrice = 0;
  Polygon x, xy, part;
  for (const Polygon& face : faces) {
    cut(face, 0, corner.x, x);
    cut(x, 1, corner.y, xy);
    cut(xy, 2, corner.z, part);
    if (part.size() > 2) thrice += dot(part[0] - corner, area_vector(part));
  }
  return thrice / 3;
}

bool has_flat_faces(const Shape& shape) {
  return std::holds_alternative<Box>(shape) || std::holds_alternative<Polyhedron>(shape);
}

/// Polygonal surface in space with the volume of the shape. Polygons inscribed in a curved surface
/// enclose less, so they are scaled about the shape's origin.
std::vector<Polygon> faces_of(const Shape& shape, const Pose& pose, double volume) {
  constexpr int kCornersAround = 48;
  const Tessellation surface = tessellation(shape, kCornersAround);
  const auto faces_at = [&](const Pose& at, double scale) {
    std::vector<Polygon> faces;
    for (const auto& loop : surface.faces) {
      Polygon& face = faces.emplace_back();
      for (const std::uint32_t corner : loop)
        face.push_back(at.position + rotate(at.orientation, scale * surface.corners[corner]));
    }
    return faces;
  };
  if (has_flat_faces(shape)) return faces_at(pose, 1);
  const Vec3 beyond = reach(shape, {});
  return faces_at(pose, std::cbrt(volume / volume_below(faces_at({}, 1), beyond)));
}

}  // namespace

Solid::Solid(const Shape& shape, const Pose& pose) : shape_(shape), pose_(pose) {
  volume_ = volume_properties(shape).volume;
  const Vec3 half = reach(shape, pose.orientation);
  bounds_ = {pose.position - half, pose.position + half};
  // reach() does not distinguish the two sides of these shapes.
  if (!std::holds_alternative<Frustum>(shape) && !std::holds_alternative<Polyhedron>(shape) &&
      !is_clump(shape))
    return;
  for (int k = 0; k < 3; ++k) {
    Vec3 axis;
    axis[k] = 1;
    bounds_.min[k] = pose.position[k] - support(shape, pose, -axis);
    bounds_.max[k] = pose.position[k] + support(shape, pose, axis);
  }
}

double Solid::overlap(const Region& region) const {
  if (const auto* sphere = std::get_if<Sphere>(&shape_))
    return sphere_box_overlap(pose_.position, sphere->radius, region);
  // Distant corners would cost digits: the body ends at its bounds, and the polyhedron that
  // approximates it nearly so.
  const double beyond = has_flat_faces(shape_) ? 0 : 0.01;
  Region near = region;
  bool inside = true;
  for (int k = 0; k < 3; ++k) {
    const double low = bounds_.min[k], high = bounds_.max[k], slack = beyond * (high - low);
    inside = inside && region.min[k] <= low && region.max[k] >= high;
    near.min[k] = std::clamp(region.min[k], low - slack, high + slack);
    near.max[k] = std::clamp(region.max[k], low - slack, high + slack);
  }
  if (inside) return volume_;
  if (!(near.volume() > 0)) return 0;
  if (const auto* clump = std::get_if<Clump>(&shape_)) return overlap_of_parts(*clump, region);

  if (faces_.empty()) faces_ = faces_of(shape_, pose_, volume_);
  double volume = 0;
  for (const bool x : {false, true})
    for (const bool y : {false, true})
      for (const bool z : {false, true}) {
        const Vec3 corner{x ? near.max.x : near.min.x, y ? near.max.y : near.min.y,
                          z ? near.max.z : near.min.z};
        const bool adds = (x + y + z) % 2 == 1;
        volume += (adds ? 1 : -1) * volume_below(faces_, corner);
      }
  return std::clamp(volume, 0.0, volume_);
}

/// Each part of a clump counts by its share of the volume.
double Solid::overlap_of_parts(const Clump& clump, const Region& region) const {
  double in_region = 0, in_all = 0;
  for (const ClumpPart& part : clump.parts->parts()) {
    const Solid solid(scaled(part.shape, clump.scale),
                      moved(pose_, {clump.scale * part.pose.position, part.pose.orientation}));
    in_region += solid.overlap(region);
    in_all += solid.volume_;
  }
  return std::min(volume_, volume_ * in_region / in_all);
}

}  // namespace scree

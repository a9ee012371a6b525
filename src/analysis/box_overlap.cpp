/// By inclusion and exclusion a region is made of octants: all points below a corner, along each
/// axis. Of the part of a box in an octant, only faces of the box count in Gauss's theorem,
///
///     3 V = Σ_faces (x − corner)·n A,
///
/// where A is the area of the part of the face in the octant: the faces of the octant hold its
/// corner, so that (x − corner)·n = 0 there. No face need be found that the octant cuts into the
/// box, and V follows the faces of the box without a jump where they lie in those of the octant.

#include <algorithm>
#include <array>
#include <cmath>

#include "scree/analysis/solid_fraction.hpp"

namespace scree {
namespace {

/// A convex polygon in space, with room for what three cuts make of a rectangle, rounding
/// notwithstanding.
struct Polygon {
  std::array<Vec3, 16> corner;
  std::size_t count = 0;

  void add(const Vec3& point) { corner[count++] = point; }
};

/// The part where the coordinate is not above a bound, edge by edge as Sutherland and Hodgman cut
/// polygons.
Polygon cut(const Polygon& polygon, int axis, double bound) {
  Polygon part;
  for (std::size_t k = 0; k < polygon.count; ++k) {
    const Vec3 &here = polygon.corner[k], &next = polygon.corner[(k + 1) % polygon.count];
    const double above = here[axis] - bound, next_above = next[axis] - bound;
    if (above <= 0) part.add(here);
    if ((above < 0 && next_above > 0) || (above > 0 && next_above < 0))
      part.add(here + above / (above - next_above) * (next - here));
  }
  return part;
}

/// Area times the unit normal.
Vec3 area_vector(const Polygon& polygon) {
  Vec3 twice;
  for (std::size_t k = 2; k < polygon.count; ++k)
    twice +=
        cross(polygon.corner[k - 1] - polygon.corner[0], polygon.corner[k] - polygon.corner[0]);
  return 0.5 * twice;
}

/// The six faces of a box, corners anticlockwise seen from outside.
std::array<Polygon, 6> faces_of(const Box& box, const Pose& pose) {
  std::array<Polygon, 6> faces;
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (const int side : {-1, 1}) {
      Polygon& face = faces[2 * static_cast<std::size_t>(axis) + (side > 0 ? 1 : 0)];
      for (const auto& [a, b] :
           {std::pair{-1, -1}, std::pair{1, -1}, std::pair{1, 1}, std::pair{-1, 1}}) {
        Vec3 corner;
        corner[axis] = side * box.half_extent[axis];
        corner[u] = side * a * box.half_extent[u];
        corner[v] = b * box.half_extent[v];
        face.add(pose.position + rotate(pose.orientation, corner));
      }
    }
  }
  return faces;
}

/// Volume of the part below a corner [m³].
double volume_below(const std::array<Polygon, 6>& faces, const Vec3& corner) {
  double thrice = 0;
  for (const Polygon& face : faces) {
    const Polygon part = cut(cut(cut(face, 0, corner.x), 1, corner.y), 2, corner.z);
    if (part.count > 2) thrice += dot(part.corner[0] - corner, area_vector(part));
  }
  return thrice / 3;
}

}  // namespace

double box_overlap(const Box& box, const Pose& pose, const Region& region) {
  const double whole = volume_properties(box).volume;
  const Vec3 half = reach(box, pose.orientation);
  // Corners far away would cost digits: nothing of the box lies beyond its reach.
  Region near = region;
  bool inside = true;
  for (int k = 0; k < 3; ++k) {
    const double low = pose.position[k] - half[k], high = pose.position[k] + half[k];
    inside = inside && region.min[k] <= low && region.max[k] >= high;
    near.min[k] = std::clamp(region.min[k], low, high);
    near.max[k] = std::clamp(region.max[k], low, high);
  }
  if (inside) return whole;
  if (!(near.volume() > 0)) return 0;

  const std::array<Polygon, 6> faces = faces_of(box, pose);
  double volume = 0;
  for (const bool x : {false, true})
    for (const bool y : {false, true})
      for (const bool z : {false, true}) {
        const Vec3 corner{x ? near.max.x : near.min.x, y ? near.max.y : near.min.y,
                          z ? near.max.z : near.min.z};
        const bool adds = (x + y + z) % 2 == 1;
        volume += (adds ? 1 : -1) * volume_below(faces, corner);
      }
  return std::clamp(volume, 0.0, whole);
}

}  // namespace scree

/// Moments of a union: the sum of all parts minus what overlaps count twice. The excess is the sum
/// of cones over the regions of faces that lie inside other parts. In the plane of a face the other
/// parts cut out convex polygons. The rim of their union consists of edges without the segments
/// inside other polygons.
#include "geometry/union_moments.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "geometry/tessellation.hpp"

namespace scree {
namespace {

/// Convex polygon in space; corners counter-clockwise seen from outside of its body.
using Polygon = std::vector<Vec3>;

struct Face {
  Polygon corners;
  Vec3 normal;    ///< outward, unit
  double offset;  ///< distance of its plane from the origin, normal · x [m]
  Vec3 middle;
  double radius;  ///< radius about the middle [m]
};
using Polytope = std::vector<Face>;

bool is_flat(const Shape& shape) {
  return std::holds_alternative<Box>(shape) || std::holds_alternative<Polyhedron>(shape);
}

Vec3 area_vector(const Polygon& polygon) {
  Vec3 twice;
  for (std::size_t k = 2; k < polygon.size(); ++k)
    twice += cross(polygon[k - 1] - polygon[0], polygon[k] - polygon[0]);
  return 0.5 * twice;
}

void add_moments(const Polygon& polygon, MassMoments& sum) {
  for (std::size_t k = 2; k < polygon.size(); ++k)
    sum += tetrahedron_moments(polygon[0], polygon[k - 1], polygon[k]);
}

/// Corners and faces of a shape in its own frame; curved shapes as an inscribed polyhedron.
Tessellation faces_of(const Shape& shape, int around) {
  Tessellation surface = tessellation(shape, around);
  if (!std::holds_alternative<Superellipsoid>(shape)) return surface;
  // Its triangles may not form a convex polyhedron.
  const PlacedHull placed = convex_hull(surface.corners);
  Tessellation hull = tessellation(Polyhedron{placed.hull.get(), placed.size}, around);
  for (Vec3& corner : hull.corners)
    corner = placed.pose.position + rotate(placed.pose.orientation, corner);
  return hull;
}

/// Polytope of a part about `origin`; a curved part becomes a polyhedron of the same volume.
Polytope polytope_of(const ClumpPart& part, const Vec3& origin, int around) {
  const Tessellation surface = faces_of(part.shape, around);
  const VolumeProperties properties = volume_properties(part.shape);
  double scale = 1;
  if (!is_flat(part.shape)) {
    MassMoments inside;
    for (const auto& loop : surface.faces) {
      Polygon polygon;
      for (const std::uint32_t corner : loop) polygon.push_back(surface.corners[corner]);
      add_moments(polygon, inside);
    }
    scale = std::cbrt(properties.volume / inside.volume);
  }
  Polytope result;
  for (const auto& loop : surface.faces) {
    Face face;
    for (const std::uint32_t corner : loop) {
      const Vec3 at = properties.centre + scale * (surface.corners[corner] - properties.centre);
      face.corners.push_back(part.pose.position - origin + rotate(part.pose.orientation, at));
    }
    const Vec3 area = area_vector(face.corners);
    face.normal = area / norm(area);
    face.offset = dot(face.normal, face.corners[0]);
    for (const Vec3& corner : face.corners)
      face.middle += 1 / static_cast<double>(face.corners.size()) * corner;
    face.radius = 0;
    for (const Vec3& corner : face.corners)
      face.radius = std::max(face.radius, norm(corner - face.middle));
    result.push_back(std::move(face));
  }
  return result;
}

/// Regions of faces that other parts hide, as moments of the cones over them about the origin of
/// their polytopes. The overlap of two parts is bounded by hidden faces of both, so it is counted
/// once. It is the excess of the sum of all parts.
class HiddenFaces {
 public:
  HiddenFaces(const std::vector<Polytope>& all, double size) : all_(all), flush_(1e-12 * size) {}

  /// Adds the hidden regions of the faces of part `own`, given the parts that may overlap it.
  void add(std::size_t own, const std::vector<std::size_t>& others, MassMoments& sum) {
    for (const Face& face : all_[own]) {
      cuts_.clear();
      for (const std::size_t other : others) add_cut(face, own, other);
      if (cuts_.size() == 1)
        add_moments(cuts_[0], sum);
      else
        for (std::size_t k = 0; k < cuts_.size(); ++k) add_rim(face, k, sum);
    }
  }

 private:
  /// Adds the polygon of a face inside another part. Of coincident faces that look in the same
  /// direction, that of the earlier part is hidden; if they look at each other, none is.
  void add_cut(const Face& face, std::size_t own, std::size_t other) {
    polygon_ = face.corners;
    count(all_[other].size());
    for (const Face& plane : all_[other]) {
      const double middle = dot(plane.normal, face.middle) - plane.offset;
      if (middle > face.radius + flush_) return;
      if (middle < -face.radius - flush_) continue;
      const auto lies_in = [&](const Vec3& corner) {
        return std::abs(dot(plane.normal, corner) - plane.offset) <= flush_;
      };
      if (std::ranges::all_of(face.corners, lies_in)) {
        if (own > other || dot(plane.normal, face.normal) < 0) return;
        continue;
      }
      clip(plane);
      if (polygon_.size() < 3) return;
    }
    // A polygon without width counts as empty; its edges could be confused with those of others.
    if (norm(area_vector(polygon_)) > flush_ * face.radius) cuts_.push_back(polygon_);
  }

  void clip(const Face& plane) {
    bool beyond = false;
    for (const Vec3& corner : polygon_) beyond = beyond || dot(plane.normal, corner) > plane.offset;
    if (!beyond) return;
    clipped_.clear();
    for (std::size_t k = 0; k < polygon_.size(); ++k) {
      const Vec3 &here = polygon_[k], &next = polygon_[k + 1 < polygon_.size() ? k + 1 : 0];
      const double above = dot(plane.normal, here) - plane.offset,
                   next_above = dot(plane.normal, next) - plane.offset;
      if (above <= 0) clipped_.push_back(here);
      if ((above < 0 && next_above > 0) || (above > 0 && next_above < 0))
        clipped_.push_back(here + above / (above - next_above) * (next - here));
    }
    polygon_.swap(clipped_);
  }

  /// Adds the segments of one cut's rim that lie in no other cut: they belong to the rim of the
  /// union. The sum runs over triangles with a fixed corner of the face.
  void add_rim(const Face& face, std::size_t own, MassMoments& sum) {
    const Polygon& polygon = cuts_[own];
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      const Vec3 &from = polygon[k], &to = polygon[k + 1 < polygon.size() ? k + 1 : 0];
      if (norm(to - from) <= flush_) continue;
      covered_.clear();
      for (std::size_t other = 0; other < cuts_.size(); ++other)
        if (other != own) cover(face, own, other, from, to);
      std::ranges::sort(covered_);
      double begin = 0;
      const auto add = [&](double end) {
        if (end > begin)
          sum += tetrahedron_moments(face.corners[0], from + begin * (to - from),
                                     from + end * (to - from));
      };
      for (const auto& [first, last] : covered_) {
        add(first);
        begin = std::max(begin, last);
      }
      add(1);
    }
  }

  /// Marks the segment of an edge that lies in another cut, with the same tie rule as faces.
  void cover(const Face& face, std::size_t own, std::size_t other, const Vec3& from,
             const Vec3& to) {
    const Polygon& polygon = cuts_[other];
    count(polygon.size());
    double first = 0, last = 1;
    for (std::size_t k = 0; k < polygon.size() && first < last; ++k) {
      const Vec3 side = polygon[k + 1 < polygon.size() ? k + 1 : 0] - polygon[k];
      const double length = norm(side);
      if (length <= flush_) continue;
      const Vec3 outward = cross(side, face.normal) / length;
      const double at_first = dot(outward, from - polygon[k]),
                   at_last = dot(outward, to - polygon[k]);
      if (std::abs(at_first) <= flush_ && std::abs(at_last) <= flush_) {
        if (own > other || dot(side, to - from) < 0) return;
        continue;
      }
      if (at_first > 0 && at_last > 0) return;
      if (at_first > 0) first = std::max(first, at_first / (at_first - at_last));
      if (at_last > 0) last = std::min(last, at_first / (at_first - at_last));
    }
    if (first < last) covered_.emplace_back(first, last);
  }

  void count(std::size_t work) {
    constexpr std::size_t kMaxWork = 2'000'000'000;  // some seconds of work
    work_ += work;
    if (work_ > kMaxWork)
      throw std::invalid_argument(
          "too many of its parts overlap to compute the mass; leave out parts that others "
          "hide");
  }

  const std::vector<Polytope>& all_;
  double flush_;  ///< points closer than this lie in one plane, or on one line
  std::size_t work_ = 0;
  Polygon polygon_, clipped_;
  /// intersections of a face with each other part that hides some of it
  std::vector<Polygon> cuts_;
  std::vector<std::pair<double, double>> covered_;
};

/// True if the bounding spheres of two parts overlap.
bool may_overlap(const ClumpPart& a, const ClumpPart& b) {
  return norm(a.pose.position - b.pose.position) <
         bounding_radius(a.shape) + bounding_radius(b.shape);
}

/// Excess of the sum of all parts over the union, about `origin`.
MassMoments excess_of_sum(std::span<const ClumpPart> parts, const Vec3& origin, int around) {
  std::vector<Polytope> all;
  double size = 0;
  for (const ClumpPart& part : parts) {
    all.push_back(polytope_of(part, origin, around));
    size = std::max(size, norm(part.pose.position - origin) + bounding_radius(part.shape));
  }
  HiddenFaces hidden(all, size);
  MassMoments sum;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    std::vector<std::size_t> others;
    for (std::size_t j = 0; j < parts.size(); ++j)
      if (j != k && may_overlap(parts[j], parts[k])) others.push_back(j);
    hidden.add(k, others, sum);
  }
  return sum;
}

/// Moments about another origin, which is now at `origin`.
MassMoments seen_from(const MassMoments& m, const Vec3& origin) {
  const Vec3 &f = m.first, &o = origin;
  const double v = m.volume;
  return {v,
          f + v * o,
          {m.square.x + 2 * o.x * f.x + v * o.x * o.x, m.square.y + 2 * o.y * f.y + v * o.y * o.y,
           m.square.z + 2 * o.z * f.z + v * o.z * o.z},
          {m.product.x + o.y * f.z + o.z * f.y + v * o.y * o.z,
           m.product.y + o.z * f.x + o.x * f.z + v * o.z * o.x,
           m.product.z + o.x * f.y + o.y * f.x + v * o.x * o.y}};
}

MassMoments moments_of_any(std::span<const ClumpPart> parts) {
  MassMoments sum;
  for (const ClumpPart& part : parts) sum += moments_of(volume_properties(part.shape), part.pose);
  if (parts.size() == 1) return sum;
  constexpr int kCoarse = 32, kFine = 64;
  Vec3 origin;
  for (const ClumpPart& part : parts)
    origin += 1.0 / static_cast<double>(parts.size()) * part.pose.position;
  const bool flat =
      std::ranges::all_of(parts, [](const auto& part) { return is_flat(part.shape); });
  MassMoments excess = excess_of_sum(parts, origin, kFine);
  // Richardson extrapolation: errors decrease with the square of the number of corners
  if (!flat) {
    MassMoments coarse = excess_of_sum(parts, origin, kCoarse);
    coarse *= -1.0 / 3;
    excess *= 4.0 / 3;
    excess += coarse;
  }
  excess *= -1;
  sum += seen_from(excess, origin);
  return sum;
}

}  // namespace

MassMoments moments_of_union(std::span<const ClumpPart> parts) {
  // Group the parts that may overlap; a group is named by its first part.
  std::vector<std::size_t> group(parts.size());
  std::iota(group.begin(), group.end(), std::size_t{0});
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (group[i] != group[j] && may_overlap(parts[i], parts[j]))
        for (std::size_t k = 0, to = std::min(group[i], group[j]),
                         from = std::max(group[i], group[j]);
             k <= i; ++k)
          if (group[k] == from) group[k] = to;

  MassMoments sum;
  for (std::size_t first = 0; first < parts.size(); ++first) {
    std::vector<ClumpPart> together;
    for (std::size_t k = first; k < parts.size(); ++k)
      if (group[k] == first) together.push_back(parts[k]);
    if (together.empty()) continue;
    const bool spheres = std::ranges::all_of(
        together, [](const ClumpPart& part) { return std::holds_alternative<Sphere>(part.shape); });
    sum += spheres && together.size() > 1 ? moments_of_spheres(together) : moments_of_any(together);
  }
  return sum;
}

}  // namespace scree

/// Inclusion and exclusion over parts that overlap. What some of them share is convex: its surface
/// is made of the faces of each that lie in all others, and no face need be found anew.
#include "geometry/union_moments.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "geometry/tessellation.hpp"

namespace scree {
namespace {

/// Corners of a convex polygon in space, anticlockwise seen from outside of its body.
using Polygon = std::vector<Vec3>;

struct Face {
  Polygon corners;
  Vec3 normal;    ///< outward, unit
  double offset;  ///< normal · x on it [m]
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

/// Corners and faces of a shape in its own frame; what is curved as a polyhedron inside it.
Tessellation faces_of(const Shape& shape, int around) {
  Tessellation surface = tessellation(shape, around);
  if (!std::holds_alternative<Superellipsoid>(shape)) return surface;
  // Its triangles need not be those of a convex polyhedron.
  const PlacedHull placed = convex_hull(surface.corners);
  Tessellation hull = tessellation(Polyhedron{placed.hull.get(), placed.size}, around);
  for (Vec3& corner : hull.corners)
    corner = placed.pose.position + rotate(placed.pose.orientation, corner);
  return hull;
}

/// A part about `origin`; what is curved as a polyhedron of the same volume.
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
    result.push_back(std::move(face));
  }
  return result;
}

/// What parts share, about the origin of their polytopes.
class Shared {
 public:
  Shared(const std::vector<Polytope>& all, double size) : all_(all), size_(size) {}

  MassMoments operator()(const std::vector<std::size_t>& members) {
    MassMoments sum;
    for (const std::size_t own : members)
      for (const Face& face : all_[own]) {
        polygon_ = face.corners;
        if (clip(face, own, members)) add_moments(polygon_, sum);
      }
    return sum;
  }

 private:
  /// To what lies in all others; false if nothing is left. Of faces that lie in each other, the
  /// first part's counts.
  bool clip(const Face& face, std::size_t own, const std::vector<std::size_t>& members) {
    constexpr double kRounding = 1e-12;
    for (const std::size_t other : members) {
      if (other == own) continue;
      for (const Face& plane : all_[other]) {
        if (dot(plane.normal, face.normal) > 1 - kRounding &&
            std::abs(plane.offset - face.offset) <= kRounding * size_) {
          if (other < own) return false;
          continue;
        }
        cut(plane);
        if (polygon_.size() < 3) return false;
      }
    }
    return true;
  }

  void cut(const Face& plane) {
    bool beyond = false;
    for (const Vec3& corner : polygon_) beyond = beyond || dot(plane.normal, corner) > plane.offset;
    if (!beyond) return;
    part_.clear();
    for (std::size_t k = 0; k < polygon_.size(); ++k) {
      const Vec3 &here = polygon_[k], &next = polygon_[k + 1 < polygon_.size() ? k + 1 : 0];
      const double above = dot(plane.normal, here) - plane.offset,
                   next_above = dot(plane.normal, next) - plane.offset;
      if (above <= 0) part_.push_back(here);
      if ((above < 0 && next_above > 0) || (above > 0 && next_above < 0))
        part_.push_back(here + above / (above - next_above) * (next - here));
    }
    polygon_.swap(part_);
  }

  const std::vector<Polytope>& all_;
  double size_;
  Polygon polygon_, part_;
};

/// Whether the bounding spheres of two parts overlap.
bool may_overlap(const ClumpPart& a, const ClumpPart& b) {
  return norm(a.pose.position - b.pose.position) <
         bounding_radius(a.shape) + bounding_radius(b.shape);
}

/// Of parts that may overlap, what comes off the sum of all.
class InclusionExclusion {
 public:
  explicit InclusionExclusion(std::span<const ClumpPart> parts) : parts_(parts) {
    for (const ClumpPart& part : parts)
      origin_ += 1.0 / static_cast<double>(parts.size()) * part.pose.position;
  }

  /// About the origin().
  MassMoments shared(int around) {
    std::vector<Polytope> all;
    double size = 0;
    for (const ClumpPart& part : parts_) {
      all.push_back(polytope_of(part, origin_, around));
      size = std::max(size, norm(part.pose.position - origin_) + bounding_radius(part.shape));
    }
    Shared shared(all, size);
    MassMoments sum;
    subsets_ = 0;
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      members_ = {k};
      add_larger(shared, sum);
    }
    return sum;
  }
  const Vec3& origin() const { return origin_; }

 private:
  /// Every set of parts that begins with `members_` and shares something.
  void add_larger(Shared& shared, MassMoments& sum) {
    constexpr std::size_t kMostSubsets = 20000;
    for (std::size_t k = members_.back() + 1; k < parts_.size(); ++k) {
      const auto meets = [&](std::size_t m) { return may_overlap(parts_[m], parts_[k]); };
      if (!std::ranges::all_of(members_, meets)) continue;
      if (++subsets_ > kMostSubsets)
        throw std::invalid_argument(
            "too many of its parts overlap in one place for their mass to be found; leave out "
            "parts that others hide");
      members_.push_back(k);
      MassMoments moments = shared(members_);
      if (moments.volume > 1e-14 * volume_properties(parts_[k].shape).volume) {
        moments *= members_.size() % 2 == 0 ? -1 : 1;
        sum += moments;
        add_larger(shared, sum);
      }
      members_.pop_back();
    }
  }

  std::span<const ClumpPart> parts_;
  Vec3 origin_;
  std::vector<std::size_t> members_;
  std::size_t subsets_ = 0;
};

/// Moments about another origin, which stands at `origin` now.
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
  InclusionExclusion overlaps(parts);
  const bool flat =
      std::ranges::all_of(parts, [](const auto& part) { return is_flat(part.shape); });
  MassMoments shared = overlaps.shared(kFine);
  if (!flat) {  // errors fall with the square of the corners
    MassMoments coarse = overlaps.shared(kCoarse);
    coarse *= -1.0 / 3;
    shared *= 4.0 / 3;
    shared += coarse;
  }
  sum += seen_from(shared, overlaps.origin());
  return sum;
}

}  // namespace

MassMoments moments_of_union(std::span<const ClumpPart> parts) {
  // Groups of parts that may overlap, each by the number of its first.
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

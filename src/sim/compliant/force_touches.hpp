/// Touching points of pairs with compliant laws, other than two spheres, and their springs.
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "scree/collision/clump_contacts.hpp"
#include "sim/compliant/force_filling.hpp"

namespace scree {

/// Parameters of the spring of a point.
struct Spring {
  double share;        ///< fraction of the pair's stiffness [-]
  double radius;       ///< R* of Hertz' law [m]
  double inner;        ///< smaller inscribed radius of the two bodies, or of their parts [m]
  std::uint32_t a, b;  ///< records of the two: of bodies, or of spheres of clumps
};
/// Points of a pair with their springs.
struct Touches : PairPoints {
  std::array<Spring, Neighbours::kMaxSurfacePoints> springs;
  bool keeps_radius = false;  ///< R* of a contact keeps its first value

  /// Adds a point. If there are too many, the deepest stay: one that replaces another stores as
  /// much energy.
  void add(const PairPoint& point, const Spring& spring) {
    auto index = static_cast<std::size_t>(count);
    if (index < springs.size()) {
      ++count;
    } else {
      const PairPoint* const least = std::max_element(
          begin(), end(), [](const PairPoint& p, const PairPoint& q) { return p.gap < q.gap; });
      if (!(point.gap < least->gap)) return;
      index = static_cast<std::size_t>(least - begin());
    }
    points[index] = point;
    springs[index] = spring;
  }
};

inline PairPoint as_point(std::uint32_t feature, const Vec3& point, const Vec3& normal,
                          double gap) {
  return {.feature = feature,
          .point = point,
          .normal = normal,
          .gap = gap,
          .remaining_gap = gap,
          .turn_cosine = 1,
          .wall = {}};
}

/// R* of a pair of a sphere and an obstacle: while they touch it keeps its first value. A jump, as
/// between the side and an end, would make the spring create or lose energy [m].
double radius_of(const StepContext& c, std::uint32_t p);
/// Points of a sphere and a surface that touch or have a neck; normals point to the surface.
PairPoints touched_points(const StepContext& c, std::uint32_t law, std::uint32_t p);
/// Points of the spheres of a body on an obstacle; the parts of a clump count as separate
/// obstacles.
Touches touches_of_balls(const StepContext& c, std::uint32_t law, std::uint32_t p);
/// Points at which the spheres of two bodies touch.
Touches touches_of_spheres(const StepContext& c, std::uint32_t law, std::uint32_t p);
/// Springs of two parts, as for separate bodies: R* of a sphere on a face is its radius; for shapes
/// without a sphere it is that of the inscribed spheres.
Spring spring_of_parts(const StepContext& c, const BodyPair& in_order,
                       const ClumpPoints::Parts& parts);
/// Point on the surface for a sphere and an obstacle, with the normal from the sphere to it; none
/// if they do not touch.
std::optional<PairPoint> touched_surface(const StepContext& c, std::uint32_t law, std::uint32_t p);

}  // namespace scree

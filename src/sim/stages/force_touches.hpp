/// Where pairs with compliant laws touch that are not two spheres, and by which springs.
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "scree/collision/clump_contacts.hpp"
#include "sim/stages/force_filling.hpp"

namespace scree {

/// What the spring of a point follows from.
struct Spring {
  double share;        ///< of the pair's stiffness [-]
  double radius;       ///< R* of Hertz' law [m]
  double inner;        ///< the smaller inner radius of the two bodies, or of their parts [m]
  std::uint32_t a, b;  ///< records of the two: of bodies, or of spheres of clumps
};
/// Points of a pair with their springs.
struct Touches : PairPoints {
  std::array<Spring, Neighbours::kMaxSurfacePoints> springs;
  bool keeps_radius = false;  ///< R* of a contact stays that of where it began

  /// Of too many the deepest are kept: where one stands in for another, both hold as much energy.
  void add(const PairPoint& point, const Spring& spring) {
    auto place = static_cast<std::size_t>(count);
    if (place < springs.size()) {
      ++count;
    } else {
      const PairPoint* const least = std::max_element(
          begin(), end(), [](const PairPoint& p, const PairPoint& q) { return p.gap < q.gap; });
      if (!(point.gap < least->gap)) return;
      place = static_cast<std::size_t>(least - begin());
    }
    points[place] = point;
    springs[place] = spring;
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

/// R* of a pair of a sphere and an obstacle: as long as they touch that of where they came to. If
/// it jumped, as between the side and an end, the spring would make energy, or take some [m].
double radius_of(const StepContext& c, std::uint32_t p);
/// Of a sphere and a surface: where it touches, or has a neck to it; normals go to the surface.
PairPoints touched_places(const StepContext& c, std::uint32_t law, std::uint32_t p);
/// Where the spheres that a body is made of touch an obstacle; a clump as its parts would be
/// touched if each were an obstacle of its own.
Touches touches_of_balls(const StepContext& c, std::uint32_t law, std::uint32_t p);
/// Where the spheres of two bodies touch.
Touches touches_of_spheres(const StepContext& c, std::uint32_t law, std::uint32_t p);
/// The springs of two parts, as those of two bodies of their own: R* of a sphere on a face is its
/// own radius, of shapes without a sphere that of the spheres inside.
Spring spring_of_parts(const StepContext& c, const BodyPair& in_order,
                       const ClumpPoints::Parts& parts);
/// Of a sphere and an obstacle: the surface, as a point whose normal goes from the sphere to it;
/// none if they do not touch.
std::optional<PairPoint> touched_surface(const StepContext& c, std::uint32_t law, std::uint32_t p);

}  // namespace scree

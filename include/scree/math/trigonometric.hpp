/// Real roots of trigonometric polynomials of degree two: the angles at which a contact can slide.
#pragma once

#include <array>

namespace scree {

/// F(α) = c0 + c1 cos α + s1 sin α + c2 cos 2α + s2 sin 2α.
struct TrigonometricQuadratic {
  double c0 = 0, c1 = 0, s1 = 0, c2 = 0, s2 = 0;
  double operator()(double angle) const;
};

/// The roots of F in (−π, π], at most four.
struct AngleRoots {
  std::array<double, 8> angle{};  ///< [rad]; room for roots that the two half circles both find at their common ends
  int count = 0;
};

/// All real roots, double ones included. On each half circle t = tan(α/2) ∈ [−1, 1] turns F into a quartic, whose roots lie
/// between those of its derivative: each is bracketed, none can be missed.
AngleRoots real_roots(const TrigonometricQuadratic& f);

}  // namespace scree

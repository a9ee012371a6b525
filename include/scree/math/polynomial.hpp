/// Real polynomials of degree up to four, given by coefficients p[0] + p[1] t + …
#pragma once

#include <array>

namespace scree {

using Quartic = std::array<double, 5>;

struct QuarticRoots {
  int count = 0;
  std::array<double, 4> at{};  ///< increasing
};

/// Where p changes its sign in [−1, 1], to the last digits also where coefficients differ by many
/// orders of magnitude: between the stationary points of p, which are found in the same way, a root
/// is bracketed. Double roots may be missed.
QuarticRoots sign_changes(const Quartic& p);

}  // namespace scree

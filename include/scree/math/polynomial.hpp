/// Real polynomials of degree up to four, given by coefficients p[0] + p[1] t + …
#pragma once

#include <array>

namespace scree {

using Quartic = std::array<double, 5>;

struct QuarticRoots {
  int count = 0;
  std::array<double, 4> at{};  ///< increasing
};

/// Sign changes of p in [−1, 1], accurate to the last digits even where coefficients differ by many
/// orders of magnitude. A root is bracketed between stationary points of p, which are found
/// recursively. Double roots may be missed.
QuarticRoots sign_changes(const Quartic& p);

}  // namespace scree

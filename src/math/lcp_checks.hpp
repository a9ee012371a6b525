/// Checks shared by the methods for linear complementarity problems.
#pragma once

#include <algorithm>
#include <cmath>

#include "scree/math/lcp.hpp"

namespace scree {

inline bool well_formed(const Lcp& lcp) {
  const auto finite = [](double v) { return std::isfinite(v); };
  return lcp.M.size() == lcp.size() * lcp.size() &&
         std::all_of(lcp.M.begin(), lcp.M.end(), finite) &&
         std::all_of(lcp.q.begin(), lcp.q.end(), finite);
}

/// Complement w = M z + q.
inline std::vector<double> complement_of(const Lcp& lcp, const std::vector<double>& z) {
  std::vector<double> w = lcp.q;
  for (std::size_t i = 0; i < lcp.size(); ++i)
    for (std::size_t j = 0; j < lcp.size(); ++j) w[i] += lcp.M[i * lcp.size() + j] * z[j];
  return w;
}

}  // namespace scree

/// What tests ask of the points that were found.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>

#include "scree/collision/contact_points.hpp"
#include "scree/collision/surface_contacts.hpp"

namespace scree::test {

inline double min_gap(const Manifold& manifold) {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < manifold.count; ++k) least = std::min(least, manifold.points[k].gap);
  return least;
}
inline double min_gap(const SurfacePoints& found) {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < found.count; ++k) least = std::min(least, found.points[k].gap);
  return least;
}

inline std::set<std::uint32_t> features(const Manifold& manifold) {
  std::set<std::uint32_t> found;
  for (int k = 0; k < manifold.count; ++k) found.insert(manifold.points[k].feature);
  return found;
}

}  // namespace scree::test

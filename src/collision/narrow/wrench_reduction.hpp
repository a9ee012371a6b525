/// Selection of a few points of a body that touches at many.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "collision/narrow/manifold_reduction.hpp"
#include "scree/collision/surface_contacts.hpp"

namespace scree {

/// Reduces items to kMaxOnSurface: keeps the nearest, then repeatedly the one whose wrench differs
/// most from those already kept. A wrench is a unit force and its torque about `middle`, over
/// `size` [m]. The weight of an item is the inverse of its gap, so that those that press come
/// before those that are open. `nearest` is workspace.
template <class Item>
void reduce_by_wrench(std::vector<Item>& items, std::vector<double>& nearest, const Vec3& middle,
                      double size) {
  if (items.size() <= kMaxOnSurface) return;
  nearest.assign(items.size(), 8.0);  // upper bound of the squared distance of two wrenches
  const auto distance2 = [&](const Item& a, const Item& b) {
    const Vec3 torque = cross(a.point - middle, a.normal) - cross(b.point - middle, b.normal);
    return squared_norm(a.normal - b.normal) + squared_norm(torque) / (size * size);
  };
  for (std::size_t kept = 0; kept < kMaxOnSurface; ++kept) {
    std::size_t next = kept;
    const auto score = [&](std::size_t k) {
      const double gap = items[k].gap;
      return kept == 0 ? -gap : nearest[k] / (std::max(gap, 0.0) + kTouching * size);
    };
    for (std::size_t k = kept + 1; k < items.size(); ++k)
      if (score(k) > score(next)) next = k;
    std::swap(items[kept], items[next]);
    std::swap(nearest[kept], nearest[next]);
    for (std::size_t k = kept + 1; k < items.size(); ++k)
      nearest[k] = std::min(nearest[k], distance2(items[k], items[kept]));
  }
  items.resize(kMaxOnSurface);
}

}  // namespace scree

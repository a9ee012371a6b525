/// Tangent directions of a contact frame.
#pragma once

#include <cmath>

#include "scree/math/vec3.hpp"

namespace scree {

/// Tangents of a unit normal after Duff et al. (2017): (n, t1, t2) is right-handed and continuous
/// except at n_z = 0.
inline void tangents(const Vec3& n, Vec3& t1, Vec3& t2) {
  const double sign = std::copysign(1.0, n.z), a = -1 / (sign + n.z), b = n.x * n.y * a;
  t1 = {1 + sign * n.x * n.x * a, sign * b, -sign * n.x};
  t2 = {b, sign + n.y * n.y * a, -n.y};
}

}  // namespace scree

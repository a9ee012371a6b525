#include "scree/math/quaternion.hpp"

namespace scree {

Quaternion rotation_between(const Vec3& a, const Vec3& b) {
  const double c = dot(a, b);
  // Opposite vectors: half a turn about any axis normal to them.
  if (c < -1 + 1e-12)
    return rotation(std::abs(a.x) < 0.9 ? cross(a, Vec3{1, 0, 0}) : cross(a, Vec3{0, 1, 0}), M_PI);
  const Vec3 axis = cross(a, b);
  return normalised({1 + c, axis.x, axis.y, axis.z});
}

}  // namespace scree

#include "scree/math/quaternion.hpp"

namespace scree {

Quaternion rotation_between(const Vec3& a, const Vec3& b) {
  const double c = dot(a, b);
  if (c >= 0) {
    const Vec3 axis = cross(a, b);
    return normalised({1 + c, axis.x, axis.y, axis.z});
  }
  // Compute 1 + c and a × b from the sum a + b, which is exact where the vectors are nearly
  // opposite.
  const Vec3 sum = a + b;
  // Opposite vectors: rotate by π about any axis orthogonal to them.
  if (sum == Vec3{})
    return rotation(std::abs(a.x) < 0.9 ? cross(a, Vec3{1, 0, 0}) : cross(a, Vec3{0, 1, 0}), M_PI);
  const Vec3 axis = cross(a, sum);
  return normalised({0.5 * squared_norm(sum), axis.x, axis.y, axis.z});
}

}  // namespace scree

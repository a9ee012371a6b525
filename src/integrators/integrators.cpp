#include "scree/integrators/integrators.hpp"

namespace scree {
namespace {

/// I(φ) ω or, with reciprocal moments, I(φ)⁻¹ L.
Vec3 apply_tensor(const Quaternion& q, const Vec3& principal, const Vec3& v) {
  const Vec3 body = rotate_back(q, v);
  return rotate(q, {principal.x * body.x, principal.y * body.y, principal.z * body.z});
}

}  // namespace

Quaternion advance_orientation(const Quaternion& q, const Vec3& w, double h) {
  const Quaternion rate = Quaternion{0, 0.5 * h * w.x, 0.5 * h * w.y, 0.5 * h * w.z} * q;
  return normalised({q.w + rate.w, q.x + rate.x, q.y + rate.y, q.z + rate.z});
}

void rotate_freely(Quaternion& q, Vec3& w, const Vec3& inertia, double h) {
  const Vec3 momentum = apply_tensor(q, inertia, w);
  Vec3 body = rotate_back(q, momentum);
  const auto turn_about = [&](int axis, double step) {
    Vec3 direction;
    direction[axis] = 1;
    const Quaternion turn = rotation(direction, step * body[axis] / inertia[axis]);
    q = q * turn;
    body = rotate_back(turn, body);
  };
  turn_about(0, h / 2), turn_about(1, h / 2), turn_about(2, h), turn_about(1, h / 2),
      turn_about(0, h / 2);
  q = normalised(q);
  w = apply_tensor(q, {1 / inertia.x, 1 / inertia.y, 1 / inertia.z}, momentum);
}

void turn(Quaternion& q, Vec3& w, const Vec3& inertia, const Vec3& by) {
  const double angle = norm(by);
  if (angle == 0) return;
  const Vec3 momentum = apply_tensor(q, inertia, w);
  q = normalised(rotation(by / angle, angle) * q);
  w = apply_tensor(q, {1 / inertia.x, 1 / inertia.y, 1 / inertia.z}, momentum);
}

}  // namespace scree

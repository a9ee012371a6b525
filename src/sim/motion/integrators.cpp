/// Free rotation of rigid bodies by splitting, and of bodies with locked axes by fixed-point
/// iteration.
#include "scree/sim/integrators.hpp"

namespace scree {
namespace {

/// Applies the tensor: I(φ) ω or, with reciprocal moments, I(φ)⁻¹ L.
Vec3 apply_tensor(const Quaternion& q, const Vec3& principal, const Vec3& v) {
  const Vec3 body = rotate_back(q, v);
  return rotate(q, {principal.x * body.x, principal.y * body.y, principal.z * body.z});
}

/// Angular velocity without components about locked axes that has the angular momentum `momentum`
/// about the free axes; only these components of `momentum` count.
Vec3 locked_angular_velocity(const Quaternion& q, const Vec3& inertia, const Vec3& momentum,
                             AxisSet locked) {
  int free[3], count = 0;
  for (int axis = 0; axis < 3; ++axis)
    if (!contains(locked, axis)) free[count++] = axis;
  const auto column = [&](int axis) {
    Vec3 about;
    about[axis] = 1;
    return apply_tensor(q, inertia, about);
  };
  Vec3 w;
  if (count == 1) {
    w[free[0]] = momentum[free[0]] / column(free[0])[free[0]];
  } else if (count == 2) {
    const int i = free[0], j = free[1];
    const Vec3 of_i = column(i), of_j = column(j);
    const double determinant = of_i[i] * of_j[j] - of_i[j] * of_j[i];
    w[i] = (of_j[j] * momentum[i] - of_j[i] * momentum[j]) / determinant;
    w[j] = (of_i[i] * momentum[j] - of_i[j] * momentum[i]) / determinant;
  }
  return w;
}

void rotate_locked(Quaternion& q, Vec3& w, const Vec3& inertia, double h, AxisSet locked) {
  constexpr int kMaxIterations = 6;  // iterations; each reduces the error by a factor of h |ω|
  const Vec3 momentum = apply_tensor(q, inertia, w), before = w;
  const Quaternion from = q;
  for (int k = 0; k < kMaxIterations; ++k) {
    q = rotate_exactly(from, 0.5 * (before + w), h);
    const Vec3 last = w;
    w = locked_angular_velocity(q, inertia, momentum, locked);
    if (w == last) break;
  }
}

struct Axes {
  int first, second, third;
};

/// Indices of the two axes with the closest values, then the other one.
Axes nearest_two_first(const Vec3& values) {
  const double xy = std::abs(values.x - values.y), xz = std::abs(values.x - values.z),
               yz = std::abs(values.y - values.z);
  if (xy <= xz && xy <= yz) return {0, 1, 2};
  return xz <= yz ? Axes{0, 2, 1} : Axes{1, 2, 0};
}

/// Rotation by an angle about an axis of the body: half of it, as sine and cosine.
struct AxisRotation {
  int axis;
  double sine, cosine;

  AxisRotation(int about, double angle)
      : axis(about), sine(std::sin(angle / 2)), cosine(std::cos(angle / 2)) {}
  /// q times this rotation.
  Quaternion after(const Quaternion& q) const {
    const Vec3 v{q.x, q.y, q.z};
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    Vec3 of;
    of[axis] = q.w * sine + v[axis] * cosine;
    of[next] = v[next] * cosine + v[last] * sine;
    of[last] = v[last] * cosine - v[next] * sine;
    return {q.w * cosine - v[axis] * sine, of.x, of.y, of.z};
  }
  /// The same as rotate_back().
  Vec3 back(const Vec3& v) const {
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    const double t_next = 2 * (sine * v[last]), t_last = -2 * (sine * v[next]);
    Vec3 to = v;
    to[next] = v[next] + cosine * t_next + sine * t_last;
    to[last] = v[last] + cosine * t_last - sine * t_next;
    return to;
  }
};

}  // namespace

Quaternion advance_orientation(const Quaternion& q, const Vec3& w, double h) {
  const Quaternion rate = Quaternion{0, 0.5 * h * w.x, 0.5 * h * w.y, 0.5 * h * w.z} * q;
  return normalised({q.w + rate.w, q.x + rate.x, q.y + rate.y, q.z + rate.z});
}

void rotate_freely(Quaternion& q, Vec3& w, const Vec3& inertia, double h, AxisSet locked) {
  if (locked != 0) return rotate_locked(q, w, inertia, h, locked);
  const Vec3 momentum = apply_tensor(q, inertia, w);
  if (momentum == Vec3{}) return;
  const Vec3 inverse{1 / inertia.x, 1 / inertia.y, 1 / inertia.z};
  const Axes axes = nearest_two_first(inverse);
  Vec3 body = rotate_back(q, momentum);
  // Rotates by the difference to a body whose moments all equal that of the second axis.
  const auto rotate_about = [&](int axis, double step) {
    const AxisRotation partial(axis, step * (inverse[axis] - inverse[axes.second]) * body[axis]);
    q = partial.after(q);
    body = partial.back(body);
  };
  rotate_about(axes.third, h / 2);
  rotate_about(axes.first, h);
  rotate_about(axes.third, h / 2);
  q = rotate_exactly(q, inverse[axes.second] * momentum, h);
  w = apply_tensor(q, inverse, momentum);
}

void turn(Quaternion& q, Vec3& w, const Vec3& inertia, const Vec3& by, AxisSet locked) {
  const double angle = norm(by);
  if (angle == 0) return;
  const Vec3 momentum = apply_tensor(q, inertia, w);
  q = normalised(rotation(by / angle, angle) * q);
  if (locked != 0)
    w = locked_angular_velocity(q, inertia, momentum, locked);
  else
    w = apply_tensor(q, {1 / inertia.x, 1 / inertia.y, 1 / inertia.z}, momentum);
}

}  // namespace scree

#include "scree/studies/academic_contact.hpp"

namespace scree::studies {
namespace {

Vec3 unit_normal() {
  const Vec3 n{0.25, 0.36, -0.9};
  return n / norm(n);
}
const Vec3 kAxis{1, 0, 0};

}  // namespace

double printed_tangent_length() { return norm(cross(unit_normal(), kAxis)); }

ContactNumbers academic_contact(TangentFrame frame, double friction) {
  constexpr double dx = 10, dy = 1, dz = 1, mx = 0.03, my = 65, mz = 50;
  const Vec3 inertia{2 * (my * dy * dy + mz * dz * dz), 2 * (mx * dx * dx + mz * dz * dz),
                     2 * (mx * dx * dx + my * dy * dy)};
  constexpr double mass = 2 * (mx + my + mz);
  const Vec3 n = unit_normal();
  Vec3 t = cross(n, kAxis), o = cross(n, t);
  if (frame == TangentFrame::orthonormal) {
    t = t / norm(t);
    o = o / norm(o);
  }

  // vᵀ (E/m − dx² e_x× I⁻¹ e_x×) w = v·w/m + dx² (e_x × v)·I⁻¹ (e_x × w)
  const auto entry = [&](const Vec3& v, const Vec3& w) {
    const Vec3 a = cross(kAxis, v), b = cross(kAxis, w);
    return dot(v, w) / mass +
           dx * dx * (a.x * b.x / inertia.x + a.y * b.y / inertia.y + a.z * b.z / inertia.z);
  };
  const Vec3 b{0.06, 0.7, 0.23};
  return {{entry(n, n), entry(n, t), entry(n, o), entry(t, t), entry(t, o), entry(o, o)},
          {-dot(n, b), -dot(t, b), -dot(o, b)},
          friction};
}

}  // namespace scree::studies

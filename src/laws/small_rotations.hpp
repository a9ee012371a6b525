/// Rotations of a step, in lanes, as differences that stay exact for any small rotation.
#pragma once

#include <cmath>

#include "scree/math/vec3_lanes.hpp"

namespace scree::force {

inline Vec3Lanes<1> lanes(const Vec3& v) { return {v.x, v.y, v.z}; }
inline Vec3 vec(const Vec3Lanes<1>& v) { return {v.x, v.y, v.z}; }

/// (cos φ, sin φ / φ) for φ = |rotation| / 2: the quaternion of the rotation is {first, second / 2
/// · rotation}.
template <int N>
struct HalfTurn {
  Lanes<N> cosine, sine_over_angle;
};

template <int N>
[[gnu::always_inline]] inline HalfTurn<N> half_turn(const Vec3Lanes<N>& rotation) {
  const Lanes<N> x = 0.25 * dot<N>(rotation, rotation);
  // Taylor series, accurate to the last bit up to φ = 1/20
  HalfTurn<N> result{
      1.0 + x * (-1.0 / 2 + x * (1.0 / 24 + x * (-1.0 / 720 + x * (1.0 / 40320)))),
      1.0 + x * (-1.0 / 6 + x * (1.0 / 120 + x * (-1.0 / 5040 + x * (1.0 / 362880))))};
  constexpr double kLarge = 1.0 / 20;
  const LaneMask<N> large = x > kLarge * kLarge;
  if (any_lane<N>(large))
    for (int k = 0; k < N; ++k) {
      const double angle = std::sqrt(lane_of<N>(x, k));
      if (!(angle > kLarge)) continue;
      set_lane<N>(result.cosine, k, std::cos(angle));
      set_lane<N>(result.sine_over_angle, k, std::sin(angle) / angle);
    }
  return result;
}

/// R v − v for a rotation vector [rad] with matrix R.
template <int N>
Vec3Lanes<N> turned_less(const Vec3Lanes<N>& v, const Vec3Lanes<N>& rotation) {
  const HalfTurn<N> half = half_turn<N>(rotation);
  const Vec3Lanes<N> q = scaled<N>(rotation, 0.5 * half.sine_over_angle);
  const Vec3Lanes<N> t = scaled<N>(cross(q, v), Lanes<N>{} + 2.0);
  return scaled<N>(t, half.cosine) + cross(q, t);
}

/// Displacement in the step of a rotating body's contact point, relative to its centre; `sum` is
/// the sum of the vectors from the centre to the contact point before and after. For a point p of
/// the body it is R p − p = v/w × (p + R p), with (w, v) the quaternion of the rotation (Cayley).
/// For rotations beyond one radian it is smaller, so that it stays bounded.
template <int N>
Vec3Lanes<N> chord_of(const Vec3Lanes<N>& rotation, const Vec3Lanes<N>& sum) {
  const HalfTurn<N> half = half_turn<N>(rotation);
  const Lanes<N> min_cosine = Lanes<N>{} + 0.877582561890372716;  // cos ½
  const Lanes<N> w = half.cosine > min_cosine ? half.cosine : min_cosine;
  return cross(scaled<N>(rotation, 0.5 * half.sine_over_angle / w), sum);
}

/// Shortest rotation from one unit vector to another [rad].
template <int N>
Vec3Lanes<N> swing_between(const Vec3Lanes<N>& from, const Vec3Lanes<N>& to) {
  const Vec3Lanes<N> axis = cross(from, to);
  const Lanes<N> x = dot<N>(axis, axis), cosine = dot<N>(from, to), one = Lanes<N>{} + 1.0;
  // arcsin √x / √x, accurate to the last bit up to an angle of 0.1
  Lanes<N> stretch =
      one + x * (1.0 / 6 +
                 x * (3.0 / 40 + x * (5.0 / 112 + x * (35.0 / 1152 +
                                                       x * (63.0 / 2816 + x * (231.0 / 13312))))));
  const LaneMask<N> large = x > 0.01 || cosine < 0.5;
  if (any_lane<N>(large))
    for (int k = 0; k < N; ++k) {
      const double sine = std::sqrt(lane_of<N>(x, k)), along = lane_of<N>(cosine, k);
      if ((sine > 0.1 || along < 0.5) && sine > 0)
        set_lane<N>(stretch, k, std::atan2(sine, along) / sine);
    }
  return scaled<N>(axis, stretch);
}

/// Swing by a rotation of the direction that is the unit vector `middle` at mid-rotation [rad]. It
/// is the rotation orthogonal to `middle` that takes this direction by the shortest path from its
/// start to its end. With (w, v) the quaternion of the rotation and v_t the component of v
/// orthogonal to `middle`, it is 2 arctan(|v_t|/w) v_t/|v_t|. Cayley's R = (1 − G)⁻¹ (1 + G), G a =
/// v/w × a, gives R a − a = v/w × (a + R a).
template <int N>
Vec3Lanes<N> swing_about(const Vec3Lanes<N>& middle, const Vec3Lanes<N>& rotation) {
  const HalfTurn<N> half = half_turn<N>(rotation);
  const Vec3Lanes<N> side = scaled<N>(tangential<N>(rotation, middle), 0.5 * half.sine_over_angle);
  const Lanes<N> one = Lanes<N>{} + 1.0;
  const LaneMask<N> forward = half.cosine > 0;
  const Lanes<N> over = one / (forward ? half.cosine : one), squared = dot<N>(side, side),
                 x = squared * (over * over);
  // arctan √x / √x, accurate to the last bit up to an angle of 0.1
  Lanes<N> stretch =
      2.0 * over *
      (one +
       x * (-1.0 / 3 + x * (1.0 / 5 + x * (-1.0 / 7 + x * (1.0 / 9 + x * (-1.0 / 11 + x / 13))))));
  constexpr double kLarge = 1.0 / 20;
  const LaneMask<N> large = x > kLarge * kLarge || !forward;
  if (any_lane<N>(large))
    for (int k = 0; k < N; ++k) {
      const double sine = std::sqrt(lane_of<N>(squared, k)), cosine = lane_of<N>(half.cosine, k);
      if (!(sine > kLarge * cosine)) continue;
      set_lane<N>(stretch, k, sine > 0 ? 2 * std::atan2(sine, cosine) / sine : 0);
    }
  return scaled<N>(side, stretch);
}

/// Vector v rotated about the unit vector n by 2 arctan(angle/2), which is `angle` to second order.
template <int N>
Vec3Lanes<N> spun(const Vec3Lanes<N>& v, const Vec3Lanes<N>& n, const Lanes<N>& angle) {
  const Lanes<N> t = 0.5 * angle, one = Lanes<N>{} + 1.0;
  const Vec3Lanes<N> change = scaled<N>(cross(n, v), 2.0 * t / (one + t * t));
  return v + change + cross(n, scaled<N>(change, t));
}

/// Vector v rotated about the unit vector n by the twist of a rotation, while n moves to `to`. If
/// the rotation itself takes n there, the twist is the rest after the swing of n is removed.
/// Otherwise it is the twist about the mean of both.
template <int N>
Vec3Lanes<N> twisted(const Vec3Lanes<N>& v, const Vec3Lanes<N>& n, const Vec3Lanes<N>& to,
                     const Vec3Lanes<N>& rotation) {
  const HalfTurn<N> half = half_turn<N>(rotation);
  const Lanes<N> along = 0.25 * half.sine_over_angle * dot<N>(rotation, n + to);
  const Lanes<N> squared = half.cosine * half.cosine + along * along;
  // A rotation by π orthogonal to n has no defined twist.
  const LaneMask<N> clear = squared > 0;
  const Lanes<N> one = Lanes<N>{} + 1.0, twice = 2.0 * along / (clear ? squared : one);
  const Vec3Lanes<N> t = scaled<N>(cross(n, v), twice);
  return v + scaled<N>(t, half.cosine) + scaled<N>(cross(n, t), along);
}

/// Vector v rotated by the shortest rotation from the unit vector `from` to `to`; its component
/// along `from` becomes one along `to`. Opposite vectors have no shortest rotation: then v is
/// mirrored.
template <int N>
Vec3Lanes<N> swung(const Vec3Lanes<N>& v, const Vec3Lanes<N>& from, const Vec3Lanes<N>& to) {
  const Vec3Lanes<N> axis = cross(from, to);
  const Lanes<N> cosine = dot<N>(from, to), one = Lanes<N>{} + 1.0;
  const Lanes<N> below = one + cosine;
  const LaneMask<N> opposite = below < 1e-12;
  const Vec3Lanes<N> t = cross(axis, v);
  const Vec3Lanes<N> rotated = v + t + scaled<N>(cross(axis, t), 1.0 / (opposite ? one : below));
  return select<N>(opposite, -v, rotated);
}

}  // namespace scree::force

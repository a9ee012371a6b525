/// Rotations of a step, in lanes: differences that stay exact however small the turn is.
#pragma once

#include <cmath>

#include "scree/math/vec3_lanes.hpp"

namespace scree::force {

inline Vec3Lanes<1> lanes(const Vec3& v) { return {v.x, v.y, v.z}; }
inline Vec3 vec(const Vec3Lanes<1>& v) { return {v.x, v.y, v.z}; }

/// (cos φ, sin φ / φ) of φ = |turn| / 2: the quaternion of a turn is {first, second / 2 · turn}.
template <int N>
struct HalfTurn {
  Lanes<N> cosine, sine_over_angle;
};

template <int N>
[[gnu::always_inline]] inline HalfTurn<N> half_turn(const Vec3Lanes<N>& turn) {
  const Lanes<N> x = 0.25 * dot<N>(turn, turn);
  // Taylor's series, to the last bit up to φ = 1/20
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

/// R v − v for the rotation R by a turn [rad].
template <int N>
Vec3Lanes<N> turned_less(const Vec3Lanes<N>& v, const Vec3Lanes<N>& turn) {
  const HalfTurn<N> half = half_turn<N>(turn);
  const Vec3Lanes<N> q = scaled<N>(turn, 0.5 * half.sine_over_angle);
  const Vec3Lanes<N> t = scaled<N>(cross(q, v), Lanes<N>{} + 2.0);
  return scaled<N>(t, half.cosine) + cross(q, t);
}

/// How far a body that turns moves in the step where it is touched, whose places before and after
/// have the sum `sum`, from its centre. Of a point p that turns with it that is R p − p =
/// v/w × (p + R p), (w, v) the quaternion of the turn (Cayley). Beyond a turn of a radian it is
/// less, lest it grow without bound.
template <int N>
Vec3Lanes<N> chord_of(const Vec3Lanes<N>& turn, const Vec3Lanes<N>& sum) {
  const HalfTurn<N> half = half_turn<N>(turn);
  const Lanes<N> least = Lanes<N>{} + 0.877582561890372716;  // cos ½
  const Lanes<N> w = half.cosine > least ? half.cosine : least;
  return cross(scaled<N>(turn, 0.5 * half.sine_over_angle / w), sum);
}

/// The shortest turn that takes one unit vector to another [rad].
template <int N>
Vec3Lanes<N> swing_between(const Vec3Lanes<N>& from, const Vec3Lanes<N>& to) {
  const Vec3Lanes<N> axis = cross(from, to);
  const Lanes<N> x = dot<N>(axis, axis), cosine = dot<N>(from, to), one = Lanes<N>{} + 1.0;
  // arcsin √x / √x, to the last bit up to an angle of 0.1
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

/// What a turn does to the direction that is the unit vector `middle` when half of it is done: a
/// turn across `middle` that takes that direction along the shortest way from where it was before
/// to where it is after. Of the quaternion (w, v) of the turn that is 2 arctan(|v_t|/w) v_t/|v_t|,
/// v_t the part of v across `middle`: Cayley's R = (1 − G)⁻¹ (1 + G), G a = v/w × a, gives
/// R a − a = v/w × (a + R a) [rad].
template <int N>
Vec3Lanes<N> swing_about(const Vec3Lanes<N>& middle, const Vec3Lanes<N>& turn) {
  const HalfTurn<N> half = half_turn<N>(turn);
  const Vec3Lanes<N> side = scaled<N>(tangential<N>(turn, middle), 0.5 * half.sine_over_angle);
  const Lanes<N> one = Lanes<N>{} + 1.0;
  const LaneMask<N> forward = half.cosine > 0;
  const Lanes<N> over = one / (forward ? half.cosine : one), squared = dot<N>(side, side),
                 x = squared * (over * over);
  // arctan √x / √x, to the last bit up to an angle of 0.1
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

/// v turned about the unit vector n by 2 arctan(angle/2), which is `angle` to second order.
template <int N>
Vec3Lanes<N> spun(const Vec3Lanes<N>& v, const Vec3Lanes<N>& n, const Lanes<N>& angle) {
  const Lanes<N> t = 0.5 * angle, one = Lanes<N>{} + 1.0;
  const Vec3Lanes<N> way = scaled<N>(cross(n, v), 2.0 * t / (one + t * t));
  return v + way + cross(n, scaled<N>(way, t));
}

/// v turned about the unit vector n, which goes to `to` in the meantime, by the twist of a turn.
/// Where the turn takes n there, that is what is left of it when the swing of n is taken away;
/// elsewhere the twist about the middle of both.
template <int N>
Vec3Lanes<N> twisted(const Vec3Lanes<N>& v, const Vec3Lanes<N>& n, const Vec3Lanes<N>& to,
                     const Vec3Lanes<N>& turn) {
  const HalfTurn<N> half = half_turn<N>(turn);
  const Lanes<N> along = 0.25 * half.sine_over_angle * dot<N>(turn, n + to);
  const Lanes<N> squared = half.cosine * half.cosine + along * along;
  // A turn by π across n has no twist that could be told.
  const LaneMask<N> clear = squared > 0;
  const Lanes<N> one = Lanes<N>{} + 1.0, twice = 2.0 * along / (clear ? squared : one);
  const Vec3Lanes<N> t = scaled<N>(cross(n, v), twice);
  return v + scaled<N>(t, half.cosine) + scaled<N>(cross(n, t), along);
}

/// v turned by the shortest rotation from the unit vector `from` to `to`; its part along `from`
/// goes along `to`. Of opposite vectors there is no shortest: then v is mirrored.
template <int N>
Vec3Lanes<N> swung(const Vec3Lanes<N>& v, const Vec3Lanes<N>& from, const Vec3Lanes<N>& to) {
  const Vec3Lanes<N> axis = cross(from, to);
  const Lanes<N> cosine = dot<N>(from, to), one = Lanes<N>{} + 1.0;
  const Lanes<N> below = one + cosine;
  const LaneMask<N> opposite = below < 1e-12;
  const Vec3Lanes<N> t = cross(axis, v);
  const Vec3Lanes<N> turned = v + t + scaled<N>(cross(axis, t), 1.0 / (opposite ? one : below));
  return select<N>(opposite, -v, turned);
}

}  // namespace scree::force

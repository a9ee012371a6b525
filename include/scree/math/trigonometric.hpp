/// Real roots of trigonometric polynomials of degree two: the directions in which a contact can
/// slide.
///
/// Angles never appear: a root is a point of the unit circle, and a step along the circle is a
/// rotation.
///
/// `Number` is double or lanes of doubles, whose operations act lane by lane.
#pragma once

#include <array>
#include <cmath>
#include <type_traits>

namespace scree {

/// Unit vector (cos α, sin α).
template <class Number>
struct DirectionOf {
  Number c = Number{} + 1.0, s{};

  constexpr DirectionOf operator-() const { return {-c, -s}; }
  constexpr bool operator==(const DirectionOf&) const = default;
};
using Direction = DirectionOf<double>;

template <class Number>
constexpr Number dot(const DirectionOf<Number>& a, const DirectionOf<Number>& b) {
  return a.c * b.c + a.s * b.s;
}
template <class Number>
constexpr Number cross(const DirectionOf<Number>& a, const DirectionOf<Number>& b) {
  return a.c * b.s - a.s * b.c;
}
/// Direction e rotated by 2 atan(half_tangent); keeps unit length without a square root.
template <class Number>
constexpr DirectionOf<Number> turned(const DirectionOf<Number>& e,
                                     const std::type_identity_t<Number>& half_tangent) {
  const Number scale = 1 / (1 + half_tangent * half_tangent);
  const Number c = (1 - half_tangent * half_tangent) * scale, s = 2 * half_tangent * scale;
  return {e.c * c - e.s * s, e.s * c + e.c * s};
}
/// Normalises a, whose components must be far from overflow and underflow.
inline Direction unit(const Direction& a) {
  const double scale = 1 / std::sqrt(a.c * a.c + a.s * a.s);
  return {a.c * scale, a.s * scale};
}
/// Direction halfway from a to b, which are less than π apart.
inline Direction between(const Direction& a, const Direction& b) {
  return unit({a.c + b.c, a.s + b.s});
}

/// a0 + a1 cos α + a2 sin α.
template <class Number>
struct TrigonometricLinearOf {
  Number a0{}, a1{}, a2{};
  constexpr Number operator()(const DirectionOf<Number>& e) const {
    return a0 + a1 * e.c + a2 * e.s;
  }
};
using TrigonometricLinear = TrigonometricLinearOf<double>;

/// F(α) = c0 + c1 cos α + s1 sin α + c2 cos 2α + s2 sin 2α.
template <class Number>
struct TrigonometricQuadraticOf {
  Number c0{}, c1{}, s1{}, c2{}, s2{};

  constexpr Number operator()(const DirectionOf<Number>& e) const {
    return c0 + c1 * e.c + s1 * e.s + c2 * (e.c - e.s) * (e.c + e.s) + 2 * s2 * e.s * e.c;
  }
  /// dF/dα
  constexpr Number slope(const DirectionOf<Number>& e) const {
    return s1 * e.c - c1 * e.s + 2 * s2 * (e.c - e.s) * (e.c + e.s) - 4 * c2 * e.s * e.c;
  }
  /// d²F/dα²
  constexpr Number curvature(const DirectionOf<Number>& e) const {
    return -c1 * e.c - s1 * e.s - 4 * c2 * (e.c - e.s) * (e.c + e.s) - 8 * s2 * e.s * e.c;
  }
  /// Upper bound of |F|, the scale of its rounding errors.
  constexpr Number scale() const {
    const auto size = [](const Number& x) { return x < 0 ? -x : x; };
    return size(c0) + size(c1) + size(s1) + size(c2) + size(s2);
  }
};
using TrigonometricQuadratic = TrigonometricQuadraticOf<double>;

template <class Number>
constexpr TrigonometricLinearOf<Number> operator+(const TrigonometricLinearOf<Number>& f,
                                                  const TrigonometricLinearOf<Number>& g) {
  return {f.a0 + g.a0, f.a1 + g.a1, f.a2 + g.a2};
}
template <class Number>
constexpr TrigonometricLinearOf<Number> operator-(const TrigonometricLinearOf<Number>& f,
                                                  const TrigonometricLinearOf<Number>& g) {
  return {f.a0 - g.a0, f.a1 - g.a1, f.a2 - g.a2};
}
template <class Number>
constexpr TrigonometricLinearOf<Number> operator*(const std::type_identity_t<Number>& a,
                                                  const TrigonometricLinearOf<Number>& f) {
  return {a * f.a0, a * f.a1, a * f.a2};
}
template <class Number>
constexpr TrigonometricQuadraticOf<Number> operator*(const TrigonometricLinearOf<Number>& f,
                                                     const TrigonometricLinearOf<Number>& g) {
  return {f.a0 * g.a0 + 0.5 * (f.a1 * g.a1 + f.a2 * g.a2), f.a0 * g.a1 + f.a1 * g.a0,
          f.a0 * g.a2 + f.a2 * g.a0, 0.5 * (f.a1 * g.a1 - f.a2 * g.a2),
          0.5 * (f.a1 * g.a2 + f.a2 * g.a1)};
}
template <class Number>
constexpr TrigonometricQuadraticOf<Number> operator+(const TrigonometricQuadraticOf<Number>& f,
                                                     const TrigonometricQuadraticOf<Number>& g) {
  return {f.c0 + g.c0, f.c1 + g.c1, f.s1 + g.s1, f.c2 + g.c2, f.s2 + g.s2};
}
template <class Number>
constexpr TrigonometricQuadraticOf<Number> operator-(const TrigonometricQuadraticOf<Number>& f,
                                                     const TrigonometricQuadraticOf<Number>& g) {
  return {f.c0 - g.c0, f.c1 - g.c1, f.s1 - g.s1, f.c2 - g.c2, f.s2 - g.s2};
}
template <class Number>
constexpr TrigonometricQuadraticOf<Number> operator*(const std::type_identity_t<Number>& a,
                                                     const TrigonometricQuadraticOf<Number>& f) {
  return {a * f.c0, a * f.c1, a * f.s1, a * f.c2, a * f.s2};
}

/// Roots of F on the circle, at most four.
struct DirectionRoots {
  std::array<Direction, 4> at{};
  int count = 0;
};

/// Halley's method from e, of third order. True if it converged to a simple root, which is then in
/// e. It takes only a few steps, so false proves nothing about F.
bool root_near(const TrigonometricQuadratic& f, Direction& e);

/// All real roots, double ones once. On each half circle, t = tan(α/2) ∈ [−1, 1] makes F a quartic.
/// Its roots are bracketed by those of its derivative, so none is missed.
DirectionRoots real_roots(const TrigonometricQuadratic& f);

/// The same, several times faster. The first root comes from `hint`, or lies between two of eight
/// directions where F has opposite signs. About that root, t = tan(β/2) makes F a product of t and
/// a cubic. Falls back to real_roots(f) where roots are close together.
DirectionRoots real_roots(const TrigonometricQuadratic& f, const Direction& hint);

}  // namespace scree

/// Common first steps of all laws: refuse invalid input, and scale numbers so that products are
/// safe.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "scree/laws/contact_solutions.hpp"

namespace scree {

inline double largest_entry(const Vec3& v) {
  return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

/// True if products of entries of W and q stay far from the ends of the range of doubles.
inline bool moderate(const SymMat3& W, const Vec3& q) {
  const double size = W.trace(), speed = largest_entry(q);
  return size > 1e-60 && size < 1e60 && speed < 1e60 && (speed > 1e-60 || speed == 0) &&
         is_finite(q);
}

/// Contact scaled by powers of two, without rounding, so that W and q have size one.
struct ScaledContact {
  SymMat3 W;
  Vec3 q;
  int exponent = 0;    ///< r of the original contact is 2^exponent times r here
  bool sound = false;  ///< false if W is not positive or a number is not finite

  ScaledContact(const SymMat3& block, const Vec3& velocity) {
    const double size = std::max({block.xx, block.yy, block.zz}), speed = largest_entry(velocity);
    if (!std::isfinite(size) || !(size > 0) || !is_finite(velocity)) return;
    const int w = std::ilogb(size), v = speed > 0 ? std::ilogb(speed) : 0;
    W = {std::scalbn(block.xx, -w), std::scalbn(block.xy, -w), std::scalbn(block.xz, -w),
         std::scalbn(block.yy, -w), std::scalbn(block.yz, -w), std::scalbn(block.zz, -w)};
    q = scaled(velocity, -v);
    exponent = v - w;
    sound = moderate(W, q);
  }
  static Vec3 scaled(const Vec3& a, int n) {
    return {std::scalbn(a.x, n), std::scalbn(a.y, n), std::scalbn(a.z, n)};
  }
};

/// Calls solve(W, q, r) with W and q of moderate size, scaled if necessary. Sets r to zero and
/// returns ill_posed if W is not positive, a number is not finite, or the impulse would not be.
template <class Solve>
LocalStatus solve_scaled(const SymMat3& W, const Vec3& q, Vec3& r, Solve&& solve) {
  if (!is_finite(r)) r = {};
  // keeps its square finite
  if (const double warm = largest_entry(r); warm > 1e100) r *= 1e100 / warm;
  LocalStatus status = LocalStatus::ill_posed;
  if (moderate(W, q)) {
    status = solve(W, q, r);
  } else if (const ScaledContact contact(W, q); contact.sound) {
    r = ScaledContact::scaled(r, -contact.exponent);
    if (!is_finite(r) || largest_entry(r) > 1e100) r = {};
    status = solve(contact.W, contact.q, r);
    r = ScaledContact::scaled(r, contact.exponent);
  }
  if (status == LocalStatus::ill_posed || !is_finite(r)) {
    r = {};
    return LocalStatus::ill_posed;
  }
  return status;
}

/// True if the nearest point of the cone satisfies the law. At the border of sticking, rounding can
/// put −W⁻¹q just outside the cone and hide the root next to it.
template <class Law>
bool holds_on_border(const Law& law, const SymMat3& W, const Vec3& q, const Vec3& minus_inverse_q) {
  const Vec3 r = law.project(minus_inverse_q);
  return r.x > 0 && norm(law.residual(W, W * r + q, r)) <= 1e-9 * norm(q);
}

/// All solutions of find(W, q, found), called with W and q of moderate size; sliding ones by
/// increasing energy.
template <class Find>
ContactSolutions find_scaled(const SymMat3& W, const Vec3& q, Find&& find) {
  const ScaledContact scaled(W, q);
  if (!scaled.sound) return {LocalStatus::ill_posed};
  ContactSolutions found;
  found.status = find(scaled.W, scaled.q, found);
  for (int k = 0; k < found.count; ++k) {
    ContactSolution& s = found.at[k];
    s.r = ScaledContact::scaled(s.r, scaled.exponent);
    s.u = W * s.r + q;
    s.energy = energy(W, q, s.r);
    if (!is_finite(s.u) || !std::isfinite(s.energy)) return {LocalStatus::ill_posed};
  }
  ContactSolution* const end = found.at.data() + found.count;
  std::sort(std::find_if(found.at.data(), end,
                         [](const ContactSolution& s) { return s.kind == ContactClass::sliding; }),
            end,
            [](const ContactSolution& a, const ContactSolution& b) { return a.energy < b.energy; });
  return found;
}

/// True if W is positive definite beyond rounding, by its minors; cheaper than a factorisation.
inline bool clearly_positive(const SymMat3& W) {
  const double plane = W.xx * W.yy;
  return W.xx > 0 && plane - W.xy * W.xy > 1e-12 * plane && determinant(W) > 1e-12 * plane * W.zz &&
         W.zz > 0;
}

/// True if the contact sticks: −W⁻¹q lies in the cone.
inline bool sticks(const Vec3& minus_inverse_q, double mu) {
  const double limit = mu * minus_inverse_q.x;
  return limit >= 0 && minus_inverse_q.x >= 0 &&
         minus_inverse_q.y * minus_inverse_q.y + minus_inverse_q.z * minus_inverse_q.z <=
             limit * limit;
}

/// Status solved, or inexact if the violation [m/s] exceeds the rounding of a well-posed problem.
inline LocalStatus graded(double violation, const Vec3& q) {
  return violation <= kInexact * norm(q) ? LocalStatus::solved : LocalStatus::inexact;
}

/// Solves a contact that sticks, with r = −W⁻¹q, or that has no friction; empty if it slides.
inline std::optional<LocalStatus> solve_without_sliding(const SymMat3& W, const Vec3& q, double mu,
                                                        const Vec3& stick, Vec3& r) {
  if (sticks(stick, mu)) {
    r = stick;
    return graded(norm(W * r + q), q);
  }
  if (mu > 0) return {};
  r = {-q.x / W.xx, 0, 0};
  return LocalStatus::solved;
}

}  // namespace scree

/// Impact of one contact: the law's inelastic impulse, plus the impulse of a hypothesis of
/// restitution.
///
/// No hypothesis creates energy for any e in [0, 1]; docs/theory/restitution.md has the proofs and
/// the pitfalls. Our own, except for the hypotheses, which are named after their authors.
#pragma once

#include "scree/laws/pair_law.hpp"

namespace scree {

enum class RestitutionHypothesis : std::uint8_t {
  newton,   ///< ratio of normal velocities: u_n⁺ = −e u_n⁻
  poisson,  ///< ratio of normal impulses: that of restitution is e times that of compression
  stronge,  ///< ratio of normal work: that of restitution is e² times that of compression
};

struct Impact {
  LocalStatus status = LocalStatus::solved;
  /// True if friction during restitution was limited so that bodies separate, or its impulse was
  /// limited to that of compression.
  bool limited = false;
  Vec3 r;  ///< impulse of the whole impact [N s]
  /// Impulse up to maximum compression; zero for newton, which has no phases
  Vec3 compression;
  Vec3 u_plus;        ///< u⁻ + W r [m/s]
  double energy = 0;  ///< change of kinetic energy, ≤ 0 [J]
};

/// Impact of a contact with velocity u⁻ under its law, friction and coefficient e.
Impact impact(const PairLaw& law, RestitutionHypothesis hypothesis, const SymMat3& W,
              const Vec3& u_minus) noexcept;

/// q for which a law yields the impulse of Newton's restitution: u⁻ + (e u_n⁻ / W_nn) W n if the
/// bodies approach. The naive u⁻ + e u_n⁻ n is the same if W does not couple normal and tangential
/// motion, and can create energy if it does.
Vec3 newton_velocity(const SymMat3& W, const Vec3& u_minus, double e);

}  // namespace scree

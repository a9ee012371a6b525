/// One contact that bounces: the law's inelastic impulse, and what a hypothesis of restitution
/// adds to it.
///
/// None of them makes energy for any e in [0, 1]; docs/theory/restitution.md has the proofs, and
/// what goes wrong without care. Our own, but for the hypotheses, which bear their authors' names.
#pragma once

#include "scree/laws/pair_law.hpp"

namespace scree {

enum class RestitutionHypothesis : std::uint8_t {
  newton,   ///< of normal velocities: u_n⁺ = −e u_n⁻
  poisson,  ///< of normal impulses: what restitution gives is e times what compression took
  stronge,  ///< of normal work: what restitution gives is e² times what compression took
};

struct Impact {
  LocalStatus status = LocalStatus::solved;
  /// Friction of restitution was held back so that bodies part, or its impulse at that of
  /// compression.
  bool limited = false;
  Vec3 r;  ///< impulse of the whole impact [N s]
  /// Of it, up to the greatest compression; newton: zero, there are no phases
  Vec3 compression;
  Vec3 u_plus;        ///< u⁻ + W r [m/s]
  double energy = 0;  ///< change of kinetic energy, ≤ 0 [J]
};

/// What happens to a contact with velocity u⁻ under its law, friction and coefficient e.
Impact impact(const PairLaw& law, RestitutionHypothesis hypothesis, const SymMat3& W,
              const Vec3& u_minus) noexcept;

/// q for which a law gives the impulse of Newton's restitution: u⁻ + (e u_n⁻ / W_nn) W n where
/// bodies approach. The naive u⁻ + e u_n⁻ n, the same where W couples no normal and tangential
/// motion, can make energy where it does.
Vec3 newton_velocity(const SymMat3& W, const Vec3& u_minus, double e);

}  // namespace scree

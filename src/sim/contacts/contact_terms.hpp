/// Bias of a contact, from the gap term and restitution, and the rounding of its relative velocity.
/// N contacts, one a lane: spheres take eight at a time, other shapes one.
///
/// Kernels of each instruction set include this file: it has only templates over N, see
/// solvers/kernels/lane_vectors.inl.
#pragma once

#include <limits>

#include "scree/math/lanes.hpp"
#include "solvers/step_settings.hpp"

namespace scree {

/// Settings for the terms of all contacts of a step.
struct TermSettings {
  double h;                      ///< [s]
  double error_reduction;        ///< ε [-]
  bool corrects_velocities;      ///< overlaps are corrected by velocities, not by pseudo-velocities
  bool has_recovery_speed;       ///< true if recovery_speed is set
  double recovery_speed;         ///< limit for the gap term, if set [m/s]
  double restitution_threshold;  ///< [m/s]
  double rebound;                ///< fraction of e u_n⁻ that is a bias: 1, or 0 by phases [-]
  double gravity;                ///< |g| [m/s²]
};

template <int N>
class ContactTerms {
 public:
  using L = Lanes<N>;
  using Mask = decltype(L{} < L{});

  explicit ContactTerms(const TermSettings& settings) : s_(settings) {}

  /// Bias along the normal.
  struct NormalTerm {
    L bias;  ///< [m/s]
    Mask rebounds;
    L suppressed_restitution;  ///< e, if the pair is apart and does not rebound in this step [-]
  };

  /// Gap term ε min(0, g/h) + max(0, remaining_gap/h) [Preclik18, §3.1], with limited recovery; or
  /// e u_n⁻ if the pair meets within this step, faster than the threshold. `u_n` is the free
  /// relative velocity, `squared_speed` |u|² with the tangential part, `radius` the smaller one.
  /// Overlaps below `slop` and gaps below `closed` [m] are ignored, except for gaps of pairs that
  /// will rebound.
  NormalTerm normal_term(const L& e, const L& gap, const L& remaining_gap, const L& u_n,
                         const L& squared_speed, const L& u_minus, const L& radius, const L& slop,
                         const L& closed) const {
    const L zero{};
    const Mask meets = remaining_gap + s_.h * u_n <= 0,
               hits = e > 0 && u_minus < -s_.restitution_threshold;
    // A pair that hits must reach the touch from which it rebounds.
    const L gap_term = gap < 0 ? overlap_term(gap + slop, squared_speed, radius)
                       : remaining_gap > closed || (hits && remaining_gap > 0)
                           ? remaining_gap / s_.h
                           : zero;
    const Mask rebounds = hits && meets;
    const L rebound = s_.rebound * e * u_minus, overlap = gap < 0 ? gap_term : zero;
    return {rebounds ? (overlap < rebound ? overlap : rebound) : gap_term, rebounds,
            !rebounds && remaining_gap > kRestingGapOfRadius * radius ? e : zero};
  }

  /// Rounding error of q [m/s]: from the last bits of positions, through the gap and the direction
  /// of the normal, and of velocities. `position_size` is the size of both positions, `touch` the
  /// distance of centres that touch [m], `speeds` the size of all velocities, `slip` that of the
  /// relative one.
  L rounding(const L& gap, const L& position_size, const L& touch, const L& slip,
             const L& speeds) const {
    constexpr double kHalfEpsilon = std::numeric_limits<double>::epsilon() / 2;
    // The position of an overlap enters also through the step before, which closed the gap to the
    // last bit.
    const L of_gap = gap < 0 ? s_.error_reduction / s_.h + L{} : 1 / s_.h + L{};
    return kHalfEpsilon * (position_size * (of_gap + slip / touch) + kRoundingOfSweeps * speeds);
  }

  /// Correction gap, see CorrectionBlock [m/s].
  L correction_gap(const L& gap, const L& remaining_gap, const L& radius) const {
    return ((gap >= 0 ? remaining_gap : gap) + kPenetrationSlop * radius) / s_.h;
  }

 private:
  /// Velocity that the solve requires for an overlap [m/s].
  L overlap_term(const L& gap, const L& squared_speed, const L& radius) const {
    const L zero{};
    if (!s_.corrects_velocities) return zero;
    const L wanted = s_.error_reduction * (gap < 0 ? gap : zero) / s_.h;
    const L limit = -recovery_speed(squared_speed, radius);
    return wanted < limit ? limit : wanted;
  }

  /// Limit for the recovery of a penetration; its default is small against the velocities of
  /// gravity and of the pair's motion.
  L recovery_speed(const L& squared_speed, const L& radius) const {
    if (s_.has_recovery_speed) return s_.recovery_speed + L{};
    return kRecoveryOfFall * square_root<N>(s_.gravity * radius) +
           kRecoveryOfMotion * square_root<N>(squared_speed);
  }

  const TermSettings& s_;
};

}  // namespace scree

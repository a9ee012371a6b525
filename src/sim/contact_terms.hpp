/// What a contact adds to its relative velocity before its law is asked: gap term and restitution;
/// and what rounding makes of it. Of N contacts, one a lane: spheres take eight at a time, other
/// shapes one.
///
/// Kernels of each instruction set include this: nothing but templates over N, see
/// solvers/kernels/lane_vectors.inl.
#pragma once

#include <limits>

#include "scree/math/lanes.hpp"

namespace scree {

/// What the terms of all contacts of a step depend on.
struct TermSettings {
  double h;                      ///< [s]
  double error_reduction;        ///< ε [-]
  bool corrects_velocities;      ///< overlaps are undone by velocities, not by pushes
  bool has_recovery_speed;       ///< it is given
  double recovery_speed;         ///< if so [m/s]
  double restitution_threshold;  ///< [m/s]
  double rebound;                ///< part of e u_n⁻ that is a bias: 1, or 0 by phases [-]
  double gravity;                ///< |g| [m/s²]
};

/// Overlaps below this are let be, and are a touch. So are gaps where bodies touch in several
/// points: what a solve leaves undone tilts a body by little, and a corner that lifts by as much
/// and is let fall the next step rocks a stack ever more. Over the smaller bounding radius [-].
inline constexpr double kSlop = 1e-4;

template <int N>
class ContactTerms {
 public:
  using L = Lanes<N>;
  using Mask = decltype(L{} < L{});

  explicit ContactTerms(const TermSettings& settings) : s_(settings) {}

  /// Along the normal.
  struct NormalTerm {
    L bias;  ///< [m/s]
    Mask rebounds;
    L suppressed_restitution;  ///< e, if the pair is apart and gets no rebound in this step [-]
  };

  /// The gap term ε min(0, g/h) + max(0, remaining_gap/h) [Preclik18, §3.1], recovery capped; or e
  /// u_n⁻ where the pair meets within this step, faster than the threshold. `u_n` is the free
  /// relative velocity, `squared_speed` |u|² with the tangential part, `radius` the smaller one.
  /// Gaps and overlaps of less than `slop` [m] are let be, but gaps of pairs that will rebound.
  NormalTerm normal_term(const L& e, const L& gap, const L& remaining_gap, const L& u_n,
                         const L& squared_speed, const L& u_minus, const L& radius,
                         const L& slop) const {
    const L zero{};
    const Mask meets = remaining_gap + s_.h * u_n <= 0,
               hits = e > 0 && u_minus < -s_.restitution_threshold;
    // What hits is not stopped short of the touch that it rebounds from.
    const L gap_term = gap < 0 ? overlap_term(gap + slop, squared_speed, radius)
                       : remaining_gap > slop || (hits && remaining_gap > 0) ? remaining_gap / s_.h
                                                                             : zero;
    constexpr double kApart = 1e-6;  // of the radius; less is a contact that rests
    const Mask rebounds = hits && meets;
    const L rebound = s_.rebound * e * u_minus, overlap = gap < 0 ? gap_term : zero;
    return {rebounds ? (overlap < rebound ? overlap : rebound) : gap_term, rebounds,
            !rebounds && remaining_gap > kApart * radius ? e : zero};
  }

  /// Of q: what the last bits of positions, through the gap and the direction of the normal, and of
  /// velocities make [m/s]. `place` is the size of both positions, `touch` the distance of centres
  /// that touch [m], `speeds` the size of all velocities, `slip` of the relative one.
  L rounding(const L& gap, const L& place, const L& touch, const L& slip, const L& speeds) const {
    constexpr double kLastBit = std::numeric_limits<double>::epsilon() / 2;
    // An overlap's position enters by way of the step before as well, which let the pair close its
    // gap to the last bit.
    const L of_gap = gap < 0 ? s_.error_reduction / s_.h + L{} : 1 / s_.h + L{};
    return kLastBit * (place * (of_gap + slip / touch) + kRoundingOfSweeps * speeds);
  }

  /// See CorrectionBlock [m/s].
  L correction_gap(const L& gap, const L& remaining_gap, const L& radius) const {
    return ((gap >= 0 ? remaining_gap : gap) + kSlop * radius) / s_.h;
  }

 private:
  /// Of an overlap, what the solve asks of the relative velocity [m/s].
  L overlap_term(const L& gap, const L& squared_speed, const L& radius) const {
    const L zero{};
    if (!s_.corrects_velocities) return zero;
    const L wanted = s_.error_reduction * (gap < 0 ? gap : zero) / s_.h;
    const L most = -recovery_speed(squared_speed, radius);
    return wanted < most ? most : wanted;
  }

  /// Impulses change velocities again and again, and their rounding adds up as a walk at random
  /// does: twelve contacts a body, twenty sweeps [-].
  static constexpr double kRoundingOfSweeps = 16;

  /// How fast a penetration may be undone; by default little of what gravity and the pair's own
  /// motion make natural.
  L recovery_speed(const L& squared_speed, const L& radius) const {
    if (s_.has_recovery_speed) return s_.recovery_speed + L{};
    return 1e-4 * square_root<N>(s_.gravity * radius) + 0.01 * square_root<N>(squared_speed);
  }

  const TermSettings& s_;
};

}  // namespace scree

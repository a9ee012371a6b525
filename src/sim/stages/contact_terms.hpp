/// What a contact adds to its relative velocity before its law is asked: gap term and restitution;
/// and what rounding makes of it.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/step.hpp"

namespace scree {

/// Along the normal.
struct NormalTerm {
  double bias;  ///< [m/s]
  bool rebounds = false;
  double withheld = 0;  ///< e, if the pair is apart and gets no rebound in this step [-]
};

class ContactTerms {
 public:
  explicit ContactTerms(const Model& model) : step_(model.step), gravity_(norm(model.gravity)) {}

  /// The gap term ε min(0, g/h) + max(0, room/h) [Preclik18, §3.1], recovery capped; or e u_n⁻
  /// where the pair meets within this step, faster than the threshold. `u_n` is the free relative
  /// velocity, `speed` its length with the tangential part, `radius` the smaller one. Gaps and
  /// overlaps of less than `slop` [m] are let be.
  NormalTerm normal_term(double e, double gap, double room, double u_n, double speed,
                         double u_minus, double radius, double slop = 0) const {
    NormalTerm term{.bias = gap < 0       ? overlap_term(gap + slop, speed, radius)
                            : room > slop ? room / step_.h
                                          : 0.0};
    const bool meets = room + step_.h * u_n <= 0;
    constexpr double kApart = 1e-6;  // of the radius; less is a contact that rests
    if (e > 0 && meets && u_minus < -step_.restitution_threshold) {
      term.bias = std::min(e * u_minus, gap < 0 ? term.bias : 0.0);
      term.rebounds = true;
    } else if (room > kApart * radius) {
      term.withheld = e;
    }
    return term;
  }

  /// Of q: what the last bits of positions, through the gap and the direction of the normal, and of
  /// velocities make [m/s]. `place` is the size of both positions, `touch` the distance of centres
  /// that touch [m], `speeds` the size of all velocities, `slip` of the relative one.
  double rounding(double gap, double place, double touch, double slip, double speeds) const {
    constexpr double kLastBit = std::numeric_limits<double>::epsilon() / 2;
    // An overlap's position enters by way of the step before as well, which let the pair close its
    // gap to the last bit.
    const double of_gap = (gap < 0 ? step_.error_reduction : 1) / step_.h;
    return kLastBit * (place * (of_gap + slip / touch) + kRoundingOfSweeps * speeds);
  }

  /// |x| + |y| + |z|
  static double size(const Vec3& v) { return std::abs(v.x) + std::abs(v.y) + std::abs(v.z); }
  static double size(const BodyRecord& body) { return size(body.velocity) + size(body.spin); }

  bool corrects_velocities() const {
    return step_.overlap_correction == OverlapCorrection::velocities;
  }
  /// See CorrectionBlock [m/s].
  double correction_room(double gap, double room, double radius) const {
    return ((gap >= 0 ? room : gap) + kSlop * radius) / step_.h;
  }
  /// Whether an overlap is to be undone by PositionCorrection: by a little more than what is let
  /// be, or a bed at rest would be corrected in every step.
  bool is_to_be_corrected(double gap, double radius) const {
    constexpr double kLittleMore = 1.1;
    return !corrects_velocities() && step_.error_reduction > 0 &&
           gap < -kLittleMore * kSlop * radius;
  }

 private:
  /// Of an overlap, what the solve asks of the relative velocity [m/s].
  double overlap_term(double gap, double speed, double radius) const {
    if (!corrects_velocities()) return 0;
    return std::max(step_.error_reduction * std::min(0.0, gap) / step_.h,
                    -recovery_speed(speed, radius));
  }

  /// Percussions change velocities again and again, and their rounding adds up as a walk at random
  /// does: twelve contacts a body, twenty sweeps [-].
  static constexpr double kRoundingOfSweeps = 16;

  /// How fast a penetration may be undone; by default little of what gravity and the pair's own
  /// motion make natural.
  double recovery_speed(double speed, double radius) const {
    if (step_.recovery_speed) return *step_.recovery_speed;
    return 1e-4 * std::sqrt(gravity_ * radius) + 0.01 * speed;
  }

  const StepSettings& step_;
  double gravity_;
};

/// Counts of a contact: `squared_q` = |q|², `q_n` its normal component, and the q_n from which on r
/// = 0 obeys its law.
inline void book(Scratch::ContactSums& sum, double squared_q, double q_n, double parting_speed,
                 double rounding, double gap, double turn_cosine) {
  if (q_n < parting_speed) sum.squared_q.add(squared_q);
  if (q_n < parting_speed + rounding) sum.squared_rounding.add(rounding * rounding);
  sum.deepest = std::min(sum.deepest, gap);
  ++sum.contacts;
  sum.touching += gap < 0;
  sum.turn_cosine = std::min(sum.turn_cosine, turn_cosine);
}

}  // namespace scree

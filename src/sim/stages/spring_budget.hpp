/// How much the springs of a pair may hold. docs/theory/compliant_laws.md, "Points that jump"
#pragma once

#include <algorithm>

#include "laws/force_contact.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// Of a pair in a step.
///
/// Where points of a pair jump, so does the energy of their springs at full stiffness, and bodies
/// would get what nobody put in. So the springs hold no more than what pressing the bodies together
/// has put into them since they met: where it is less, all points are softer by one factor. What
/// is left in it when points vanish is there for those to come.
class SpringBudget {
 public:
  explicit SpringBudget(const force::Numbers& numbers) : numbers_(&numbers) {}

  /// A point that pushes now, with what it remembers, or as it begins; its bodies came nearer by
  /// `way` there since the last step [m].
  void add(double share, double radius, double overlap, double way, bool is_known,
           const ForceHeld& before) {
    const force::Springs<1> spring = springs(share, radius, overlap);
    energy_ += spring.energy;
    if (is_known) {
      know(before);
      put_in_ += 0.5 * before.push * way;
      put_in_now_ += 0.5 * spring.elastic * way;
    } else if (overlap < 2 * way) {
      begun_ += spring.energy;  // within the step
    } else {
      put_in_now_ += 0.5 * spring.elastic * way;
    }
  }

  /// A point that is there no more, whose bodies came nearer by about `way` in the step.
  void remove(double overlap, double way, const ForceHeld& before) {
    know(before);
    put_in_ += 0.5 * before.push * (overlap < -way ? -overlap : way);
  }

  /// To be asked when all points are known.
  void close() {
    if (!is_known_) {
      held_ = energy_;
      return;
    }
    const double at_least = held_ + put_in_ + begun_;
    held_ = at_least + put_in_now_;
    // What the motion of the step leaves open is no jump.
    constexpr double kExact = 1e-4;
    if (std::abs(held_ - energy_) <= kExact * energy_) {
      held_ = energy_;
      return;
    }
    if (held_ >= energy_) return;
    // The pushes of the end of the step are eased themselves.
    const double full = energy_ - put_in_now_;
    ease_ = full > 0 ? std::clamp(at_least / full, 0.0, 1.0) : 1.0;
    held_ = std::max(0.0, at_least + ease_ * put_in_now_);
  }
  double ease() const { return ease_; }
  /// What a point goes on with.
  ForceHeld held(double share, double radius, double overlap) const {
    return {held_, ease_ * springs(share, radius, overlap).elastic};
  }

 private:
  force::Springs<1> springs(double share, double radius, double overlap) const {
    return force::springs<1>(force::coefficients<1>(*numbers_, radius, 1, share), overlap,
                             numbers_->scheme.kind);
  }
  void know(const ForceHeld& before) {
    is_known_ = true;
    held_ = std::max(held_, before.energy);
  }

  const force::Numbers* numbers_;
  double held_ = 0, energy_ = 0;
  double put_in_ = 0, put_in_now_ = 0, begun_ = 0;
  double ease_ = 1;
  bool is_known_ = false;
};

}  // namespace scree

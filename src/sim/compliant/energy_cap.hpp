/// Energy cap for the springs of a pair. docs/theory/compliant_laws.md, "Points that jump"
#pragma once

#include <algorithm>
#include <cmath>

#include "laws/force_contact.hpp"
#include "solvers/step_settings.hpp"

namespace scree {

/// Energy cap of a pair in a step. Our own method.
///
/// When points of a pair jump, the energy of their springs jumps too, and bodies would gain energy
/// from nothing. So the springs store at most the work B that pressed the bodies together since
/// they met. If B is less than their energy U at full stiffness, the forces of all of them have the
/// factor s = √(B/U). Then dB = s dU, so √U − √B stays: a deficit acts as an offset of the overlap,
/// which means less and less as loads grow. Points that vanish leave their energy to later ones.
class EnergyCap {
 public:
  explicit EnergyCap(const force::Numbers& numbers) : numbers_(&numbers) {}

  /// Adds a point that pushes now, with its memory. Its bodies approached by `approach` there since
  /// the last step, along the normal, and by `approach_before` along that of the last step [m].
  void add(double share, double radius, double overlap, double approach, double approach_before,
           const ForceHeld& before) {
    const force::Springs<1> spring = springs(share, radius, overlap);
    energy_ += spring.energy;
    if (!before.is_counted()) {
      // A new point, from within the step or from a jump.
      put_in_ += std::clamp(0.5 * spring.elastic * approach, 0.0, spring.energy);
      return;
    }
    count(before);
    put_in_ += 0.5 * before.elastic * approach_before;
    put_in_now_ += 0.5 * spring.elastic * approach;
  }

  /// Adds a point that no longer pushes; its bodies approached by about `approach` in the step.
  void remove(double overlap, double approach, const ForceHeld& before) {
    count(before);
    put_in_ += 0.5 * before.elastic * std::max(approach, -overlap);
  }

  /// Computes the softness when all points are known.
  void close() {
    // Bodies that meet, or overlap at the start.
    if (!is_counted_) {
      held_ = energy_;
      return;
    }
    const double without = held_ + put_in_;
    held_ = without + put_in_now_;
    // The integration error of a step is no jump.
    if (std::abs(held_ - energy_) <= kEnergyJumpTolerance * energy_) {
      held_ = energy_;
    } else if (held_ < energy_) {
      softness_ = softness_for(without);
      held_ = std::max(0.0, without + softness_ * put_in_now_);
    }
  }

  /// Factor on the force of springs, compared with full stiffness [-].
  double softness() const { return softness_; }
  /// Memory of a point for the next step.
  ForceHeld held(double share, double radius, double overlap) const {
    return {held_, softness_ * springs(share, radius, overlap).elastic};
  }

 private:
  /// s with s² U = B and B = B₀ + s w: the pushes at the end of the step are softer themselves. B₀
  /// is `without`, and w their work at full stiffness.
  double softness_for(double without) const {
    const double w = put_in_now_, square = w * w + 4 * energy_ * without;
    return square > 0 ? std::clamp((w + std::sqrt(square)) / (2 * energy_), 0.0, 1.0) : 0;
  }
  force::Springs<1> springs(double share, double radius, double overlap) const {
    return force::springs<1>(force::coefficients<1>(*numbers_, radius, 1, share), overlap,
                             numbers_->scheme.kind);
  }
  void count(const ForceHeld& before) {
    if (!before.is_counted()) return;
    is_counted_ = true;
    held_ = std::max(held_, before.energy);
  }

  const force::Numbers* numbers_;
  bool is_counted_ = false;
  double held_ = 0;        ///< before the step, then after it [J]
  double energy_ = 0;      ///< energy of the springs at full stiffness [J]
  double put_in_ = 0;      ///< in the step, by known pushes [J]
  double put_in_now_ = 0;  ///< by pushes at its end, at full stiffness [J]
  double softness_ = 1;
};

}  // namespace scree

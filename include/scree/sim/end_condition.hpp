/// Conditions that end a simulation: an expression of what a step reports.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "scree/geometry/domain.hpp"
#include "scree/sim/report.hpp"

namespace scree {

class Simulation;

/// What a condition may speak of: fields of Report and State after the step, in SI units; what is
/// counted since the simulation, or its stage, began: `t` [s], bodies that entered and left, and
/// the strain of the cell, its velocity gradient summed up over time, whose diagonal is ln(L/L0).
inline constexpr std::array<std::string_view, 30> kEndQuantities{"time",
                                                                 "t",
                                                                 "bodies",
                                                                 "bodies_in",
                                                                 "bodies_out",
                                                                 "contacts",
                                                                 "contacts_touching",
                                                                 "contacts_loaded",
                                                                 "contacts_sliding",
                                                                 "max_penetration",
                                                                 "residual",
                                                                 "kinetic_energy",
                                                                 "potential_energy",
                                                                 "elastic_normal",
                                                                 "elastic_shear",
                                                                 "elastic_moment",
                                                                 "damped",
                                                                 "slid",
                                                                 "rolled",
                                                                 "dissipated_energy",
                                                                 "wall_work",
                                                                 "field_work",
                                                                 "joint_energy",
                                                                 "joint_error",
                                                                 "strain_xx",
                                                                 "strain_yy",
                                                                 "strain_zz",
                                                                 "strain_xy",
                                                                 "strain_xz",
                                                                 "strain_yz"};

struct EndCondition {
  std::string text;    ///< as it was written
  double lasting = 0;  ///< for how long it is to hold [s]; 0: once is enough
  /// Of kEndQuantities; holds where it is neither 0 nor NaN
  std::function<double(std::span<const double, kEndQuantities.size()>)> value;
};

/// What was counted for a condition.
struct ConditionCount {
  std::uint64_t steps = 0, held_steps = 0;  ///< shown; without a break until now
  std::uint64_t bodies_in = 0, bodies_out = 0;
  std::array<double, 6> strain{};  ///< xx, yy, zz, xy, xz, yz [-]
  bool held_at_once = false;       ///< in the first step
};

/// Asks a condition after every step. To be shown each of them.
class ConditionWatch {
 public:
  /// `simulation` is the one to be watched, before its next step.
  ConditionWatch(EndCondition condition, const Simulation& simulation, ConditionCount count = {});

  void step(const Simulation& simulation);

  bool reached() const { return reached_; }
  bool is_number() const { return is_number_; }  ///< and not NaN, in the last step
  const EndCondition& condition() const { return condition_; }
  const ConditionCount& count() const { return count_; }

 private:
  EndCondition condition_;
  ConditionCount count_;
  UpperTriangle gradient_;  ///< of the cell in the next step [1/s]
  bool reached_ = false, is_number_ = true;
};

}  // namespace scree

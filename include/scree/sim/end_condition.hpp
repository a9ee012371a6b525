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

/// Variables of a condition, in SI units: fields of Report and State after the step, and sums since
/// the simulation, or its stage of the run, began. These sums are `t` [s], the bodies that entered
/// and left, and the strain of the cell. The strain is the time integral of the cell's velocity
/// gradient; its diagonal is ln(L/L0).
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
  std::string text;    ///< expression as the user wrote it
  double lasting = 0;  ///< time for which it must hold [s]; 0: once is enough
  /// Function of kEndQuantities; the condition holds where it is neither 0 nor NaN
  std::function<double(std::span<const double, kEndQuantities.size()>)> value;
};

/// Sums of a condition since it was first watched.
struct ConditionCount {
  /// steps watched; the last ones in which it held without a break
  std::uint64_t steps = 0, held_steps = 0;
  std::uint64_t bodies_in = 0, bodies_out = 0;
  std::array<double, 6> strain{};  ///< xx, yy, zz, xy, xz, yz [-]
  bool held_at_once = false;       ///< true if it held in the first step
};

/// Evaluates a condition after every step. The caller must show it each step.
class ConditionWatch {
 public:
  /// Starts to watch `simulation`, before its next step.
  ConditionWatch(EndCondition condition, const Simulation& simulation, ConditionCount count = {});

  void step(const Simulation& simulation);

  bool reached() const { return reached_; }
  /// true if the condition was not NaN in the last step
  bool is_number() const { return is_number_; }
  const EndCondition& condition() const { return condition_; }
  const ConditionCount& count() const { return count_; }

 private:
  EndCondition condition_;
  ConditionCount count_;
  UpperTriangle gradient_;  ///< velocity gradient of the cell in the next step [1/s]
  bool reached_ = false, is_number_ = true;
};

}  // namespace scree

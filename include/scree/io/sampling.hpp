/// When to write: simulated time counted in whole steps, so that no rounding adds up over a long run.
#pragma once

#include <cstdint>

namespace scree {

/// Steps of size h [s] to reach `until` [s]: the smallest n with n h ≥ until, up to rounding.
std::uint64_t steps_until(double until, double h);

/// Which steps are samples: the first, the last, and for each k the step nearest to k·interval.
class Sampling {
 public:
  /// What an interval of 0 stands for.
  enum class Zero { every_step, ends_only };

  Sampling(double interval, double h, std::uint64_t last_step, Zero zero);

  /// Whether the step is a sample. Ask for each step once, in order.
  bool is_due(std::uint64_t step);

 private:
  double interval_in_steps_;
  std::uint64_t last_step_;
  Zero zero_;
  std::uint64_t next_sample_ = 0;  ///< k of the first sample that has not come yet
};

}  // namespace scree

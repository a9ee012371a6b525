/// When to write: simulated time counted in whole steps, so that no rounding adds up over a long
/// run.
#pragma once

#include <cstdint>

namespace scree {

/// Which steps are samples: the first, and for each k the step nearest to k·interval. Where a run
/// ends makes no difference.
class Sampling {
 public:
  /// What an interval of 0 stands for.
  enum class Zero { every_step, first_only };

  Sampling(double interval, double h, Zero zero);

  /// Whether the step is a sample. Ask in order; steps may be left out.
  bool is_due(std::uint64_t step);

 private:
  double interval_in_steps_;
  Zero zero_;
  std::uint64_t next_sample_ = 0;  ///< k of the first sample that has not come yet
};

}  // namespace scree

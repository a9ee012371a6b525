/// Schedule of samples in whole steps, so that rounding does not accumulate over a long run.
#pragma once

#include <cstdint>

namespace scree {

/// Chooses the steps that are samples: the first, and for each k the step nearest to k·interval,
/// whatever the end of the run.
class Sampling {
 public:
  /// Meaning of an interval of 0.
  enum class Zero { every_step, first_only };

  Sampling(double interval, double h, Zero zero);

  /// True if the step is a sample. Call in order of steps; steps may be skipped.
  bool is_due(std::uint64_t step);

 private:
  double interval_in_steps_;
  Zero zero_;
  std::uint64_t next_sample_ = 0;  ///< k of the next sample
};

}  // namespace scree

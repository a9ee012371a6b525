#include "run/sampling.hpp"

#include <cmath>

namespace scree {

Sampling::Sampling(double interval, double h, Zero zero)
    : interval_in_steps_(interval / h), zero_(zero) {}

bool Sampling::is_due(std::uint64_t step) {
  if (step == 0) return true;
  if (interval_in_steps_ <= 0) return zero_ == Zero::every_step;
  const auto step_of = [&](std::uint64_t k) {
    return static_cast<std::uint64_t>(std::llround(static_cast<double>(k) * interval_in_steps_));
  };
  // Several samples belong to one step if the interval is shorter than the step.
  while (step_of(next_sample_) < step) ++next_sample_;
  return step_of(next_sample_) == step;
}

}  // namespace scree

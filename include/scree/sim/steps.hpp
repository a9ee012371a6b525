/// How many steps a run takes.
#pragma once

#include <cstdint>

namespace scree {

/// Steps of size h [s] to reach `until` [s]: the smallest n with n h ≥ until, up to rounding.
std::uint64_t steps_until(double until, double h);

}  // namespace scree

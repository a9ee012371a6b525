/// Number of steps of a run.
#pragma once

#include <cstdint>

namespace scree {

struct State;

/// Steps of size h [s] to reach `until` [s]: the smallest n with n h ≥ until, up to rounding.
std::uint64_t steps_until(double until, double h);

/// True if the velocities of a state between two leapfrog steps are half a step behind its time.
/// This holds except at step 0; there it holds for a state from another run with memories of
/// compliant contacts.
bool is_within_leapfrog(const State& state);

}  // namespace scree

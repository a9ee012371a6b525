/// How many steps a run takes.
#pragma once

#include <cstdint>

namespace scree {

struct State;

/// Steps of size h [s] to reach `until` [s]: the smallest n with n h ≥ until, up to rounding.
std::uint64_t steps_until(double until, double h);

/// Whether velocities of a state that stands between two steps of a leapfrog are half a step behind
/// its time: always but at step 0, unless the state came there from another run, with what its
/// compliant contacts remember.
bool is_within_leapfrog(const State& state);

}  // namespace scree

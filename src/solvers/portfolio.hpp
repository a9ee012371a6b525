#pragma once

#include "solvers/progress.hpp"

namespace scree {

/// The portfolio, as docs/theory/many_contacts.md has it: a few sweeps over everything, where loose
/// problems end; then islands (blocks that influence each other), each by itself, over the threads
/// of `pool` if there is one, the small ones first, to a tolerance that makes the whole converge.
void solve_automatically(Progress& progress, ThreadPool* pool);

}  // namespace scree

#pragma once

#include "solvers/progress.hpp"

namespace scree {

/// Runs the portfolio of docs/theory/many_contacts.md. A few sweeps over everything solve loose
/// problems. Then islands (blocks that influence each other) are solved separately, by the threads
/// of `pool` if there is one, the small ones first, to a tolerance that makes the whole converge.
void solve_automatically(Progress& progress, ThreadPool* pool);

}  // namespace scree

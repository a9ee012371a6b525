#pragma once

#include <vector>

#include "compare/candidate.hpp"

namespace scree::compare {

/// Those of Siconos' solvers that are known to be fast, W stored as suits each. What they allocate
/// is never freed: a process solves one problem and ends.
std::vector<Candidate> siconos_solvers();

}  // namespace scree::compare

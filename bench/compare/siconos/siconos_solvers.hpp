#pragma once

#include <vector>

#include "compare/candidate.hpp"

namespace scree::compare {

/// Siconos' solvers that are known to be fast, each with its best storage of W. Their memory is
/// never freed, as a process solves one problem and ends.
std::vector<Candidate> siconos_solvers();

}  // namespace scree::compare

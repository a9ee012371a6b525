/// What scree solve says of one solution.
#pragma once

#include <string>

#include "scree/run/solved_problem.hpp"

namespace scree::cli {

/// Some lines for people.
std::string report_of(const Problem& problem, const SolvedProblem& solved,
                      const ProblemSettings& settings);

}  // namespace scree::cli

/// The report of scree solve on one solution.
#pragma once

#include <string>

#include "scree/run/solved_problem.hpp"

namespace scree::cli {

/// Report of a solution in words: a label and a value on each line.
std::string report_of(const Problem& problem, const SolvedProblem& solved,
                      const ProblemSettings& settings);

}  // namespace scree::cli

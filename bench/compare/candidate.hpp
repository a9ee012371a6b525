/// Solvers of frictional contact problems whose times are compared.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "scree/solvers/friction_contact_problem.hpp"

namespace scree::compare {

/// Solves from r = 0 until the solver's own error is below `tolerance`. Returns the CPU time of the
/// solve alone [s].
using Solve = std::function<double(double tolerance, std::span<double> r)>;

struct Candidate {
  std::string name;
  /// Converts a problem of Coulomb's law into the form of the solver. Its time does not count.
  std::function<Solve(const FrictionContactProblem&)> prepare;
};

/// CPU time of this thread so far [s]. The clock of the process advances by jiffies once a limit of
/// CPU time is set.
double cpu_time();

}  // namespace scree::compare

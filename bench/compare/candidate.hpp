/// Solvers of frictional contact problems that are timed against each other.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "scree/solvers/friction_contact_problem.hpp"

namespace scree::compare {

/// Solves from r = 0 until the solver's own error is below `tolerance`, and returns the CPU time of
/// that alone [s].
using Solve = std::function<double(double tolerance, std::span<double> r)>;

struct Candidate {
  std::string name;
  /// Brings a problem of Coulomb's law into the form that the solver wants. Its time does not
  /// count.
  std::function<Solve(const FrictionContactProblem&)> prepare;
};

/// CPU time of this thread so far [s]. Not of the process: that clock goes by jiffies once a limit
/// of CPU time is set.
double cpu_time();

}  // namespace scree::compare

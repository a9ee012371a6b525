/// The contacts of a step as a problem for any solver. A header of its own, because it brings
/// Eigen.
#pragma once

#include "scree/solvers/friction_contact_problem.hpp"

namespace scree {

class Simulation;

struct StepProblem {
  FrictionContactProblem problem;  ///< W is explicit
  Vector impulses;                 ///< its result in the step [N s]
};

/// Problem of the last step; empty before the first step.
StepProblem step_problem(const Simulation& simulation);

}  // namespace scree

/// A model, its state, and what is needed to step it.
#pragma once

#include <memory>
#include <vector>

#include "scree/sim/model.hpp"
#include "scree/sim/report.hpp"
#include "scree/sim/state.hpp"
#include "scree/solvers/friction_contact_problem.hpp"

namespace scree {

class Simulation {
 public:
  /// Throws InputError if model and state do not fit together. threads ≥ 1; results do not depend on it.
  Simulation(Model model, State state, int threads = 1);
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  /// One time step. Never throws for numerical reasons: see the report.
  const Report& step();

  const Model& model() const;
  const State& state() const;
  const Report& report() const;  ///< of the last step; before the first, of the initial state

  /// The contacts of the last step, in the order of their keys.
  std::vector<ContactRecord> contacts() const;
  /// Of the last step, at little cost.
  WorstContact worst_contact() const;

  /// Of the last step, with W explicit; `percussions` are what the step ended with [N s]. Empty before the first step.
  FrictionContactProblem problem(Vector& percussions) const;

  /// Held between steps in bodies, pairs, contacts and scratch [byte]; making the neighbour list anew takes more for its while.
  std::size_t memory_bytes() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace scree

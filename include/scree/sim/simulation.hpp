/// A model, its state, and what is needed to step it.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "scree/core/threads.hpp"
#include "scree/sim/model.hpp"
#include "scree/sim/report.hpp"
#include "scree/sim/state.hpp"
#include "scree/solvers/friction_contact_problem.hpp"

namespace scree {

class Simulation {
 public:
  /// Throws InputError, with the name of the field, if a number of the model or of the state cannot be used or the two do not fit
  /// together. threads ≥ 1; results do not depend on it.
  Simulation(Model model, State state, int threads = 1);
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  /// One time step. Never throws: see the report. A loop that ends at a time must end at a Report::motion_fault, too.
  const Report& step();

  const Model& model() const;
  const State& state() const;
  const Report& report() const;  ///< of the last step; before the first, of the initial state

  /// The contacts of the last step, in the order of their keys; none of a body that left in it.
  std::vector<ContactRecord> contacts() const;
  std::size_t contact_count() const;
  /// The same as contacts(), some at a time: all together take more memory than the problem they were solved in.
  void for_each_piece_of_contacts(FunctionRef<void(std::span<const ContactRecord>)> take) const;
  /// Of the last step, at little cost.
  WorstContact worst_contact() const;
  /// Contacts of the last step around its worst one that no velocities can obey together, by a proof; empty if none was found. Takes a solve
  /// of a hundred contacts by interior points: for steps that missed their tolerance.
  std::vector<std::pair<BodyId, BodyId>> contradiction() const;

  /// Of the last step, with W explicit; `percussions` are what the step ended with [N s]. Empty before the first step.
  FrictionContactProblem problem(Vector& percussions) const;

  /// Held between steps in bodies, pairs, contacts and scratch [byte]; making the neighbour list anew takes more for its while.
  std::size_t memory_bytes() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace scree

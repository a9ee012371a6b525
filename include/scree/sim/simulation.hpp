/// A model, its state, and what is needed to step it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "scree/core/threads.hpp"
#include "scree/sim/body_columns.hpp"
#include "scree/sim/model.hpp"
#include "scree/sim/report.hpp"
#include "scree/sim/state.hpp"
#include "scree/solvers/friction_contact_problem.hpp"

namespace scree {

/// Throws InputError, with a word on it, where a model differs from another in what a state rests
/// on: see Simulation::change_model.
void require_change(const Model& before, const Model& now);

/// What a simulation holds for one purpose.
struct MemoryShare {
  std::string_view name;
  std::size_t bytes;  ///< of its arrays, as long as they may become without asking for more [byte]
};

/// What is changed by hand between steps acts from the next one on. A change that cannot be made
/// throws InputError with the name of the field, and changes nothing. The energy it brings or takes
/// is booked as work from outside, see EnergyLedger, so that the budget closes; report() stays that
/// of the last step. Each call takes O(log n) of n bodies, and the first after bodies were
/// reordered O(n), unless it says otherwise. No two threads may use one simulation at a time, not
/// even to look at it.
class Simulation {
 public:
  /// Throws InputError, with the name of the field, if a number of the model or of the state cannot
  /// be used or the two do not fit together. Results depend neither on threads, ≥ 1, nor on
  /// the instruction set, one of instruction_sets().
  Simulation(Model model, State state, int threads = 1,
             InstructionSet instructions = widest_instruction_set());
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  /// One time step. Never throws: see the report. A loop that ends at a time must end at a
  /// Report::motion_fault, too.
  const Report& step();

  /// Goes on with another model of the same bodies and obstacles: other gravity, friction,
  /// restitution, solver, motions of obstacles, obstacles that are absent. What contacts remember
  /// stays, and the energy that another gravity brings is booked as work from outside. contacts()
  /// are none until the next step, and columns stale. Throws InputError, with nothing changed, if
  /// the model cannot be used, or differs in what the state rests on: prototypes, materials,
  /// obstacles but for their motion, flows, the domain, the step, or springs of compliant laws,
  /// which would hold another energy. O(bodies + contacts).
  void change_model(Model model);

  const Model& model() const;
  const State& state() const;
  const Report& report() const;  ///< of the last step; before the first, of the initial state

  /// The contacts of the last step, in the order of their keys; none of a body that left in it.
  std::vector<ContactRecord> contacts() const;
  std::size_t contact_count() const;
  /// The same as contacts(), some at a time: all together take more memory than the problem they
  /// were solved in.
  void for_each_piece_of_contacts(FunctionRef<void(std::span<const ContactRecord>)> take) const;
  /// Of the last step, at little cost.
  WorstContact worst_contact() const;
  /// Contacts of the last step around its worst one that no velocities can obey together, by a
  /// proof; empty if none was found. Takes a solve of a hundred contacts by interior points: for
  /// steps that missed their tolerance.
  std::vector<std::pair<BodyId, BodyId>> contradiction() const;

  /// Of the last step, with W explicit; `impulses` are what the step ended with [N s]. Empty
  /// before the first step.
  FrictionContactProblem problem(Vector& impulses) const;

  /// The joints of the model, as the last step left them; before the first without forces.
  std::vector<JointRecord> joints() const;

  /// Held between steps in bodies, pairs, contacts, joints and scratch, by what it is for, but for
  /// what the elimination of joints holds; making the neighbour list anew takes more for its while.
  std::vector<MemoryShare> memory() const;
  std::size_t memory_bytes() const;  ///< all of it [byte]

  // Bodies, by ids that stay while rows change places.

  /// Whether there is one of this id. All else that takes an id throws InputError if there is none.
  bool has_body(BodyId id) const;
  Body body(BodyId id) const;
  /// Its row in columns(), until they are stale.
  BodyIndex index_of(BodyId id) const;
  /// All bodies, in O(1).
  BodyColumns columns() const;

  /// New centre [m]. Contacts keep what they remember; overlaps that it makes are undone as any
  /// other. A body that a joint holds is neither moved nor turned so.
  void move_to(BodyId id, const Vec3& position);
  void turn_to(BodyId id, const Quaternion& orientation);
  void change_velocity(BodyId id, const Vec3& velocity);  ///< [m/s]
  /// Inertial frame [rad/s].
  void change_angular_velocity(BodyId id, const Vec3& angular_velocity);
  /// A body that is there from the next step on, under the id that is returned; its own is ignored.
  /// It may overlap others. Makes the list of neighbours anew, as remove() does: add many between
  /// two steps.
  BodyId add(Body body);
  /// Contacts of other bodies keep what they remember. The id is not used again.
  void remove(BodyId id);

  /// In the next step alone, on top of gravity and of what was applied since the last step: `force`
  /// [N] at the centre of mass and `torque` [N m], inertial frame.
  void apply_force(BodyId id, const Vec3& force, const Vec3& torque = {});
  /// The same for a force at a point of the inertial frame [m].
  void apply_force_at(BodyId id, const Vec3& force, const Vec3& point);

  // Obstacles: the model's obstacles, by index. All but obstacle() are O(1).

  /// The index of the only obstacle of this name; throws InputError if there is none, or more than
  /// one. O(obstacles).
  std::uint32_t obstacle(std::string_view name) const;
  const Pose& obstacle_pose(std::uint32_t obstacle) const;
  /// How an obstacle moves in each step from now on, until this is called again. Refused for an
  /// obstacle with a motion of its own, or that is the plate of an inflow: those move as the model
  /// says.
  void move_obstacle(std::uint32_t obstacle, const Twist& twist);

  // What contacts did in the last step. The first call after a step takes O(contacts).

  /// Those of contacts() that a body takes part in, in the order of their keys.
  std::vector<ContactRecord> contacts_of(BodyId body) const;
  /// Force and torque of all contacts on a body, about its centre as it stood when the step began:
  /// impulses over h. Bodies that left in the step or since still count, here and below.
  Wrench contact_force(BodyId body) const;
  /// The same on an obstacle, about a point [m]; unset: about where its pivot stands now.
  Wrench contact_force_on_obstacle(std::uint32_t obstacle, std::optional<Vec3> about = {}) const;

 private:
  struct Internals;
  std::unique_ptr<Internals> internals_;
};

}  // namespace scree

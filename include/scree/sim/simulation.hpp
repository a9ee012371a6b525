/// A model, its state, and the storage to step it.
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

namespace scree {

/// Throws InputError, with the reason, if a model differs from another in data that a state depends
/// on: see Simulation::change_model.
void require_change(const Model& before, const Model& now);

/// Memory of a simulation for one purpose.
struct MemoryShare {
  std::string_view name;
  std::size_t bytes;  ///< capacity of its arrays [byte]
};

struct StepProblem;

/// Simulation of one model. A change by hand between steps acts from the next step on. An invalid
/// change throws InputError with the name of the field, and changes nothing. The energy that a
/// change adds or removes counts as work from outside, see EnergyLedger, so that the balance
/// closes; report() stays that of the last step. Each call takes O(log n) of n bodies, and the
/// first after a reordering of the bodies O(n), unless it says otherwise. No two threads may use
/// one simulation at a time, not even to read it.
class Simulation {
 public:
  /// Throws InputError, with the name of the field, if a number of the model or of the state is
  /// invalid, or the two do not fit together. Results depend neither on threads, ≥ 1, nor on the
  /// instruction set, one of instruction_sets().
  Simulation(Model model, State state, int threads = 1,
             InstructionSet instructions = widest_instruction_set());
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  /// One time step. Never throws: see the report. A loop that ends at a time must end at a
  /// Report::motion_fault, too.
  const Report& step();

  /// Computes the next steps together with other ranks, to the bits of one process. Each of them
  /// has a simulation of the same model and state, and calls step() as often. Nothing else is
  /// shared. `ranks` must outlive the simulation.
  void share_steps(Ranks& ranks);

  /// Continues from a state of this model: one that state() gave, or a checkpoint. Later steps have
  /// the same bits as those that followed it before. contacts() is empty until the next step,
  /// joints() has no forces, report() is that of the state, and columns are stale. Throws
  /// InputError, with nothing changed, if the state is invalid or is not one of the model.
  /// O(bodies + contacts).
  void restore(const State& state);

  /// Continues with another model of the same bodies and obstacles. It may differ in gravity,
  /// friction, restitution, solver, motions of obstacles and absent obstacles. Memories of contacts
  /// stay, and the energy from a change of gravity counts as work from outside. contacts() is empty
  /// until the next step, and columns are stale. Throws InputError, with nothing changed, if the
  /// model is invalid, or differs in data that the state depends on. These are prototypes,
  /// materials, obstacles except for their motion, flows, the domain, the step, and springs of
  /// compliant laws, which would store another energy. O(bodies + contacts).
  void change_model(Model model);

  const Model& model() const;
  const State& state() const;
  /// report of the last step; before the first, of the initial state
  const Report& report() const;

  /// Contacts of the last step, in the order of their keys; without those of bodies that left in
  /// it.
  std::vector<ContactRecord> contacts() const;
  std::size_t contact_count() const;
  /// The same as contacts(), in pieces: all at once need more memory than the problem of the step.
  void for_each_piece_of_contacts(FunctionRef<void(std::span<const ContactRecord>)> take) const;
  /// Worst contact of the last step, at little cost.
  WorstContact worst_contact() const;
  /// Contacts of the last step near its worst one that provably no velocities can satisfy together;
  /// empty if none was found. Solves a hundred contacts by interior points: use it for steps that
  /// missed their tolerance.
  std::vector<std::pair<BodyId, BodyId>> contradiction() const;

  /// Joints of the model after the last step; before the first without forces. JointCoordinates
  /// reads and drives their coordinates.
  std::vector<JointRecord> joints() const;

  /// Memory between steps by purpose: bodies, pairs, contacts, joints and scratch, without the
  /// elimination of joints. A rebuild of the neighbour list needs more for a moment.
  std::vector<MemoryShare> memory() const;
  std::size_t memory_bytes() const;  ///< sum of all purposes [byte]

  // Bodies, by ids that stay when bodies change rows.

  /// True if this id exists. Every other call with an unknown id throws InputError.
  bool has_body(BodyId id) const;
  Body body(BodyId id) const;
  /// Row in columns(), until they are stale.
  BodyIndex index_of(BodyId id) const;
  /// All bodies, in O(1).
  BodyColumns columns() const;

  /// Moves the centre there [m]. Contacts keep their memories; new overlaps are removed like any
  /// other. Bodies of joints cannot be moved.
  void move_to(BodyId id, const Vec3& position);
  void turn_to(BodyId id, const Quaternion& orientation);
  void change_velocity(BodyId id, const Vec3& velocity);  ///< [m/s]
  /// Inertial frame [rad/s].
  void change_angular_velocity(BodyId id, const Vec3& angular_velocity);
  /// Adds a body from the next step on and returns its id; `body.id` is ignored. It may overlap
  /// others. The neighbour list is rebuilt, as by remove(): add many between two steps.
  BodyId add(Body body);
  /// Removes a body. Contacts of other bodies keep their memories. The id is not used again.
  void remove(BodyId id);

  /// Applies `force` [N] at the centre of mass and `torque` [N m], inertial frame, in the next step
  /// only. They add to gravity and to earlier calls since the last step.
  void apply_force(BodyId id, const Vec3& force, const Vec3& torque = {});
  /// The same for a force at a point of the inertial frame [m].
  void apply_force_at(BodyId id, const Vec3& force, const Vec3& point);

  /// Records the acceleration of a body in each step from now on. A step takes O(1) for each
  /// watched body, and the first after a reordering of the bodies O(n).
  void watch(BodyId id);
  /// Acceleration of a watched body in the last step, gravity included: change of its velocities
  /// [m/s²] and [rad/s²] from the middle of the step before, inertial frame. 0 before a step.
  /// Changes by hand do not count. Throws InputError if the body is not watched.
  Twist acceleration(BodyId id) const;

  // Joints, by their index in Model::joints.

  /// Attaches a joint where its bodies are: from the next step on its coordinates count from here.
  /// A joint that was detached or broke is there again. O(bodies). Throws InputError for a gear, a
  /// rope or a distance, for a joint that a gear couples, and if a body has left.
  void attach(std::uint32_t joint);
  /// Removes a joint until it is attached again. The energy of its springs counts as dissipated.
  void detach(std::uint32_t joint);

  // Obstacles: the model's obstacles, by index. All but obstacle() are O(1).

  /// Index of the only obstacle of this name; throws InputError if there is none, or more than one.
  /// O(obstacles).
  std::uint32_t obstacle(std::string_view name) const;
  const Pose& obstacle_pose(std::uint32_t obstacle) const;
  /// Sets the twist of an obstacle for every step until the next call. Throws InputError for an
  /// obstacle with a prescribed motion and for the plate of an inflow.
  void move_obstacle(std::uint32_t obstacle, const Twist& twist);

  // Effects of contacts in the last step. The first call after a step takes O(contacts).

  /// Contacts of a body, in the order of their keys; of two bodies, or with an obstacle by its
  /// obstacle_id(), those between them.
  std::vector<ContactRecord> contacts_of(BodyId body, std::optional<BodyId> other = {}) const;
  /// Force and torque of all contacts on a body, about its centre at the start of the step:
  /// impulses divided by h. Bodies that left in the step or since still count, here and below.
  Wrench contact_force(BodyId body) const;
  /// Force and torque of all contacts on an obstacle, about a point [m]; empty: about the present
  /// position of its pivot.
  Wrench contact_force_on_obstacle(std::uint32_t obstacle, std::optional<Vec3> about = {}) const;

 private:
  friend StepProblem step_problem(const Simulation& simulation);
  friend class JointCoordinates;
  struct Internals;
  std::unique_ptr<Internals> internals_;
};

}  // namespace scree

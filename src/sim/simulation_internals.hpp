/// Data of a Simulation, and the functions that its files share.
#pragma once

#include <map>
#include <optional>

#include "scree/sim/simulation.hpp"
#include "scree/solvers/contact_certificate.hpp"
#include "sim/body_places.hpp"
#include "sim/compliant/wrench_sum.hpp"
#include "sim/contacts/solved_points.hpp"

namespace scree {

/// Contacts of the last step by body: free bodies by index, then obstacles.
struct ContactsByBody {
  std::vector<std::uint32_t> first;  ///< begin in `pairs` of each body; empty: to be made
  std::vector<std::uint32_t> pairs;
};

struct Simulation::Internals {
  Model model;
  State state;
  ThreadPool pool;  ///< shared with other ranks within a step
  Scratch scratch;
  Report report;
  Ranks* ranks = &one_rank();  ///< see share_steps()

  Generation generation;
  BodyPlaces body_places;

  // Contacts of the last step, made on first use, until the next step.
  ContactsByBody contacts_by_body;
  std::optional<ContactCertifier> certifier;
  /// Positions at the start of the step of bodies that were moved by hand since [m]
  std::map<BodyIndex, Vec3> centre_before;
  bool removed_by_hand = false;  ///< true if a body was removed since

  std::vector<FreeCoordinate> coordinates;  ///< of the joints of the model

  /// Body whose acceleration is recorded.
  struct Watched {
    BodyId id;
    Twist before{}, acceleration{};
  };
  std::vector<Watched> watched;  ///< in rising order of ids

  StepContext context() { return {model, state, scratch, report, pool}; }

  /// Sets up what a step needs of the model.
  void prepare_scratch();
  /// Brings a checked state that is new into the form that steps have left, and makes the report.
  void begin();
  /// Forgets what the last step left outside of the state.
  void forget_last_step();
  void note_velocities();
  /// Finds accelerations in a step of this duration, which began with the noted velocities.
  void find_accelerations(double duration);
  /// Energy of springs for a state whose leapfrog began in another run, which did not report it:
  /// from a first step of a copy. For sliding contacts the friction of a step is subtracted.
  ForceEnergy springs_at_start() const;

  // Contacts of the last step.

  /// False before the first step.
  bool has_contacts() const { return scratch.slot.size() == state.neighbours.pairs.size(); }
  /// True if a pair was a contact in the last step, and is awake: sleeping contacts are in
  /// Sleep::contacts.
  bool was_solved(std::size_t pair) const {
    return scratch.slot[pair] != Scratch::kNoContact &&
           !state.sleep.sleeps(state.neighbours.pairs[pair].owner);
  }
  /// True for such a pair, if its bodies have not left since the step began.
  bool is_contact(std::size_t pair) const {
    const auto [owner, other] = state.neighbours.pairs[pair];
    return was_solved(pair) && !state.neighbours.has_left(owner) &&
           !state.neighbours.has_left(other);
  }
  std::pair<BodyId, BodyId> ids_of(std::size_t pair) const;
  /// Calls f for the points of a pair that was a contact, see SolvedPoints.
  template <class F>
  void for_each_point(std::size_t pair, F&& f) const {
    SolvedPoints(model, state, scratch, [this](BodyIndex i) {
      return centre_at_start(i);
    }).for_each(pair, f);
  }
  /// Calls f(SleepingContact) for those of bodies that have not been removed since.
  template <class F>
  void for_each_sleeping(F&& f) {
    const auto was_removed = [this](BodyId id) {
      const std::optional<BodyIndex> i = body_places.find(state.bodies, id);
      return i && state.neighbours.has_left(*i);
    };
    for (const SleepingContact& contact : state.sleep.contacts)
      if (!removed_by_hand || !(was_removed(contact.a) || was_removed(contact.b))) f(contact);
  }
  ContactCertificate certificate_of(const SolvedPoint& point) const;
  /// Twist after the step of a free body, or with kObstacle of an obstacle.
  Twist twist_of(BodyIndex body) const;
  /// Relative velocity of B at the contact, after the step [m/s].
  Vec3 relative_velocity(std::size_t pair, const SolvedPoint& point);
  std::size_t points_of(std::size_t pair) const;
  std::vector<std::uint32_t> contacts_in_order() const;
  /// Appends one record for each point of a pair.
  void append_records(std::size_t pair, std::vector<ContactRecord>& records);
  /// Contacts of a free body, by its index, or of an obstacle, with kObstacle.
  std::span<const std::uint32_t> contacts_with(BodyIndex body);
  /// True if a body was present in the last step.
  bool took_part(BodyIndex i) const { return i < scratch.problem.free_bodies; }
  /// Centre of such a body at the start of that step [m].
  Vec3 centre_at_start(BodyIndex i) const;
  /// Flow between them at the start of that step, see flow_between().
  Vec3 flow_at_start(BodyIndex a, BodyIndex b) const;
  /// The same for a pair of bodies, from A to B.
  Vec3 flow_of(std::size_t pair) const;
  std::pair<BodyId, BodyId> ids_of_slot(std::uint32_t slot) const;
  /// Slot of the contact of the largest residual; kNoContact if none has one.
  std::pair<std::uint32_t, ContactVerdict> worst_slot() const;
  /// The same for a step with impacts by phases.
  std::pair<std::uint32_t, ContactVerdict> worst_of_phases() const;

  /// Problem that was solved between the phases of impacts.
  ContactProblem problem_before_expansion() const;

  // Sleep.

  /// Counts the calm steps of bodies, lets islands fall asleep that have been calm for long, and
  /// adds sleeping bodies to the report; after a step.
  void let_sleep();
  /// Counts sleeping bodies for the report.
  void count_sleepers();
  /// Finds the island id of each body if the island may fall asleep, else kAwake; true if any may.
  bool name_islands(std::vector<BodyId>& island);
  void fall_asleep();
  /// Adds forces of sleeping contacts on a body or an obstacle, about a point.
  void add_sleeping(BodyId body, const Vec3& centre, WrenchSum& sum) const;

  // Changes by hand.

  /// Index of a body; throws InputError if it does not exist.
  BodyIndex index_of(BodyId id);
  /// Throws InputError if a joint holds the body.
  void require_no_joint(BodyId id) const;
  void change_hold(std::uint32_t joint);
  /// Adds energy from outside [J]; throws InputError, and adds nothing, if it is too large.
  void accumulate_work(double work);
  /// Changes a body's position or motion; throws InputError before it changes anything.
  template <class T>
  void change(BodyId id, T Body::*field, const T& value);
};

}  // namespace scree

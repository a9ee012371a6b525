/// What a Simulation holds, and what its functions share.
#pragma once

#include <map>
#include <optional>

#include "scree/sim/simulation.hpp"
#include "scree/solvers/contact_certificate.hpp"
#include "sim/body_places.hpp"
#include "sim/solved_points.hpp"
#include "sim/wrench_sum.hpp"

namespace scree {

/// Pairs that were contacts in the last step, by body: free bodies by index, then obstacles.
struct ContactsByBody {
  std::vector<std::uint32_t> first;  ///< of each body in `pairs`; empty: to be made
  std::vector<std::uint32_t> pairs;
};

struct Simulation::Internals {
  Model model;
  State state;
  ThreadPool pool;
  Scratch scratch;
  Report report;

  Generation generation;
  BodyPlaces body_places;

  // Of the last step, until the next; made when asked for.
  ContactsByBody contacts_by_body;
  std::optional<ContactCertifier> certifier;
  /// Of bodies that were moved by hand since: where the step began [m]
  std::map<BodyIndex, Vec3> centre_before;
  bool removed_by_hand = false;  ///< whether some body was, since

  StepContext context() { return {model, state, scratch, report, pool}; }

  /// Of a state whose leapfrog began in another run, which does not say what springs held: as a
  /// first step of a copy finds it. Of contacts that slide, less by what friction takes in a step.
  ForceEnergy springs_at_start() const;

  // The contacts of the last step.

  /// Not before the first step.
  bool has_contacts() const { return scratch.slot.size() == state.neighbours.pairs.size(); }
  /// Whether a pair was a contact in the last step, and does not sleep since: what slept then or
  /// does now is in Sleep::contacts.
  bool was_solved(std::size_t pair) const {
    return scratch.slot[pair] != Scratch::kNoContact &&
           !state.sleep.sleeps(state.neighbours.pairs[pair].owner);
  }
  /// The same, of bodies that have not left since the step began.
  bool is_contact(std::size_t pair) const {
    const auto [owner, other] = state.neighbours.pairs[pair];
    return was_solved(pair) && !state.neighbours.has_left(owner) &&
           !state.neighbours.has_left(other);
  }
  std::pair<BodyId, BodyId> ids_of(std::size_t pair) const;
  /// Of the points of a pair that was a contact, see SolvedPoints.
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
  /// How a free body, or with kObstacle an obstacle, moves after the step.
  Twist twist_of(BodyIndex body) const;
  /// Of B where it touches, after the step [m/s].
  Vec3 relative_velocity(std::size_t pair, const SolvedPoint& point);
  std::size_t points_of(std::size_t pair) const;
  std::vector<std::uint32_t> contacts_in_order() const;
  /// One for each point of a pair.
  void append_records(std::size_t pair, std::vector<ContactRecord>& records);
  /// Pairs that were contacts of a free body, by its index, or of an obstacle, with kObstacle.
  std::span<const std::uint32_t> contacts_with(BodyIndex body);
  /// Whether a body was there in the last step.
  bool took_part(BodyIndex i) const { return i < scratch.problem.free_bodies; }
  /// Of a body that was, where it stood when that step began [m].
  Vec3 centre_at_start(BodyIndex i) const;
  /// See flow_between(); where they stood then.
  Vec3 flow_at_start(BodyIndex a, BodyIndex b) const;
  /// The same of a pair of bodies, from A to B.
  Vec3 flow_of(std::size_t pair) const;
  std::pair<BodyId, BodyId> ids_of_slot(std::uint32_t slot) const;
  /// Of the contact of the largest residual; kNoContact if none has one.
  std::pair<std::uint32_t, ContactVerdict> worst_slot() const;
  /// The same of a step with impacts by phases.
  std::pair<std::uint32_t, ContactVerdict> worst_of_phases() const;

  /// Of a step with impacts by phases, the problem that was solved between them.
  ContactProblem problem_before_expansion() const;

  // Sleep.

  /// Counts how long bodies have been calm, lets islands of those that were so for long fall
  /// asleep, and adds what sleeps to the report; after a step.
  void let_sleep();
  /// For the report.
  void count_sleepers();
  /// Of each body the name of its island if that may fall asleep, else kAwake; whether any may.
  bool name_islands(std::vector<BodyId>& island);
  void fall_asleep();
  /// Forces of contacts that sleep on a body or a part, about a point.
  void add_sleeping(BodyId body, const Vec3& centre, WrenchSum& sum) const;

  // Changes by hand.

  /// Throws InputError if there is no such body.
  BodyIndex index_of(BodyId id);
  /// Throws InputError if a joint holds the body.
  void require_no_joint(BodyId id) const;
  /// Books energy that is brought from outside [J]; throws InputError, and books nothing, if it is
  /// too large.
  void accumulate_work(double work);
  /// Gives a body another place or motion; throws InputError before it changes anything.
  template <class T>
  void change(BodyId id, T Body::*field, const T& value);
};

}  // namespace scree

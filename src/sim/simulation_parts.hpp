/// What a Simulation holds, and what its functions share.
#pragma once

#include <map>
#include <optional>

#include "scree/sim/simulation.hpp"
#include "scree/solvers/contact_certificate.hpp"
#include "sim/body_places.hpp"
#include "sim/step.hpp"
#include "solvers/kernels/full_kernels.hpp"
#include "solvers/kernels/turning_blocks.hpp"

namespace scree {

/// Pairs that were contacts in the last step, by body: free bodies by index, then obstacles.
struct ContactsByBody {
  std::vector<std::uint32_t> first;  ///< of each body in `pairs`; empty: to be made
  std::vector<std::uint32_t> pairs;
};

/// One point of a contact, as the last step saw it.
struct SolvedPoint {
  Vec3 point;               ///< midway between the surfaces [m]
  Vec3 normal;              ///< from A to B
  double gap;               ///< [m]
  Vec3 percussion;          ///< on B, less what attracts [N s]
  Vec3 angular_percussion;  ///< what resists turning, on B [N m s]
  Vec3 on_a, on_b;          ///< where it acts: on the surface of each [m]
  Vec3 relative_velocity;   ///< of B there, after the step [m/s]
  /// Of the contact in the problem, as ContactIndex counts; kNowhere: it has a compliant law
  std::size_t place = kNowhere;
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
};

struct Simulation::Parts {
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

  // The contacts of the last step.

  /// Not before the first step.
  bool has_contacts() const { return scratch.slot.size() == state.neighbours.pairs.size(); }
  /// Whether it is one of the last step, of bodies that have not left since it began.
  bool is_contact(std::size_t pair) const {
    const auto [owner, other] = state.neighbours.pairs[pair];
    return scratch.slot[pair] != Scratch::kNoContact && !state.neighbours.has_left(owner) &&
           !state.neighbours.has_left(other);
  }
  std::pair<BodyId, BodyId> ids_of(std::size_t pair) const;
  /// Calls f(place in problem.full) for the points of a pair whose first stands at `slot`.
  template <class F>
  void for_each_place(std::uint32_t slot, F&& f) const;
  /// Calls f(SolvedPoint, certificate_of) for the points of a pair that was a contact;
  /// certificate_of asks a certifier.
  template <class F>
  void for_each_point(std::size_t pair, F&& f) const;
  /// Of a contact with a compliant law; its percussion is h times its force.
  SolvedPoint force_point(std::size_t pair, std::uint32_t block, int lane) const;
  /// How a free body, or with kObstacle an obstacle, moves after the step.
  Twist twist_of(BodyIndex body) const;
  Vec3 relative_velocity(std::size_t pair, const SolvedPoint& point) const;
  /// Its law holds by construction.
  ContactCertificate force_certificate(std::uint32_t block, int lane) const;
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
  std::pair<BodyId, BodyId> ids_of_slot(std::uint32_t slot) const;
  /// Of the contact of the largest residual; kNoContact if none has one.
  std::pair<std::uint32_t, ContactVerdict> worst_slot() const;
  /// The same of a step with impacts by phases.
  std::pair<std::uint32_t, ContactVerdict> worst_of_phases() const;

  /// Of a step with impacts by phases, the problem that was solved between them.
  ContactProblem problem_before_expansion() const;

  // Changes by hand.

  /// Throws InputError if there is no such body.
  BodyIndex index_of(BodyId id);
  /// Books energy that is brought from outside [J]; throws InputError, and books nothing, if it is
  /// too large.
  void book_work(double work);
  /// Gives a body another place or motion; throws InputError before it changes anything.
  template <class T>
  void change(BodyId id, T Body::*field, const T& value);
};

template <class F>
void Simulation::Parts::for_each_place(std::uint32_t slot, F&& f) const {
  std::uint32_t place = slot & ~Scratch::kFull;
  const BodyIndex at_rest = scratch.problem.at_rest();
  for (std::uint32_t left = scratch.problem.full[place / kBlock].stack; left > 0;
       --left, place += kBlock)
    if (holds_contact(scratch.problem.full[place / kBlock], place % kBlock, at_rest)) f(place);
}

template <class F>
void Simulation::Parts::for_each_point(std::size_t pair, F&& f) const {
  const std::uint32_t slot = scratch.slot[pair];
  if (slot & Scratch::kFull) {
    for_each_place(slot, [&](std::uint32_t place) {
      const FullBlock& block = scratch.problem.full[place / kBlock];
      const int lane = static_cast<int>(place % kBlock);
      const FullContact contact = block.contact(lane);
      const Vec3 percussion = contact.to_inertial(contact.percussion);
      const double attraction =
          kernels::attraction_of(scratch.problem.full_attraction, place / kBlock, lane);
      const Scratch::FullPlace& full_place = scratch.full_places[place];
      const Vec3 half_gap = full_place.gap / 2 * contact.axis[0];
      f(SolvedPoint{full_place.point, contact.axis[0], full_place.gap,
                    attraction > 0 ? percussion - attraction * contact.axis[0] : percussion,
                    kernels::angular_percussion(scratch.problem, block, lane),
                    full_place.point - half_gap, full_place.point + half_gap,
                    contact.to_inertial(
                        kernels::relative_velocity(std::span(scratch.problem.bodies), contact)),
                    kBlock * scratch.problem.blocks.size() + place},
        [&](const ContactCertifier& certify) { return certify(block, lane); });
    });
    return;
  }
  if (Scratch::is_force(slot)) {
    for_each_force_point(
        scratch.forces, state.neighbours, pair, slot, [&](std::uint32_t block, int lane) {
          f(force_point(pair, block, lane),
            [&](const ContactCertifier&) { return force_certificate(block, lane); });
        });
    return;
  }
  const DiagonalBlock& block = scratch.problem.blocks[slot / kBlock];
  const int lane = static_cast<int>(slot % kBlock);
  const auto [owner, other] = state.neighbours.pairs[pair];
  const bool is_a = state.bodies.id[owner] == ids_of(pair).first;
  const BodyIndex a = is_a ? owner : other, b = is_a ? other : owner;
  SolvedPoint solved{
      .normal = {block.normal[0][lane], block.normal[1][lane], block.normal[2][lane]},
      .gap = double{scratch.gap[slot]},
      .percussion = {block.percussion[0][lane], block.percussion[1][lane],
                     block.percussion[2][lane]}};
  if (scratch.problem.attracts())
    solved.percussion -=
        kernels::attraction_of(scratch.problem.attraction, slot / kBlock, lane) * solved.normal;
  const Vec3 centre = centre_at_start(a);
  solved.point = centre + (state.bodies.radius[a] + solved.gap / 2) * solved.normal;
  solved.on_a = centre + state.bodies.radius[a] * solved.normal;
  // The gap of two spheres is kept in single precision, their radii are not.
  solved.on_b = b & Neighbours::kObstacle
                    ? solved.on_a + solved.gap * solved.normal
                    : centre_at_start(b) - state.bodies.radius[b] * solved.normal;
  const BodyRecord &record_a = scratch.problem.bodies[block.a[lane]],
                   &record_b = scratch.problem.bodies[block.b[lane]];
  solved.relative_velocity =
      record_b.velocity - record_a.velocity - cross(record_a.spin + record_b.spin, solved.normal);
  solved.place = slot;
  f(solved, [&](const ContactCertifier& certify) { return certify(block, lane); });
}

}  // namespace scree

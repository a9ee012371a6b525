// Chooses the islands whose impacts have an order, and resolves them.
#include <algorithm>
#include <tuple>

#include "sim/contacts/assemble.hpp"
#include "sim/contacts/closing_speeds.hpp"
#include "sim/events/event_island.hpp"
#include "sim/events/events.hpp"
#include "sim/motion/body_motion.hpp"
#include "solvers/body_sets.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

using EventContact = ImpactEvents::Contact;
using Outcome = ImpactEvents::Outcome;

const Finding kUnordered("unordered_impacts");

constexpr std::uint32_t kTooManyContacts = kMaxEventContacts + 1;

bool may_have_events(const StepContext& c) {
  const Scratch& s = c.scratch;
  return c.model.step.impacts_in_order && s.any_restitution && !s.any_cohesion &&
         !c.model.strain.any() &&
         std::ranges::any_of(s.contact_sums,
                             [](const Scratch::ContactSums& sum) { return sum.rebounds > 0; });
}

template <class Blocks, class F>
void for_each_contact(const ContactProblem& problem, const Blocks& blocks, F&& f) {
  for (const auto& block : blocks)
    for (std::size_t lane = 0; lane < kBlock; ++lane)
      if (holds_contact(block, lane, problem.at_rest())) f(block.a[lane], block.b[lane]);
}

/// Sets of bodies that contacts or joints connect.
void join_bodies(const ContactProblem& problem, BodySets& sets) {
  sets.reset(problem.free_bodies);
  const auto join = [&](BodyIndex a, BodyIndex b) { sets.join(a, b); };
  for_each_contact(problem, problem.blocks, join);
  for_each_contact(problem, problem.contact_blocks, join);
}

/// Marks the bodies of sets with few contacts, all of them of spheres, and without joints.
void choose_bodies(StepContext& c) {
  const ContactProblem& problem = c.scratch.problem;
  ImpactEvents& events = c.scratch.events;
  BodySets& sets = events.sets;
  join_bodies(problem, sets);
  events.count.assign(problem.free_bodies, 0);
  const auto add = [&](BodyIndex i, std::uint32_t contacts) {
    if (i >= problem.free_bodies) return;
    std::uint32_t& count = events.count[sets.of(i)];
    count = std::min(count + contacts, kTooManyContacts);
  };
  const auto exclude = [&](BodyIndex i) { add(i, kTooManyContacts); };
  for_each_contact(problem, problem.blocks, [&](BodyIndex a, BodyIndex) { add(a, 1); });
  for_each_contact(problem, problem.contact_blocks, [&](BodyIndex a, BodyIndex) { exclude(a); });
  for (const JointBlock& joint : problem.joints)
    joint.for_each_side([&](const JointBlock::Side& side) { exclude(side.body); });
  events.chosen.resize(problem.free_bodies);
  for (BodyIndex i = 0; i < problem.free_bodies; ++i) {
    const std::uint32_t contacts = events.count[sets.of(i)];
    events.chosen[i] = contacts > 0 && contacts < kTooManyContacts;
  }
}

EventContact contact_of(const StepContext& c, const Neighbours::Pair& pair, std::uint32_t slot) {
  const Scratch& s = c.scratch;
  const Bodies& bodies = c.state.bodies;
  const SphereContactBlock& block = s.problem.blocks[slot / kBlock];
  const std::size_t lane = slot % kBlock;
  EventContact of{.slot = slot,
                  .a = block.a[lane],
                  .b = block.b[lane],
                  .id_a = bodies.id[block.a[lane]],
                  .radius = bodies.radius[block.a[lane]],
                  .friction = block.friction[lane]};
  MaterialId other;
  if (pair.other & Neighbours::kObstacle) {
    const std::uint32_t k = pair.other & ~Neighbours::kObstacle;
    const SeparatingPlane plane = plane_of_obstacle(c, of.a, k);
    of.id_b = obstacle_id(k);
    of.is_plane = true;
    of.normal = -plane.normal;
    of.gap = plane.gap >= 0 ? plane.remaining_gap : plane.gap;
    other = c.model.obstacles[k].material;
  } else {
    of.id_b = bodies.id[of.b];
    of.apart = s.domain.separation(bodies.position[of.a], bodies.position[of.b]);
    of.touch = bodies.radius[of.a] + bodies.radius[of.b];
    of.gap = norm(of.apart) - of.touch;
    of.radius = std::min(of.radius, bodies.radius[of.b]);
    other = bodies.material[of.b];
  }
  of.restitution = c.model.laws(bodies.material[of.a], other).restitution;
  return of;
}

/// Lists the contacts of chosen bodies, island by island, in the order of ids.
void list_contacts(StepContext& c) {
  Scratch& s = c.scratch;
  ImpactEvents& events = s.events;
  const auto& pairs = c.state.neighbours.pairs;
  events.found.resize(kPairChunks);
  c.pool.for_each_chunk(kPairChunks, [&](std::size_t chunk) {
    auto& found = events.found[chunk];
    found.clear();
    for (std::size_t p = pairs.size() * chunk / kPairChunks;
         p < pairs.size() * (chunk + 1) / kPairChunks; ++p) {
      const std::uint32_t slot = s.slot[p];
      const bool of_spheres =
          slot != Scratch::kNoContact && !(slot & Scratch::kFull) && !Scratch::is_force(slot);
      if (of_spheres && events.chosen[pairs[p].owner] != 0)
        found.push_back(contact_of(c, pairs[p], slot));
    }
  });
  for (const auto& found : events.found)
    events.contacts.insert(events.contacts.end(), found.begin(), found.end());
  for (EventContact& contact : events.contacts) contact.island = events.sets.of(contact.a);
  std::ranges::sort(events.contacts, {},
                    [](const EventContact& of) { return std::tuple(of.island, of.id_a, of.id_b); });
}

/// Cuts the list into islands.
void list_islands(ImpactEvents& events) {
  events.islands.clear();
  const auto& contacts = events.contacts;
  for (std::uint32_t begin = 0, end = 0; begin < contacts.size(); begin = end) {
    while (end < contacts.size() && contacts[end].island == contacts[begin].island) ++end;
    events.islands.push_back({begin, end, Outcome::left});
  }
}

/// Flight of a body without impulses.
ImpactEvents::Flight flight_of_body(const StepContext& c, BodyIndex i) {
  const BodyRecord& free = c.scratch.problem.bodies[i];
  const double time = half_step_factor(c) * c.model.step.h;
  return {.body = i,
          .free = free,
          .acceleration = (free.velocity - c.state.bodies.velocity[i]) / time,
          .spin_acceleration = (free.spin - scaled_spin(c, i)) / time};
}

void begin_flights(StepContext& c) {
  ImpactEvents& events = c.scratch.events;
  const BodyIndex bodies = c.scratch.problem.free_bodies;
  events.flight_of.assign(bodies, ImpactEvents::kNone);
  for (const EventContact& contact : events.contacts)
    for (const BodyIndex i : {contact.a, contact.b}) {
      if (i >= bodies || events.flight_of[i] != ImpactEvents::kNone) continue;
      events.flight_of[i] = static_cast<std::uint32_t>(events.flights.size());
      events.flights.push_back(flight_of_body(c, i));
    }
}

std::span<EventContact> contacts_of(ImpactEvents& events, const ImpactEvents::Island& island) {
  return std::span(events.contacts).subspan(island.begin, island.end - island.begin);
}

void run_islands(StepContext& c) {
  ImpactEvents& events = c.scratch.events;
  c.pool.for_each_range(events.islands.size(), kEventIslandsPerTask,
                        [&](std::size_t begin, std::size_t end) {
                          for (std::size_t k = begin; k < end; ++k) {
                            ImpactEvents::Island& of = events.islands[k];
                            EventIsland island(c, contacts_of(events, of));
                            of.outcome = island.run();
                            if (of.outcome != Outcome::resolved) island.undo();
                          }
                        });
}

/// Leaves the contacts of a resolved island that are not hit to the solve, with the velocities that
/// impacts leave.
void leave_others(StepContext& c, std::span<EventContact> contacts) {
  ContactProblem& problem = c.scratch.problem;
  for (EventContact& contact : contacts) {
    if (contact.impacts > 0) continue;
    const auto lane = static_cast<int>(contact.slot % kBlock);
    problem.closing[contact.slot / kBlock].speed[lane] =
        static_cast<float>(closing_speed_of(problem, problem.blocks[contact.slot / kBlock], lane));
    contact.slot = Scratch::kNoContact;
  }
}

/// Leaves an island to the solve.
void leave(ImpactEvents& events, std::span<EventContact> contacts) {
  for (EventContact& contact : contacts) {
    for (const BodyIndex i : {contact.a, contact.b})
      if (i < events.flight_of.size()) events.flight_of[i] = ImpactEvents::kNone;
    contact.slot = Scratch::kNoContact;
  }
}

/// Keeps the contacts that were hit, which the solve must not have.
void keep_resolved(StepContext& c) {
  ImpactEvents& events = c.scratch.events;
  for (const ImpactEvents::Island& island : events.islands) {
    c.report[kUnordered].value += island.outcome == Outcome::unordered;
    if (island.outcome == Outcome::resolved)
      leave_others(c, contacts_of(events, island));
    else
      leave(events, contacts_of(events, island));
  }
  std::erase_if(events.contacts,
                [](const EventContact& of) { return of.slot == Scratch::kNoContact; });
  std::ranges::sort(events.contacts, {}, &EventContact::slot);
}

/// Empties the lanes of resolved contacts.
void hide_contacts(StepContext& c) {
  Scratch& s = c.scratch;
  ContactProblem& problem = s.problem;
  for (const EventContact& contact : s.events.contacts) {
    SphereContactBlock& block = problem.blocks[contact.slot / kBlock];
    const std::size_t lane = contact.slot % kBlock;
    block.a[lane] = block.b[lane] = problem.at_rest();
    block.bias[lane] = 0;
    for (auto& component : block.impulse) component[lane] = 0;
    problem.closing[contact.slot / kBlock].set(lane, 0, 0);
  }
  problem.contacts -= static_cast<std::uint32_t>(s.events.contacts.size());
  add_up_closing(c);
}

}  // namespace

void resolve_events(StepContext& c) {
  ImpactEvents& events = c.scratch.events;
  events.clear();
  c.report[kUnordered].value = 0;
  if (!may_have_events(c)) return;
  choose_bodies(c);
  list_contacts(c);
  list_islands(events);
  begin_flights(c);
  run_islands(c);
  keep_resolved(c);
  if (events.contacts.empty())
    events.clear();
  else
    hide_contacts(c);
}

double certify_events(StepContext& c) {
  ExactSum work;
  c.report.contacts += c.scratch.events.contacts.size();
  for (const EventContact& contact : c.scratch.events.contacts) {
    c.report.worst_residual = std::max(c.report.worst_residual, contact.certificate.residual);
    c.report.contacts_loaded += contact.impacts > 0;
    c.report.contacts_sliding += contact.certificate.kind == ContactClass::sliding;
    work.add(contact.work);
  }
  return work.value();
}

}  // namespace scree

// Contacts of the last step for callers of Simulation: records, worst contact, forces on bodies and
// obstacles.
#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "scree/sim/step_problem.hpp"
#include "scree/solvers/contradiction.hpp"
#include "scree/solvers/factored_problem.hpp"
#include "sim/checks/check_model.hpp"
#include "sim/compliant/forces.hpp"
#include "sim/compliant/wrench_sum.hpp"
#include "sim/contacts/assemble.hpp"
#include "sim/motion/body_motion.hpp"
#include "sim/simulation_internals.hpp"

namespace scree {

/// Ids of A and B.
std::pair<BodyId, BodyId> Simulation::Internals::ids_of(std::size_t pair) const {
  const auto [owner, other] = state.neighbours.pairs[pair];
  const BodyId id = state.bodies.id[owner],
               other_id = other & Neighbours::kObstacle
                              ? obstacle_id(other & ~Neighbours::kObstacle)
                              : state.bodies.id[other];
  return std::minmax(id, other_id);
}

std::size_t Simulation::Internals::points_of(std::size_t pair) const {
  const std::uint32_t slot = scratch.slot[pair];
  std::size_t count = 0;
  if (Scratch::is_force(slot)) {
    for_each_force_point(scratch.forces, state.neighbours, pair, slot,
                         [&](std::uint32_t, int) { ++count; });
    return count;
  }
  if (!(slot & Scratch::kFull)) return 1;
  for_each_full_place(scratch, slot, [&](std::uint32_t) { ++count; });
  return count;
}

Twist Simulation::Internals::twist_of(BodyIndex body) const {
  if (body & Neighbours::kObstacle) return state.obstacles[body & ~Neighbours::kObstacle].twist;
  return {scratch.problem.bodies[body].velocity, state.bodies.angular_velocity[body]};
}

Vec3 Simulation::Internals::relative_velocity(std::size_t pair, const SolvedPoint& point) {
  const std::span<const BodyRecord> records(scratch.problem.bodies);
  if (point.full) {
    const ContactRows contact = point.full->contact(point.lane);
    return contact.to_inertial(kernels::relative_velocity(records, contact)) +
           flow_at_start(contact.a, contact.b);
  }
  if (point.diagonal) {
    const BodyRecord &a = records[point.diagonal->a[point.lane]],
                     &b = records[point.diagonal->b[point.lane]];
    return b.velocity - a.velocity - cross(a.spin + b.spin, point.normal);
  }
  const auto [owner, other] = state.neighbours.pairs[pair];
  const bool with_obstacle = other & Neighbours::kObstacle;
  const bool owner_is_a = with_obstacle || state.bodies.id[owner] < state.bodies.id[other];
  const auto velocity_of = [&](BodyIndex body, const Vec3& at) {
    const Twist twist = twist_of(body);
    const bool obstacle = body & Neighbours::kObstacle;
    const std::uint32_t k = body & ~Neighbours::kObstacle;
    const Vec3 centre = obstacle ? state.obstacles[k].pose.position - model.step.h * twist.linear
                                 : centre_at_start(body);
    const Vec3 along = obstacle ? surface_velocity(context(), k, point.normal) : Vec3{};
    return twist.linear + along + cross(twist.angular, scratch.domain.separation(centre, at));
  };
  const BodyIndex a = owner_is_a ? owner : other, b = owner_is_a ? other : owner;
  return velocity_of(b, point.on_b) - velocity_of(a, point.on_a) + flow_at_start(a, b);
}

Vec3 Simulation::Internals::flow_of(std::size_t pair) const {
  const auto [owner, other] = state.neighbours.pairs[pair];
  const bool owner_is_a = state.bodies.id[owner] < state.bodies.id[other];
  return owner_is_a ? flow_at_start(owner, other) : flow_at_start(other, owner);
}

Vec3 Simulation::Internals::flow_at_start(BodyIndex a, BodyIndex b) const {
  const Domain& domain = scratch.domain;
  if (!domain.flows() || b >= scratch.problem.free_bodies) return {};
  return domain.gradient() * domain.separation(centre_at_start(a), centre_at_start(b));
}

ContactCertificate Simulation::Internals::certificate_of(const SolvedPoint& point) const {
  if (point.event) return point.event->certificate;
  if (point.diagonal) return (*certifier)(*point.diagonal, point.lane);
  if (point.full) return (*certifier)(*point.full, point.lane);
  // A compliant law is satisfied by construction.
  ContactCertificate certificate{};
  const bool pressed = point.force->elastic + point.force->damping > 0;
  certificate.kind = !pressed              ? ContactClass::separating
                     : point.force->slides ? ContactClass::sliding
                                           : ContactClass::sticking;
  return certificate;
}

Vec3 Simulation::Internals::centre_at_start(BodyIndex i) const {
  if (const auto moved = centre_before.find(i); moved != centre_before.end()) return moved->second;
  const Vec3 before =
      state.bodies.position[i] -
      model.step.h * (scratch.problem.bodies[i].velocity + scratch.pseudo_velocity(i)) -
      scratch.events.displacement(i);
  // The flow moved x to (1 + h L) x.
  return scratch.domain.flows() ? before_flow(scratch.domain.gradient(), model.step.h, before)
                                : before;
}

void Simulation::Internals::append_records(std::size_t pair, std::vector<ContactRecord>& records) {
  if (!certifier) certifier.emplace(scratch.problem);
  for_each_point(pair, [&](const SolvedPoint& solved) {
    ContactCertificate certificate = certificate_of(solved);
    if (!solved.force && !solved.event && scratch.phases.any) {
      // Its impulse is the sum of phases, each of which satisfies the law with its own velocities.
      certificate.residual = scratch.phases.contacts[solved.contact].residual;
      certificate.complementarity_violation = scratch.phases.contacts[solved.contact].violation;
    }
    ContactRecord& record = records.emplace_back();
    std::tie(record.a, record.b) = ids_of(pair);
    record.point = solved.point;
    record.normal = solved.normal;
    record.impulse = solved.impulse;
    record.angular_impulse = solved.angular_impulse;
    record.gap = solved.gap;
    record.relative_velocity = relative_velocity(pair, solved);
    record.residual = certificate.residual;
    record.kind = certificate.kind;
    record.cone_violation = certificate.cone_violation;
    record.complementarity_violation = certificate.complementarity_violation;
    record.dissipated_energy = certificate.dissipated_energy;
    if (scratch.domain.flows() && !solved.force)
      record.dissipated_energy -= dot(solved.impulse, flow_of(pair));
    record.painleve_number = certificate.painleve_number;
  });
}

namespace {

ContactRecord record_of(const SleepingContact& contact) {
  return {.a = contact.a,
          .b = contact.b,
          .point = contact.point,
          .normal = contact.normal,
          .impulse = contact.impulse,
          .gap = contact.gap,
          .residual = contact.residual,
          .kind = static_cast<ContactClass>(contact.kind),
          .cone_violation = contact.cone_violation,
          .complementarity_violation = contact.complementarity_violation,
          .painleve_number = contact.painleve_number,
          .angular_impulse = contact.angular_impulse};
}

}  // namespace

void Simulation::Internals::add_sleeping(BodyId body, const Vec3& centre, WrenchSum& sum) const {
  const double per_time = 1 / model.step.h;
  for (const SleepingContact& contact : state.sleep.contacts) {
    if (contact.a != body && contact.b != body) continue;
    const double side = contact.b == body ? 1 : -1;
    const Vec3 at = contact.point + side * contact.gap / 2 * contact.normal;
    sum.add(side * per_time * contact.impulse, scratch.domain.separation(centre, at),
            side * per_time * contact.angular_impulse);
  }
}

ContactProblem Simulation::Internals::problem_before_expansion() const {
  ContactProblem problem = scratch.problem;
  problem.bodies = scratch.phases.bodies;
  problem.rolling = scratch.phases.rolling;
  const std::size_t spheres = problem.blocks.size();
  for (std::size_t k = 0; k < scratch.phases.contacts.size(); ++k) {
    const Vec3& r = scratch.phases.contacts[k].solved;
    auto& to = k / kBlock < spheres ? problem.blocks[k / kBlock].impulse
                                    : problem.contact_blocks[k / kBlock - spheres].impulse;
    for (int axis = 0; axis < 3; ++axis) to[axis][k % kBlock] = r[axis];
  }
  return problem;
}

StepProblem step_problem(const Simulation& simulation) {
  const Simulation::Internals& internals = *simulation.internals_;
  StepProblem step;
  if (!internals.has_contacts()) return step;
  step.problem =
      multiplied_out(internals.scratch.phases.any
                         ? factored_problem(internals.problem_before_expansion(), step.impulses)
                         : factored_problem(internals.scratch.problem, step.impulses));
  return step;
}

std::size_t Simulation::contact_count() const {
  if (!internals_->has_contacts()) return 0;
  if (internals_->model.outflows.empty() && !internals_->removed_by_hand &&
      !internals_->model.step.sleep)
    return internals_->scratch.problem.contacts + internals_->scratch.events.contacts.size() +
           internals_->report.force_contacts;
  std::size_t count = 0;
  internals_->for_each_sleeping([&](const SleepingContact&) { ++count; });
  for (std::size_t p = 0; p < internals_->scratch.slot.size(); ++p)
    if (internals_->is_contact(p)) count += internals_->points_of(p);
  return count;
}

/// Pairs that are contacts, in the order of their keys. Counting sort: a sort of the keys would
/// need six times the memory.
std::vector<std::uint32_t> Simulation::Internals::contacts_in_order() const {
  const auto& id = state.bodies.id;
  std::vector<std::uint32_t> order(id.size()), rank(id.size()), end(id.size() + 1, 0);
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return id[i]; });
  for (std::uint32_t k = 0; k < order.size(); ++k) rank[order[k]] = k;

  const auto rank_of_a = [&](std::size_t pair) {
    const auto [owner, other] = state.neighbours.pairs[pair];
    return other & Neighbours::kObstacle ? rank[owner] : std::min(rank[owner], rank[other]);
  };
  for (std::size_t p = 0; p < scratch.slot.size(); ++p)
    if (is_contact(p)) ++end[rank_of_a(p)];
  std::uint32_t begin = 0;
  for (std::uint32_t& count : end) begin += std::exchange(count, begin);
  std::vector<std::uint32_t> contacts(begin);
  for (std::size_t p = 0; p < scratch.slot.size(); ++p)
    if (is_contact(p)) contacts[end[rank_of_a(p)]++] = static_cast<std::uint32_t>(p);
  begin = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    std::ranges::sort(contacts.begin() + begin, contacts.begin() + end[k], {},
                      [&](std::uint32_t p) { return ids_of(p).second; });
    begin = end[k];
  }
  return contacts;
}

void Simulation::for_each_piece_of_contacts(
    FunctionRef<void(std::span<const ContactRecord>)> take) const {
  if (contact_count() == 0) return;
  constexpr std::size_t kRecordsPerPiece = std::size_t{1} << 14;
  std::vector<ContactRecord> piece;
  const auto flush = [&] {
    take(piece);
    piece.clear();
  };
  const std::vector<std::uint32_t> contacts = internals_->contacts_in_order();
  auto next = contacts.begin();
  const auto append_solved = [&] {
    internals_->append_records(*next++, piece);
    if (piece.size() >= kRecordsPerPiece) flush();
  };
  internals_->for_each_sleeping([&](const SleepingContact& contact) {
    while (next != contacts.end() && internals_->ids_of(*next) < std::pair(contact.a, contact.b))
      append_solved();
    piece.push_back(record_of(contact));
    if (piece.size() >= kRecordsPerPiece) flush();
  });
  while (next != contacts.end()) append_solved();
  if (!piece.empty()) flush();
}

std::vector<ContactRecord> Simulation::contacts() const {
  std::vector<ContactRecord> records;
  records.reserve(contact_count());
  for_each_piece_of_contacts(
      [&](auto piece) { records.insert(records.end(), piece.begin(), piece.end()); });
  return records;
}

std::span<const std::uint32_t> Simulation::Internals::contacts_with(BodyIndex body) {
  auto& [first, pairs] = contacts_by_body;
  const std::size_t bodies = state.bodies.size();
  const auto row = [&](BodyIndex i) {
    return i & Neighbours::kObstacle ? bodies + (i & ~Neighbours::kObstacle) : std::size_t{i};
  };
  if (first.empty()) {
    // Counting sort: number of contacts of each body, their begin, then the contacts.
    first.assign(bodies + state.obstacles.size() + 2, 0);
    const auto for_each_end = [&](auto&& f) {
      for (std::uint32_t p = 0; p < scratch.slot.size(); ++p) {
        if (!was_solved(p)) continue;
        f(p, row(state.neighbours.pairs[p].owner));
        f(p, row(state.neighbours.pairs[p].other));
      }
    };
    for_each_end([&first = first](std::uint32_t, std::size_t end) { ++first[end + 2]; });
    std::partial_sum(first.begin(), first.end(), first.begin());
    pairs.resize(first.back());
    for_each_end([&first = first, &pairs = pairs](std::uint32_t p, std::size_t end) {
      pairs[first[end + 1]++] = p;
    });
    first.pop_back();
  }
  return std::span(pairs).subspan(first[row(body)], first[row(body) + 1] - first[row(body)]);
}

std::vector<ContactRecord> Simulation::contacts_of(BodyId body, std::optional<BodyId> other) const {
  const BodyIndex index = internals_->index_of(body);
  if (other && is_obstacle(*other))
    check_obstacle(model(), static_cast<std::uint32_t>(other->value - kFirstObstacleId));
  else if (other)
    internals_->index_of(*other);
  std::vector<ContactRecord> records;
  if (!internals_->has_contacts()) return records;
  const auto is_between = [&](BodyId a, BodyId b) { return !other || a == *other || b == *other; };
  std::vector<std::uint32_t> contacts;
  for (const std::uint32_t pair : internals_->contacts_with(index)) {
    const auto [a, b] = internals_->ids_of(pair);
    if (internals_->is_contact(pair) && is_between(a, b)) contacts.push_back(pair);
  }
  std::ranges::sort(contacts, {}, [&](std::uint32_t pair) { return internals_->ids_of(pair); });
  for (const std::uint32_t pair : contacts) internals_->append_records(pair, records);
  // All contacts of a sleeping body sleep, and none of a body that is awake.
  if (internals_->state.sleep.sleeps(index))
    internals_->for_each_sleeping([&](const SleepingContact& contact) {
      if ((contact.a == body || contact.b == body) && is_between(contact.a, contact.b))
        records.push_back(record_of(contact));
    });
  return records;
}

Wrench Simulation::contact_force(BodyId body) const {
  const BodyIndex index = internals_->index_of(body);
  if (!internals_->has_contacts()) return {};
  const bool sleeps = internals_->state.sleep.sleeps(index);
  const auto& pairs = internals_->contacts_with(index);
  WrenchSum sum;
  if (pairs.empty() && !sleeps) return sum.value();
  const Vec3 centre = internals_->centre_at_start(index);
  for (const std::uint32_t pair : pairs) {
    const bool is_a = internals_->ids_of(pair).first == body;
    internals_->for_each_point(pair, [&](const SolvedPoint& solved) {
      const Vec3 force = solved.impulse / internals_->model.step.h,
                 couple = solved.angular_impulse / internals_->model.step.h,
                 arm = internals_->scratch.domain.separation(centre,
                                                             is_a ? solved.on_a : solved.on_b);
      if (is_a)
        sum.add(-force, arm, -couple);
      else
        sum.add(force, arm, couple);
    });
  }
  if (sleeps) internals_->add_sleeping(body, centre, sum);
  return sum.value();
}

Wrench Simulation::contact_force_on_obstacle(std::uint32_t obstacle,
                                             std::optional<Vec3> about) const {
  const Pose pose = obstacle_pose(obstacle);
  const Vec3 pivot = pose.position + rotate(pose.orientation, model().obstacles[obstacle].pivot);
  const Vec3 centre = about.value_or(pivot);
  if (!internals_->has_contacts()) return {};
  WrenchSum sum;
  for (const std::uint32_t pair : internals_->contacts_with(Neighbours::kObstacle | obstacle))
    internals_->for_each_point(pair, [&](const SolvedPoint& solved) {
      sum.add(solved.impulse / internals_->model.step.h,
              internals_->scratch.domain.separation(centre, solved.on_b),
              solved.angular_impulse / internals_->model.step.h);
    });
  internals_->add_sleeping(obstacle_id(obstacle), centre, sum);
  return sum.value();
}

std::pair<std::uint32_t, ContactVerdict> Simulation::Internals::worst_of_phases() const {
  const auto& impacts = scratch.phases.contacts;
  const auto worst = std::ranges::max_element(impacts, {}, &ImpactPhases::ImpactContact::residual);
  if (worst == impacts.end() || !(worst->residual > 0)) return {Scratch::kNoContact, {}};
  const auto contact = static_cast<std::uint32_t>(worst - impacts.begin()),
             spheres = static_cast<std::uint32_t>(kBlock * scratch.problem.blocks.size());
  const bool full = contact >= spheres;
  const std::uint32_t of_kind = full ? contact - spheres : contact;
  const int lane = static_cast<int>(contact % kBlock);
  ContactVerdict verdict =
      full ? verdict_of(scratch.problem, scratch.problem.contact_blocks[of_kind / kBlock], lane)
           : verdict_of(scratch.problem, scratch.problem.blocks[of_kind / kBlock], lane);
  verdict.residual = worst->residual;
  verdict.unsolved_impulse = worst->unsolved_impulse;
  return {full ? Scratch::kFull | of_kind : of_kind, verdict};
}

std::pair<std::uint32_t, ContactVerdict> Simulation::Internals::worst_slot() const {
  const ContactProblem& problem = scratch.problem;
  std::uint32_t slot = Scratch::kNoContact;
  ContactVerdict worst{};
  if (scratch.phases.any) return worst_of_phases();
  const auto offer = [&](std::uint32_t candidate, const ContactVerdict& verdict) {
    if (verdict.residual > worst.residual) {
      worst = verdict;
      slot = candidate;
    }
  };
  // The solver reports the chunk: a search of all contacts would cost as much as a sweep.
  const std::uint32_t worst_chunk = scratch.solved.certificate.worst_chunk;
  const auto chunks = static_cast<std::uint32_t>(problem.chunks.size());
  if (worst_chunk < chunks) {
    for (std::uint32_t b = problem.chunks[worst_chunk].begin; b < problem.chunks[worst_chunk].end;
         ++b)
      for (int k = 0; k < kBlock; ++k)
        offer(kBlock * b + static_cast<std::uint32_t>(k),
              verdict_of(problem, problem.blocks[b], k));
  } else if (worst_chunk - chunks < problem.contact_chunks.size()) {
    const Chunk& chunk = problem.contact_chunks[worst_chunk - chunks];
    for (std::uint32_t b = chunk.begin; b < chunk.end; ++b)
      for (int k = 0; k < kBlock; ++k)
        if (holds_contact(problem.contact_blocks[b], k, problem.at_rest()))
          offer(Scratch::kFull | (kBlock * b + static_cast<std::uint32_t>(k)),
                verdict_of(problem, problem.contact_blocks[b], k));
  }
  return {slot, worst};
}

std::pair<BodyId, BodyId> Simulation::Internals::ids_of_slot(std::uint32_t slot) const {
  const auto holds = [&](std::uint32_t of_pair) {
    if (of_pair == Scratch::kNoContact || (of_pair & Scratch::kFull) != (slot & Scratch::kFull))
      return false;
    bool found = of_pair == slot;
    if (slot & Scratch::kFull)
      for_each_full_place(scratch, of_pair, [&](std::uint32_t lane) {
        found = found || (Scratch::kFull | lane) == slot;
      });
    return found;
  };
  return ids_of(
      static_cast<std::size_t>(std::ranges::find_if(scratch.slot, holds) - scratch.slot.begin()));
}

WorstContact Simulation::worst_contact() const {
  if (!internals_->has_contacts()) return {};
  const auto [slot, worst] = internals_->worst_slot();
  if (slot == Scratch::kNoContact) return {};
  const auto [a, b] = internals_->ids_of_slot(slot);
  const double h = internals_->model.step.h;
  return {a, b, worst.residual, worst.kind, worst.impulse / h, worst.unsolved_impulse / h};
}

std::vector<std::pair<BodyId, BodyId>> Simulation::contradiction() const {
  std::vector<std::pair<BodyId, BodyId>> pairs;
  if (!internals_->has_contacts()) return pairs;
  const std::uint32_t worst = internals_->worst_slot().first;
  if (worst == Scratch::kNoContact) return pairs;
  // The solvers number contact blocks after the last lane of the blocks of spheres.
  const auto lanes_of_spheres =
      static_cast<std::uint32_t>(kBlock * internals_->scratch.problem.blocks.size());
  const bool full = worst & Scratch::kFull;
  for (const ContactIndex contact :
       contradiction_near(internals_->scratch.problem,
                          full ? lanes_of_spheres + (worst & ~Scratch::kFull) : worst))
    pairs.push_back(internals_->ids_of_slot(
        contact < lanes_of_spheres ? contact : Scratch::kFull | (contact - lanes_of_spheres)));
  std::ranges::sort(pairs);
  return pairs;
}

}  // namespace scree

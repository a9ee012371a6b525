#include "scree/sim/simulation.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "scree/solvers/contact_certificate.hpp"
#include "scree/solvers/contradiction.hpp"
#include "scree/solvers/factored_problem.hpp"
#include "sim/check_model.hpp"
#include "sim/step.hpp"

namespace scree {

struct Simulation::Parts {
  Model model;
  State state;
  ThreadPool pool;
  Scratch scratch;
  Report report;

  StepContext context() { return {model, state, scratch, report, pool}; }
  /// Not before the first step, and not after bodies came or went.
  bool has_contacts() const { return scratch.slot.size() == state.neighbours.pairs.size(); }
  /// Whether it is one of the last step, of bodies that have not left in it.
  bool is_contact(std::size_t pair) const {
    const auto [owner, other] = state.neighbours.pairs[pair];
    return scratch.slot[pair] != Scratch::kNoContact && !state.neighbours.has_left(owner) &&
           !state.neighbours.has_left(other);
  }
  std::pair<BodyId, BodyId> ids_of(std::size_t pair) const;
  std::vector<std::uint32_t> contacts_in_order() const;
  ContactRecord record_of(std::size_t pair, const ContactCertifier& certifier) const;
  std::pair<BodyId, BodyId> ids_of_slot(std::uint32_t slot) const;
  /// Of the contact of the largest residual; kNoContact if none has one.
  std::pair<std::uint32_t, ContactVerdict> worst_slot() const;
};

/// Of A and B.
std::pair<BodyId, BodyId> Simulation::Parts::ids_of(std::size_t pair) const {
  const auto [owner, other] = state.neighbours.pairs[pair];
  const BodyId id = state.bodies.id[owner], other_id = other & Neighbours::kObstacle
                                                           ? obstacle_id(other & ~Neighbours::kObstacle)
                                                           : state.bodies.id[other];
  return std::minmax(id, other_id);
}

ContactRecord Simulation::Parts::record_of(std::size_t pair, const ContactCertifier& certifier) const {
  const Bodies& bodies = state.bodies;
  const std::uint32_t slot = scratch.slot[pair];
  const auto [owner, other] = state.neighbours.pairs[pair];
  ContactRecord record{};
  std::tie(record.a, record.b) = ids_of(pair);
  const BodyIndex a = bodies.id[owner] == record.a ? owner : other;
  ContactCertificate certificate;
  if (slot & Scratch::kGeneral) {
    const GeneralContact& g = scratch.problem.general[slot & ~Scratch::kGeneral];
    record.normal = g.n, record.gap = scratch.general_gap[slot & ~Scratch::kGeneral];
    certificate = certifier(g);
  } else {
    const DiagonalBlock& block = scratch.problem.blocks[slot / kBlock];
    const int lane = static_cast<int>(slot % kBlock);
    record.normal = {block.normal[0][lane], block.normal[1][lane], block.normal[2][lane]};
    record.gap = scratch.gap[slot];
    certificate = certifier(block, lane);
  }
  record.percussion = state.neighbours.percussion[pair];
  record.residual = certificate.residual, record.kind = certificate.kind;
  record.cone_violation = certificate.cone_violation;
  record.complementarity_violation = certificate.complementarity_violation;
  record.dissipated_energy = certificate.dissipated_energy;
  record.painleve_number = certificate.painleve_number;
  // The contact is that of the start of the step, one step's travel ago.
  const Vec3 centre = bodies.position[a] - model.step.h * bodies.velocity[a];
  record.point = centre + (bodies.radius[a] + record.gap / 2) * record.normal;
  return record;
}

Simulation::Simulation(Model model, State state, int threads)
    : parts_(std::make_unique<Parts>(Parts{std::move(model), std::move(state), ThreadPool(threads), {}, {}})) {
  check_model(parts_->model);
  check_state(parts_->model, parts_->state);
  Scratch& s = parts_->scratch;
  s.any_anisotropic = std::ranges::any_of(parts_->model.prototypes, [](const Prototype& p) { return !p.isotropic(); });
  s.all_diagonal = !s.any_anisotropic && std::ranges::all_of(parts_->model.laws.all(), is_coulombs_for_spheres);
  s.any_restitution =
      std::ranges::any_of(parts_->model.laws.all(), [](const PairLaw& law) { return law.restitution > 0; });
  StepContext context = parts_->context();
  measure(context);
}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

const Report& Simulation::step() {
  StepContext context = parts_->context();
  parts_->pool.run([&] { scree::step(context); });
  return parts_->report;
}

const Model& Simulation::model() const { return parts_->model; }
const State& Simulation::state() const { return parts_->state; }
const Report& Simulation::report() const { return parts_->report; }

FrictionContactProblem Simulation::problem(Vector& percussions) const {
  if (!parts_->has_contacts()) return {};
  return multiplied_out(factored_problem(parts_->scratch.problem, percussions));
}

std::size_t Simulation::contact_count() const {
  if (!parts_->has_contacts()) return 0;
  if (parts_->model.outflows.empty()) return parts_->scratch.problem.contacts;
  std::size_t count = 0;
  for (std::size_t p = 0; p < parts_->scratch.slot.size(); ++p) count += parts_->is_contact(p);
  return count;
}

/// Pairs that are contacts, in the order of their keys. By counting, because a sort of the keys would need six times the memory.
std::vector<std::uint32_t> Simulation::Parts::contacts_in_order() const {
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

void Simulation::for_each_piece_of_contacts(FunctionRef<void(std::span<const ContactRecord>)> take) const {
  if (contact_count() == 0) return;
  const std::vector<std::uint32_t> contacts = parts_->contacts_in_order();
  constexpr std::size_t kPiece = std::size_t{1} << 14;
  const ContactCertifier certifier(parts_->scratch.problem);
  std::vector<ContactRecord> piece;
  for (std::size_t begin = 0; begin < contacts.size(); begin += kPiece) {
    piece.clear();
    for (std::size_t k = begin; k < std::min(begin + kPiece, contacts.size()); ++k)
      piece.push_back(parts_->record_of(contacts[k], certifier));
    take(piece);
  }
}

std::vector<ContactRecord> Simulation::contacts() const {
  std::vector<ContactRecord> records;
  records.reserve(contact_count());
  for_each_piece_of_contacts([&](auto piece) { records.insert(records.end(), piece.begin(), piece.end()); });
  return records;
}

std::pair<std::uint32_t, ContactVerdict> Simulation::Parts::worst_slot() const {
  const ContactProblem& problem = scratch.problem;
  std::uint32_t slot = Scratch::kNoContact;
  ContactVerdict worst{};
  const auto offer = [&](std::uint32_t place, const ContactVerdict& verdict) {
    if (verdict.residual > worst.residual) worst = verdict, slot = place;
  };
  // The solver knows in which chunk it is: to look at all contacts would cost as much as a sweep.
  if (const std::uint32_t c = scratch.solved.certificate.worst_chunk; c < problem.chunks.size()) {
    for (std::uint32_t b = problem.chunks[c].begin; b < problem.chunks[c].end; ++b)
      for (int k = 0; k < kBlock; ++k)
        offer(kBlock * b + static_cast<std::uint32_t>(k), verdict_of(problem, problem.blocks[b], k));
  } else {
    for (std::uint32_t g = 0; g < problem.general.size(); ++g)
      offer(Scratch::kGeneral | g, verdict_of(problem, problem.general[g]));
  }
  return {slot, worst};
}

std::pair<BodyId, BodyId> Simulation::Parts::ids_of_slot(std::uint32_t slot) const {
  return ids_of(static_cast<std::size_t>(std::ranges::find(scratch.slot, slot) - scratch.slot.begin()));
}

WorstContact Simulation::worst_contact() const {
  if (!parts_->has_contacts()) return {};
  const auto [slot, worst] = parts_->worst_slot();
  if (slot == Scratch::kNoContact) return {};
  const auto [a, b] = parts_->ids_of_slot(slot);
  return {a, b, worst.residual, worst.kind};
}

std::vector<std::pair<BodyId, BodyId>> Simulation::contradiction() const {
  std::vector<std::pair<BodyId, BodyId>> pairs;
  if (!parts_->has_contacts()) return pairs;
  const std::uint32_t worst = parts_->worst_slot().first;
  if (worst == Scratch::kNoContact) return pairs;
  // The solvers count general contacts on from the last place in blocks.
  const auto places = static_cast<std::uint32_t>(kBlock * parts_->scratch.problem.blocks.size());
  const bool general = worst & Scratch::kGeneral;
  for (const ContactIndex contact :
       contradiction_near(parts_->scratch.problem, general ? places + (worst & ~Scratch::kGeneral) : worst))
    pairs.push_back(parts_->ids_of_slot(contact < places ? contact : Scratch::kGeneral | (contact - places)));
  std::ranges::sort(pairs);
  return pairs;
}

std::size_t Simulation::memory_bytes() const {
  const Scratch& s = parts_->scratch;
  std::size_t bytes = 0;
  const auto add = [&](const auto& v) { bytes += v.capacity() * sizeof(v[0]); };
  parts_->state.bodies.for_each_field(add);
  const Neighbours& n = parts_->state.neighbours;
  add(n.pairs), add(n.first), add(n.group), add(n.percussion), add(n.slack);
  const ContactProblem& p = s.problem;
  add(p.bodies), add(p.inverse_inertia), add(p.blocks), add(p.chunks), add(p.general);
  add(s.margin), add(s.slot), add(s.gap), add(s.general_gap), add(s.chunk_count);
  return bytes;
}

}  // namespace scree

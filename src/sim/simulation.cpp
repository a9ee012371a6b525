#include "scree/sim/simulation.hpp"

#include <algorithm>
#include <cmath>
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
  /// Calls f(place in problem.full) for the points of a pair whose first stands at `slot`.
  template <class F>
  void for_each_place(std::uint32_t slot, F&& f) const;
  std::size_t points_of(std::size_t pair) const;
  /// One for each point of a pair.
  void append_records(std::size_t pair, const ContactCertifier& certifier, std::vector<ContactRecord>& records) const;
  std::pair<BodyId, BodyId> ids_of_slot(std::uint32_t slot) const;
  /// Of the contact of the largest residual; kNoContact if none has one.
  std::pair<std::uint32_t, ContactVerdict> worst_slot() const;
};

template <class F>
void Simulation::Parts::for_each_place(std::uint32_t slot, F&& f) const {
  std::uint32_t place = slot & ~Scratch::kFull;
  const BodyIndex at_rest = scratch.problem.at_rest();
  for (std::uint32_t left = scratch.problem.full[place / kBlock].stack; left > 0; --left, place += kBlock)
    if (holds_contact(scratch.problem.full[place / kBlock], place % kBlock, at_rest)) f(place);
}

std::size_t Simulation::Parts::points_of(std::size_t pair) const {
  if (!(scratch.slot[pair] & Scratch::kFull)) return 1;
  std::size_t count = 0;
  for_each_place(scratch.slot[pair], [&](std::uint32_t) { ++count; });
  return count;
}

/// Of A and B.
std::pair<BodyId, BodyId> Simulation::Parts::ids_of(std::size_t pair) const {
  const auto [owner, other] = state.neighbours.pairs[pair];
  const BodyId id = state.bodies.id[owner], other_id = other & Neighbours::kObstacle
                                                           ? obstacle_id(other & ~Neighbours::kObstacle)
                                                           : state.bodies.id[other];
  return std::minmax(id, other_id);
}

void Simulation::Parts::append_records(std::size_t pair, const ContactCertifier& certifier,
                                       std::vector<ContactRecord>& records) const {
  const std::uint32_t slot = scratch.slot[pair];
  const auto add = [&](const ContactCertificate& certificate, const Vec3& normal, double gap, const Vec3& percussion) {
    ContactRecord& record = records.emplace_back();
    std::tie(record.a, record.b) = ids_of(pair);
    record.normal = normal, record.gap = gap, record.percussion = percussion;
    record.residual = certificate.residual, record.kind = certificate.kind;
    record.cone_violation = certificate.cone_violation;
    record.complementarity_violation = certificate.complementarity_violation;
    record.dissipated_energy = certificate.dissipated_energy;
    record.painleve_number = certificate.painleve_number;
  };
  if (slot & Scratch::kFull) {
    for_each_place(slot, [&](std::uint32_t place) {
      const FullContact contact = scratch.problem.full[place / kBlock].contact(static_cast<int>(place % kBlock));
      const Scratch::FullPlace& full_place = scratch.full_places[place];
      add(certifier(contact), contact.axis[0], full_place.gap, contact.to_inertial(contact.percussion));
      records.back().point = full_place.point;
    });
    return;
  }
  const DiagonalBlock& block = scratch.problem.blocks[slot / kBlock];
  const int lane = static_cast<int>(slot % kBlock);
  add(certifier(block, lane), {block.normal[0][lane], block.normal[1][lane], block.normal[2][lane]},
      double{scratch.gap[slot]}, state.neighbours.percussion[state.neighbours.places(pair).begin]);
  // The contact is that of the start of the step, one step's travel ago.
  ContactRecord& record = records.back();
  const auto [owner, other] = state.neighbours.pairs[pair];
  const BodyIndex a = state.bodies.id[owner] == record.a ? owner : other;
  const Vec3 centre = state.bodies.position[a] - model.step.h * state.bodies.velocity[a];
  record.point = centre + (state.bodies.radius[a] + record.gap / 2) * record.normal;
}

Simulation::Simulation(Model model, State state, int threads)
    : parts_(std::make_unique<Parts>(Parts{std::move(model), std::move(state), ThreadPool(threads), {}, {}})) {
  check_model(parts_->model);
  check_state(parts_->model, parts_->state);
  Scratch& s = parts_->scratch;
  for (const Prototype& p : parts_->model.prototypes) {
    const bool isotropic = p.is_isotropic();
    const Vec3 scale{std::sqrt(p.inertia.x), std::sqrt(p.inertia.y), std::sqrt(p.inertia.z)};
    s.kinds.push_back({p.is_sphere(), isotropic, isotropic ? Vec3{1, 1, 1} : scale});
  }
  s.all_spheres = std::ranges::all_of(s.kinds, &Scratch::Kind::sphere);
  s.all_diagonal = s.all_spheres && std::ranges::all_of(s.kinds, &Scratch::Kind::isotropic) &&
                   std::ranges::all_of(parts_->model.laws.all(), is_coulombs_for_spheres);
  for (const PairLaw& pair : parts_->model.laws.all()) {
    auto& laws = s.problem.laws;
    const AnyLaw law = law_of(pair);
    s.law_index.push_back(static_cast<std::uint32_t>(std::ranges::find(laws, law) - laws.begin()));
    if (s.law_index.back() == laws.size()) laws.push_back(law);
  }
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
  for (std::size_t p = 0; p < parts_->scratch.slot.size(); ++p)
    if (parts_->is_contact(p)) count += parts_->points_of(p);
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
      parts_->append_records(contacts[k], certifier, piece);
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
  const std::uint32_t worst_chunk = scratch.solved.certificate.worst_chunk;
  const auto chunks = static_cast<std::uint32_t>(problem.chunks.size());
  if (worst_chunk < chunks) {
    for (std::uint32_t b = problem.chunks[worst_chunk].begin; b < problem.chunks[worst_chunk].end; ++b)
      for (int k = 0; k < kBlock; ++k)
        offer(kBlock * b + static_cast<std::uint32_t>(k), verdict_of(problem, problem.blocks[b], k));
  } else if (worst_chunk - chunks < problem.full_chunks.size()) {
    const Chunk& chunk = problem.full_chunks[worst_chunk - chunks];
    for (std::uint32_t b = chunk.begin; b < chunk.end; ++b)
      for (int k = 0; k < kBlock; ++k)
        if (holds_contact(problem.full[b], k, problem.at_rest()))
          offer(Scratch::kFull | (kBlock * b + static_cast<std::uint32_t>(k)),
                verdict_of(problem, problem.full[b].contact(k)));
  }
  return {slot, worst};
}

std::pair<BodyId, BodyId> Simulation::Parts::ids_of_slot(std::uint32_t slot) const {
  const auto holds = [&](std::uint32_t of_pair) {
    if (of_pair == Scratch::kNoContact || (of_pair & Scratch::kFull) != (slot & Scratch::kFull)) return false;
    bool found = of_pair == slot;
    if (slot & Scratch::kFull)
      for_each_place(of_pair, [&](std::uint32_t place) { found = found || (Scratch::kFull | place) == slot; });
    return found;
  };
  return ids_of(static_cast<std::size_t>(std::ranges::find_if(scratch.slot, holds) - scratch.slot.begin()));
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
  // The solvers count full contacts on from the last place in blocks of spheres.
  const auto places = static_cast<std::uint32_t>(kBlock * parts_->scratch.problem.blocks.size());
  const bool full = worst & Scratch::kFull;
  for (const ContactIndex contact :
       contradiction_near(parts_->scratch.problem, full ? places + (worst & ~Scratch::kFull) : worst))
    pairs.push_back(parts_->ids_of_slot(contact < places ? contact : Scratch::kFull | (contact - places)));
  std::ranges::sort(pairs);
  return pairs;
}

std::size_t Simulation::memory_bytes() const {
  const Scratch& s = parts_->scratch;
  std::size_t bytes = 0;
  const auto add = [&](const auto& v) { bytes += v.capacity() * sizeof(v[0]); };
  parts_->state.bodies.for_each_field(add);
  const Neighbours& n = parts_->state.neighbours;
  add(n.pairs), add(n.first), add(n.percussion), add(n.slack);
  add(n.first_place), add(n.feature);
  const ContactProblem& p = s.problem;
  add(p.bodies), add(p.blocks), add(p.chunks), add(p.full), add(p.full_chunks);
  add(s.margin), add(s.group), add(s.slot), add(s.gap), add(s.full_places), add(s.chunk_count), add(s.order),
      add(s.order_buffer);
  for (const Scratch::FullChunk& found : s.full_found) {
    add(found.pairs);
    add(found.points);
  }
  return bytes;
}

}  // namespace scree

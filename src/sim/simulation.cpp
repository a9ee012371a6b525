#include "scree/sim/simulation.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "scree/core/error.hpp"
#include "scree/solvers/contact_certificate.hpp"
#include "scree/solvers/factored_problem.hpp"
#include "sim/step.hpp"

namespace scree {
namespace {

void require(bool good, const std::string& message) {
  if (!good) throw InputError(message);
}

void check_model(const Model& model) {
  const StepSettings& step = model.step;
  require(step.h > 0 && std::isfinite(step.h), "the time step h must be positive");
  require(step.error_reduction >= 0 && step.error_reduction < 1, "the error reduction must be in [0, 1)");
  require(!step.recovery_speed || *step.recovery_speed >= 0, "the recovery speed must not be negative");
  require(!step.margin || *step.margin >= 0, "the margin must not be negative");
  require(model.solver.tolerance > 0, "the solver's tolerance must be positive");
  require(model.solver.max_sweeps >= 1, "the solver needs at least one sweep");
  require(model.laws.material_count() == model.materials.size(), "the law table must cover all materials");
  for (const Obstacle& o : model.obstacles) {
    require(o.material < model.materials.size(), "obstacle '" + o.name + "' has no such material");
  }
  for (const Inflow& inflow : model.inflows)
    require(inflow.plate < model.obstacles.size() && inflow.advance > 0 && norm(inflow.velocity) > 0,
            "inflow '" + inflow.name + "' needs a plate, a velocity and a positive advance");
}

void check_state(const Model& model, const State& state) {
  const Bodies& bodies = state.bodies;
  require(state.obstacles.size() == model.obstacles.size() && state.inflows.size() == model.inflows.size(),
          "the state is not one of this model: begin with initial_state(model)");
  require(bodies.size() < Neighbours::kObstacle, "too many bodies for 32-bit indices");
  bodies.for_each_field([&](const auto& field) { require(field.size() == bodies.size(), "fields of unequal length"); });
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const std::string who = "body " + std::to_string(bodies.id[i].value);
    require(bodies.radius[i] > 0 && std::isfinite(bodies.radius[i]), who + ": the radius must be positive");
    require(is_usable_mass(bodies.mass[i]), who + ": the mass must be between 1e-70 and 1e70 kg");
    require(is_finite(bodies.position[i]) && is_finite(bodies.velocity[i]) && is_finite(bodies.angular_velocity[i]),
            who + ": position and velocities must be finite");
    require(bodies.material[i] < model.materials.size(), who + ": no such material");
    require(bodies.prototype[i] < model.prototypes.size(), who + ": no such prototype");
    require(!is_obstacle(bodies.id[i]) && bodies.id[i].value < state.next_id, who + ": ids must be below next_id");
  }
}

}  // namespace

struct Simulation::Parts {
  Model model;
  State state;
  ThreadPool pool;
  Scratch scratch;
  Report report;

  StepContext context() { return {model, state, scratch, report, pool}; }
  /// Not before the first step, and not after bodies came or went.
  bool has_contacts() const { return scratch.slot.size() == state.neighbours.pairs.size(); }
  std::pair<BodyId, BodyId> ids_of(std::size_t pair) const;
  ContactRecord record_of(std::size_t pair, const ContactCertifier& certifier) const;
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
  s.all_diagonal = !s.any_anisotropic && std::ranges::all_of(parts_->model.laws.all(), coulomb_for_spheres);
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

std::vector<ContactRecord> Simulation::contacts() const {
  std::vector<ContactRecord> records;
  if (!parts_->has_contacts()) return records;
  const ContactCertifier certifier(parts_->scratch.problem);
  for (std::size_t p = 0; p < parts_->scratch.slot.size(); ++p)
    if (parts_->scratch.slot[p] != Scratch::kNoContact) records.push_back(parts_->record_of(p, certifier));
  std::ranges::sort(records, [](const auto& l, const auto& r) { return std::pair(l.a, l.b) < std::pair(r.a, r.b); });
  return records;
}

WorstContact Simulation::worst_contact() const {
  const Scratch& s = parts_->scratch;
  if (!parts_->has_contacts()) return {};
  std::uint32_t slot = Scratch::kNoContact;
  ContactVerdict worst{};
  const auto offer = [&](std::uint32_t place, const ContactVerdict& verdict) {
    if (verdict.residual > worst.residual) worst = verdict, slot = place;
  };
  // The solver knows in which chunk it is: to look at all contacts would cost as much as a sweep.
  if (const std::uint32_t c = s.solved.certificate.worst_chunk; c < s.problem.chunks.size()) {
    for (std::uint32_t b = s.problem.chunks[c].begin; b < s.problem.chunks[c].end; ++b)
      for (int k = 0; k < kBlock; ++k)
        offer(kBlock * b + static_cast<std::uint32_t>(k), verdict_of(s.problem, s.problem.blocks[b], k));
  } else {
    for (std::uint32_t g = 0; g < s.problem.general.size(); ++g)
      offer(Scratch::kGeneral | g, verdict_of(s.problem, s.problem.general[g]));
  }
  const auto pair = std::ranges::find(s.slot, slot);
  if (slot == Scratch::kNoContact || pair == s.slot.end()) return {};
  const auto [a, b] = parts_->ids_of(static_cast<std::size_t>(pair - s.slot.begin()));
  return {a, b, worst.residual, worst.kind};
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

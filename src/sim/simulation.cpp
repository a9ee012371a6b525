#include "scree/sim/simulation.hpp"

#include <algorithm>
#include <string>

#include "scree/core/error.hpp"
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
};

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

std::vector<ContactRecord> Simulation::contacts() const {
  const Scratch& s = parts_->scratch;
  const Bodies& bodies = parts_->state.bodies;
  const Neighbours& neighbours = parts_->state.neighbours;
  const double h = parts_->model.step.h;
  std::vector<ContactRecord> records;
  // Before the first step, and after bodies came or went, there are none.
  if (s.slot.size() != neighbours.pairs.size()) return records;
  for (std::size_t p = 0; p < s.slot.size(); ++p) {
    const std::uint32_t slot = s.slot[p];
    if (slot == Scratch::kNoContact) continue;
    const auto [owner, other] = neighbours.pairs[p];
    const bool obstacle = other & Neighbours::kObstacle;
    const BodyId other_id = obstacle ? obstacle_id(other & ~Neighbours::kObstacle) : bodies.id[other];
    const bool owner_is_a = bodies.id[owner] < other_id;
    const BodyIndex a = owner_is_a ? owner : other;
    ContactRecord record{.a = std::min(bodies.id[owner], other_id), .b = std::max(bodies.id[owner], other_id)};
    ContactVerdict verdict;
    if (slot & Scratch::kGeneral) {
      const GeneralContact& g = s.problem.general[slot & ~Scratch::kGeneral];
      record.normal = g.n, record.gap = s.general_gap[slot & ~Scratch::kGeneral];
      verdict = verdict_of(s.problem, g);
    } else {
      const DiagonalBlock& block = s.problem.blocks[slot / kBlock];
      const int lane = static_cast<int>(slot % kBlock);
      record.normal = {block.normal[0][lane], block.normal[1][lane], block.normal[2][lane]};
      record.gap = s.gap[slot];
      verdict = verdict_of(s.problem, block, lane);
    }
    record.percussion = neighbours.percussion[p];
    record.residual = verdict.residual, record.kind = verdict.kind;
    // The contact is that of the start of the step, one step's travel ago.
    const Vec3 centre = bodies.position[a] - h * bodies.velocity[a];
    record.point = centre + (bodies.radius[a] + record.gap / 2) * record.normal;
    records.push_back(record);
  }
  std::ranges::sort(records, [](const auto& l, const auto& r) { return std::pair(l.a, l.b) < std::pair(r.a, r.b); });
  return records;
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

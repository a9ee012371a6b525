// Set-up of a simulation: laws, properties of prototypes, and the first report.
#include "scree/sim/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "scree/sim/steps.hpp"
#include "sim/checks/check_model.hpp"
#include "sim/contacts/narrow_phase.hpp"
#include "sim/fields/fields.hpp"
#include "sim/motion/motion.hpp"
#include "sim/simulation_internals.hpp"
#include "sim/step.hpp"

namespace scree {

namespace {

/// Number of spheres of a shape, see Scratch::BodyTraits.
std::uint32_t balls_of(const Shape& shape) {
  const auto* clump = std::get_if<Clump>(&shape);
  if (!clump) return std::holds_alternative<Sphere>(shape) ? 1 : 0;
  const std::span<const ClumpPart> parts = clump->parts->parts();
  const bool all = std::ranges::all_of(
      parts, [](const ClumpPart& part) { return std::holds_alternative<Sphere>(part.shape); });
  return all ? static_cast<std::uint32_t>(parts.size()) : 0;
}

/// Numbers of each compliant law, and the index of each pair of materials.
void set_force_laws(const Model& model, ForceContacts& forces) {
  const bool ends = has_ends(model);
  ForceLaws laws = force_laws_of(model);
  forces.any = !laws.numbers.empty();
  forces.any_rigid = std::ranges::count(laws.of_pair, ForceLaws::kRigid) > 0;
  for (force::Numbers& numbers : laws.numbers) {
    forces.numbers.push_back(numbers);
    // Points have no arms: there is no choice.
    numbers.scheme.rotations = RotationScheme::exact;
    numbers.scheme.branch = BranchVectors::ratcheting_free;
    forces.numbers.push_back(numbers);
    forces.moments = forces.moments || numbers.has_moment();
    forces.radii = forces.radii || (ends && numbers.scheme.kind == ForceKind::hertz_mindlin);
  }
  forces.law = std::move(laws.of_pair);
}

/// Index of a law of the solver, which is added if it is new.
std::uint32_t index_of(const PairLaw& pair, Scratch& s) {
  auto& laws = s.problem.laws;
  const AnyLaw law = law_of(pair);
  const bool resists = resists_rolling(pair);
  std::size_t index = 0;
  while (index < laws.size() && !(laws[index] == law && s.law_resists_rolling[index] == resists))
    ++index;
  if (index == laws.size()) {
    laws.push_back(law);
    s.law_resists_rolling.push_back(resists);
  }
  return static_cast<std::uint32_t>(index);
}

/// Distinct laws of the solver, and the indices of each pair of materials.
void set_rigid_laws(const Model& model, Scratch& s) {
  for (PairLaw pair : model.laws.all()) {
    if (is_compliant(pair)) {
      s.law_index.push_back({0, 0});
      s.sphere_laws.push_back({});
      continue;
    }
    Scratch::LawIndex index;
    for (const bool collides : {false, true}) {
      pair.collides = collides;
      (collides ? index.at_impact : index.otherwise) = index_of(pair, s);
    }
    s.law_index.push_back(index);
    s.sphere_laws.push_back({friction_of(pair), pair.restitution, pair.cohesion});
  }
}

}  // namespace

Simulation::Simulation(Model model, State state, int threads, InstructionSet instructions)
    : internals_(std::make_unique<Internals>(
          Internals{std::move(model), std::move(state), ThreadPool(threads, instructions)})) {
  check_model(internals_->model);
  check_state(internals_->model, internals_->state);
  internals_->prepare_scratch();
  internals_->begin();
}

void Simulation::Internals::prepare_scratch() {
  Scratch& s = scratch;
  for (const Prototype& p : model.prototypes) {
    const bool isotropic = p.is_isotropic();
    const Vec3 scale{std::sqrt(p.inertia.x), std::sqrt(p.inertia.y), std::sqrt(p.inertia.z)};
    s.kinds.push_back({p.is_sphere(), isotropic, isotropic ? Vec3{1, 1, 1} : scale,
                       p.inscribed_radius(), p.locked, balls_of(p.shape),
                       is_of_revolution(p.shape)});
    s.forces.clumps = s.forces.clumps || (is_clump(p.shape) && s.kinds.back().balls > 0);
  }
  s.all_spheres = !has_many_points(model);
  s.all_sphere_contacts = s.all_spheres && !model.strain.any() &&
                          std::ranges::all_of(s.kinds,
                                              [](const Scratch::BodyTraits& kind) {
                                                return kind.isotropic && !kind.locked.any();
                                              }) &&
                          std::ranges::all_of(model.laws.all(), [](const PairLaw& law) {
                            return is_compliant(law) || is_coulombs_for_spheres(law);
                          });
  set_force_laws(model, s.forces);
  set_rigid_laws(model, s);
  s.any_restitution = std::ranges::any_of(model.laws.all(), [](const PairLaw& law) {
    return law.restitution > 0 && !is_compliant(law);
  });
  s.any_rolling = std::ranges::any_of(model.laws.all(), resists_rolling);
  s.any_cohesion = std::ranges::any_of(model.laws.all(), is_cohesive);
  prepare_fields(model, s.fields);
  coordinates = free_coordinates(model.joints);
}

void Simulation::Internals::begin() {
  Scratch& s = scratch;
  s.domain = domain_of(state.cell);
  if (s.forces.laws() > 1)
    state.force_books.resize(s.forces.laws());
  else
    state.force_books.clear();
  if (!model.step.sleep) state.sleep = {};
  s.resumed = is_within_leapfrog(state);
  state.joint_targets.resize(coordinates.size(), std::numeric_limits<double>::quiet_NaN());
  // A state may come from a model with other laws.
  Neighbours& neighbours = state.neighbours;
  neighbours.angular_impulse.resize(s.any_rolling ? neighbours.impulse.size() : 0);
  StepContext step = context();
  measure(step);
  if (s.resumed) {  // energy of springs when the other run ended
    ForceEnergy& there = state.force_total.energy;
    const auto is_contact = [](const ForceMemory& memory) { return memory.is_contact(); };
    if (state.step == 0 && there == ForceEnergy{} &&
        std::ranges::any_of(neighbours.force_memory, is_contact))
      there = springs_at_start();
    ForceEnergy& held = report.force_energy;
    held.elastic_normal = there.elastic_normal;
    held.elastic_shear = there.elastic_shear;
    held.elastic_moment = there.elastic_moment;
  }
  count_sleepers();
}

ForceEnergy Simulation::Internals::springs_at_start() const {
  State known = state;
  known.force_total.energy.at_start = 1;  // or the trial would start one of its own
  Simulation trial(model, std::move(known), pool.threads(), pool.instruction_set());
  trial.step();
  // The springs then had their present energy, plus what they gave in the step.
  const auto& [given, held] = trial.state().force_total;
  return {.elastic_normal = held.elastic_normal + given.elastic,
          .elastic_shear = std::max(0.0, held.elastic_shear + given.shear),
          .elastic_moment = held.elastic_moment};
}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

const Report& Simulation::step() {
  internals_->contacts_by_body = {};
  internals_->certifier.reset();
  StepContext context = internals_->context();
  const double duration = half_step_factor(context) * context.model.step.h;
  internals_->note_velocities();
  internals_->pool.share_with(*internals_->ranks);
  internals_->pool.run([&] {
    scree::step(context);
    if (context.report.motion_fault) return;
    internals_->centre_before.clear();
    internals_->removed_by_hand = false;
    if (context.model.step.sleep) internals_->let_sleep();
  });
  internals_->pool.share_with(one_rank());
  const Report& report = internals_->report;
  if (report.motion_fault) return report;
  if (report.neighbours_rebuilt || report.bodies_added > 0 || report.bodies_removed > 0) {
    internals_->generation.grow();
    internals_->body_places.forget();
  }
  internals_->find_accelerations(duration);
  return report;
}

void Simulation::share_steps(Ranks& ranks) { internals_->ranks = &ranks; }

const Model& Simulation::model() const { return internals_->model; }
const State& Simulation::state() const { return internals_->state; }
const Report& Simulation::report() const { return internals_->report; }

}  // namespace scree

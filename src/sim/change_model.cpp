/// Change of the model of the same bodies and obstacles, between two steps.
#include <algorithm>
#include <string>
#include <utility>

#include "scree/core/error.hpp"
#include "scree/core/exact_sum.hpp"
#include "scree/sim/force_laws.hpp"
#include "sim/compliant/same_springs.hpp"
#include "sim/motion/body_motion.hpp"
#include "sim/simulation_internals.hpp"

namespace scree {
namespace {

void require_same(bool same, const std::string& what) {
  if (!same)
    throw InputError("the model cannot be changed to one with other " + what +
                     ": the state of the bodies depends on them");
}

void require_same_springs(const Model& before, const Model& now) {
  for (std::size_t i = 0; i < now.materials.size(); ++i)
    for (std::size_t k = i; k < now.materials.size(); ++k) {
      const auto a = static_cast<MaterialId>(i), b = static_cast<MaterialId>(k);
      if (have_same_springs(before, {a, b}, now, {a, b})) continue;
      throw InputError("the law between '" + now.materials[a].name + "' and '" +
                       now.materials[b].name +
                       "' cannot be changed to one with other springs: their energy would come "
                       "from nowhere");
    }
}

/// True for the same obstacle, whatever its motion.
bool is_same_obstacle(const Obstacle& a, const Obstacle& b) {
  return a.name == b.name && a.material == b.material && a.shape.index() == b.shape.index() &&
         a.records_wear == b.records_wear;
}

}  // namespace

void require_change(const Model& before, const Model& now) {
  require_same(std::ranges::equal(before.prototypes, now.prototypes,
                                  [](const Prototype& a, const Prototype& b) {
                                    return a.inertia == b.inertia && a.locked == b.locked;
                                  }),
               "prototypes");
  require_same(std::ranges::equal(before.materials, now.materials,
                                  [](const Material& a, const Material& b) {
                                    return a.name == b.name && a.density == b.density;
                                  }),
               "materials");
  require_same(std::ranges::equal(before.obstacles, now.obstacles, is_same_obstacle), "obstacles");
  require_same(
      before.inflows.size() == now.inflows.size() && before.outflows.size() == now.outflows.size(),
      "inflows and outflows");
  require_same(before.joints.size() == now.joints.size(), "joints");
  require_same(before.domain.period() == now.domain.period(), "periods of the domain");
  require_same(before.step.h == now.step.h, "time steps");
  require_same_springs(before, now);
}

namespace {

/// Energy that a change of gravity gives the bodies [J].
double energy_gained(const Model& before, const Model& now, const State& state) {
  ExactSum gained;
  for (std::size_t i = 0; i < state.bodies.size(); ++i)
    if (!state.neighbours.has_left(i))
      gained.add(total_energy(now, state.bodies, i) - total_energy(before, state.bodies, i));
  return gained.value();
}

/// State for the new model. Obstacles that lost their motion stop; prescribed ones drop a user's
/// twist; loads for servos refer to the new pivots.
State continued_state(State state, const Model& before, const Model& now) {
  std::erase_if(state.moved_by_hand,
                [&](std::uint32_t obstacle) { return now.obstacles[obstacle].is_moved(); });
  for (std::uint32_t k = 0; k < now.obstacles.size(); ++k) {
    if (before.obstacles[k].is_moved() && !now.obstacles[k].is_moved())
      state.obstacles[k].twist = {};
    const Vec3 arm = rotate(state.obstacles[k].pose.orientation,
                            before.obstacles[k].pivot - now.obstacles[k].pivot);
    state.step_loads[k].torque += cross(arm, state.step_loads[k].force);
    if (before.obstacles[k].is_absent != now.obstacles[k].is_absent) state.neighbours.valid = false;
  }
  state.sleep = {};  // the load changes
  // Bodies keep their velocities relative to the flow, whatever it becomes.
  if (now.strain.any() || before.strain.any()) {
    const Vec3 servo = state.cell.gradient.diagonal();
    state.cell.gradient = now.strain.rate;
    double* const rate[] = {&state.cell.gradient.xx, &state.cell.gradient.yy,
                            &state.cell.gradient.zz};
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (now.strain.pressure[axis]) *rate[axis] = servo[static_cast<int>(axis)];
  }
  return state;
}

}  // namespace

void Simulation::change_model(Model model) {
  Internals& internals = *internals_;
  require_change(internals.model, model);
  const ForceLaws laws_before = force_laws_of(internals.model), laws_now = force_laws_of(model);
  const double work = energy_gained(internals.model, model, internals.state);
  State state = continued_state(internals.state, internals.model, model);
  if (laws_before.of_pair != laws_now.of_pair)
    state.force_books = books_by_law(state.force_books, state.force_total, laws_before, laws_now);
  Simulation next(std::move(model), std::move(state), internals.pool.threads(),
                  internals.pool.instruction_set());
  next.internals_->accumulate_work(work);
  next.internals_->report.wall_work = next.internals_->state.ledger.wall_work;
  next.internals_->report.force_energy = internals.report.force_energy;
  next.internals_->watched = internals.watched;
  *this = std::move(next);
}

}  // namespace scree

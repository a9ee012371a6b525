// Evaluates conditions that end a simulation.
#include "scree/sim/end_condition.hpp"

#include <cmath>

#include "scree/core/decimal.hpp"
#include "scree/sim/simulation.hpp"
#include "scree/sim/steps.hpp"

namespace scree {
namespace {

std::array<double, kEndQuantities.size()> quantities(const Simulation& simulation,
                                                     const ConditionCount& count) {
  const Report& r = simulation.report();
  const auto number = [](auto n) { return static_cast<double>(n); };
  const auto& e = count.strain;
  return {r.time,
          decimal_multiple(count.steps, simulation.model().step.h),
          number(r.bodies),
          number(count.bodies_in),
          number(count.bodies_out),
          number(r.contacts),
          number(r.contacts_touching),
          number(r.contacts_loaded),
          number(r.contacts_sliding),
          r.max_penetration,
          r.residual,
          r.kinetic_energy,
          r.potential_energy,
          r.force_energy.elastic_normal,
          r.force_energy.elastic_shear,
          r.force_energy.elastic_moment,
          r.force_energy.damped,
          r.force_energy.slid,
          r.force_energy.rolled,
          r.dissipated_energy,
          r.wall_work,
          r.field_work,
          r.joint_energy,
          r.joint_error,
          e[0],
          e[1],
          e[2],
          e[3],
          e[4],
          e[5]};
}

}  // namespace

ConditionWatch::ConditionWatch(EndCondition condition, const Simulation& simulation,
                               ConditionCount count)
    : condition_(std::move(condition)),
      count_(count),
      gradient_(simulation.state().cell.gradient) {}

void ConditionWatch::step(const Simulation& simulation) {
  const Report& report = simulation.report();
  const double h = simulation.model().step.h;
  ++count_.steps;
  count_.bodies_in += report.bodies_added;
  count_.bodies_out += report.bodies_removed;
  const UpperTriangle& g = gradient_;
  const std::array<double, 6> rate{g.xx, g.yy, g.zz, g.xy, g.xz, g.yz};
  for (std::size_t k = 0; k < rate.size(); ++k) count_.strain[k] += h * rate[k];
  gradient_ = simulation.state().cell.gradient;

  const auto now = quantities(simulation, count_);
  const double value = condition_.value(now);
  is_number_ = !std::isnan(value);
  const bool holds = value != 0 && is_number_;
  count_.held_steps = holds ? count_.held_steps + 1 : 0;
  if (count_.steps == 1) count_.held_at_once = holds;
  reached_ = holds && count_.held_steps >= steps_until(condition_.lasting, h);
}

}  // namespace scree

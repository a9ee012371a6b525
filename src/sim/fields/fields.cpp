/// Forces and torques of fields on bodies. docs/guide/fields.md
#include "sim/fields/fields.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "sim/motion/body_motion.hpp"
#include "sim/motion/motion.hpp"

namespace scree {
namespace {

const Finding kSwing("field_swing");

// Indices in kFieldVariables of the x components.
constexpr std::size_t kPositionVariable = 1, kVelocityVariable = 4, kSpinVariable = 7;
using Values = std::array<double, kFieldVariables.size()>;

bool is_there(const Expression& component) { return component.text() != "0"; }

/// Arguments of a field.
struct FieldArguments {
  const Model& model;
  const State& state;
  const Domain& domain;
  const Scratch::Fields& fields;
  double time;  ///< time at which the forces of the step are evaluated [s]

  Values values(std::size_t i) const {
    const Bodies& bodies = state.bodies;
    const Vec3 x = domain.home(bodies.position[i]), &v = bodies.velocity[i],
               &w = bodies.angular_velocity[i];
    const double r = bodies.radius[i], volume = fields.volume[bodies.prototype[i]] * r * r * r;
    return {state.time, x.x, x.y, x.z, v.x, v.y, v.z, w.x, w.y, w.z, bodies.mass[i], r, volume};
  }
};

/// Values of three expressions, with their derivatives by three variables if they depend on these.
struct Evaluated {
  Vec3 value;
  std::array<Vec3, 3> slope{};  ///< gradient of each component

  void add(const std::array<Expression, 3>& expressions, const Values& values, bool has_slopes,
           std::size_t first) {
    for (int k = 0; k < 3; ++k) {
      const Expression& expression = expressions[static_cast<std::size_t>(k)];
      if (!is_there(expression)) continue;
      if (!has_slopes) {
        value[k] += expression(values);
        continue;
      }
      const auto [component, gradient] = expression.with_gradient(values, first);
      value[k] += component;
      // At a kink there is no derivative: the force counts as constant.
      if (is_finite(gradient)) slope[static_cast<std::size_t>(k)] += gradient;
    }
  }

  /// Removes components of a body that is locked along these axes.
  void lock(AxisSet axes) {
    for (int row = 0; row < 3; ++row) {
      Vec3& of_component = slope[static_cast<std::size_t>(row)];
      of_component = contains(axes, row) ? Vec3{} : without(of_component, axes);
    }
  }

  /// Half the curl: the antisymmetric part of the slopes, as slope v = spin × v.
  Vec3 spin() const {
    return 0.5 * Vec3{slope[2].y - slope[1].z, slope[0].z - slope[2].x, slope[1].x - slope[0].y};
  }
  /// Upper bound of the symmetric part on a unit vector.
  double symmetric_part() const {
    double most = 0;
    for (int row = 0; row < 3; ++row) {
      double sum = 0;
      for (int column = 0; column < 3; ++column)
        sum += 0.5 * std::abs(slope[static_cast<std::size_t>(row)][column] +
                              slope[static_cast<std::size_t>(column)][row]);
      most = std::max(most, sum);
    }
    return most;
  }
};

/// Solves g − spin/2 × g = b. Here b is the increment of a velocity v without rotation, and g that
/// of a v that rotates with the mean before and after. A force that does no work then adds no
/// energy, however long the step is: g = spin × v takes v to (1 − spin×/2)⁻¹ (1 + spin×/2) v, a
/// rotation. The mean includes the effect of other forces G on v: b is then g + spin/2 × G.
Vec3 with_rotation(const Vec3& spin, const Vec3& b) {
  if (spin == Vec3{}) return b;
  const Vec3 half = 0.5 * spin;
  return (b + cross(half, b) + dot(half, b) * half) / (1 + squared_norm(half));
}

/// "force[0], '1/x', is inf on body 7 at (0, 0, 1) m with velocity (0, 0, 0) m/s".
FieldFault fault_of(const FieldArguments& arguments, std::uint32_t field, std::uint32_t component,
                    std::size_t i) {
  const Bodies& bodies = arguments.state.bodies;
  const std::size_t k = component % 3;
  const bool is_force = component < 3;
  const Field& at = arguments.model.fields[field];
  const Expression& expression = is_force ? at.force[k] : at.torque[k];
  const double value = expression(arguments.values(i));
  const Vec3 x = arguments.domain.home(bodies.position[i]), &v = bodies.velocity[i];
  char text[256];
  // Drops the meaningless sign of a NaN.
  std::snprintf(text, sizeof text,
                "%g on body %llu at (%g, %g, %g) m with velocity (%g, %g, %g) m/s",
                std::isnan(value) ? std::abs(value) : value,
                static_cast<unsigned long long>(bodies.id[i].value), x.x, x.y, x.z, v.x, v.y, v.z);
  return {field, component, bodies.id[i],
          std::string(is_force ? "force[" : "torque[") + std::to_string(k) + "], '" +
              expression.text() + "', is " + text};
}

bool is_worse(const FieldSwing& a, const FieldSwing& b) {
  return a.value > b.value || (a.value == b.value && a.value > 0 && a.body < b.body);
}
bool comes_before(const FieldFault& a, const std::optional<FieldFault>& b) {
  return !b || a.body < b->body;
}

/// Sum of all fields on body i, constant over the step.
Wrench wrench_on(const FieldArguments& arguments, std::size_t i, FieldLook& look) {
  const Model& model = arguments.model;
  const Bodies& bodies = arguments.state.bodies;
  const Values values = arguments.values(i);
  Evaluated force, torque, spring;
  std::optional<FieldFault> fault;
  const auto look_at = [&](const Vec3& sum, std::uint32_t field, std::uint32_t first) {
    for (std::uint32_t k = 0; k < 3 && !fault; ++k)
      if (!std::isfinite(sum[static_cast<int>(k)]))
        fault = fault_of(arguments, field, first + k, i);
  };
  for (std::uint32_t k = 0; k < model.fields.size(); ++k) {
    const Field& field = model.fields[k];
    if (!field.acts_on(bodies.id[i], bodies.material[i])) continue;
    const Scratch::Fields::Use& use = arguments.fields.uses[k];
    if (use.force) force.add(field.force, values, use.force_by_velocity, kVelocityVariable);
    if (use.force_by_place) spring.add(field.force, values, true, kPositionVariable);
    if (use.torque) torque.add(field.torque, values, use.torque_by_spin, kSpinVariable);
    look_at(force.value, k, 0);
    look_at(torque.value, k, 3);
  }
  if (fault && comes_before(*fault, look.fault)) look.fault = std::move(fault);

  const Prototype& prototype = model.prototypes[bodies.prototype[i]];
  force.lock(prototype.locked.ways);
  spring.lock(prototype.locked.ways);
  torque.lock(prototype.locked.turns);
  const double m = bodies.mass[i], r = bodies.radius[i];
  const Vec3& j = prototype.inertia;
  const double min_inertia = m * r * r * std::min({j.x, j.y, j.z});
  const double h = model.step.h;
  const FieldSwing swing{
      std::max({h * force.symmetric_part() / m, h * torque.symmetric_part() / min_inertia,
                h * h / 4 * spring.symmetric_part() / m}),
      bodies.id[i]};
  if (is_worse(swing, look.swing)) look.swing = swing;
  const Vec3 spin = arguments.time / m * force.spin();
  Vec3 others = m * model.gravity;
  if (!arguments.state.applied.empty() && i < arguments.state.applied.size())
    others += arguments.state.applied[i].force;
  return {with_rotation(spin, force.value + cross(0.5 * spin, others)), torque.value};
}

bool is_read(const std::array<Expression, 3>& expressions, std::size_t first, std::size_t last) {
  for (std::size_t variable = first; variable < last; ++variable)
    for (const Expression& expression : expressions)
      if (expression.uses(variable)) return true;
  return false;
}
bool is_there(const std::array<Expression, 3>& expressions) {
  return std::ranges::any_of(expressions, [](const Expression& e) { return is_there(e); });
}

}  // namespace

void prepare_fields(const Model& model, Scratch::Fields& fields) {
  if (model.fields.empty()) return;
  for (const Field& field : model.fields)
    fields.uses.push_back({is_there(field.force), is_there(field.torque),
                           is_read(field.force, kVelocityVariable, kVelocityVariable + 3),
                           is_read(field.torque, kSpinVariable, kSpinVariable + 3),
                           is_read(field.force, kPositionVariable, kPositionVariable + 3)});
  for (const Prototype& prototype : model.prototypes)
    fields.volume.push_back(volume_properties(prototype.shape).volume);
}

bool evaluate_fields(StepContext& c) {
  Scratch::Fields& f = c.scratch.fields;
  if (c.model.fields.empty()) return true;
  const std::size_t n = c.state.bodies.size();
  const FieldArguments arguments{c.model, c.state, c.scratch.domain, f,
                                 half_step_factor(c) * c.model.step.h};
  resize_tightly(f.wrench, n);
  f.looks.assign((n + kBodiesPerChunk - 1) / kBodiesPerChunk, {});
  c.pool.for_each_range(n, kBodiesPerChunk, [&](std::size_t begin, std::size_t end) {
    FieldLook& look = f.looks[begin / kBodiesPerChunk];
    for (std::size_t i = begin; i < end; ++i)
      f.wrench[i] = c.state.neighbours.has_left(i) ? Wrench{} : wrench_on(arguments, i, look);
  });

  std::optional<FieldFault> first;
  FieldSwing swing;
  for (FieldLook& look : f.looks) {
    if (is_worse(look.swing, swing)) swing = look.swing;
    if (look.fault && comes_before(*look.fault, first)) first = std::move(look.fault);
  }
  c.report[kSwing] = on_body(swing.value, swing.body);
  if (!first) return true;
  measure(c);
  c.report.converged = false;
  c.report.motion_fault = MotionFault{
      .time = c.state.time, .what = first->what, .field = first->field, .body = first->body};
  return false;
}

FieldLook look_at_fields(const Model& model, const State& state) {
  Scratch::Fields fields;
  prepare_fields(model, fields);
  const Domain domain = domain_of(state.cell);
  const FieldArguments arguments{model, state, domain, fields, model.step.h};
  FieldLook look;
  if (model.fields.empty()) return look;
  for (std::size_t i = 0; i < state.bodies.size(); ++i) wrench_on(arguments, i, look);
  return look;
}

}  // namespace scree

/// Forces and torques that depend on the time, and on a body's position and velocity.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scree/core/ids.hpp"
#include "scree/math/expression.hpp"

namespace scree {

/// Variables of the expressions of a field, in SI units: time; centre of mass, velocity and angular
/// velocity in the inertial frame; mass, bounding radius and volume of the body. Along periodic
/// axes, positions are those of the image in [0, period).
inline constexpr std::array<std::string_view, 13> kFieldVariables{
    "t", "x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz", "mass", "radius", "volume"};

/// Force and torque on bodies, at their centres of mass. Each step evaluates all fields once, with
/// the positions and velocities at its start; see docs/guide/fields.md. A force that is not finite
/// ends the run: see Report::motion_fault. Bodies that enter feel it from their second step on.
struct Field {
  std::string name;
  std::array<Expression, 3> force{};   ///< inertial frame, functions of kFieldVariables [N]
  std::array<Expression, 3> torque{};  ///< inertial frame, functions of kFieldVariables [N m]
  /// Materials and ids of the bodies that it acts on; both empty: all bodies.
  std::vector<MaterialId> materials{};
  std::vector<BodyId> bodies{};

  bool acts_on(BodyId id, MaterialId material) const {
    if (materials.empty() && bodies.empty()) return true;
    return std::ranges::find(materials, material) != materials.end() ||
           std::ranges::find(bodies, id) != bodies.end();
  }
};

/// Expression of kFieldVariables; throws InputError as Expression does.
inline Expression field_expression(std::string text) { return {std::move(text), kFieldVariables}; }

/// Rate at which fields change a body's velocity in proportion to it, times the step [-]: h c / m
/// of a drag c v. From 1 on a step reverses the velocity that it should reduce; from 2 on the
/// velocity grows. For a force with gradient k in the position, such as a spring, it is h² k / (4
/// m): from 1 on oscillations grow.
struct FieldSwing {
  static constexpr double kMax = 1;
  double value = 0;
  BodyId body{};  ///< body of the largest rate
};

/// Component of a field that is not finite.
struct FieldFault {
  std::uint32_t field = 0;      ///< index in Model::fields
  std::uint32_t component = 0;  ///< 0 to 2: force, 3 to 5: torque
  BodyId body{};                ///< lowest id of the bodies with it
  std::string what;             ///< expression, value and position
};

struct Model;
struct State;

/// Values of the fields of a checked model in a state.
struct FieldLook {
  FieldSwing swing;
  std::optional<FieldFault> fault;
};
FieldLook look_at_fields(const Model& model, const State& state);

}  // namespace scree

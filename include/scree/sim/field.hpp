/// Forces and torques that depend on the time, and on where a body is and how it moves.
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

/// What the expressions of a field are of, in SI units: time; centre of mass, velocity and angular
/// velocity in the inertial frame; mass, bounding radius and volume of the body. Along axes on
/// which the domain repeats, places are those of the image in [0, period).
inline constexpr std::array<std::string_view, 13> kFieldVariables{
    "t", "x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz", "mass", "radius", "volume"};

/// Acts on bodies at their centres of mass. All are asked at the start of each step, with places
/// and velocities as they then are; see docs/guide/fields.md. A force that is not finite ends the
/// run: see Report::motion_fault. Bodies that enter feel it from their second step on.
struct Field {
  std::string name;
  std::array<Expression, 3> force{};   ///< inertial frame, of kFieldVariables [N]
  std::array<Expression, 3> torque{};  ///< the same [N m]
  /// Acts on bodies of one of these materials and on those of these ids; both empty: on all.
  std::vector<MaterialId> materials{};
  std::vector<BodyId> bodies{};

  bool acts_on(BodyId id, MaterialId material) const {
    if (materials.empty() && bodies.empty()) return true;
    return std::ranges::find(materials, material) != materials.end() ||
           std::ranges::find(bodies, id) != bodies.end();
  }
};

/// Of kFieldVariables; throws InputError as Expression does.
inline Expression field_expression(std::string text) { return {std::move(text), kFieldVariables}; }

/// The rate at which fields change a body's velocity by what that velocity is, times the step [-]:
/// h c / m of a drag c v. From 1 on a step turns round what it is to slow down; from 2 on that
/// grows. Of a force that changes with the place by k, like a spring, h² k / (4 m): from 1 on what
/// swings by it swings ever wider.
struct FieldSwing {
  static constexpr double kMax = 1;
  double value = 0;
  BodyId body{};  ///< of the largest
};

/// A component of a field that is not finite.
struct FieldFault {
  std::uint32_t field = 0;      ///< index in Model::fields
  std::uint32_t component = 0;  ///< 0 to 2 of the force, 3 to 5 of the torque
  BodyId body{};                ///< that of the lowest id
  std::string what;             ///< the expression, what it is, where
};

struct Model;
struct State;

/// What the fields of a model make of a state. The model has been checked.
struct FieldLook {
  FieldSwing swing;
  std::optional<FieldFault> fault;
};
FieldLook look_at_fields(const Model& model, const State& state);

}  // namespace scree

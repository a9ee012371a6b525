/// A box between fingers on sliders that press with motors of no more than a given force.
#pragma once

#include <algorithm>

#include "scree/sim/solid_prototype.hpp"
#include "support/mechanisms.hpp"

namespace scree::test {

struct Grip {
  LawKind law = LawKind::coulomb;
  double of_need = 1.2;    ///< what friction may bear of the load's weight, Σ μ F / m g [-]
  double load = 1e-3;      ///< [kg]
  double finger = 0.5;     ///< [kg]
  int on_the_right = 1;    ///< fingers there, side by side; they share the force
  bool jaw = false;        ///< the finger on the left does not move
  bool round = false;      ///< fingers are cylinders with flat ends instead of boxes
  Vec3 down = {0, 0, -1};  ///< of gravity
  Accuracy accuracy = Accuracy::reference;
};

inline constexpr double kGripFriction = 0.5;

inline BodyId add_solid(Mechanism& m, const Shape& shape, const Vec3& at, double mass) {
  const SolidPrototype solid = solid_prototype(shape);
  m.model.prototypes.push_back(solid.prototype);
  const BodyId id{m.state.next_id++};
  m.state.bodies.push_back({.id = id,
                            .position = at,
                            .radius = solid.radius,
                            .mass = mass,
                            .prototype = static_cast<PrototypeId>(m.model.prototypes.size() - 1)});
  return id;
}

/// The load is the last body; it is held from the first step on.
inline Mechanism gripper(const Grip& grip) {
  constexpr double kG = 9.81, kHalf = 0.01, kThick = 0.015;
  Mechanism m(1e-3, kG * grip.down);
  m.model.laws = LawTable(1, PairLaw{.kind = grip.law, .friction = kGripFriction});
  m.model.solver = solver_settings(grip.accuracy);
  const double force = grip.of_need * grip.load * kG / (2 * kGripFriction);
  const auto add_finger = [&](double side, double y, double width, double max_force) {
    const Vec3 at{side * (kHalf + kThick), y, 0};
    const Shape pad = grip.round ? Shape{Cylinder{width, kThick}} : Box{{kThick, width, 0.03}};
    const BodyId id = add_solid(m, pad, at, grip.finger);
    if (grip.round) m.state.bodies.orientation.back() = rotation_between({0, 0, 1}, {1, 0, 0});
    Joint& slider = m.join(JointKind::prismatic, kWorld, id, at, {-side, 0, 0});
    Motor motor{.kind = Motor::Kind::position, .target = [](double) { return 0.02; }};
    if (grip.jaw && side < 0)
      motor.target = [](double) { return 0.0; };
    else
      motor.max = max_force;
    slider.drives = {{.motor = motor}};
  };
  add_finger(-1, 0, 0.03, force);
  const int n = grip.on_the_right;
  for (int k = 0; k < n; ++k)
    add_finger(1, 0.012 * (k - 0.5 * (n - 1)), n == 1 ? 0.03 : 0.004, force / n);
  add_solid(m, Box{{kHalf, kHalf, kHalf}}, {}, grip.load);
  return m;
}

}  // namespace scree::test

/// Balls on hinges, sliders and springs, and what tests ask of them.
#pragma once

#include <functional>
#include <limits>

#include "support/mechanisms.hpp"
#include "unit/sim/common.hpp"

namespace scree::test {

inline Joint& hinge_of_ball(Mechanism& m) {
  const BodyId ball = m.add_sphere({1, 0, 0});
  return m.join(JointKind::revolute, kWorld, ball, {0, 0, 0}, {0, 0, 1});
}
inline constexpr double kInertia = 1 + 0.4 * 0.01;  ///< of that ball about its hinge [kg m²]

inline Motor motor(Motor::Kind kind, std::function<double(double)> target,
                   double max_value = std::numeric_limits<double>::infinity()) {
  return {.kind = kind, .target = std::move(target), .max = max_value};
}

/// A ball of 1 kg on a slider along x, pulled by a spring that is stretched by 0.01 m.
inline Mechanism ball_on_a_spring(double swing, double h = 1e-3) {
  Mechanism m(h, {0, 0, 0});
  const BodyId ball = m.add_sphere({0, 0, 0});
  m.join(JointKind::prismatic, kWorld, ball, {0, 0, 0}, {1, 0, 0}).drives = {
      {.stiffness = swing * swing / (h * h), .rest = 0.01}};
  return m;
}

/// An obstacle that moves along x, and a ball on it with a slider along x.
inline Mechanism ball_on_a_cart(double velocity) {
  Mechanism m(1e-3, {0, 0, 0});
  m.model.obstacles.push_back({.name = "cart",
                               .shape = Sphere{0.01},
                               .pose = {{-1, 0, 0}, {}},
                               .material = 0,
                               .motion = [velocity](double) {
                                 return Twist{{velocity, 0, 0}, {}};
                               }});
  m.state = initial_state(m.model);
  const BodyId ball = m.add_sphere({0, 0, 0});
  m.join(JointKind::prismatic, obstacle_id(0), ball, {0, 0, 0}, {1, 0, 0});
  return m;
}

}  // namespace scree::test

/// Bodies and joints, put together by hand.
#pragma once

#include <cmath>
#include <string>
#include <utility>

#include "scree/sim/simulation.hpp"

namespace scree::test {

/// A world without obstacles that a test fills with bodies and joints.
struct Mechanism {
  Model model;
  State state;

  explicit Mechanism(double h, const Vec3& gravity = {0, 0, -9.81}) {
    model.materials = {{.name = "steel", .density = 1000}};
    model.laws = LawTable(1, PairLaw{});
    model.gravity = gravity;
    model.step.h = h;
    model.solver.tolerance = 1e-10;
    state = initial_state(model);
  }

  /// A sphere with any principal moments over mass · radius².
  BodyId add_sphere(const Vec3& position, double radius = 0.1, double mass = 1,
                    const Vec3& inertia = {0.4, 0.4, 0.4}) {
    model.prototypes.push_back({Sphere{1}, inertia});
    const BodyId id{state.next_id++};
    state.bodies.push_back({.id = id,
                            .position = position,
                            .radius = radius,
                            .mass = mass,
                            .prototype = static_cast<PrototypeId>(model.prototypes.size() - 1)});
    return id;
  }
  /// A thin rod from one point to another, along its own x axis.
  BodyId add_rod(const Vec3& from, const Vec3& to, double mass = 1) {
    // For contacts a small sphere in its middle; about its own axis it has nearly no inertia.
    constexpr double kRadius = 0.1;
    const double length = norm(to - from), across = 1 / (12 * kRadius * kRadius);
    const BodyId id =
        add_sphere(0.5 * (from + to), kRadius * length, mass, {1e-3 * across, across, across});
    state.bodies.orientation.back() = rotation_between({1, 0, 0}, (to - from) / length);
    return id;
  }

  Pose pose(BodyId id) const {
    if (id == kWorld) return {};
    if (is_obstacle(id)) return state.obstacles[id.value - kFirstObstacleId].pose;
    return {state.bodies.position[id.value], state.bodies.orientation[id.value]};
  }
  /// An end whose frame stands at a point, with z along an axis.
  JointEnd end(BodyId id, const Vec3& at, const Vec3& axis) const {
    const Pose of = pose(id);
    return {id,
            {rotate_back(of.orientation, at - of.position),
             conjugate(of.orientation) * rotation_between({0, 0, 1}, axis / norm(axis))}};
  }
  Joint& join(JointKind kind, BodyId a, BodyId b, const Vec3& at, const Vec3& axis = {0, 0, 1}) {
    Joint joint;
    joint.name = "joint " + std::to_string(model.joints.size());
    joint.kind = kind;
    joint.a = end(a, at, axis);
    joint.b = end(b, at, axis);
    model.joints.push_back(joint);
    state.joints.push_back({});
    return model.joints.back();
  }

  /// A gear or a rack between first coordinates of joints: first = ratio · second.
  Joint& gear(JointKind kind, std::uint32_t first, std::uint32_t second, double ratio) {
    Joint joint;
    joint.name = "gear " + std::to_string(model.joints.size());
    joint.kind = kind;
    joint.geared = {GearEnd{first, 0}, GearEnd{second, 0}};
    joint.ratio = ratio;
    model.joints.push_back(joint);
    state.joints.push_back({});
    return model.joints.back();
  }

  Simulation start(int threads = 1) const { return {model, state, threads}; }
};

/// A crank of 0.2 m that a motor turns at 6 rad/s, a coupler of 1 m and a rocker of 0.7 m: a closed
/// loop that has no singular place.
inline Mechanism crank_rocker(double h) {
  Mechanism m(h);
  const Vec3 crank_end{0.2, 0, 0}, ground{0.9, 0, 0},
      rocker_end{0.2 + 1 / 1.4, 0, std::sqrt(0.96 / 1.96)};
  const BodyId crank = m.add_rod({0, 0, 0}, crank_end), coupler = m.add_rod(crank_end, rocker_end),
               rocker = m.add_rod(rocker_end, ground);
  m.join(JointKind::revolute, kWorld, crank, {0, 0, 0}, {0, 1, 0}).drives = {
      {.motor = {.kind = Motor::Kind::velocity, .target = [](double) { return 6.0; }}}};
  m.join(JointKind::revolute, crank, coupler, crank_end, {0, 1, 0});
  m.join(JointKind::revolute, coupler, rocker, rocker_end, {0, 1, 0});
  m.join(JointKind::revolute, rocker, kWorld, ground, {0, 1, 0});
  return m;
}

/// The largest error of joints in so many steps [m].
inline double largest_error(const Mechanism& m, int steps) {
  Simulation simulation = m.start();
  double error = 0;
  for (int k = 0; k < steps; ++k) error = std::max(error, simulation.step().joint_error);
  return error;
}

/// Complete elliptic integral of the first kind, by the arithmetic-geometric mean.
inline double elliptic_k(double k) {
  double a = 1, b = std::sqrt(1 - k * k);
  for (int n = 0; n < 40; ++n) {
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  return std::acos(-1.0) / (2 * a);
}

/// Of motion, height and springs of joints [J].
inline double energy_of(const Report& r) {
  return r.kinetic_energy + r.potential_energy + r.joint_energy;
}

}  // namespace scree::test

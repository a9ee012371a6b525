/// Closed loops over very many steps.
#include "support/mechanisms.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>

#include "scree/sim/solid_prototype.hpp"

namespace scree {
namespace {

using test::Mechanism;

TEST(AClosedLoop, DoesNotDriftOpenInAMillionSteps) {
  EXPECT_LT(test::largest_error(test::crank_rocker(1e-3), 1'000'000), 1e-10);
}

/// Of its energy: the largest errors in the first and in the last tenth of a run, over how far it
/// swings between its forms.
struct EnergyErrors {
  double first = 0, last = 0, joints = 0;  ///< [-], [-], ends apart [m]
};
EnergyErrors swing(OverlapCorrection correction, int steps) {
  Mechanism m = test::crank_rocker(1e-3);
  m.model.joints[0].drives.clear();
  m.model.step.overlap_correction = correction;
  Simulation simulation = m.start();
  const auto energy = [](const Report& r) { return r.kinetic_energy + r.potential_energy; };
  const double start = energy(simulation.report());
  EnergyErrors errors;
  double max_kinetic = 0;
  for (int k = 0; k < steps; ++k) {
    const Report& report = simulation.step();
    const double off = std::abs(energy(report) - start);
    if (k < steps / 10) errors.first = std::max(errors.first, off);
    if (k >= steps - steps / 10) errors.last = std::max(errors.last, off);
    errors.joints = std::max(errors.joints, report.joint_error);
    max_kinetic = std::max(max_kinetic, report.kinetic_energy);
  }
  errors.first /= max_kinetic;
  errors.last /= max_kinetic;
  return errors;
}

TEST(AClosedLoop, ThatSwingsFreelyKeepsShapeAndEnergyInBothCorrections) {
  for (const auto correction : {OverlapCorrection::positions, OverlapCorrection::velocities}) {
    const EnergyErrors errors = swing(correction, 1'000'000);
    std::printf("energy %.3g, at the end %.3g, ends apart %.3g m\n", errors.first, errors.last,
                errors.joints);
    EXPECT_LT(errors.joints, 1e-10);
    EXPECT_LT(errors.last, 1e-3);
    EXPECT_LT(errors.last, 2 * errors.first);
  }
}

/// A box of 1 kg and 0.1 m between the faces of two fingers, which press with 20 N each at most.
Mechanism gripper() {
  Mechanism m(1e-3);
  m.model.laws = LawTable(1, PairLaw{.kind = LawKind::coulomb, .friction = 0.5});
  m.model.solver = solver_settings(Accuracy::reference);
  const auto add_box = [&](const Vec3& at, const Vec3& size, double mass) {
    const SolidPrototype solid = solid_prototype(Box{0.5 * size});
    m.model.prototypes.push_back(solid.prototype);
    const BodyId id{m.state.next_id++};
    m.state.bodies.push_back(
        {.id = id,
         .position = at,
         .radius = solid.radius,
         .mass = mass,
         .prototype = static_cast<PrototypeId>(m.model.prototypes.size() - 1)});
    return id;
  };
  for (const double side : {-1.0, 1.0}) {
    const Vec3 at{0.066 * side, 0, 0};
    const BodyId finger = add_box(at, {0.03, 0.06, 0.16}, 0.2);
    m.join(JointKind::prismatic, kWorld, finger, at, {-side, 0, 0}).drives = {
        {.motor = {.kind = Motor::Kind::position,
                   .target = [](double t) { return std::min(0.02, 0.1 * t); },
                   .max = 20}}};
  }
  // On a shelf that goes down once the fingers hold it.
  m.model.obstacles.push_back({.name = "shelf",
                               .shape = Box{{0.02, 0.02, 0.01}},
                               .pose = {{0, 0, -0.06}, {}},
                               .material = 0,
                               .motion = [](double t) {
                                 return Twist{{0, 0, t > 0.5 && t < 1 ? -0.1 : 0.0}, {}};
                               }});
  State filled = initial_state(m.model);
  filled.bodies = m.state.bodies;
  filled.joints = m.state.joints;
  filled.next_id = m.state.next_id;
  m.state = filled;
  add_box({0, 0, 0}, {0.1, 0.1, 0.1}, 1);
  return m;
}

TEST(AGripper, HoldsABoxForAHundredSecondsWithoutCreep) {
  Simulation simulation = gripper().start();
  while (simulation.state().time < 2) simulation.step();
  const Body before = simulation.body({2});
  EXPECT_NEAR(before.position.z, 0, 1e-6);
  bool converged = true;
  while (simulation.state().time < 102) converged = simulation.step().converged && converged;
  const Body after = simulation.body({2});
  EXPECT_TRUE(converged);
  // Below 1e-3 µm/s.
  EXPECT_LT(norm(after.position - before.position) / 100, 1e-9);
  EXPECT_LT(norm(after.velocity), 1e-9);
  RecordProperty("creep", std::to_string(norm(after.position - before.position) / 100));
}

}  // namespace
}  // namespace scree

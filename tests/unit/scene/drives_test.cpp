// The key `drives`: force, speed and limits of a driven body.
#include "scree/sim/simulation.hpp"
#include "support/worlds.hpp"
#include "unit/scene/scene_text.hpp"

namespace scree::test {
namespace {

const std::string kRigidSteps = "default_law: {law: coulomb, friction: 0.4}\nstep: {h: 1e-3}\n";
const std::string kSoftSteps =
    "default_law: {law: cundall_strack, k_n: 1e5, k_t: 3e4, friction: 0.4, restitution: 0.2}\n"
    "step: {h: 2e-5}\n";

/// Balls of 5 cm on a floor, and a plate of 2 kg on top of them.
std::string with_plate(const std::string& law, const std::string& drive,
                       const std::string& more = "", bool four = true) {
  std::string text =
      "scree: 1\nuntil: 1\nsolver: {tolerance: 1e-10, max_sweeps: 5000}\n"
      "materials: {glass: {density: 2500}}\n" +
      law +
      "obstacles:\n  - half_space: {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}\n"
      "bodies:\n"
      "  - box: {name: plate, position: [0, 0, 0.11], size: [0.4, 0.4, 0.02], mass: 2}\n";
  for (const char* place : {"0.1, 0.1", "-0.1, 0.1", "0.1, -0.1", "-0.1, -0.1"})
    if (four) text += std::string("  - sphere: {position: [") + place + ", 0.05], radius: 0.05}\n";
  if (!four) text += "  - sphere: {position: [0, 0, 0.05], radius: 0.05}\n";
  return text + "drives:\n  - {body: plate, " + drive + "}\n" + more;
}
const std::string kDown = "direction: [0, 0, -1], ";

Simulation simulation_of(const Scene& scene, int threads = 1) {
  return Simulation(scene.model, scene.state, threads);
}

TEST(SceneDrives, APlateOnABedBearsExactlyTheForceThatItIsAskedFor) {
  for (const char* force : {"force: 50", "force: 50 N, max_speed: 0.1", "force: 25*(1-sign(t-9))",
                            "pressure: 500 Pa, area: 0.1"}) {
    Simulation simulation = simulation_of(load_text(with_plate(kRigidSteps, kDown + force)));
    const Report& report = run_until(simulation, 0.3);
    EXPECT_TRUE(report.converged);
    EXPECT_NEAR(simulation.contact_force({0}).force.z, 50, 1e-7) << force;
    double weight = 0;
    for (std::uint64_t ball = 1; ball <= 4; ++ball) weight += 9.81 * simulation.body({ball}).mass;
    EXPECT_NEAR(simulation.contact_force_on_obstacle(0).force.z, -50 - weight, 1e-6) << force;
    EXPECT_NEAR(simulation.joints()[0].coordinate[0], 0, 1e-9);
  }
}

TEST(SceneDrives, BearsNothingOfItsOwnWeightAndTheSameUnderAnotherGravity) {
  const Scene scene =
      load_text(with_plate(kRigidSteps, kDown + "force: 50",
                           "stages:\n  - {until: 0.3}\n  - {until: 0.3, gravity: [0, 0, -3]}\n"));
  for (const RunStage& stage : scene.stages) {
    Simulation simulation(stage.model, scene.state);
    run_until(simulation, 0.3);
    EXPECT_NEAR(simulation.contact_force({0}).force.z, 50, 1e-7);
  }
}

TEST(SceneDrives, OnACompliantBallGoesTheWayOfItsTwoSprings) {
  Simulation simulation = simulation_of(load_text(
      with_plate(kSoftSteps, kDown + "force: 50, max_speed: 1", "gravity: [0, 0, 0]\n", false)));
  run_until(simulation, 0.5);
  EXPECT_NEAR(simulation.joints()[0].coordinate[0], 2 * 50 / 1e5, 1e-9);
  EXPECT_NEAR(simulation.contact_force({0}).force.z, 50, 1e-5);
}

TEST(SceneDrives, WithoutResistanceGoesAtItsMaxSpeedAndStopsAtItsLimit) {
  const std::string up = "direction: [0, 0, 1], force: 50, max_speed: 0.2, limits: [0, 0.1]";
  Simulation simulation = simulation_of(load_text(with_plate(kRigidSteps, up)));
  run_until(simulation, 0.3);
  EXPECT_NEAR(simulation.body({0}).velocity.z, 0.2, 1e-9);
  const Vec3 place = simulation.body({0}).position;
  EXPECT_NEAR(place.x, 0, 1e-12);
  run_until(simulation, 0.9);
  EXPECT_NEAR(simulation.joints()[0].coordinate[0], 0.1, 1e-9);
  EXPECT_NEAR(simulation.body({0}).velocity.z, 0, 1e-9);
  EXPECT_NEAR(simulation.joints()[0].effort[0], 2 * 9.81, 1e-6)
      << "motor, limit and damper together bear its weight";
}

TEST(SceneDrives, HaveAMaxSpeedUnderAForceThatChangesHoweverLongTheRunMayLast) {
  const std::string up = "direction: [0, 0, 1], force: 50+40*sin(20*t), max_speed: 0.2";
  std::string text = with_plate(kRigidSteps, up);
  Simulation once = simulation_of(load_text(text));
  text.replace(text.find("until: 1\n"), 9, "until: 7\n");
  Simulation longer = simulation_of(load_text(text));
  run_until(once, 0.3);
  run_until(longer, 0.3);
  EXPECT_EQ(state_hash(longer.state()), state_hash(once.state()));
  // m v' = F - (F/v0) v: it stays at v0 once it has reached it, for any F.
  EXPECT_NEAR(once.body({0}).velocity.z, 0.2, 1e-3);
}

TEST(SceneDrives, WithoutAMaxSpeedFollowNewtonsLaw) {
  Simulation simulation =
      simulation_of(load_text(with_plate(kRigidSteps, "direction: [0, 0, 1], force: 50")));
  run_until(simulation, 0.2);
  // Velocities belong to half a step earlier.
  EXPECT_NEAR(simulation.body({0}).velocity.z, 25 * (0.2 - 0.5e-3), 1e-9);
}

TEST(SceneDrives, ATorqueTurnsAFlapAboutItsPivot) {
  Simulation simulation = simulation_of(load_text(with_plate(
      kRigidSteps, "pivot: [-0.2, 0, 5], axis: [0, 0, 1], torque: 3", "gravity: [0, 0, 0]\n")));
  run_until(simulation, 0.2);
  const double inertia = 2 * (0.16 + 0.16) / 12 + 2 * 0.04;
  EXPECT_NEAR(simulation.body({0}).angular_velocity.z, 3 / inertia * (0.2 - 0.5e-3), 1e-4);
}

TEST(SceneDrives, WorkIsInTheBooks) {
  for (const std::string& law : {kRigidSteps, kSoftSteps}) {
    Simulation simulation =
        simulation_of(load_text(with_plate(law, kDown + "force: 20+30*sin(40*t), max_speed: 0.3")));
    const auto energy = [](const Report& r) { return total_energy(r) + r.joint_energy; };
    const double start = energy(simulation.step());
    run_until(simulation, 0.2);
    EXPECT_NEAR(energy(simulation.report()), start, 1e-6);
    EXPECT_NE(simulation.report().wall_work, 0);
  }
}

TEST(SceneDrives, GoOnWithTheSameBitsFromACopyAndOnTwoThreads) {
  const Scene scene = load_text(with_plate(kRigidSteps, kDown + "force: 20+30*sin(40*t)"));
  Simulation whole = simulation_of(scene), parts = simulation_of(scene, 2);
  for (int k = 0; k < 100; ++k) whole.step();
  for (int k = 0; k < 50; ++k) parts.step();
  Simulation rest(scene.model, parts.state());
  for (int k = 0; k < 50; ++k) rest.step();
  EXPECT_EQ(state_hash(rest.state()), state_hash(whole.state()));
}

TEST(SceneDrives, ThatAreNoneAreRefused) {
  const auto refused = [](const std::string& drive, const std::string& path,
                          const std::string& words) {
    expect_problem(with_plate(kRigidSteps, drive), "drives[0]" + path, words);
  };
  refused("force: 5", "", "give a direction, or a pivot and an axis");
  refused("axis: [0, 0, 1], torque: 5", "", "give a direction, or a pivot");
  refused(kDown + "name: a", "", "exactly one of force, torque and pressure");
  refused(kDown + "force: 5, pressure: 3, area: 1", "", "exactly one of");
  refused(kDown + "torque: 5", "", "needs a force or a pressure");
  refused(kDown + "pressure: 5", "", "give pressure and area together");
  refused(kDown + "force: 5, area: 1", "", "give pressure and area together");
  refused("pivot: [0, 0, 0], axis: [0, 0, 1], force: 5", "", "needs a torque");
  refused("direction: [0, 0, 0], force: 5", ".direction", "zero length");
  refused(kDown + "force: 5*u", ".force", "there is no name 'u'");
  refused(kDown + "force: 5, max_speed: 3 rad/s", ".max_speed", "in m/s");
  refused(kDown + "force: 5, limits: [1, 0]", "", "lower one must not be above");
  refused(kDown + "force: 5, limits: [1, 2]", "", "outside its limits");
  expect_problem(with_plate(kRigidSteps, kDown + "force: 5",
                            "  - {body: plait, torque: 1, axis: [1, 0, 0]"
                            ", pivot: [0, 0, 0]}\n"),
                 "drives[1].body", "did you mean 'plate'");
}

}  // namespace
}  // namespace scree::test

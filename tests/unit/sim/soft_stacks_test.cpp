// Bodies on springs that lie on each other by their faces.
#include <functional>
#include <gtest/gtest.h>
#include <string>

#include "support/impacts.hpp"
#include "unit/sim/common.hpp"

namespace scree {
namespace {

using namespace test;

constexpr double kStackStiffness = 1e5;  ///< [N/m]
constexpr double kSoftEdge = 0.1;        ///< [m]

PairLaw soft_stack_law(LawKind kind) {
  PairLaw law = linear_law(kStackStiffness, 0.5 * kStackStiffness, 0.5, 0.2);
  law.kind = kind;
  return law;
}

using AddFlush = std::function<Body&(World&, const Vec3&)>;
struct Flush {
  const char* name;
  AddFlush add;
};
std::vector<Flush> flush_kinds() {
  const auto prism = [](World& world, const Vec3& at) -> Body& {
    std::vector<Vec3> corners;
    for (int k = 0; k < 6; ++k)
      for (const double z : {-0.5, 0.5})
        corners.push_back(kSoftEdge *
                          Vec3{0.5 * std::cos(k * kPi / 3), 0.5 * std::sin(k * kPi / 3), z});
    return world.polyhedron(corners, {at, {}});
  };
  return {{"box",
           [](World& world, const Vec3& at) -> Body& {
             return world.box(at, {kSoftEdge, kSoftEdge, kSoftEdge});
           }},
          {"cylinder",
           [](World& world, const Vec3& at) -> Body& {
             return world.solid(Cylinder{kSoftEdge / 2, kSoftEdge / 2}, {at, {}});
           }},
          {"prism", prism}};
}

/// Overlaps of a stack, from the floor up, over m g/k.
std::vector<double> overlaps(const World& world, const Simulation& simulation) {
  const double unit = world.bodies[0].mass * kGravity / kStackStiffness;
  std::vector<double> all;
  double below = -kSoftEdge / 2;
  for (const Body& body : world.bodies) {
    const double z = simulation.body(body.id).position.z;
    all.push_back((kSoftEdge - (z - below)) / unit);
    below = z;
  }
  return all;
}

TEST(SoftStack, LaidFlushCarriesItsWeightByOverlapsInProportion) {
  for (const LawKind law : {LawKind::cundall_strack, LawKind::spring_dashpot})
    for (const Flush& kind : flush_kinds()) {
      SCOPED_TRACE(std::string(name(law)) + ", " + kind.name);
      World world(soft_stack_law(law), 1e-4);
      world.half_space({}, {0, 0, 1});
      constexpr int kCount = 10;
      for (int k = 0; k < kCount; ++k) kind.add(world, {0, 0, (k + 0.5) * kSoftEdge});
      Simulation simulation = world.simulation();
      run_until(simulation, 2);
      const std::vector<double> found = overlaps(world, simulation);
      for (int k = 0; k < kCount; ++k)
        EXPECT_NEAR(found[static_cast<std::size_t>(k)], kCount - k, 0.02) << k;
    }
}

TEST(SoftStack, OfTwoCarriesItsWeightWhateverTheLastBitsOfItsPositions) {
  for (const double z : {0.15, 0.15000000000000002, 0.14999999999999997, 0.15001}) {
    SCOPED_TRACE(z);
    World world(soft_stack_law(LawKind::cundall_strack), 2e-4);
    world.half_space({}, {0, 0, 1});
    world.box({0, 0, 0.05}, {kSoftEdge, kSoftEdge, kSoftEdge});
    world.box({0, 0, z}, {kSoftEdge, kSoftEdge, kSoftEdge});
    Simulation simulation = world.simulation();
    run_until(simulation, 2);
    const std::vector<double> found = overlaps(world, simulation);
    EXPECT_NEAR(found[0], 2, 0.01);
    EXPECT_NEAR(found[1], 1, 0.01);
  }
}

TEST(SoftStack, ThatWasShakenHasItsStiffnessAgain) {
  World world(soft_stack_law(LawKind::cundall_strack), 2e-4);
  world.obstacle(Box{{0.5, 0.5, 0.1}}, {{0, 0, -0.1}, {}}, [](double t) {
    constexpr double kAmplitude = 1e-3, kRate = 2 * kPi * 30;
    return Twist{{0, 0, t < 0.5 ? kAmplitude * kRate * std::sin(kRate * t) : 0}, {}};
  });
  for (int k = 0; k < 3; ++k)
    world.box({0, 0, (k + 0.5) * kSoftEdge}, {kSoftEdge, kSoftEdge, kSoftEdge});
  Simulation simulation = world.simulation();
  run_until(simulation, 3);
  const std::vector<double> found = overlaps(world, simulation);
  const double floor = simulation.state().obstacles[0].pose.position.z + 0.1;
  const double unit = world.bodies[0].mass * kGravity / kStackStiffness;
  EXPECT_NEAR(found[0] + floor / unit, 3, 0.05);
  EXPECT_NEAR(found[1], 2, 0.05);
  EXPECT_NEAR(found[2], 1, 0.05);
}

/// A cylinder that stands on a slope, on a surface given by its kind.
double slope_acceleration(bool mesh, double h) {
  const double angle = 25 * kPi / 180;
  PairLaw law = linear_law(1e6, 5e5, 0.4, 0.3);
  World world(law, h);
  world.model.materials[0].density = 2500;
  world.model.gravity = kGravity * Vec3{std::sin(angle), 0, -std::cos(angle)};
  if (mesh)
    add_mesh(world, square_soup(2, 2), Sides::one);
  else
    world.half_space({}, {0, 0, 1});
  world.solid(Cylinder{0.1, 0.05}, {{0.01, 0.02, 0.05}, {}});
  Simulation simulation = world.simulation();
  const double energy = total_energy(simulation.step());
  run_until(simulation, 0.1);
  const double before = simulation.body({0}).velocity.x;
  run_until(simulation, 0.2);
  // Shear that passes from point to point makes no energy.
  const Report& report = simulation.report();
  EXPECT_NEAR(total_energy(report), energy, 1e-6 * report.dissipated_energy);
  return (simulation.body({0}).velocity.x - before) / 0.1;
}

TEST(SoftCylinder, SlidesOnAMeshAsOnAHalfSpace) {
  const double angle = 25 * kPi / 180;
  const double expected = kGravity * (std::sin(angle) - 0.4 * std::cos(angle));
  for (const double h : {1e-4, 2e-5})
    for (const bool mesh : {false, true})
      EXPECT_NEAR(slope_acceleration(mesh, h), expected, 1e-2) << mesh << " " << h;
}

}  // namespace
}  // namespace scree

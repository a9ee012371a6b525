#include <gtest/gtest.h>
#include <memory>
#include <string>

#include "support/clumps.hpp"
#include "support/worlds.hpp"
#include "unit/geometry/meshes.hpp"

namespace scree {
namespace {

using namespace test;

/// The hash of poses and velocities after `steps`. A hash that moves stands for answers that
/// changed: see CONTRIBUTING, Golden hashes. Worlds are such that no function of the C library
/// enters but the square root, whose last bit no library is free to choose.
std::uint64_t hash_after(const World& world, int steps) {
  Simulation simulation = world.simulation();
  for (int k = 0; k < steps; ++k) simulation.step();
  return motion_hash(simulation.state());
}

/// By any instruction set, and by two threads as by one.
void expect_hash_everywhere(const World& world, int steps, std::uint64_t hash) {
  for (const InstructionSet set : instruction_sets())
    for (const int threads : {1, 2}) {
      Simulation simulation = world.simulation(threads, set);
      for (int k = 0; k < steps; ++k) simulation.step();
      EXPECT_EQ(motion_hash(simulation.state()), hash) << name(set) << ", " << threads;
    }
}

/// Bodies of unequal inertia, every third one.
World with_long_bodies(World world) {
  world.model.prototypes.push_back({Sphere{1}, {0.3, 0.4, 0.5}});
  for (std::size_t k = 0; k < world.bodies.size(); k += 3) world.bodies[k].prototype = 1;
  return world;
}

TEST(GoldenHash, OfAPileOfSpheresWithFriction) {
  EXPECT_EQ(hash_after(random_pile(300, coulomb(0.4), 5e-4, 1), 200), 10020001607846575439ULL);
}

TEST(GoldenHash, OfAPileOfSpheresThatBounce) {
  EXPECT_EQ(hash_after(random_pile(300, coulomb(0.2, 0.6), 5e-4, 2), 200), 14449509070758057739ULL);
}

TEST(GoldenHash, OfSpheresOnAMovingWall) {
  World world(coulomb(0.5), 1e-3);
  world.obstacle(HalfSpace{}, {}, [](double t) {
    return Twist{{0.1, 0, t < 0.05 ? 0.2 : -0.2}, {}};
  });
  for (int k = 0; k < 5; ++k) world.sphere({0.1 * k, 0, 0.02 + 0.001 * k}, 0.02, {0, 0.1 * k, 0});
  EXPECT_EQ(hash_after(world, 100), 16431619622197501099ULL);
}

TEST(GoldenHash, OfAPileOfUnequalInertia) {
  EXPECT_EQ(hash_after(with_long_bodies(random_pile(200, coulomb(0.4), 5e-4, 3)), 150),
            13133274216339129336ULL);
}

TEST(GoldenHash, OfAPileThatDissipatesMost) {
  EXPECT_EQ(
      hash_after(with_long_bodies(random_pile(200, {LawKind::max_dissipation, 0.4}, 5e-4, 4)), 150),
      2575748075479410080ULL);
}

TEST(GoldenHash, OfAPileByConeComplementarity) {
  EXPECT_EQ(hash_after(random_pile(200, {LawKind::cone_complementarity, 0.4}, 5e-4, 5), 150),
            2744263972836060055ULL);
}

TEST(GoldenHash, OfAPileWithPolyhedralCones) {
  EXPECT_EQ(hash_after(random_pile(100, {LawKind::polyhedral, 0.4}, 5e-4, 6), 100),
            15935770697168459338ULL);
}

TEST(GoldenHash, OfAPileWithoutAWarmStart) {
  World world = with_long_bodies(random_pile(200, coulomb(0.4, 0.3), 5e-4, 7));
  world.model.solver.warm_start = false;
  EXPECT_EQ(hash_after(world, 100), 10335796149549528379ULL);
}

TEST(GoldenHash, OfAPileWhoseSweepsAreAccelerated) {
  World world = with_long_bodies(random_pile(200, coulomb(0.4), 5e-4, 8));
  world.model.solver.acceleration = Acceleration::nesterov;
  EXPECT_EQ(hash_after(world, 150), 2245773639851341160ULL);
}

TEST(GoldenHash, OfAPileOfBoxes) {
  EXPECT_EQ(hash_after(random_boxes(60, coulomb(0.4, 0.2), 1e-3, 9), 150), 16273779075648628711ULL);
}

PairLaw springs() {
  PairLaw law{LawKind::cundall_strack, 0.4};
  law.force.k_n = 1e4;
  law.force.k_t = 3e3;
  law.force.normal_damping = 0.3;
  return law;
}

TEST(GoldenHash, OfAPileOfSoftSpheres) {
  EXPECT_EQ(hash_after(random_pile(200, springs(), 5e-6, 10), 3000), 3175831288361016895ULL);
}

TEST(GoldenHash, OfAPileOfHertzSpheresThatResistRolling) {
  PairLaw law = springs();
  law.kind = LawKind::hertz_mindlin;
  law.force.k_n = law.force.k_t = 1e7;
  law.rolling_friction = 2e-4;
  EXPECT_EQ(hash_after(random_pile(200, law, 5e-6, 13), 3000), 6770970988907779860ULL);
}

TEST(GoldenHash, OfSoftBoxes) {
  EXPECT_EQ(hash_after(random_boxes(60, springs(), 1e-5, 14), 3000), 615443388693939877ULL);
}

TEST(GoldenHash, OfRigidAndSoftBoxesAmongEachOther) {
  World world = random_boxes(60, coulomb(0.4), 1e-4, 15);
  world.model.materials = {{"stone", 1000}, {"rubber", 1000}};
  world.model.laws = LawTable(2, coulomb(0.4));
  world.model.laws.assign(1, 1, springs());
  for (std::size_t k = 0; k < world.bodies.size(); k += 2) world.bodies[k].material = 1;
  EXPECT_EQ(hash_after(world, 600), 17354750413738880740ULL);
}

TEST(GoldenHash, OfAPileWithDefaultSettings) {
  World world = random_pile(300, coulomb(0.4, 0.2), 5e-4, 11);
  world.model.solver = solver_settings(Accuracy::engineering);
  EXPECT_EQ(hash_after(world, 150), 13367264121188619930ULL);
}

TEST(GoldenHash, OfBoxesWithDefaultSettings) {
  World world = random_boxes(60, coulomb(0.4), 1e-3, 12);
  world.model.solver = solver_settings(Accuracy::engineering);
  EXPECT_EQ(hash_after(world, 150), 3904670324614903504ULL);
}

TEST(GoldenHash, OfCapsulesPolyhedraEllipsoidsAndBoxesWithDefaultSettings) {
  World world = random_solids(40, coulomb(0.4, 0.2), 1e-3, 16, false);
  world.model.solver = solver_settings(Accuracy::engineering);
  EXPECT_EQ(hash_after(world, 120), 17114821551515566656ULL);
}

TEST(GoldenHash, OfBoxesAndSpheresInAVesselOfTriangles) {
  World world(coulomb(0.4, 0.1), 1e-3);
  world.model.solver = solver_settings(Accuracy::engineering);
  world.model.meshes.push_back(
      std::make_shared<const TriangleMesh>(mesh_of(box_soup({0.05, 0.04, 0.06}, 5), Sides::two)));
  world.obstacle(Mesh{world.model.meshes.back().get()}, {});
  RandomStream random{16, 0};
  const Vec3 sizes[] = {{0.015, 0.015, 0.015}, {0.02, 0.01, 0.014}, {0.006, 0.02, 0.01}};
  for (int k = 0; k < 48; ++k) {
    const int layer = k / 12;
    const Vec3 place{0.024 * (k % 4 - 1.5), 0.024 * (k / 4 % 3 - 1), 0.026 * (layer - 1.5)};
    const Quaternion turn = normalised({random.uniform(-1, 1), random.uniform(-1, 1),
                                        random.uniform(-1, 1), random.uniform(-1, 1)});
    Body& body = k % 4 == 3 ? world.sphere(place, 0.008) : world.box(place, sizes[k % 3], turn);
    body.velocity = 0.5 * Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
  }
  EXPECT_EQ(hash_after(world, 200), 10420251713483680338ULL);
}

TEST(GoldenHash, OfAPileWhoseOverlapsBecomeVelocities) {
  World world = random_pile(200, coulomb(0.4), 5e-4, 10);
  world.model.step.overlap_correction = OverlapCorrection::velocities;
  EXPECT_EQ(hash_after(world, 150), 9373950552377813550ULL);
}

TEST(GoldenHash, OfAChainOfBoxesThatFallsOnABelt) {
  World world(coulomb(0.5), 1e-3);
  world.model.solver = solver_settings(Accuracy::engineering);
  world.half_space({}, {0, 0, 1});
  world.model.obstacles[0].surface_velocity = {0.3, 0.1, 0};
  for (int k = 0; k < 8; ++k) world.box({0.05 * k, 0, 0.1}, {0.04, 0.02, 0.01});
  for (int k = 0; k < 7; ++k) {
    Joint joint{.name = "link " + std::to_string(k), .kind = JointKind::spherical};
    joint.a = {{static_cast<std::uint64_t>(k)}, {{0.025, 0, 0}, {}}};
    joint.b = {{static_cast<std::uint64_t>(k + 1)}, {{-0.025, 0, 0}, {}}};
    world.model.joints.push_back(joint);
  }
  world.bodies[0].velocity = {0, 0.5, 0};
  expect_hash_everywhere(world, 300, 11878193575001202180ULL);
}

/// A joint whose frames have the axes of the world but for z, which is along `axis`.
Joint joint_at(const World& world, JointKind kind, std::size_t a, std::size_t b, const Vec3& at,
               const Vec3& axis) {
  const Quaternion turn = rotation_between({0, 0, 1}, axis);
  Joint joint{.name = "joint " + std::to_string(world.model.joints.size()), .kind = kind};
  joint.a = {world.bodies[a].id, {at - world.bodies[a].position, turn}};
  joint.b = {world.bodies[b].id, {at - world.bodies[b].position, turn}};
  return joint;
}

TEST(GoldenHash, OfGearedSlidersThatDrivesPushOverABelt) {
  World world(coulomb(0.5), 1e-3);
  world.model.solver = solver_settings(Accuracy::engineering);
  world.half_space({}, {0, 0, 1});
  world.model.obstacles[0].surface_velocity = {0.3, 0.1, 0};
  world.box({0, 0, 0.011}, {0.1, 0.04, 0.02});
  for (const double side : {-1.0, 1.0})
    for (const double x : {-0.03, 0.03})
      world.box({x, 0.04 * side, 0.012}, {0.03, 0.02, 0.02}).velocity = {0, 0, -0.1 * side};
  const auto slide = [&](std::size_t part, const Vec3& axis, const JointDrive& drive) {
    const Vec3 at = 0.5 * world.bodies[part].position;
    world.model.joints.push_back(joint_at(world, JointKind::prismatic, 0, part, at, axis));
    world.model.joints.back().drives = {drive};
  };
  slide(1, {0, 0, 1}, {.lower = -0.01, .upper = 0.01, .stiffness = 40, .damping = 0.2});
  slide(2, {1, 0, 0},
        {.motor = {.kind = Motor::Kind::velocity,
                   .target = [](double t) { return t < 0.1 ? 0.1 : -0.2; },
                   .max = 0.05}});
  slide(3, {1, 0, 0}, {.friction = 0.01, .friction_of_force = 0.1});
  slide(4, {0, 0, 1},
        {.motor = {.kind = Motor::Kind::position,
                   .target = [](double t) { return 0.02 * t; },
                   .max = 5,
                   .stiffness = 300,
                   .damping = 3}});
  Joint gear{.name = "gear", .kind = JointKind::gear};
  gear.geared = {GearEnd{1, 0}, GearEnd{2, 0}};
  gear.ratio = -2;
  world.model.joints.push_back(gear);
  expect_hash_everywhere(world, 300, 15860563533079477468ULL);
}

TEST(GoldenHash, OfLockedBodiesOnJointsInAField) {
  World world(coulomb(0.4), 1e-3);
  world.model.solver = solver_settings(Accuracy::engineering);
  world.half_space({}, {0, 0, 1});
  for (int k = 0; k < 6; ++k) world.box({0.05 * k, 0.001 * k, 0.05}, {0.04, 0.02, 0.01});
  Prototype guided = world.model.prototypes[world.bodies[0].prototype];
  guided.locked.ways = AxisSet{2};   // y
  guided.locked.turns = AxisSet{5};  // x and z
  world.model.prototypes.push_back(guided);
  for (std::size_t k = 0; k < 6; k += 2)
    world.bodies[k].prototype = static_cast<PrototypeId>(world.model.prototypes.size() - 1);
  for (std::size_t k = 1; k < 6; ++k) {
    const Vec3 at = 0.5 * (world.bodies[k - 1].position + world.bodies[k].position);
    world.model.joints.push_back(
        joint_at(world, k == 3 ? JointKind::fixed : JointKind::spherical, k - 1, k, at, {0, 0, 1}));
  }
  Field wind{.name = "wind"};
  wind.force = {field_expression("mass*(2 - vx)"), field_expression("-0.5*mass*y"),
                field_expression("0")};
  wind.torque = {field_expression("0"), field_expression("1e-6*x"), field_expression("0")};
  world.model.fields.push_back(wind);
  expect_hash_everywhere(world, 300, 1080133674489471250ULL);
}

TEST(GoldenHash, OfAFillingOfSpheresAndBoxes) {
  World world(coulomb(0.4, 0.1), 1e-3);
  world.model.solver = solver_settings(Accuracy::engineering);
  world.half_space({}, {0, 0, 1});
  world.box({}, {0.02, 0.01, 0.01});
  world.bodies.clear();
  Filling filling{.name = "hose", .min = {-0.1, -0.1, 0.1}, .max = {0.1, 0.1, 0.2}};
  filling.number_rate = 300;
  filling.kinds = {{.low = 0.008, .high = 0.012, .density = 1000},
                   {.low = 0.01, .high = 0.01, .prototype = 1, .density = 1000}};
  filling.velocity = {0, 0, -1};
  filling.jitter = {0.1, 0.1, 0};
  filling.seed = 17;
  world.model.fillings.push_back(filling);
  expect_hash_everywhere(world, 300, 1622989701925516978ULL);
}

TEST(GoldenHash, OfCrossesAndDumbbellsOnAMeshAmongSpheres) {
  World world(coulomb(0.4, 0.1), 1e-3);
  world.model.solver = solver_settings(Accuracy::engineering);
  world.model.meshes.push_back(
      std::make_shared<const TriangleMesh>(mesh_of(box_soup({0.06, 0.06, 0.08}, 3), Sides::two)));
  world.obstacle(Mesh{world.model.meshes.back().get()}, {});
  const std::vector<ClumpPart> cross{{Box{{0.012, 0.003, 0.003}}, {}},
                                     {Box{{0.003, 0.01, 0.003}}, {}}};
  const std::vector<ClumpPart> dumbbell{{Sphere{0.005}, {{0.0075, 0, 0}, {}}},
                                        {Sphere{0.005}, {{-0.0075, 0, 0}, {}}}};
  RandomStream random{19, 0};
  for (int k = 0; k < 32; ++k) {
    const int layer = k / 16;
    const Vec3 place{0.03 * (k % 4 - 1.5), 0.03 * (k / 4 % 4 - 1.5), 0.04 * (layer - 0.5)};
    const Quaternion turn = normalised({random.uniform(-1, 1), random.uniform(-1, 1),
                                        random.uniform(-1, 1), random.uniform(-1, 1)});
    Body& body = k % 3 == 2 ? world.sphere(place, 0.008)
                            : add_clump(world, k % 3 == 0 ? cross : dumbbell, {place, turn});
    body.velocity = 2 * Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
  }
  expect_hash_everywhere(world, 60, 10803833738756070432ULL);
}

TEST(GoldenHash, OfSoftCrossesAndDumbbellsOnAClumpAmongSpheres) {
  World world(springs(), 1e-5);
  world.half_space({0, 0, -0.03}, {0, 0, 1});
  add_clump_obstacle(
      world,
      {{Box{{0.05, 0.05, 0.01}}, {{0, 0, -0.025}, {}}}, {Sphere{0.02}, {{0.02, 0.02, 0}, {}}}}, {});
  const std::vector<ClumpPart> cross{{Box{{0.012, 0.003, 0.003}}, {}},
                                     {Box{{0.003, 0.01, 0.003}}, {}}};
  const std::vector<ClumpPart> dumbbell{{Sphere{0.005}, {{0.0075, 0, 0}, {}}},
                                        {Sphere{0.005}, {{-0.0075, 0, 0}, {}}}};
  RandomStream random{29, 0};
  for (int k = 0; k < 24; ++k) {
    const int layer = k / 9;
    const Vec3 place{0.03 * (k % 3 - 1), 0.03 * (k / 3 % 3 - 1), 0.035 + 0.03 * layer};
    const double w = random.uniform(-1, 1), x = random.uniform(-1, 1), y = random.uniform(-1, 1);
    const Pose pose{place, normalised({w, x, y, random.uniform(-1, 1)})};
    Body& body = k % 3 == 2 ? world.sphere(place, 0.008)
                            : add_clump(world, k % 3 == 0 ? cross : dumbbell, pose);
    body.velocity = {0, 0, -1};
  }
  expect_hash_everywhere(world, 4000, 7782218634538188016ULL);
}

}  // namespace
}  // namespace scree

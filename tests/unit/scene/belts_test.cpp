/// Belts of every kind of obstacle: their effect on a ball and on a box.
#include <cmath>
#include <map>

#include "scree/sim/simulation.hpp"
#include "unit/scene/scene_text.hpp"

namespace scree::test {
namespace {

constexpr double kBelt = 0.2, kFriction = 0.4, kEarthGravity = 9.81;

/// Obstacles with their highest point at the origin, flat there or round about one or two axes.
const std::map<std::string, std::string> kTops{
    {"half_space", "half_space: {point: [0, 0, 0], normal: [0, 0, 1]"},
    {"box", "box: {position: [0, 0, -0.5], size: [1, 1, 1]"},
    {"cylinder", "cylinder: {from: [0, -0.5, -0.5], to: [0, 0.5, -0.5], radius: 0.5"},
    {"capsule", "capsule: {from: [0, -0.5, -0.5], to: [0, 0.5, -0.5], radius: 0.5"},
    {"sphere", "sphere: {position: [0, 0, -0.5], radius: 0.5"},
    {"height_map",
     "height_map: {values: [[0, 0], [0, 0]], size: [1, 1], position: [-0.5, -0.5, 0]"},
    {"mesh", "mesh: {file: square.obj"},
    {"hollow_cylinder", "hollow_cylinder: {from: [0, -0.5, -0.5], to: [0, 0.5, -0.5], radius: 0.5"},
    {"hollow_cone",
     "hollow_cone: {from: [0, 0, -1], to: [0, 0, 0], bottom_radius: 0.6, "
     "top_radius: 0.5, closed: top"},
    {"solid cone",
     "solid: {shape: {frustum: {bottom_radius: 0.6, top_radius: 0.5, length: 1}}, "
     "position: [0, 0, -0.5]"},
    {"solid ellipsoid",
     "solid: {shape: {ellipsoid: {semi_axes: [0.5, 0.3, 0.4]}}, "
     "position: [0, 0, -0.4]"},
    {"solid superellipsoid",
     "solid: {shape: {superellipsoid: {semi_axes: [0.5, 0.3, 0.4], exponents: [4, 4]}}, "
     "position: [0, 0, -0.4]"},
    {"solid polyhedron",
     "solid: {shape: {polyhedron: {points: [[0.5, 0.5, 0], [-0.5, 0.5, 0], [-0.5, -0.5, 0], "
     "[0.5, -0.5, 0], [0.1, 0, -1]]}}"},
    // Their principal axes differ from the axes of the scene.
    {"solid clump of boxes",
     "solid: {shape: {clump: [{shape: {box: {size: [1, 1, 0.2]}}}, "
     "{shape: {box: {size: [0.2, 0.1, 0.8]}}, position: [0.3, 0.2, -0.4]}]}, "
     "position: [0, 0, -0.1]"},
    {"solid clump of round parts",
     "solid: {shape: {clump: [{shape: {sphere: {radius: 0.5}}}, "
     "{shape: {capsule: {radius: 0.2, length: 0.5}}, position: [0.4, 0.1, -0.2]}]}, "
     "position: [0, 0, -0.5]"}};

/// Final state of `body` on top of a belt along x, after 1.5 times the time in which it reaches the
/// speed of the belt.
Body carried(const std::string& obstacle, const std::string& body, const std::string& law,
             double h) {
  write_file("square.obj", "v -0.5 -0.5 0\nv 0.5 -0.5 0\nv 0.5 0.5 0\nv -0.5 0.5 0\nf 1 2 3 4\n");
  const Scene scene = load_text("scree: 1\nuntil: 1\nstep: {h: " + std::to_string(h) +
                                "}\nmaterials: {glass: {density: 2500}}\ndefault_law: {" + law +
                                "}\nobstacles:\n  - " + obstacle +
                                ", surface_velocity: [0.2, 0, 0.3]}\nbodies:\n  - " + body + "\n");
  Simulation simulation(scene.model, scene.state, 1);
  while (simulation.state().time < 1.5 * kBelt / (kFriction * kEarthGravity)) simulation.step();
  return simulation.state().bodies[0];
}

const std::string kRigidLaw = "law: coulomb, friction: 0.4",
                  kSpringLaw =
                      "law: cundall_strack, friction: 0.4, k_n: 1e6, k_t: 5e5, "
                      "normal_damping: 500, tangential_damping: 2000";

TEST(BeltsOfScenes, TurnABallAsFastAsTheyRun) {
  for (const auto& [kind, obstacle] : kTops) {
    SCOPED_TRACE(kind);
    const std::string ball = "sphere: {position: [0, 0, 0.1], radius: 0.1, locked: [x, y, rx, rz]}";
    EXPECT_NEAR(carried(obstacle, ball, kRigidLaw, 1e-3).angular_velocity.y, -kBelt / 0.1,
                1e-6 * kBelt / 0.1);
    EXPECT_NEAR(carried(obstacle, ball, kSpringLaw, 5e-5).angular_velocity.y, -kBelt / 0.1,
                0.02 * kBelt / 0.1);
  }
}

TEST(BeltsOfScenes, TakeABoxAlong) {
  for (const auto& [kind, obstacle] : kTops) {
    SCOPED_TRACE(kind);
    const std::string box =
        "box: {position: [0, 0, 0.05], size: [0.1, 0.1, 0.1], locked: [y, rx, ry, rz]}";
    EXPECT_NEAR(carried(obstacle, box, kRigidLaw, 1e-3).velocity.x, kBelt, 1e-6 * kBelt);
    EXPECT_NEAR(carried(obstacle, box, kSpringLaw, 5e-5).velocity.x, kBelt, 0.02 * kBelt);
  }
}

}  // namespace
}  // namespace scree::test

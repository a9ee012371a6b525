// Whole steps of robots that walk on the spot: a trunk on six legs of five hinges each, 30 joints,
// whose flat feet have 24 contacts with the floor.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <numbers>
#include <string>
#include <vector>

#include "figures.hpp"
#include "scree/sim/simulation.hpp"
#include "scree/sim/solid_prototype.hpp"

namespace scree {
namespace {

constexpr double kPi = std::numbers::pi;

/// Boxes and hinges between them.
class Robots {
 public:
  Robots() {
    model_.materials = {{"steel", 2000}};
    model_.laws = LawTable(1, {LawKind::coulomb, 0.6});
    model_.gravity = {0, 0, -9.81};
    model_.step.h = 1e-3;
    model_.solver.tolerance = 1e-6;
    model_.obstacles.push_back({"floor", HalfSpace{}, {}, 0, {}});
    state_ = initial_state(model_);
  }

  void add(const Vec3& at) {
    const BodyId trunk = add_box(at + Vec3{0, 0, 0.56}, {0.6, 0.3, 0.12});
    for (const double x : {-0.25, 0.0, 0.25})
      for (const double side : {-1.0, 1.0})
        add_leg(trunk, at + Vec3{x, 0.2 * side, 0.56}, x * kPi * 4 + side * kPi / 2);
  }

  Simulation start() { return {std::move(model_), std::move(state_), 1}; }

 private:
  BodyId add_box(const Vec3& at, const Vec3& size) {
    const SolidPrototype solid = solid_prototype(Box{0.5 * size});
    const Vec3 half = std::get<Box>(solid.prototype.shape).half_extent;
    const auto known = std::ranges::find_if(model_.prototypes, [&](const Prototype& p) {
      const auto* box = std::get_if<Box>(&p.shape);
      return box && box->half_extent == half;
    });
    const auto prototype = static_cast<PrototypeId>(known - model_.prototypes.begin());
    if (known == model_.prototypes.end()) model_.prototypes.push_back(solid.prototype);
    const BodyId id{state_.next_id++};
    state_.bodies.push_back({.id = id,
                             .position = at,
                             .radius = solid.radius,
                             .mass = 2000 * size.x * size.y * size.z,
                             .prototype = prototype});
    return id;
  }

  /// A hinge with a motor that pulls towards `swing` times a sine.
  void hinge(BodyId a, const Vec3& of_a, BodyId b, const Vec3& of_b, const Vec3& axis, double swing,
             double phase) {
    const Quaternion turn = rotation_between({0, 0, 1}, axis);
    Joint joint{.name = std::to_string(model_.joints.size()), .kind = JointKind::revolute};
    joint.a = {a, {of_a, turn}};
    joint.b = {b, {of_b, turn}};
    joint.drives = {{.lower = -1,
                     .upper = 1,
                     .motor = {.kind = Motor::Kind::position,
                               .target = [=](double t) { return swing * std::sin(8 * t + phase); },
                               .max = 60,
                               .stiffness = 800,
                               .damping = 8}}};
    model_.joints.push_back(joint);
    state_.joints.push_back({});
  }

  void add_leg(BodyId trunk, const Vec3& top, double phase) {
    const Vec3 hip_size{0.06, 0.06, 0.06}, link{0.05, 0.05, 0.2}, foot{0.12, 0.1, 0.02};
    const Vec3 trunk_at = state_.bodies.position[trunk.value];
    const BodyId hip = add_box(top, hip_size), thigh = add_box(top - Vec3{0, 0, 0.14}, link),
                 shank = add_box(top - Vec3{0, 0, 0.36}, link),
                 ankle = add_box(top - Vec3{0, 0, 0.5}, hip_size),
                 sole = add_box(top - Vec3{0, 0, 0.55}, foot);
    hinge(trunk, top - trunk_at, hip, {}, {1, 0, 0}, 0.02, phase);
    hinge(hip, {0, 0, -0.03}, thigh, {0, 0, 0.11}, {0, 1, 0}, 0.05, phase);
    hinge(thigh, {0, 0, -0.11}, shank, {0, 0, 0.11}, {0, 1, 0}, 0.1, phase + kPi);
    hinge(shank, {0, 0, -0.11}, ankle, {0, 0, 0.03}, {0, 1, 0}, 0.05, phase);
    hinge(ankle, {0, 0, -0.03}, sole, {0, 0, 0.02}, {1, 0, 0}, 0.02, phase + kPi);
  }

  Model model_;
  State state_;
};

void run(Figures& figures, const std::string& name, int robots, int before, int steps) {
  Robots world;
  const int across = static_cast<int>(std::ceil(std::sqrt(robots)));
  for (int k = 0; k < robots; ++k)
    world.add({1.2 * (k % across), 1.2 * static_cast<double>(k / across), 0});
  Simulation simulation = world.start();
  for (int k = 0; k < before; ++k) simulation.step();
  std::vector<double> seconds;
  std::array<double, kStageNames.size()> stage{};
  double residual = 0, error = 0, contacts = 0, sweeps = 0;
  constexpr int kBatches = 5;
  for (int batch = 0; batch < kBatches; ++batch) {
    const std::clock_t start = std::clock();  // CPU time: other programs do not count
    for (int k = 0; k < steps; ++k) {
      const Report& report = simulation.step();
      for (std::size_t s = 0; s < stage.size(); ++s) stage[s] += report.stage_seconds[s];
      residual = std::max(residual, report.residual);
      error = std::max(error, report.joint_error);
      contacts += static_cast<double>(report.contacts) / (kBatches * steps);
      sweeps += static_cast<double>(report.sweeps) / (kBatches * steps);
    }
    seconds.push_back(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / steps / robots);
  }
  std::ranges::sort(seconds);
  std::printf(
      "%s: %d joints, %.1f contacts on the mean, %.1f sweeps, E_s at most %.2g, ends %.2g m "
      "apart\n",
      name.c_str(), 30 * robots, contacts, sweeps, residual, error);
  std::printf("%.0f robot-steps/s (%.0f to %.0f)\n", 1 / seconds[kBatches / 2], 1 / seconds.back(),
              1 / seconds.front());
  for (std::size_t s = 0; s < stage.size(); ++s)
    std::printf("%14s %8.4f ms\n", kStageNames[s].data(), 1e3 * stage[s] / (kBatches * steps));
  figures.add("joints/" + name, 1e9 * seconds[kBatches / 2]);
}

}  // namespace
}  // namespace scree

int main(int argc, char** argv) {
  scree::Figures figures;
  scree::run(figures, "robot_step", 1, 300, 400);
  scree::run(figures, "robot_step_of_1000", 1000, 5, 1);
  // The same when they walk: some steps recompute the curvature, others do not.
  scree::run(figures, "robot_step_of_1000_walking", 1000, 60, 4);
  figures.write(argc, argv);
}

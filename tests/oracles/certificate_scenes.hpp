/// Random scenes of the kinds by which the certificate is measured.
#pragma once

#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <string>

#include "scree/math/random.hpp"

namespace scree::test {

/// Draws the numbers of a scene.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_{seed, 0} {}
  double between(double low, double high) { return random_.uniform(low, high); }
  /// Equally often in each decade.
  double scale(double low, double high) { return std::exp(between(std::log(low), std::log(high))); }
  int number(int low, int high) { return low + static_cast<int>(between(0, high - low + 1)); }
  template <class... T>
  std::string one_of(T... choices) {
    const std::string all[]{choices...};
    return all[static_cast<std::size_t>(number(0, sizeof...(T) - 1))];
  }

 private:
  RandomStream random_;
};

inline std::string vector(double x, double y, double z) {
  return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", x, y, z);
}

/// Head of a scene; `law` has the keys of the default law besides its name.
inline std::string head(double h, const std::string& law, double density = 2500,
                        const std::string& other_material = "") {
  return fmt::format(
      "scree: 1\nuntil: 1000\nstep: {{h: {:.17g}}}\n"
      "materials: {{stone: {{density: {:.17g}}}{}}}\ndefault_law: {{{}}}\n",
      h, density, other_material.empty() ? "" : ", " + other_material + ": {density: 1000}", law);
}

inline std::string random_law(Dice& dice) {
  const std::string name =
      dice.one_of("coulomb", "coulomb", "max_dissipation", "cone_complementarity", "polyhedral");
  return fmt::format("law: {}, friction: {:.17g}", name, dice.scale(0.05, 1));
}

inline double random_step(Dice& dice) { return dice.scale(1e-5, 1e-2); }

/// A flat body of size L that lies on z = 0, with a velocity.
inline std::string flat_body(Dice& dice, double L, const std::string& motion) {
  const std::string kind = dice.one_of("box", "cylinder", "polyhedron");
  if (kind == "box")
    return fmt::format("  - box: {{position: {}, size: {}, {}}}\n", vector(0, 0, 0.1 * L),
                       vector(L, L * dice.between(0.5, 2), 0.2 * L), motion);
  if (kind == "cylinder")
    return fmt::format(
        "  - cylinder: {{position: {}, axis: [0, 0, 1], radius: {:.17g}, length: {:.17g}, {}}}\n",
        vector(0, 0, 0.1 * L), 0.5 * L, 0.2 * L, motion);
  std::string points;
  for (const double z : {-0.1 * L, 0.1 * L})
    for (int k = 0; k < 5; ++k)
      points += (points.empty() ? "" : ", ") +
                vector(0.5 * L * std::cos(2 * std::numbers::pi * k / 5),
                       0.5 * L * std::sin(2 * std::numbers::pi * k / 5), z);
  return fmt::format("  - solid: {{position: {}, shape: {{polyhedron: {{points: [{}]}}}}, {}}}\n",
                     vector(0, 0, 0.1 * L), points, motion);
}

const std::string kFloor = "obstacles:\n  - half_space: {point: [0, 0, 0], normal: [0, 0, 1]}\n";

inline std::string sliding(Dice& dice) {
  const double L = dice.scale(0.01, 1), speed = dice.scale(0.01, 100);
  const double angle = dice.between(0, 2 * std::numbers::pi);
  return head(random_step(dice), random_law(dice)) + "bodies:\n" +
         flat_body(dice, L,
                   fmt::format("velocity: {}, angular_velocity: {}",
                               vector(speed * std::cos(angle), speed * std::sin(angle), 0),
                               vector(0, 0, dice.between(-1, 1) * speed / L))) +
         kFloor;
}

/// A belt carries a body off, or brakes it.
inline std::string belt(Dice& dice) {
  const double L = dice.scale(0.01, 1), speed = dice.scale(0.01, 100);
  return head(random_step(dice), random_law(dice)) + "bodies:\n" +
         flat_body(dice, L, "velocity: " + vector(0, dice.between(0, 1) * speed, 0)) +
         "obstacles:\n  - half_space: {point: [0, 0, 0], normal: [0, 0, 1], surface_velocity: " +
         vector(speed, 0, 0) + "}\n";
}

/// From a floor to another one with less friction.
inline std::string two_floors(Dice& dice) {
  const double L = dice.scale(0.01, 1), speed = dice.scale(0.1, 30);
  const double h = std::min(random_step(dice), 0.1 * L / speed);
  return head(h, "law: coulomb, friction: 0.6", 2500, "smooth") +
         fmt::format("laws: [{{between: [stone, smooth], law: coulomb, friction: {:.17g}}}]\n",
                     dice.scale(0.05, 0.5)) +
         "bodies:\n" + flat_body(dice, L, "material: stone, velocity: " + vector(speed, 0, 0)) +
         fmt::format(
             "obstacles:\n  - box: {{material: stone, position: {}, size: {}}}\n"
             "  - box: {{material: smooth, position: {}, size: {}}}\n",
             vector(-10 * L + 0.2 * L, 0, -L), vector(20 * L, 20 * L, 2 * L),
             vector(10 * L + 0.2 * L, 0, -L), vector(20 * L, 20 * L, 2 * L));
}

/// A ball that slides, spins and rolls, sometimes with rolling friction.
inline std::string ball(Dice& dice) {
  const double R = dice.scale(1e-3, 1), speed = dice.scale(0.01, 100);
  std::string law = random_law(dice);
  if (dice.number(0, 1) == 1)
    law = fmt::format("law: coulomb, friction: {:.17g}, rolling_friction: {:.17g}",
                      dice.scale(0.05, 1), R * dice.scale(1e-3, 0.1));
  return head(random_step(dice), law) +
         fmt::format(
             "bodies:\n  - sphere: {{position: {}, radius: {:.17g}, velocity: {}, "
             "angular_velocity: {}}}\n",
             vector(0, 0, R), R, vector(speed, 0, 0),
             vector(0, dice.between(0, 1) * speed / R, dice.between(-1, 1) * speed / R)) +
         kFloor;
}

/// A shaft that spins in a sleeve, or a plug in a hole.
inline std::string sleeve(Dice& dice) {
  const double R = dice.scale(1e-3, 0.1), play = R * dice.scale(1e-3, 0.03);
  return head(dice.scale(1e-5, 1e-3), random_law(dice)) +
         fmt::format(
             "bodies:\n  - cylinder: {{position: {}, radius: {:.17g}, length: {:.17g}, axis: "
             "[0, 1, 0], angular_velocity: {}}}\n",
             vector(0, 0, -play), R - play, 4 * R, vector(0, dice.scale(1, 300), 0)) +
         fmt::format("obstacles:\n  - hollow_cylinder: {{from: {}, to: {}, radius: {:.17g}}}\n",
                     vector(0, -4 * R, 0), vector(0, 4 * R, 0), R);
}

inline std::string turntable(Dice& dice) {
  const double L = dice.scale(0.01, 0.3), rate = dice.scale(0.1, 10);
  return head(random_step(dice), random_law(dice)) + "bodies:\n" +
         flat_body(dice, L, fmt::format("velocity: {}", vector(0, rate * L, 0))) +
         fmt::format(
             "motions:\n  table: {{pivot: {}, axis: [0, 0, 1], speed: {:.17g}}}\n"
             "obstacles:\n  - box: {{position: {}, size: {}, motion: table}}\n",
             vector(-L, 0, 0), rate, vector(-L, 0, -L), vector(20 * L, 20 * L, 2 * L));
}

/// Boxes on each other; the lowest is pushed.
inline std::string stack(Dice& dice) {
  const double L = dice.scale(0.01, 1);
  std::string bodies = "bodies:\n";
  const int count = dice.number(2, 12);
  for (int k = 0; k < count; ++k)
    bodies += fmt::format(
        "  - box: {{position: {}, size: {}, velocity: {}}}\n", vector(0, 0, (k + 0.5) * L),
        vector(L, L, L),
        vector(k == 0 ? dice.one_of("0", "1") == "1" ? dice.scale(0.01, 1) : 0 : 0, 0, 0));
  return head(dice.scale(1e-4, 2e-3), random_law(dice)) + bodies + kFloor;
}

/// Spheres, or boxes, that fall on each other in a box; its floor may run like a belt.
inline std::string bed(Dice& dice, double d, double floor_speed) {
  const std::string shape = dice.one_of(
      fmt::format(
          "random: {{region: {{min: {}, max: {}}}, radius: {{uniform: [{:.17g}, {:.17g}]}}, "
          "count: 40, seed: {}}}",
          vector(-2 * d, -2 * d, 0), vector(2 * d, 2 * d, 10 * d), 0.4 * d, 0.6 * d,
          dice.number(1, 1000000)),
      fmt::format("lattice: {{region: {{min: {}, max: {}}}, spacing: {}, size: {}, "
                  "orientation: random, seed: {}}}",
                  vector(-2 * d, -2 * d, 0), vector(2 * d, 2 * d, 8 * d),
                  vector(1.7 * d, 1.7 * d, 1.7 * d), vector(0.9 * d, 0.8 * d, 0.7 * d),
                  dice.number(1, 1000000)));
  std::string walls = fmt::format(
      "obstacles:\n  - half_space: {{point: [0, 0, 0], normal: [0, 0, 1], surface_velocity: {}}}\n",
      vector(floor_speed, 0, 0));
  for (const int side : {-1, 1}) {
    walls += fmt::format("  - half_space: {{point: {}, normal: [{}, 0, 0]}}\n",
                         vector(2.1 * side * d, 0, 0), -side);
    walls += fmt::format("  - half_space: {{point: {}, normal: [0, {}, 0]}}\n",
                         vector(0, 2.1 * side * d, 0), -side);
  }
  return head(0.02 * std::sqrt(d / 9.81), random_law(dice)) + "bodies:\n  - " + shape + "\n" +
         walls;
}

/// A bed that comes to rest.
inline std::string heap(Dice& dice) { return bed(dice, dice.scale(1e-3, 0.1), 0); }

/// A bed that a belt below it keeps in flow.
inline std::string flow(Dice& dice) {
  const double d = dice.scale(1e-3, 0.1);
  return bed(dice, d, std::sqrt(9.81 * d) * dice.scale(0.3, 10));
}

/// A trunk on three legs, whose motors swing them.
inline std::string robot(Dice& dice) {
  const double L = dice.scale(0.1, 1), leg = 0.5 * L, foot = 0.04 * L, hip = leg + 2 * foot;
  std::string bodies = fmt::format("bodies:\n  - box: {{name: trunk, position: {}, size: {}}}\n",
                                   vector(0, 0, hip + 0.11 * L), vector(L, 0.6 * L, 0.2 * L));
  std::string joints = "joints:\n";
  const double places[3][2] = {{0.4, 0}, {-0.4, 0.25}, {-0.4, -0.25}};
  for (int k = 0; k < 3; ++k) {
    const double x = places[k][0] * L, y = places[k][1] * L;
    bodies += fmt::format(
        "  - solid: {{name: leg{}, position: {}, shape: {{capsule: {{radius: {:.17g}, length: "
        "{:.17g}}}}}}}\n",
        k, vector(x, y, 0.5 * hip), foot, leg);
    joints += fmt::format(
        "  - revolute: {{a: trunk, b: leg{}, at: {}, axis: [0, 1, 0], angle: {{motor: {{position: "
        "\"{:.17g}*sin({:.17g}*t)\"}}}}}}\n",
        k, vector(x, y, hip), dice.between(-0.5, 0.5), dice.scale(1, 20));
  }
  return head(dice.scale(1e-4, 2e-3),
              fmt::format("law: coulomb, friction: {:.17g}", dice.scale(0.05, 1)), 1000) +
         bodies + joints + kFloor;
}

/// Driven fingers hold a box.
inline std::string gripper(Dice& dice) {
  const double L = dice.scale(0.02, 0.3), weight = 1000 * L * L * L * 9.81;
  const double mu = dice.scale(0.2, 1), force = weight / (2 * mu) * dice.scale(0.5, 20);
  const auto finger = [&](int side) {
    return fmt::format(
        "  - prismatic: {{a: world, b: {}, at: {}, axis: [{}, 0, 0], slide: {{motor: "
        "{{velocity: \"{:.17g}\", max: {:.17g}}}}}}}\n",
        side < 0 ? "left" : "right", vector(0.66 * side * L, 0, 0), -side, L, force);
  };
  return head(dice.scale(1e-4, 2e-3), fmt::format("law: coulomb, friction: {:.17g}", mu), 1000) +
         fmt::format(
             "bodies:\n  - box: {{name: left, position: {}, size: {}}}\n"
             "  - box: {{name: right, position: {}, size: {}}}\n"
             "  - box: {{name: load, position: [0, 0, 0], size: {}}}\n",
             vector(-0.66 * L, 0, 0), vector(0.3 * L, 0.6 * L, L), vector(0.66 * L, 0, 0),
             vector(0.3 * L, 0.6 * L, L), vector(L, L, L)) +
         "joints:\n" + finger(-1) + finger(1);
}

/// A crank drives a block that slides on the floor. Joints hold the height of the block, so that
/// its law must not make it rise.
inline std::string crank(Dice& dice) {
  const double L = dice.scale(0.02, 0.5), rate = dice.scale(0.5, 20);
  return head(dice.scale(1e-5, 1e-3),
              fmt::format("law: coulomb, friction: {:.17g}", dice.scale(0.05, 1)), 1000) +
         fmt::format(
             "bodies:\n  - box: {{name: crank, position: {}, size: {}}}\n"
             "  - box: {{name: rod, position: {}, size: {}}}\n"
             "  - box: {{name: block, position: {}, size: {}}}\n",
             vector(0.5 * L, 0, 0.25 * L), vector(L, 0.1 * L, 0.1 * L),
             vector(2 * L, 0.2 * L, 0.25 * L), vector(2 * L, 0.1 * L, 0.1 * L),
             vector(3 * L, 0, 0.25 * L), vector(L, 0.2 * L, 0.5 * L)) +
         fmt::format(
             "joints:\n  - revolute: {{a: world, b: crank, at: {}, axis: [0, 0, 1], angle: "
             "{{motor: {{velocity: \"{:.17g}\"}}}}}}\n"
             "  - revolute: {{a: crank, b: rod, at: {}, axis: [0, 0, 1]}}\n"
             "  - spherical: {{a: rod, b: block, at: {}}}\n",
             vector(0, 0, 0.25 * L), rate, vector(L, 0, 0.25 * L), vector(3 * L, 0, 0.25 * L)) +
         kFloor;
}

struct SceneKind {
  const char* name;
  std::string (*scene)(Dice&);
  int steps;  ///< up to which one is chosen
  /// False if the law may allow several motions: a face bears its load at more corners than are
  /// needed, and friction turns the body by their shares.
  bool has_one_answer = true;
  bool any_method = true;
};
inline constexpr SceneKind kSceneKinds[] = {
    {"slides", sliding, 30, false},
    {"belts", belt, 30},
    {"two floors", two_floors, 60, false},
    {"balls", ball, 30},
    {"sleeves", sleeve, 60},
    {"turntables", turntable, 30},
    {"stacks", stack, 60},
    {"heaps", heap, 300},
    {"flows", flow, 200, true, false},
    {"grippers", gripper, 60, true, false},
    {"cranks", crank, 200, true, false},
    {"robots", robot, 400, true, false},
};

}  // namespace scree::test

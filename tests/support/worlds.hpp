/// Small worlds that tests share.
#pragma once

#include <algorithm>
#include <numbers>
#include <string>

#include "scree/sim/simulation.hpp"
#include "scree/sim/solid_prototype.hpp"

namespace scree::test {

inline constexpr double kGravity = 9.81;  ///< [m/s²]

/// A model and its state, filled by hand.
struct World {
  Model model;
  State state;
  std::vector<Body> bodies;

  /// One material of density 1000 kg/m³ whose every pair obeys `law`.
  explicit World(const PairLaw& law, double h) {
    model.materials = {{"stone", 1000}};
    model.laws = LawTable(1, law);
    model.gravity = {0, 0, -kGravity};
    model.step.h = h;
    model.solver = {.method = SolverKind::gauss_seidel, .tolerance = 1e-10, .max_sweeps = 1000};
  }

  World& half_space(const Vec3& point, const Vec3& normal) {
    const Vec3 unit = normal / norm(normal);
    model.obstacles.push_back(
        {"plane", HalfSpace{}, {point, rotation_between({0, 0, 1}, unit)}, 0, {}});
    return *this;
  }

  World& obstacle(const Shape& shape, const Pose& pose, std::function<Twist(double)> motion = {}) {
    model.obstacles.push_back({"obstacle", shape, pose, 0, std::move(motion)});
    return *this;
  }

  Body& sphere(const Vec3& position, double radius, const Vec3& velocity = {},
               const Vec3& angular_velocity = {}) {
    Body body;
    body.id = {state.next_id++};
    body.position = position, body.velocity = velocity, body.angular_velocity = angular_velocity;
    body.radius = radius;
    body.mass = model.materials[0].density * 4 * std::numbers::pi / 3 * radius * radius * radius;
    bodies.push_back(body);
    return bodies.back();
  }

  Body& box(const Vec3& position, const Vec3& size, const Quaternion& orientation = {}) {
    const Vec3 half = 0.5 * size;
    const double radius = norm(half);
    const VolumeProperties solid = volume_properties(Box{half / radius});
    const Prototype prototype{Box{half / radius}, solid.inertia / solid.volume};
    const auto same = [&](const Prototype& p) {
      return !p.is_sphere() && std::get<Box>(p.shape).half_extent == half / radius;
    };
    const auto found = std::ranges::find_if(model.prototypes, same);
    Body& body = sphere(position, radius);
    body.prototype = static_cast<PrototypeId>(found - model.prototypes.begin());
    if (found == model.prototypes.end()) model.prototypes.push_back(prototype);
    body.orientation = orientation;
    body.mass = model.materials[0].density * size.x * size.y * size.z;
    return body;
  }

  /// A solid body whose shape stands at `pose`.
  Body& solid(const SolidPrototype& solid, const Pose& pose) {
    Body& body = sphere(pose.position, solid.radius);
    const Pose own = body_pose(solid.prototype, solid.radius, pose);
    body.position = own.position;
    body.orientation = own.orientation;
    body.prototype = static_cast<PrototypeId>(model.prototypes.size());
    body.mass = model.materials[0].density *
                volume_properties(scaled(solid.prototype.shape, solid.radius)).volume;
    model.prototypes.push_back(solid.prototype);
    return body;
  }
  Body& solid(const Shape& shape, const Pose& pose) { return solid(solid_prototype(shape), pose); }
  /// The hull of some points, placed by their frame.
  Body& polyhedron(const std::vector<Vec3>& points, const Pose& pose) {
    const PlacedHull hull = convex_hull(points);
    model.hulls.push_back(hull.hull);
    return solid(solid_prototype(hull), pose);
  }

  Simulation simulation(int threads = 1,
                        InstructionSet instructions = widest_instruction_set()) const {
    State complete = initial_state(model);
    complete.next_id = state.next_id;
    for (const Body& body : bodies) complete.bodies.push_back(body);
    return Simulation(model, std::move(complete), threads, instructions);
  }
};

inline PairLaw coulomb(double mu, double restitution = 0) {
  return {LawKind::coulomb, mu, restitution};
}

/// Steps until time t, to the nearest step.
inline const Report& run_until(Simulation& simulation, double t) {
  while (simulation.state().time + simulation.model().step.h / 2 < t) simulation.step();
  return simulation.report();
}

/// Of all forms, less what came from outside [J].
inline double total_energy(const Report& r) {
  return r.kinetic_energy + r.potential_energy + r.force_energy.elastic() + r.dissipated_energy -
         r.wall_work;
}

/// The body with this id.
inline Body body_of(const Simulation& simulation, std::uint64_t id) {
  const Bodies& bodies = simulation.state().bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies.id[i].value == id) return bodies[i];
  throw std::out_of_range("no body of this id");
}

/// `count` spheres thrown at random into a box with floor and walls, without overlap: size and
/// velocity vary by `spread` [-].
inline World random_pile(int count, const PairLaw& law, double h, std::uint64_t seed,
                         double spread = 0.3) {
  World world(law, h);
  world.model.solver.tolerance = 1e-4;
  world.model.solver.max_sweeps = 100;
  const double radius = 5e-3, spacing = 2.02 * radius * (1 + spread);
  const int side = static_cast<int>(std::ceil(std::cbrt(count / 2.0)));
  const double width = side * spacing;
  world.half_space({0, 0, 0}, {0, 0, 1})
      .half_space({0, 0, 0}, {1, 0, 0})
      .half_space({width, 0, 0}, {-1, 0, 0});
  world.half_space({0, 0, 0}, {0, 1, 0}).half_space({0, width, 0}, {0, -1, 0});
  RandomStream random{seed, 0};
  const auto jitter = [&] { return random.uniform(-1, 1); };
  for (int k = 0; k < count; ++k) {
    const Vec3 cell{k % side + 0.5, k / side % side + 0.5,
                    static_cast<double>(k / side / side) + 0.5};
    const double r = radius * (1 + spread * jitter());
    const double room = 0.5 * spacing - r;
    // One after the other: compilers choose the order of arguments.
    const Vec3 spin = 10 * Vec3{jitter(), jitter(), jitter()};
    const Vec3 velocity = 0.3 * Vec3{jitter(), jitter(), jitter()};
    const Vec3 off = 0.9 * room * Vec3{jitter(), jitter(), jitter()};
    world.sphere(spacing * cell + off, r, velocity, spin);
  }
  return world;
}

/// `count` boxes of three kinds, turned and thrown at random into a box with floor and walls.
inline World random_boxes(int count, const PairLaw& law, double h, std::uint64_t seed) {
  World world = random_pile(count, law, h, seed, 0.0);
  const Vec3 sizes[] = {{1, 1, 1}, {1, 0.5, 0.7}, {0.3, 1.2, 0.5}};
  RandomStream random{seed, 1};
  const std::vector<Body> spheres = std::exchange(world.bodies, {});
  world.state.next_id = 0;
  for (const Body& sphere : spheres) {
    const Vec3& size = sizes[world.bodies.size() % 3];
    const Vec3 axis{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    Body& box = world.box(sphere.position, 2 * sphere.radius / norm(size) * size,
                          normalised({random.uniform(-1, 1), axis.x, axis.y, axis.z}));
    box.velocity = sphere.velocity, box.angular_velocity = sphere.angular_velocity;
  }
  return world;
}

/// The corners of some solid, larger than 1 in no direction.
inline std::vector<Vec3> wedge() {
  return {{-0.5, -0.4, -0.3}, {0.5, -0.4, -0.3}, {0.5, 0.4, -0.3},
          {-0.5, 0.4, -0.3},  {-0.4, 0, 0.4},    {0.2, 0.1, 0.5}};
}
/// The same, along its principal axes.
inline std::vector<Vec3> roof() {
  return {{-0.5, -0.4, -0.3}, {0.5, -0.4, -0.3}, {0.5, 0.4, -0.3},
          {-0.5, 0.4, -0.3},  {-0.3, 0, 0.4},    {0.3, 0, 0.4}};
}
inline std::vector<Vec3> times(double size, std::vector<Vec3> points) {
  for (Vec3& p : points) p *= size;
  return points;
}

/// `count` bodies of many shapes, turned and thrown at random into a box with floor and walls.
/// Those whose contacts are found by four operations and square roots come first; only with `all`
/// there are others, too.
inline World random_solids(int count, const PairLaw& law, double h, std::uint64_t seed, bool all) {
  World world = random_pile(count, law, h, seed, 0.0);
  RandomStream random{seed, 1};
  const std::vector<Body> spheres = std::exchange(world.bodies, {});
  world.state.next_id = 0;
  const double r = spheres.front().radius;
  const PlacedHull hull = convex_hull(times(1.3 * r, roof()));
  world.model.hulls.push_back(hull.hull);
  std::vector<SolidPrototype> kinds{solid_prototype(Capsule{0.4 * r, 0.6 * r}),
                                    solid_prototype(hull),
                                    solid_prototype(Superellipsoid{{r, 0.6 * r, 0.5 * r}}),
                                    solid_prototype(Box{{0.5 * r, 0.4 * r, 0.7 * r}})};
  if (all) {
    kinds.push_back(solid_prototype(Cylinder{0.6 * r, 0.5 * r}));
    kinds.push_back(solid_prototype(Frustum{0.7 * r, 0, -0.6 * r, 0.6 * r}));
    kinds.push_back(solid_prototype(Frustum{0.7 * r, 0.4 * r, -0.4 * r, 0.5 * r}));
    kinds.push_back(solid_prototype(Superellipsoid{{0.7 * r, 0.6 * r, 0.5 * r}, 4, 3}));
    kinds.push_back({Prototype{}, 0.8 * r});
  }
  world.model.prototypes.clear();
  for (const SolidPrototype& kind : kinds) world.model.prototypes.push_back(kind.prototype);
  for (const Body& sphere : spheres) {
    const std::size_t kind = world.bodies.size() % kinds.size();
    const Shape shape = scaled(kinds[kind].prototype.shape, kinds[kind].radius);
    Body& body =
        world.sphere(sphere.position, kinds[kind].radius, sphere.velocity, sphere.angular_velocity);
    body.prototype = static_cast<PrototypeId>(kind);
    const Vec3 axis{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    body.orientation = normalised({random.uniform(-1, 1), axis.x, axis.y, axis.z});
    body.mass = world.model.materials[0].density * volume_properties(shape).volume;
  }
  return world;
}

/// Of a body about its centre [N m s].
inline Vec3 angular_momentum(const Model& model, const Body& body) {
  const Vec3 moments =
      body.mass * body.radius * body.radius * model.prototypes[body.prototype].inertia;
  const Vec3 w = rotate_back(body.orientation, body.angular_velocity);
  return rotate(body.orientation, {moments.x * w.x, moments.y * w.y, moments.z * w.z});
}

}  // namespace scree::test

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <unistd.h>

#include "scene/build.hpp"

namespace scree::scene {

namespace {

constexpr double kBytesPerBody = 1024;      // body, its neighbours, contacts and scratch in a dense packing [byte]
constexpr double kMostBodies = 2147483647;  // indices have 31 bits

/// Memory that can be had, the limits of a container included [byte].
double available_memory() {
  double bytes = std::numeric_limits<double>::infinity();
  std::ifstream meminfo("/proc/meminfo");
  std::string word;
  while (meminfo >> word)
    if (word == "MemAvailable:" && meminfo >> bytes) bytes *= 1024;
  double limit = 0, used = 0;
  std::ifstream maximum("/sys/fs/cgroup/memory.max"), current("/sys/fs/cgroup/memory.current");
  if (maximum >> limit && current >> used) bytes = std::min(bytes, std::max(0.0, limit - used));
  return bytes;
}

PrototypeId prototype_of(Build& build, const Node& node) {
  auto& prototypes = build.scene.model.prototypes;
  const Vec3 inertia = vec3(node);
  for (std::size_t i = 0; i < prototypes.size(); ++i)
    if (prototypes[i].inertia == inertia) return static_cast<PrototypeId>(i);
  if (prototypes.size() > std::numeric_limits<PrototypeId>::max()) {
    build.problems.report(node, "more than 65535 different inertias");
    return 0;
  }
  prototypes.push_back({Sphere{1}, inertia});
  return static_cast<PrototypeId>(prototypes.size() - 1);
}

/// Principal moments of a real body obey the triangle inequality, and fit into its bounding sphere.
void check_inertia(Build& build, const Node& node) {
  constexpr double kRounding = 1e-12;
  constexpr double kLeast = 1e-9;
  const Vec3 inertia = vec3(node);
  for (int k = 0; k < 3; ++k)
    if (inertia[k] < kLeast)
      build.problems.report(
          node, fmt::format("{} is below {}, the least principal moment that is usable", inertia[k], kLeast));
  const double sum = inertia.x + inertia.y + inertia.z;
  for (int k = 0; k < 3; ++k)
    if (2 * inertia[k] > sum * (1 + kRounding))
      build.problems.report(
          node, fmt::format("no body has these principal moments: {} is more than the other two together", inertia[k]));
  if (sum > 2 * (1 + kRounding))
    build.problems.report(node, fmt::format("no body inside a sphere has these principal moments: their sum is {}, at "
                                            "most 2 is possible",
                                            sum));
}

void add_sphere(Build& build, const Node& node, MaterialId material) {
  Body body;
  body.position = vec3(node["position"]);
  const auto turn = orientation(node["orientation"], build.problems);
  if (!turn) return;
  body.orientation = *turn;
  body.velocity = vec3(node["velocity"]);
  body.angular_velocity = vec3(node["angular_velocity"]);
  body.radius = node["radius"].number;
  body.material = material;
  const auto given = number_if(node, "mass");
  if (given && node.find("density"))
    build.problems.report(node["density"], "mass and density exclude each other; leave one out");
  const auto density = given ? std::optional(1.0) : density_of(build, node, material);
  if (!density) return;
  if (given && !is_usable_mass(*given)) {
    build.problems.report(node["mass"],
                          fmt::format("{} kg is not between {} and {} kg", *given, kLeastMass, kMostMass));
    return;
  }
  const auto mass = given ? given : sphere_mass(build, node, body.radius, *density);
  if (!mass) return;
  body.mass = *mass;
  check_inertia(build, node["inertia"]);
  body.prototype = prototype_of(build, node["inertia"]);
  add_body(build, body);
}

void add_lattice(Build& build, const Node& node, MaterialId material, double density) {
  const double radius = node["radius"].number;
  const auto lattice = read_lattice(build, node, radius);
  if (!lattice || !check_memory(build, node, lattice->total())) return;
  const auto mass = sphere_mass(build, node, radius, density);
  if (!mass) return;
  RandomStream random{seed_of(build, node), 0};
  const Vec3 velocity = vec3(node["velocity"]), jitter = vec3(node["jitter"]);
  const bool avoid = node["avoid_obstacles"].truth;
  if (!avoid) make_room(build, static_cast<std::size_t>(lattice->total()));
  for (std::size_t i = 0; i < static_cast<std::size_t>(lattice->total()); ++i) {
    Body body{.position = lattice->centre(i), .velocity = velocity};
    if (avoid && hits_obstacle(build, body.position, radius)) continue;
    for (int k = 0; k < 3; ++k) body.velocity[k] += jitter[k] * random.uniform(-1, 1);
    body.radius = radius, body.mass = *mass, body.material = material;
    add_body(build, body);
  }
}

void warn_of_speed(Build& build, const BodyGroup& group) {
  const Bodies& bodies = build.scene.state.bodies;
  double worst = 0;
  for (std::size_t i = group.first; i < group.first + group.count; ++i)
    worst = std::max(worst, norm(bodies.velocity[i]) * build.scene.model.step.h / bodies.radius[i]);
  if (worst > 1)
    build.problems.warn(*group.node,
                        fmt::format("a body moves {:.3g} of its radii in one step of {} s; a smaller step.h "
                                    "gives better contacts",
                                    worst, build.scene.model.step.h));
}

void add_group(Build& build, const Node& node) {
  const std::size_t first = build.scene.state.bodies.size();
  if (node.key == "csv") {
    if (node.find("material")) material_of(build, node);
    if (sound(node)) add_csv(build, node);
  } else {
    const auto material = material_of(build, node);
    if (!sound(node) || !material) return;
    if (node.key == "sphere") {
      add_sphere(build, node, *material);
    } else if (const auto density = density_of(build, node, *material)) {
      if (node.key == "lattice") add_lattice(build, node, *material, *density);
      if (node.key == "random") add_random_filling(build, node, *material, *density);
    }
  }
  build.groups.push_back({&node, first, build.scene.state.bodies.size() - first});
  warn_of_speed(build, build.groups.back());
}

}  // namespace

bool check_memory(Build& build, const Node& node, double n) {
  const double total = n + static_cast<double>(build.scene.state.bodies.size());
  if (total > kMostBodies) {
    build.problems.report(node,
                          fmt::format("this makes {:.4g} bodies; at most {:.0f} can be simulated", total, kMostBodies));
    return false;
  }
  constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
  const double needed = total * kBytesPerBody, there = available_memory();
  if (needed <= there) return true;
  build.problems.report(node,
                        fmt::format("this makes {:.4g} bodies, which need about {:.3g} GiB of memory; {:.3g} GiB are "
                                    "available",
                                    total, needed / kGiB, there / kGiB));
  return false;
}

void make_room(Build& build, std::size_t n) {
  Bodies& bodies = build.scene.state.bodies;
  if (n > bodies.size()) bodies.reserve(bodies.size() + n);
}

void add_body(Build& build, const Body& body) {
  Body numbered = body;
  numbered.id = {build.scene.state.next_id++};
  build.scene.state.bodies.push_back(numbered);
}

std::optional<double> sphere_mass(Build& build, const Node& node, double radius, double density) {
  const double mass = density * volume_properties(Sphere{radius}).volume;
  if (is_usable_mass(mass)) return mass;
  build.problems.report(node,
                        fmt::format("a sphere of radius {} m and density {} kg/m3 has a mass of {} kg, which is not "
                                    "between {} and {} kg",
                                    radius, density, mass, kLeastMass, kMostMass));
  return {};
}

bool hits_obstacle(const Build& build, const Vec3& centre, double radius) {
  return std::any_of(build.scene.model.obstacles.begin(), build.scene.model.obstacles.end(),
                     [&](const Obstacle& o) { return signed_distance(o.shape, o.pose, centre).distance < radius; });
}

void build_bodies(Build& build) {
  for (const Node& entry : build.root["bodies"].children)
    for (const Node& node : entry.children)
      if (node.is_map() && !entry.faulty) add_group(build, node);
}

}  // namespace scree::scene

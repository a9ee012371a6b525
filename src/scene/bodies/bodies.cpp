/// Reads single bodies and groups of bodies.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <unistd.h>

#include "scene/build.hpp"

namespace scree::scene {

namespace {

// memory of a body with neighbours, contacts and scratch in a dense packing [byte]
constexpr double kBytesPerBody = 1024;
constexpr double kMaxBodies = 2147483647;  // indices have 31 bits

/// Available memory, within the limits of a container [byte].
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

/// Checks that principal moments obey the triangle inequality; warns of those that do not fit into
/// the bounding sphere.
void check_inertia(Build& build, const Node& node) {
  constexpr double kRounding = 1e-12;
  constexpr double kMin = 1e-9;
  const Vec3 inertia = vec3(node);
  for (int k = 0; k < 3; ++k)
    if (inertia[k] < kMin)
      build.problems.report(
          node,
          fmt::format("{} is below {}, the smallest principal moment allowed", inertia[k], kMin));
  const double sum = inertia.x + inertia.y + inertia.z;
  for (int k = 0; k < 3; ++k)
    if (2 * inertia[k] > sum * (1 + kRounding))
      build.problems.report(
          node,
          fmt::format("no body has these principal moments: {} exceeds the sum of the other two",
                      inertia[k]));
  if (sum > 2 * (1 + kRounding))
    build.problems.warn(node, fmt::format("they are {:.3g} times as large as those of any body "
                                          "inside its bounding sphere; their sum is at most 2",
                                          sum / 2));
}

/// Given mass, or volume times density; none, and reported, if neither is usable.
std::optional<double> read_mass(Build& build, const Node& node, const Shape& shape,
                                MaterialId material) {
  const auto given = number_if(node, "mass");
  if (!given) {
    const auto density = density_of(build, node, material);
    return density ? mass_of(build, node, shape, *density) : std::nullopt;
  }
  if (node.find("density"))
    build.problems.report(node["density"], "mass and density exclude each other; leave one out");
  if (is_usable_mass(*given)) return given;
  build.problems.report(
      node["mass"], fmt::format("{} kg is not between {} and {} kg", *given, kMinMass, kMaxMass));
  return {};
}

std::optional<BodyKind> read_solid_kind(Build& build, const Node& node) {
  const Node* inertia = node.find("inertia");
  if (!inertia) return solid_kind(build, node["shape"]);
  const auto mass = number_if(node, "mass");
  if (mass) return solid_kind_of_inertia(build, node["shape"], *inertia, *mass);
  build.problems.report(*inertia, "moments of inertia need a mass; add 'mass'");
  return {};
}

BodyKind read_sphere_kind(Build& build, const Node& node) {
  check_inertia(build, node["inertia"]);
  BodyKind kind{.radius = node["radius"].number};
  kind.prototype = prototype_of(build, node["inertia"], {kind.shape, vec3(node["inertia"])});
  return kind;
}

/// A kind, and the pose of the frame that users place its body by.
struct PlacedKind {
  BodyKind kind;
  Pose pose;
};

/// The shape, inertia and pose of a single body.
std::optional<PlacedKind> read_single_kind(Build& build, const Node& node) {
  if (node.key == "sphere" || node.key == "solid") {
    const auto rotation = orientation(node["orientation"], build.problems);
    const auto kind =
        node.key == "solid" ? read_solid_kind(build, node) : read_sphere_kind(build, node);
    if (!rotation || !kind) return {};
    return PlacedKind{*kind, {vec3(node["position"]), *rotation}};
  }
  const auto placed = read_placed_shape(build, node);
  const auto kind = placed ? kind_of_shape(build, node, placed->shape) : std::nullopt;
  if (!kind) return {};
  return PlacedKind{*kind, placed->pose};
}

/// Records the name of the body that is added next, for joints.
void name_body(Build& build, const Node& node) {
  const Node& name = node["name"];
  if (name.text.empty()) return;
  const bool taken = name.text == "world" || build.obstacles.contains(name.text);
  const BodyId id{build.scene.state.next_id};
  if (taken || !build.body_names.emplace(name.text, id).second)
    build.problems.report(
        name,
        fmt::format(
            "the name '{}' is taken; give each body and obstacle its own name, other than world",
            name.text));
  else
    build.scene.named_bodies.push_back({id, name.text});
}

/// Adds one body.
void add_single(Build& build, const Node& node, MaterialId material) {
  auto placed = read_single_kind(build, node);
  if (!placed || !lock(build, node, placed->kind)) return;
  const auto& [kind, pose] = *placed;
  const auto mass = read_mass(build, node, scaled(kind.shape, kind.radius), material);
  if (!mass) return;
  name_body(build, node);
  Body body{.velocity = vec3(node["velocity"]),
            .angular_velocity = vec3(node["angular_velocity"]),
            .radius = kind.radius,
            .mass = *mass,
            .prototype = kind.prototype,
            .material = material};
  place(build, body, pose);
  add_body(build, body);
}

void add_lattice(Build& build, const Node& node, MaterialId material, double density) {
  const auto kind = read_kind(build, node);
  if (!kind) return;
  const auto lattice = read_lattice(build, node, *kind);
  if (!lattice || !check_memory(build, node, lattice->total())) return;
  const auto mass = mass_of(build, node, scaled(kind->shape, kind->radius), density);
  if (!mass) return;
  RandomStream random{seed_of(build, node), 0};
  const Vec3 velocity = vec3(node["velocity"]), jitter = vec3(node["jitter"]);
  const bool avoid = node["avoid_obstacles"].truth;
  if (!avoid) reserve_bodies(build, static_cast<std::size_t>(lattice->total()));
  for (std::size_t i = 0; i < static_cast<std::size_t>(lattice->total()); ++i) {
    Body body = body_of(build, *kind, kind->radius, random);
    body.position += lattice->centre(i);
    body.material = material;
    if (avoid && hits_obstacle(build, body)) continue;
    body.velocity = velocity;
    for (int k = 0; k < 3; ++k) body.velocity[k] += jitter[k] * random.uniform(-1, 1);
    body.mass = *mass;
    add_body(build, body);
  }
}

void warn_of_speed(Build& build, const BodyGroup& group) {
  const Bodies& bodies = build.scene.state.bodies;
  const double h = build.scene.model.step.h;
  double worst = 0;
  for (std::size_t i = group.first; i < group.first + group.count; ++i)
    worst = std::max(worst, norm(bodies.velocity[i]) * h / bodies.radius[i]);
  if (worst > 1)
    build.problems.warn(*group.node,
                        fmt::format("a body moves {:.3g} times its radius in one step of {} s; "
                                    "for better contacts take step.h = {:.2g} s or less",
                                    worst, h, h / worst));
}

/// Warns of fast rotation: contact points are those of the start of a step, so edges may miss what
/// they should hit. Spheres are exempt, because their surface does not move along its normal.
void warn_of_spin(Build& build, const BodyGroup& group) {
  constexpr double kMaxRotation = 0.1;  // [rad]
  const Bodies& bodies = build.scene.state.bodies;
  const double h = build.scene.model.step.h;
  double angle = 0;  // [rad]
  for (std::size_t i = group.first; i < group.first + group.count; ++i)
    if (!build.scene.model.prototypes[bodies.prototype[i]].is_sphere())
      angle = std::max(angle, norm(bodies.angular_velocity[i]) * h);
  if (angle > kMaxRotation)
    build.problems.warn(*group.node,
                        fmt::format("a body rotates by {:.3g} rad in one step, so its edges may "
                                    "pass through other bodies; take step.h = {:.2g} s or less",
                                    angle, h * kMaxRotation / angle));
}

/// Warns of bodies so far from the origin that rounding of positions stops slow ones.
void warn_of_distance(Build& build, const BodyGroup& group) {
  constexpr double kFine = 1e-9;  // [radius] smaller displacements per step count as rest
  const Bodies& bodies = build.scene.state.bodies;
  const double h = build.scene.model.step.h;
  for (std::size_t i = group.first; i < group.first + group.count; ++i) {
    const Vec3 &x = bodies.position[i], &v = bodies.velocity[i];
    for (int k = 0; k < 3; ++k) {
      const double apart =
          std::abs(std::nextafter(x[k], std::numeric_limits<double>::infinity()) - x[k]);
      if (v[k] == 0 || x[k] + h * v[k] != x[k] || apart < kFine * bodies.radius[i]) continue;
      build.problems.warn(
          *group.node,
          fmt::format(
              "a body at {} = {:.6g} m would move by {:.2g} m in one step, but doubles are {:.2g} "
              "m apart there: rounding stops it along {}; move the scene closer to the origin",
              "xyz"[k], x[k], h * std::abs(v[k]), apart, "xyz"[k]));
      return;
    }
  }
}

void add_group(Build& build, const Node& node) {
  const std::size_t first = build.scene.state.bodies.size();
  if (node.key == "csv") {
    if (node.find("material")) material_of(build, node);
    if (sound(node)) add_csv(build, node);
  } else if (node.key == "from") {
    if (sound(node)) add_run(build, node);
  } else {
    const auto material = material_of(build, node);
    if (!sound(node) || !material) return;
    if (node.key != "lattice" && node.key != "random") {
      add_single(build, node, *material);
    } else if (const auto density = density_of(build, node, *material)) {
      if (node.key == "lattice") add_lattice(build, node, *material, *density);
      if (node.key == "random") add_random_filling(build, node, *material, *density);
    }
  }
  build.groups.push_back({&node, first, build.scene.state.bodies.size() - first});
  warn_of_speed(build, build.groups.back());
  warn_of_spin(build, build.groups.back());
  warn_of_distance(build, build.groups.back());
}

}  // namespace

bool check_memory(Build& build, const Node& node, double n) {
  const double total = n + static_cast<double>(build.scene.state.bodies.size());
  if (total > kMaxBodies) {
    build.problems.report(
        node, fmt::format("this makes {:.4g} bodies; at most {:.0f} can be simulated", total,
                          kMaxBodies));
    return false;
  }
  constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
  const double needed = total * kBytesPerBody, there = available_memory();
  if (needed <= there) return true;
  build.problems.report(
      node,
      fmt::format("this makes {:.4g} bodies, which need about {:.3g} GiB of memory; {:.3g} GiB are "
                  "available",
                  total, needed / kGiB, there / kGiB));
  return false;
}

void reserve_bodies(Build& build, std::size_t n) {
  Bodies& bodies = build.scene.state.bodies;
  if (n > bodies.size()) bodies.reserve(bodies.size() + n);
}

void add_body(Build& build, const Body& body) {
  Body numbered = body;
  numbered.id = {build.scene.state.next_id++};
  build.scene.state.bodies.push_back(numbered);
}

void build_bodies(Build& build) {
  for (const Node& entry : entries_of(build.root["bodies"]))
    for (const Node& node : entry.children)
      if (node.is_map() && !entry.faulty) add_group(build, node);
}

}  // namespace scree::scene

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "scene/build.hpp"
#include "scree/collision/contact_points.hpp"

namespace scree::scene {

namespace {

/// The least principal moment of a needle is then as large as the least that a sphere may be given.
constexpr double kLargestEdgeRatio = 1e4;  // [-]
constexpr double kRounding = 1e-15;        // of lengths of a shape of bounding radius 1

/// Shapes of free bodies, at bounding radius 1.
bool is_same(const Shape& a, const Shape& b) {
  const auto *box = std::get_if<Box>(&a), *other = std::get_if<Box>(&b);
  if (!box || !other) return a.index() == b.index();
  const Vec3 apart = box->half_extent - other->half_extent;
  return std::max({std::abs(apart.x), std::abs(apart.y), std::abs(apart.z)}) <= kRounding;
}

/// A box of bounding radius 1 with edges in the proportions of `size`.
Prototype box_prototype(const Vec3& size) {
  const Box box{size / norm(size)};
  const VolumeProperties properties = volume_properties(box);
  return {box, properties.inertia / properties.volume};
}

/// False, and reported, if the edges are too unequal.
bool check_edges(Build& build, const Node& node) {
  const Vec3 size = vec3(node);
  const auto [least, most] = std::minmax({size.x, size.y, size.z});
  if (most <= kLargestEdgeRatio * least) return true;
  build.problems.report(
      node, fmt::format("the longest edge, {} m, is {:.3g} times the shortest, {} m; up to {:.0f} "
                        "times can be simulated",
                        most, most / least, least, kLargestEdgeRatio));
  return false;
}

/// Of a group's key; random if it is that word.
bool read_orientation(Build& build, const Node& node, BodyKind& kind) {
  if (node.is_string()) {
    kind.orientation = std::nullopt;
    return true;
  }
  kind.orientation = orientation(node, build.problems);
  return kind.orientation.has_value();
}

std::string text_of_box(const Box& box) {
  const Vec3 size = 2 * box.half_extent;
  return fmt::format("{:.6g} x {:.6g} x {:.6g} m", size.x, size.y, size.z);
}

bool is_sphere(const Build& build, const Body& body) {
  return std::holds_alternative<Sphere>(build.scene.model.prototypes[body.prototype].shape);
}

double overlap(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  if (const auto* sphere = std::get_if<Sphere>(&a))
    return sphere->radius - signed_distance(b, pose_b, pose_a.position).distance;
  if (std::holds_alternative<Sphere>(b)) return overlap(b, pose_b, a, pose_a);
  return -separation(a, pose_a, b, pose_b).distance;
}

}  // namespace

PrototypeId prototype_of(Build& build, const Node& node, const Prototype& wanted) {
  auto& prototypes = build.scene.model.prototypes;
  for (std::size_t i = 0; i < prototypes.size(); ++i)
    if (is_same(prototypes[i].shape, wanted.shape) &&
        (wanted.inertia == prototypes[i].inertia || std::holds_alternative<Box>(wanted.shape)))
      return static_cast<PrototypeId>(i);
  if (prototypes.size() > std::numeric_limits<PrototypeId>::max()) {
    build.problems.report(node, "more than 65535 different shapes and inertias");
    return 0;
  }
  prototypes.push_back(wanted);
  return static_cast<PrototypeId>(prototypes.size() - 1);
}

std::optional<BodyKind> box_kind(Build& build, const Node& size) {
  if (!check_edges(build, size)) return {};
  BodyKind kind{.name = "box", .plural = "boxes"};
  const Prototype prototype = box_prototype(vec3(size));
  kind.prototype = prototype_of(build, size, prototype);
  kind.shape = build.scene.model.prototypes[kind.prototype].shape;
  kind.radius = norm(vec3(size)) / 2;
  return kind;
}

std::optional<BodyKind> read_kind(Build& build, const Node& group) {
  const Node *radius = group.find("radius"), *size = group.find("size");
  if ((radius != nullptr) == (size != nullptr)) {
    build.problems.report(group,
                          "give either radius, which makes spheres, or size, which makes boxes");
    return {};
  }
  if (radius) {
    for (const char* key : {"orientation", "scale"})
      if (const Node* node = group.find(key)) {
        build.problems.report_key(
            *node, fmt::format("'{}' is for boxes, and radius makes spheres; leave it out", key));
        return {};
      }
    return BodyKind{.radius = radius->is_number() ? radius->number : 1};
  }
  auto kind = box_kind(build, *size);
  if (!kind) return {};
  if (group.key == "random") kind->orientation = std::nullopt;
  if (const Node* node = group.find("orientation"); node && !read_orientation(build, *node, *kind))
    return {};
  return kind;
}

Body body_of(const BodyKind& kind, double radius, RandomStream& random) {
  Body body{.radius = radius, .prototype = kind.prototype};
  body.orientation = kind.orientation ? *kind.orientation : random_orientation(random);
  return body;
}

Shape shape_of(const Build& build, const Body& body) {
  return scaled(build.scene.model.prototypes[body.prototype].shape, body.radius);
}

std::string description_of(const Build& build, const Body& body) {
  const Shape shape = shape_of(build, body);
  const auto* box = std::get_if<Box>(&shape);
  return box ? "size " + text_of_box(*box) : fmt::format("radius {:.6g} m", body.radius);
}

std::optional<double> mass_of(Build& build, const Node& node, const Shape& shape, double density) {
  const double mass = density * volume_properties(shape).volume;
  if (is_usable_mass(mass)) return mass;
  const auto* box = std::get_if<Box>(&shape);
  const std::string what = box ? "box of " + text_of_box(*box)
                               : fmt::format("sphere of radius {} m", bounding_radius(shape));
  build.problems.report(
      node,
      fmt::format("a {} and density {} kg/m3 has a mass of {} kg, which is not between {} and "
                  "{} kg",
                  what, density, mass, kLeastMass, kMostMass));
  return {};
}

double overlap(const Build& build, const Body& a, const Body& b) {
  const Domain& domain = build.scene.model.domain;
  if (is_sphere(build, a) && is_sphere(build, b))
    return a.radius + b.radius - norm(domain.separation(a.position, b.position));
  const Pose nearest{domain.nearest(a.position, b.position), b.orientation};
  return overlap(shape_of(build, a), pose_of(a), shape_of(build, b), nearest);
}

double overlap(const Build& build, const Body& body, const Obstacle& obstacle) {
  const Pose nearest{build.scene.model.domain.nearest(obstacle.pose.position, body.position),
                     body.orientation};
  const double at_most =
      body.radius - signed_distance(obstacle.shape, obstacle.pose, nearest.position).distance;
  if (at_most <= 0 || is_sphere(build, body)) return at_most;
  return overlap(shape_of(build, body), nearest, obstacle.shape, obstacle.pose);
}

bool hits_obstacle(const Build& build, const Body& body) {
  return std::ranges::any_of(build.scene.model.obstacles, [&](const Obstacle& obstacle) {
    return overlap(build, body, obstacle) > 0;
  });
}

}  // namespace scree::scene

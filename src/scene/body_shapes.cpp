/// Shapes of solids: the key `shape` of bodies and obstacles.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <span>
#include <stdexcept>

#include "scene/build.hpp"

namespace scree::scene {

namespace {

/// Up to here distances of random pairs agree with brute force to 1e-9 of the smaller body.
constexpr double kMostSlender = 100;  // bounding radius over inner radius [-]

std::optional<Frustum> read_frustum(Build& build, const Node& node) {
  const bool cone = node.key == "cone";
  const double bottom = node[cone ? "radius" : "bottom_radius"].number,
               top = cone ? 0 : node["top_radius"].number, half = node["length"].number / 2;
  if (std::max(bottom, top) > 0) return Frustum{bottom, top, -half, half};
  build.problems.report(node, "one of bottom_radius and top_radius has to be above 0");
  return {};
}

Superellipsoid read_superellipsoid(const Node& node) {
  Superellipsoid shape{vec3(node["semi_axes"])};
  if (const Node* exponents = node.find("exponents")) {
    shape.lateral = exponents->children[0].number;
    shape.vertical = exponents->children[1].number;
  }
  return shape;
}

std::optional<PlacedHull> read_points(Build& build, const Node& node) {
  std::vector<Vec3> points;
  for (const Node& point : node.children) points.push_back(vec3(point));
  try {
    return convex_hull(points);
  } catch (const std::invalid_argument& e) {
    build.problems.report(
        node, fmt::format("no body can be made of these {} points: {}", points.size(), e.what()));
    return {};
  }
}

std::optional<PlacedHull> read_polyhedron(Build& build, const Node& node) {
  const Node *points = node.find("points"), *mesh = node.find("mesh");
  if ((points != nullptr) == (mesh != nullptr)) {
    build.problems.report(node, "a polyhedron is given by points, or by the mesh of a file");
    return {};
  }
  return points ? read_points(build, *points) : read_mesh_hull(build, *mesh);
}

/// What has one word for its kind, and a frame that follows from its numbers.
std::optional<Shape> read_simple(Build& build, const Node& node) {
  if (node.key == "cone" || node.key == "frustum") {
    if (const auto frustum = read_frustum(build, node)) return *frustum;
    return {};
  }
  if (node.key == "ellipsoid" || node.key == "superellipsoid") return read_superellipsoid(node);
  const double radius = node["radius"].number, half = node["length"].number / 2;
  if (node.key == "cylinder") return Cylinder{radius, half};
  return Capsule{radius, half};
}

/// False, and reported, if the shape is too flat or too long.
bool check_slenderness(Build& build, const Node& node, const SolidPrototype& solid) {
  const double ratio = 1 / solid.prototype.inner_radius();
  if (ratio <= kMostSlender * (1 + 1e-9)) return true;
  build.problems.report(
      node, fmt::format("reaches {:.6g} m from its centre of mass, {:.4g} times the radius of the "
                        "largest sphere about it that fits inside; up to {:.0f} times can be "
                        "simulated",
                        solid.radius, ratio, kMostSlender));
  return false;
}

}  // namespace

std::optional<SolidShape> read_solid_shape(Build& build, const Node& node) {
  const Node& kind = node.children[0];
  SolidShape solid{.name = kind.key, .plural = kind.key + "s"};
  if (kind.key == "frustum") solid.plural = "frusta";
  if (kind.key == "polyhedron") {
    const auto placed = read_polyhedron(build, kind);
    if (!placed) return {};
    solid.plural = "polyhedra";
    solid.hull = placed->hull;
    solid.shape = Polyhedron{placed->hull.get(), placed->size};
    solid.in_shape = placed->pose;
    solid.body = solid_prototype(*placed);
  } else {
    const auto shape = read_simple(build, kind);
    if (!shape) return {};
    solid.shape = *shape;
    solid.body = solid_prototype(*shape);
  }
  if (!check_slenderness(build, kind, solid.body)) return {};
  return solid;
}

}  // namespace scree::scene

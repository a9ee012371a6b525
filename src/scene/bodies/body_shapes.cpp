/// Shapes of solids: the key `shape` of bodies and obstacles.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <span>
#include <stdexcept>

#include "scene/build.hpp"
#include "scree/collision/contact_points.hpp"
#include "scree/geometry/clump_about.hpp"

namespace scree::scene {

namespace {

/// Up to this limit, distances of random pairs agree with brute force to 1e-9 of the smaller body.
constexpr double kMaxSlender = 100;  // bounding radius over inner radius [-]

std::optional<Frustum> read_frustum(Build& build, const Node& node) {
  const bool cone = node.key == "cone";
  const double bottom = node[cone ? "radius" : "bottom_radius"].number,
               top = cone ? 0 : node["top_radius"].number, half = node["length"].number / 2;
  if (std::max(bottom, top) > 0) return Frustum{bottom, top, -half, half};
  build.problems.report(node, "bottom_radius or top_radius must be above 0");
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
    build.problems.report(node, "give a polyhedron either points or the mesh of a file");
    return {};
  }
  return points ? read_points(build, *points) : read_mesh_hull(build, *mesh);
}

/// Reads a shape that its numbers define in its own frame.
std::optional<Shape> read_simple(Build& build, const Node& node) {
  if (node.key == "cone" || node.key == "frustum") {
    if (const auto frustum = read_frustum(build, node)) return *frustum;
    return {};
  }
  if (node.key == "ellipsoid" || node.key == "superellipsoid") return read_superellipsoid(node);
  if (node.key == "box") return Box{0.5 * vec3(node["size"])};
  const double radius = node["radius"].number;
  if (node.key == "sphere") return Sphere{radius};
  const double half = node["length"].number / 2;
  if (node.key == "cylinder") return Cylinder{radius, half};
  return Capsule{radius, half};
}

/// False, and reported, if the shape is too flat or too long.
bool check_slenderness(Build& build, const Node& node, const SolidPrototype& solid) {
  const double ratio = 1 / solid.prototype.inscribed_radius();
  if (ratio <= kMaxSlender * (1 + 1e-9)) return true;
  build.problems.report(
      node, fmt::format("too slender: it reaches {:.6g} m from its centre of mass, {:.4g} times "
                        "the radius of the largest sphere {}; at most {:.0f} times is supported",
                        solid.radius, ratio,
                        is_clump(solid.prototype.shape) ? "inside its smallest part"
                                                        : "centred there that fits inside",
                        kMaxSlender));
  return false;
}

SolidShape simple_solid(const Shape& shape) {
  SolidShape solid;
  solid.shape = shape;
  solid.body = solid_prototype(shape);
  return solid;
}

/// What a solid is, but its name.
std::optional<SolidShape> read_convex(Build& build, const Node& kind) {
  if (kind.key == "polyhedron") {
    const auto placed = read_polyhedron(build, kind);
    if (!placed) return {};
    SolidShape solid;
    solid.hull = placed->hull;
    solid.shape = Polyhedron{placed->hull.get(), placed->size};
    solid.in_shape = placed->pose;
    solid.body = solid_prototype(*placed);
    return solid;
  }
  const auto shape = read_simple(build, kind);
  if (!shape) return {};
  return simple_solid(*shape);
}

/// Warns once if some part is not connected to the first.
void warn_of_loose_parts(Build& build, const Node& node, const std::vector<ClumpPart>& parts,
                         double size) {
  constexpr double kRounding = 1e-9;
  std::vector<std::size_t> reached{0};
  std::vector<bool> is_reached(parts.size());
  is_reached[0] = true;
  for (std::size_t k = 0; k < reached.size(); ++k)
    for (std::size_t other = 0; other < parts.size(); ++other) {
      const ClumpPart &a = parts[reached[k]], &b = parts[other];
      if (is_reached[other] ||
          separation(a.shape, a.pose, b.shape, b.pose).distance > kRounding * size)
        continue;
      is_reached[other] = true;
      reached.push_back(other);
    }
  if (reached.size() == parts.size()) return;
  const auto loose =
      static_cast<std::size_t>(std::ranges::find(is_reached, false) - is_reached.begin());
  build.problems.warn(node,
                      fmt::format("the clump's parts are not connected: part {} does not touch the "
                                  "parts connected to part 0; all parts still move as one body",
                                  loose));
}

std::optional<SolidShape> read_clump(Build& build, const Node& node) {
  std::vector<ClumpPart> parts;
  std::vector<std::shared_ptr<const ConvexHull>> hulls;
  for (const Node& part : node.children) {
    const Node& kind = part["shape"].children[0];
    const auto solid = read_convex(build, kind);
    const auto turn = orientation(part["orientation"], build.problems);
    if (!solid || !turn || !check_slenderness(build, kind, solid->body)) return {};
    if (solid->hull) hulls.push_back(solid->hull);
    parts.push_back({solid->shape, moved({vec3(part["position"]), *turn}, solid->in_shape)});
  }
  SolidShape solid;
  if (parts.size() == 1) {  // it is that shape
    const SolidPrototype alone = solid_prototype(parts[0].shape);
    solid.shape = parts[0].shape;
    solid.in_shape = parts[0].pose;
    solid.body = alone;
    solid.body.prototype.in_shape =
        moved({parts[0].pose.position / alone.radius, parts[0].pose.orientation},
              alone.prototype.in_shape);
    if (!hulls.empty()) solid.hull = hulls[0];
    return solid;
  }
  try {
    const PlacedClump placed = clump_of(parts, std::move(hulls));
    solid.clump = placed.clump;
    solid.shape = Clump{placed.clump.get(), placed.size};
    solid.in_shape = placed.pose;
    solid.body = solid_prototype(placed);
    warn_of_loose_parts(build, node, parts, placed.size);
    return solid;
  } catch (const std::invalid_argument& e) {
    build.problems.report(node, fmt::format("no body can be made of this clump: {}", e.what()));
    return {};
  }
}

/// Warns of moments that are larger than the reach of the shape allows, `ratio` times in total.
void warn_of_wide_inertia(Build& build, const Node& node, double ratio, const Vec3& moments,
                          const Vec3& of_solid) {
  constexpr double kMistake = 10;
  const auto largest = [](const Vec3& v) { return std::max({v.x, v.y, v.z}); };
  build.problems.warn(
      node["moments"],
      fmt::format("they are {:.3g} times as large as the reach of the shape allows{}; the largest "
                  "is {:.3g} kg m2, that of a solid body of this shape is {:.3g}",
                  ratio, ratio > kMistake ? ", as if their units were wrong" : "", largest(moments),
                  largest(of_solid)));
}

/// Names a solid by its key. None, and reported, if it is too flat or too long.
std::optional<SolidShape> named(Build& build, const Node& kind, SolidShape solid) {
  if (!check_slenderness(build, kind, solid.body)) return {};
  solid.name = kind.key;
  solid.plural = kind.key == "frustum"      ? "frusta"
                 : kind.key == "polyhedron" ? "polyhedra"
                                            : kind.key + "s";
  return solid;
}

}  // namespace

bool give_inertia(Build& build, const Node& node, double mass, SolidShape& solid) {
  const Vec3 moments = vec3(node["moments"]);
  constexpr double kRounding = 1e-9;
  const double sum = moments.x + moments.y + moments.z;
  const double largest = std::max({moments.x, moments.y, moments.z});
  if (2 * largest > sum * (1 + kRounding)) {
    build.problems.report(
        node["moments"],
        fmt::format("no body has these principal moments: {} exceeds the sum of the other two",
                    largest));
    return false;
  }
  const auto turn = orientation(node["orientation"], build.problems);
  if (!turn) return false;
  // Shape in the user's frame
  const auto& [unit, of_shape, in_shape, locked] = solid.body.prototype;
  const double size = solid.body.radius;
  const Pose at{size * in_shape.position, in_shape.orientation};
  std::vector<ClumpPart> parts;
  std::vector<std::shared_ptr<const ConvexHull>> hulls;
  if (solid.clump) {
    for (const ClumpPart& part : solid.clump->parts())
      parts.push_back({scaled(part.shape, size),
                       moved(at, {size * part.pose.position, part.pose.orientation})});
    hulls.assign(solid.clump->hulls().begin(), solid.clump->hulls().end());
  } else {
    parts.push_back({scaled(unit, size), at});
    if (solid.hull) hulls.push_back(solid.hull);
  }
  const double volume = volume_properties(scaled(unit, size)).volume;
  const PlacedClump placed = clump_about({vec3(node["centre"]), *turn}, moments / mass, volume,
                                         std::move(parts), std::move(hulls));
  const double reach = mass * placed.size * placed.size;
  constexpr double kMin = 1e-9;
  if (std::min({moments.x, moments.y, moments.z}) < kMin * reach) {
    build.problems.report(
        node["moments"],
        fmt::format("a body of {} kg that reaches {:.6g} m from its centre of mass needs principal "
                    "moments of at least {:.3g} kg m2 each",
                    mass, placed.size, kMin * reach));
    return false;
  }
  if (sum > 2 * reach) {
    const Vec3 of_solid = mass * size * size * solid.body.prototype.inertia;
    warn_of_wide_inertia(build, node, sum / (2 * reach), moments, of_solid);
  }
  solid.clump = placed.clump;
  solid.hull = nullptr;
  solid.shape = Clump{placed.clump.get(), placed.size};
  solid.in_shape = placed.pose;
  solid.body = solid_prototype(placed);
  return true;
}

std::optional<SolidShape> read_solid_shape(Build& build, const Node& node) {
  const Node& kind = node.children[0];
  auto solid = kind.key == "clump" ? read_clump(build, kind) : read_convex(build, kind);
  if (!solid) return {};
  return named(build, kind, std::move(*solid));
}

std::optional<SolidShape> solid_shape_of(Build& build, const Node& node, const Shape& shape) {
  return named(build, node, simple_solid(shape));
}

}  // namespace scree::scene

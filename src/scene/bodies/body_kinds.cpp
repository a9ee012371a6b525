/// Kinds and prototypes of bodies, and their overlaps with bodies and obstacles.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "scene/build.hpp"
#include "scree/collision/contact_points.hpp"
#include "scree/geometry/triangle_mesh.hpp"

namespace scree::scene {

namespace {

/// Ratio at which the smallest principal moment of a needle equals the smallest allowed for a
/// sphere.
constexpr double kLargestEdgeRatio = 1e4;     // [-]
constexpr double kSameShapeRounding = 1e-15;  // [-] for lengths at bounding radius 1

/// Collects the numbers that define a solid shape of bounding radius 1.
struct NumbersOf {
  using Numbers = std::vector<double>;

  Numbers operator()(const Box& s) const { return of(s.half_extent); }
  Numbers operator()(const Cylinder& s) const { return {s.radius, s.half_length}; }
  Numbers operator()(const Capsule& s) const { return {s.radius, s.half_length}; }
  Numbers operator()(const Frustum& s) const {
    return {s.bottom_radius, s.top_radius, s.bottom, s.top};
  }
  Numbers operator()(const Superellipsoid& s) const {
    return {s.semi_axes.x, s.semi_axes.y, s.semi_axes.z, s.lateral, s.vertical};
  }
  Numbers operator()(const Polyhedron& s) const {
    Numbers all;
    for (const Vec3& v : s.hull->vertices())
      all.insert(all.end(), {s.scale * v.x, s.scale * v.y, s.scale * v.z});
    return all;
  }
  Numbers operator()(const Clump& s) const {
    Numbers all;
    for (const ClumpPart& part : s.parts->parts()) {
      const auto& [w, x, y, z] = part.pose.orientation;
      const Vec3& at = part.pose.position;
      all.insert(all.end(),
                 {static_cast<double>(part.shape.index()), at.x, at.y, at.z, w, x, y, z});
      const Numbers own = std::visit(*this, part.shape);
      all.insert(all.end(), own.begin(), own.end());
    }
    return all;
  }
  Numbers operator()(const Sphere& s) const { return {s.radius}; }
  Numbers operator()(const auto& /*shape*/) const { return {}; }

  static Numbers of(const Vec3& v) { return {v.x, v.y, v.z}; }
};

bool are_same(const std::vector<double>& a, const std::vector<double>& b) {
  return std::ranges::equal(
      a, b, [](double x, double y) { return std::abs(x - y) <= kSameShapeRounding; });
}

/// True if two prototypes are the same. The inertia follows from the shape, except for spheres and
/// clumps.
bool is_same(const Prototype& a, const Prototype& b) {
  if (a.shape.index() != b.shape.index() || a.locked != b.locked) return false;
  const auto numbers = [](const Pose& pose) {
    const auto& [w, x, y, z] = pose.orientation;
    return std::vector{pose.position.x, pose.position.y, pose.position.z, w, x, y, z};
  };
  if (!are_same(numbers(a.in_shape), numbers(b.in_shape))) return false;
  if (a.is_sphere()) return a.inertia == b.inertia;
  constexpr double kAlike = 1e-12;  // relative difference of moments of equal clumps
  if (is_clump(a.shape) && norm(a.inertia - b.inertia) > kAlike * norm(a.inertia)) return false;
  return are_same(std::visit(NumbersOf{}, a.shape), std::visit(NumbersOf{}, b.shape));
}

/// False, and reported, if the edges are too unequal.
bool check_edges(Build& build, const Node& node, const Box& box) {
  const Vec3 size = 2 * box.half_extent;
  const auto [shortest, longest] = std::minmax({size.x, size.y, size.z});
  if (longest <= kLargestEdgeRatio * shortest) return true;
  const Node* edges = node.find("size");
  build.problems.report(edges ? *edges : node,
                        fmt::format("the longest edge, {} m, is {:.3g} times the shortest, "
                                    "{} m; at most {:.0f} times is supported",
                                    longest, longest / shortest, shortest, kLargestEdgeRatio));
  return false;
}

/// Reads the orientation of a group; the only word allowed is random.
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

/// "cone of bounding radius 0.1 m"
std::string text_of(const Shape& shape) {
  if (const auto* box = std::get_if<Box>(&shape)) return "box of " + text_of_box(*box);
  if (const auto* s = std::get_if<Sphere>(&shape))
    return fmt::format("sphere of radius {} m", s->radius);
  const auto* frustum = std::get_if<Frustum>(&shape);
  const char* name = std::holds_alternative<Cylinder>(shape)         ? "cylinder"
                     : std::holds_alternative<Capsule>(shape)        ? "capsule"
                     : std::holds_alternative<Superellipsoid>(shape) ? "superellipsoid"
                     : std::holds_alternative<Polyhedron>(shape)     ? "polyhedron"
                     : is_clump(shape)                               ? "clump"
                     : frustum && frustum->top_radius == 0           ? "cone"
                                                                     : "frustum";
  return fmt::format("{} of bounding radius {:.6g} m", name, bounding_radius(shape));
}

/// Kind of a group; adds its prototype to the model.
BodyKind kind_of(Build& build, const Node& node, const SolidShape& solid) {
  BodyKind kind{.name = solid.name, .plural = solid.plural};
  Model& model = build.scene.model;
  const std::size_t known = model.prototypes.size();
  kind.prototype = prototype_of(build, node, solid.body.prototype);
  kind.shape = model.prototypes[kind.prototype].shape;
  kind.radius = solid.body.radius;
  if (model.prototypes.size() == known) return kind;
  if (solid.hull) model.hulls.push_back(solid.hull);
  if (solid.clump) model.clumps.push_back(solid.clump);
  return kind;
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
  const auto known = std::ranges::find_if(
      prototypes, [&](const Prototype& prototype) { return is_same(prototype, wanted); });
  if (known != prototypes.end()) return static_cast<PrototypeId>(known - prototypes.begin());
  if (prototypes.size() > std::numeric_limits<PrototypeId>::max()) {
    build.problems.report(node,
                          "the scene has more than 65535 different shapes and inertias; use fewer");
    return 0;
  }
  prototypes.push_back(wanted);
  return static_cast<PrototypeId>(prototypes.size() - 1);
}

std::optional<BodyKind> kind_of_shape(Build& build, const Node& node, const Shape& shape) {
  if (const auto* box = std::get_if<Box>(&shape)) {
    if (!check_edges(build, node, *box)) return {};
    return kind_of(build, node, {.name = "box", .plural = "boxes", .body = solid_prototype(*box)});
  }
  const auto solid = solid_shape_of(build, node, shape);
  if (!solid) return {};
  return kind_of(build, node, *solid);
}

std::optional<BodyKind> solid_kind(Build& build, const Node& shape) {
  const auto solid = read_solid_shape(build, shape);
  if (!solid) return {};
  return kind_of(build, shape, *solid);
}

std::optional<BodyKind> solid_kind_of_inertia(Build& build, const Node& shape, const Node& inertia,
                                              double mass) {
  auto solid = read_solid_shape(build, shape);
  if (!solid || !give_inertia(build, inertia, mass, *solid)) return {};
  return kind_of(build, shape, *solid);
}

bool lock(Build& build, const Node& node, BodyKind& kind) {
  constexpr std::string_view kNames[2][3] = {{"x", "y", "z"}, {"rx", "ry", "rz"}};
  Locks locked;
  for (const Node& name : node["locked"].children)
    for (int axis = 0; axis < 3; ++axis) {
      if (name.text == kNames[0][axis]) locked.ways |= static_cast<AxisSet>(1 << axis);
      if (name.text == kNames[1][axis]) locked.turns |= static_cast<AxisSet>(1 << axis);
    }
  if (!locked.any()) return true;
  bool moves = false;
  const auto require_none = [&](const char* key, AxisSet axes, const char* how) {
    const Node* velocity = node.find(key);
    if (!velocity || vec3(*velocity) == without(vec3(*velocity), axes)) return;
    moves = true;
    build.problems.report(
        *velocity,
        fmt::format("the body is locked {} an axis where this is not 0; set that component to 0",
                    how));
  };
  require_none("velocity", locked.ways, "along");
  require_none("jitter", locked.ways, "along");
  require_none("angular_velocity", locked.turns, "about");
  if (moves) return false;
  Prototype prototype = build.scene.model.prototypes[kind.prototype];
  prototype.locked = locked;
  kind.prototype = prototype_of(build, node, prototype);
  return true;
}

namespace {

/// Kind of a group from radius, size or shape, and orientation, without locks.
std::optional<BodyKind> read_free_kind(Build& build, const Node& group) {
  const Node *radius = group.find("radius"), *size = group.find("size"),
             *shape = group.find("shape");
  if ((radius ? 1 : 0) + (size ? 1 : 0) + (shape ? 1 : 0) != 1) {
    build.problems.report(
        group, "give exactly one of radius (spheres), size (boxes) and shape (other shapes)");
    return {};
  }
  if (radius) {
    for (const char* key : {"orientation", "scale"})
      if (const Node* node = group.find(key)) {
        build.problems.report_key(
            *node,
            fmt::format(
                "'{}' applies to boxes and other shapes, but radius makes spheres; remove it",
                key));
        return {};
      }
    return BodyKind{.radius = radius->is_number() ? radius->number : 1};
  }
  auto kind =
      size ? kind_of_shape(build, group, Box{0.5 * vec3(*size)}) : solid_kind(build, *shape);
  if (!kind) return {};
  if (group.key == "random") kind->orientation = std::nullopt;
  if (const Node* node = group.find("orientation"); node && !read_orientation(build, *node, *kind))
    return {};
  return kind;
}

}  // namespace

std::optional<BodyKind> read_kind(Build& build, const Node& group) {
  auto kind = read_free_kind(build, group);
  if (!kind || !lock(build, group, *kind)) return {};
  return kind;
}

void place(const Build& build, Body& body, const Pose& pose) {
  const Pose own = body_pose(build.scene.model.prototypes[body.prototype], body.radius, pose);
  body.position = own.position;
  body.orientation = own.orientation;
}

Pose given_pose(const Build& build, const Body& body) {
  return shape_pose(build.scene.model.prototypes[body.prototype], body.radius, pose_of(body));
}

Body body_of(const Build& build, const BodyKind& kind, double radius, RandomStream& random) {
  Body body{.id = {build.scene.state.next_id}, .radius = radius, .prototype = kind.prototype};
  place(build, body, {{}, kind.orientation ? *kind.orientation : random_orientation(random)});
  return body;
}

Shape shape_of(const Build& build, const Body& body) {
  return scaled(build.scene.model.prototypes[body.prototype].shape, body.radius);
}

std::string description_of(const Build& build, const Body& body) {
  const Shape shape = shape_of(build, body);
  if (const auto* box = std::get_if<Box>(&shape)) return "size " + text_of_box(*box);
  if (is_sphere(build, body)) return fmt::format("radius {:.6g} m", body.radius);
  return text_of(shape);
}

std::optional<double> mass_of(Build& build, const Node& node, const Shape& shape, double density) {
  const double mass = density * volume_properties(shape).volume;
  if (is_usable_mass(mass)) return mass;
  build.problems.report(
      node, fmt::format(
                "a {} with density {} kg/m3 has a mass of {} kg, which is not between {} and {} kg",
                text_of(shape), density, mass, kMinMass, kMaxMass));
  return {};
}

double overlap(const Build& build, const Body& a, const Body& b) {
  const Domain& domain = build.scene.model.domain;
  if (is_sphere(build, a) && is_sphere(build, b))
    return a.radius + b.radius - norm(domain.separation(a.position, b.position));
  const Pose nearest{domain.nearest(a.position, b.position), b.orientation};
  return overlap(shape_of(build, a), pose_of(a), shape_of(build, b), nearest);
}

namespace {

/// True if a point of a mesh lies on an edge of only one facet, or on an end of such an edge.
bool is_on_rim(const TriangleMesh& mesh, const TriangleMesh::SurfacePoint& place) {
  const auto& facets = mesh.facets();
  if (place.region == TriangleMesh::kFace) return false;
  if (place.region < TriangleMesh::kCorner)
    return facets[place.facet].across[place.region - TriangleMesh::kEdge] == TriangleMesh::kNone;
  const std::uint32_t vertex = facets[place.facet].vertex[place.region - TriangleMesh::kCorner];
  return std::ranges::any_of(facets, [&](const TriangleMesh::Facet& facet) {
    for (std::size_t k = 0; k < 3; ++k)
      if (facet.across[k] == TriangleMesh::kNone &&
          (facet.vertex[k] == vertex || facet.vertex[(k + 1) % 3] == vertex))
        return true;
    return false;
  });
}

/// Distance of a point from an obstacle [m], negative inside. Next to the rim of an open mesh there
/// is no inside, and bodies fall past it.
double distance_from(const Obstacle& obstacle, const Vec3& point) {
  const double distance = signed_distance(obstacle.shape, obstacle.pose, point).distance;
  const auto* surface = std::get_if<Mesh>(&obstacle.shape);
  if (distance >= 0 || !surface || surface->mesh->is_closed()) return distance;
  const Vec3 local = rotate_back(obstacle.pose.orientation, point - obstacle.pose.position);
  const TriangleMesh::SurfacePoint place = surface->mesh->closest(local / surface->scale);
  return is_on_rim(*surface->mesh, place) ? -distance : distance;
}

}  // namespace

double overlap(const Build& build, const Body& body, const Obstacle& obstacle) {
  const Pose nearest{build.scene.model.domain.nearest(obstacle.pose.position, body.position),
                     body.orientation};
  const double at_most = body.radius - distance_from(obstacle, nearest.position);
  if (at_most <= 0 || is_sphere(build, body)) return at_most;
  return overlap(shape_of(build, body), nearest, obstacle.shape, obstacle.pose);
}

std::optional<std::uint32_t> obstacle_hit(const Build& build, const Body& body) {
  const auto& obstacles = build.scene.model.obstacles;
  for (std::uint32_t k = 0; k < obstacles.size(); ++k)
    if (overlap(build, body, obstacles[k]) > 0 && !ignore_each_other(build, body, k)) return k;
  return {};
}

bool hits_obstacle(const Build& build, const Body& body) {
  return obstacle_hit(build, body).has_value();
}

std::string advice_on_normal(const Obstacle& obstacle, const Vec3& point) {
  if (!std::holds_alternative<HalfSpace>(obstacle.shape) || distance_from(obstacle, point) >= 0)
    return "";
  return fmt::format(
      "the normal of the half_space '{}' must point to the side of the bodies: "
      "reverse it, or move its point",
      obstacle.name);
}

}  // namespace scree::scene

/// Reads obstacles, inflows and outflows.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "scene/build.hpp"

namespace scree::scene {

std::string name_for(Build& build, const Node& node, const std::string& path,
                     std::map<std::string, const Node*>& taken) {
  const Node& given = node["name"];
  std::string name = given.text.empty() ? path : given.text;
  const auto [first, is_new] = taken.emplace(name, &node);
  if (!is_new) {
    const SourcePosition position = nearest_position(*first->second);
    const std::string where =
        position.origin == 0 ? fmt::format(", on line {},", position.line) : "";
    build.problems.report(given,
                          fmt::format("{}{} already has the name '{}'; give each its own name",
                                      path_of(*first->second), where, name));
  }
  return name;
}

namespace {

std::optional<PlacedShape> read_half_space(Build& build, const Node& node) {
  const auto normal = unit_direction(node["normal"], build.problems);
  if (!normal) return {};
  return PlacedShape{HalfSpace{}, {vec3(node["point"]), rotation_between(kUp, *normal)}};
}

std::optional<PlacedShape> read_surface(Build& build, const Node& node) {
  const auto turn = orientation(node["orientation"], build.problems);
  const auto mesh =
      node.key == "height_map" ? read_height_map(build, node) : read_mesh(build, node);
  if (!mesh || !turn) return {};
  build.scene.model.meshes.push_back(mesh);
  return PlacedShape{Mesh{mesh.get()}, {vec3(node["position"]), *turn}};
}

/// Reads a hollow cylinder or cone.
std::optional<PlacedShape> read_hollow(Build& build, const Node& node) {
  const auto axis = read_axis(build, node);
  if (!axis) return {};
  const bool cone = node.key == "hollow_cone";
  const double bottom = node[cone ? "bottom_radius" : "radius"].number,
               top = node[cone ? "top_radius" : "radius"].number;
  if (!(std::max(bottom, top) > 0)) {
    build.problems.report(node, "bottom_radius or top_radius must be above 0");
    return {};
  }
  const std::string& closed = node["closed"].text;
  return PlacedShape{Hollow{.bottom_radius = bottom,
                            .top_radius = top,
                            .bottom = -axis->half_length,
                            .top = axis->half_length,
                            .closed_bottom = closed == "bottom" || closed == "both",
                            .closed_top = closed == "top" || closed == "both"},
                     axis->pose()};
}

/// Reads the key `shape`, placed by its own frame.
std::optional<PlacedShape> read_solid(Build& build, const Node& node) {
  const auto turn = orientation(node["orientation"], build.problems);
  const auto solid = read_solid_shape(build, node["shape"]);
  if (!solid || !turn) return {};
  if (solid->hull) build.scene.model.hulls.push_back(solid->hull);
  if (solid->clump) build.scene.model.clumps.push_back(solid->clump);
  return PlacedShape{solid->shape, moved({vec3(node["position"]), *turn}, solid->in_shape)};
}

std::optional<PlacedShape> read_shape(Build& build, const Node& node) {
  if (node.key == "solid") return read_solid(build, node);
  if (node.key == "mesh" || node.key == "height_map") return read_surface(build, node);
  if (node.key == "hollow_cylinder" || node.key == "hollow_cone") return read_hollow(build, node);
  if (node.key == "half_space") return read_half_space(build, node);
  if (node.key == "sphere")
    return PlacedShape{Sphere{node["radius"].number}, {vec3(node["position"]), {}}};
  return read_placed_shape(build, node);
}

void add_obstacle(Build& build, const Node& node, std::size_t index) {
  const auto material = material_of(build, node);
  const Node* motion_node = node.find("motion");
  const auto motion =
      motion_node && sound(*motion_node) ? read_motion(build, *motion_node) : std::nullopt;
  if (!sound(node)) return;
  const auto placed = read_shape(build, node);
  if (!material || !placed) return;
  Obstacle obstacle{
      .name = name_for(build, node, fmt::format("obstacles[{}]", index), build.obstacles),
      .shape = placed->shape,
      .pose = placed->pose,
      .material = *material};
  if (const Node* along = node.find("surface_velocity"))
    obstacle.surface_velocity = rotate_back(obstacle.pose.orientation, vec3(*along));
  if (const Node* wear = node.find("wear")) obstacle.records_wear = wear->truth;
  if (motion) set_motion(*motion, obstacle);
  build.scene.model.obstacles.push_back(std::move(obstacle));
}

// --- inflows and outflows ---

/// Normal of the plate; its velocity must point to the same side.
std::optional<Vec3> plate_normal(Build& build, const Node& node) {
  const Vec3 velocity = vec3(node["velocity"]);
  const Node* given = node.find("normal");
  const auto normal = unit_direction(given ? *given : node["velocity"], build.problems);
  if (!normal) return {};
  if (dot(*normal, velocity) > 0) return normal;
  build.problems.report(node["velocity"],
                        "the plate must move to the side that its normal points to");
  return {};
}

void check_layer(Build& build, const Node& node, const Inflow& inflow, const Vec3& point,
                 const Vec3& normal) {
  const double slack = 1e-6 * inflow.radius;
  for (const Vec3& centre : inflow.layer) {
    const double apart = dot(centre - point, normal);
    if (apart < inflow.radius - slack) {
      build.problems.report(
          node["layer"],
          fmt::format(
              "a new body at ({}, {}, {}) would be {} m from the plate, less than its radius {} m",
              centre.x, centre.y, centre.z, apart, inflow.radius));
      return;
    }
    if (hits_obstacle(
            build,
            {.position = centre, .radius = inflow.radius - slack, .material = inflow.material})) {
      build.problems.report(node["layer"],
                            fmt::format("a new body at ({}, {}, {}) would overlap an obstacle",
                                        centre.x, centre.y, centre.z));
      return;
    }
  }
}

void add_inflow(Build& build, const Node& node, std::size_t index) {
  const auto material = material_of(build, node),
             plate_material = material_of(
                 build, node, node.find("plate_material") ? "plate_material" : "material");
  if (!sound(node) || !material || !plate_material) return;
  const auto density = density_of(build, node, *material);
  const auto normal = plate_normal(build, node);
  const double radius = node["radius"].number;
  const auto lattice = read_lattice(build, node["layer"], {.radius = radius});
  if (!density || !normal || !lattice || !check_memory(build, node["layer"], lattice->total()))
    return;
  if (!mass_of(build, node, Sphere{radius}, *density)) return;

  Inflow inflow;
  inflow.name = name_for(build, node, fmt::format("inflows[{}]", index), build.obstacles);
  inflow.velocity = vec3(node["velocity"]);
  inflow.jitter = vec3(node["jitter"]);
  inflow.advance = node["advance"].number;
  inflow.radius = radius;
  inflow.material = *material;
  inflow.seed = seed_of(build, node);
  for (std::size_t i = 0; i < static_cast<std::size_t>(lattice->total()); ++i)
    inflow.layer.push_back(lattice->centre(i));

  const Vec3 point = vec3(node["point"]);
  check_layer(build, node, inflow, point, *normal);
  if (norm(inflow.velocity) * build.scene.model.step.h > inflow.advance)
    build.problems.report(
        node["advance"],
        "the plate moves further than advance in one step; give a larger one, or a smaller step.h");
  inflow.plate = static_cast<std::uint32_t>(build.scene.model.obstacles.size());
  build.scene.model.obstacles.push_back({.name = inflow.name,
                                         .shape = HalfSpace{},
                                         .pose = {point, rotation_between(kUp, *normal)},
                                         .material = *plate_material});
  build.scene.model.inflows.push_back(std::move(inflow));
}

void add_outflow(Build& build, const Node& node, std::size_t index) {
  if (!sound(node) || !check_region(node, build.problems)) return;
  const std::string name =
      name_for(build, node, fmt::format("outflows[{}]", index), build.outflows);
  build.scene.model.outflows.push_back({name, vec3(node["min"]), vec3(node["max"])});
}

}  // namespace

void build_obstacles(Build& build) {
  const std::vector<Node>& entries = entries_of(build.root["obstacles"]);
  for (std::size_t i = 0; i < entries.size(); ++i)
    for (const Node& node : entries[i].children)
      if (node.is_map() && !entries[i].faulty && !node.faulty) add_obstacle(build, node, i);
}

void build_flows(Build& build) {
  const std::vector<Node>& inflows = entries_of(build.root["inflows"]);
  if (build.scene.rest && !inflows.empty())
    build.problems.report(
        build.root["until"],
        "an inflow never ends, so the run cannot come to rest; set until to a time");
  const std::vector<Node>& outflows = entries_of(build.root["outflows"]);
  for (std::size_t i = 0; i < inflows.size(); ++i)
    if (inflows[i].is_map()) add_inflow(build, inflows[i], i);
  for (std::size_t i = 0; i < outflows.size(); ++i) add_outflow(build, outflows[i], i);
}

}  // namespace scree::scene

/// Reads common nodes, and fills in defaults that the schema cannot express.
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "scene/build.hpp"
#include "scree/core/spelling.hpp"

namespace scree::scene {

Vec3 vec3(const Node& list) {
  return {list.children[0].number, list.children[1].number, list.children[2].number};
}

const std::vector<Node>& entries_of(const Node& list) {
  static const std::vector<Node> none;
  return list.is_list() ? list.children : none;
}

std::optional<Quaternion> orientation(const Node& node, Problems& problems) {
  if (node.is_map()) {
    const auto axis = unit_direction(node["axis"], problems);
    return axis ? std::optional(rotation(*axis, node["angle"].number)) : std::nullopt;
  }
  // [-] a quaternion this close to unit length stays unchanged
  constexpr double kRounding = 1e-15;
  constexpr double kShortest = 1e-100;
  const auto& c = node.children;
  const Quaternion q{c[0].number, c[1].number, c[2].number, c[3].number};
  if (norm(q) > kShortest) return std::abs(norm(q) - 1) <= kRounding ? q : normalised(q);
  problems.report(node, "the quaternion has zero length; [1, 0, 0, 0] means no rotation");
  return {};
}

std::int64_t integer(const Node& node) {
  return node.integral ? node.integer : static_cast<std::int64_t>(node.number);
}

std::uint64_t seed_of(Build& build, const Node& entry) {
  build.scene.seeds.push_back(static_cast<std::uint64_t>(integer(entry["seed"])));
  return build.scene.seeds.back();
}

std::optional<double> number_if(const Node& map, std::string_view key) {
  const Node* node = map.find(key);
  return node ? std::optional(node->number) : std::nullopt;
}

bool check_region(const Node& region, Problems& problems) {
  const Node &low = region["min"], &high = region["max"];
  for (int k = 0; k < 3; ++k) {
    if (high.children[k].number > low.children[k].number) continue;
    problems.report(
        high,
        fmt::format("max must be greater than min along each axis; along {} it is {} and min is {}",
                    "xyz"[k], high.children[k].number, low.children[k].number));
    return false;
  }
  return true;
}

std::optional<Vec3> unit_direction(const Node& node, Problems& problems) {
  constexpr double kShortest = 1e-100;  // [-] shorter vectors lose digits when squared
  const Vec3 v = vec3(node);
  const double length = norm(v);
  if (length > kShortest) return v / length;
  problems.report(node, "the vector has zero length, so it gives no direction");
  return {};
}

namespace {

Node empty_map() {
  Node node;
  node.kind = Node::Kind::map;
  return node;
}

void fill(Node& map, std::string_view key, Node value) {
  if (!map.is_map() || map.find(key)) return;
  map.children.push_back(std::move(value));
  map.children.back().key = key;
}

}  // namespace

void fill_names(Node& root, const std::string& stem) {
  if (!root.is_map()) return;
  fill(root, "name", string_node(stem.substr(0, 200)));
  const Node* materials = root.find("materials");
  if (!materials || !materials->is_map() || materials->children.size() != 1) return;
  const Node only = string_node(materials->children[0].key);
  for (const char* list : {"bodies", "obstacles"})
    if (Node* entries = root.find(list))
      for (Node& entry : entries->children)
        for (Node& group : entry.children)
          if (group.key != "from") fill(group, "material", only);
  for (const char* list : {"fillings", "robots"})
    if (Node* entries = root.find(list))
      for (Node& entry : entries->children) fill(entry, "material", only);
  if (Node* inflows = root.find("inflows"))
    for (Node& inflow : inflows->children)
      fill(inflow, "material", only), fill(inflow, "plate_material", only);
}

void fill_runs(Node& root) {
  Node* bodies = root.is_map() ? root.find("bodies") : nullptr;
  if (!bodies || !bodies->is_list()) return;
  for (Node& entry : bodies->children) {
    Node* from = entry.find("from");
    if (!from || !from->is_string()) continue;
    Node map = empty_map();
    map.position = from->position;
    map.key = from->key;
    map.key_position = from->key_position;
    Node run = std::move(*from);
    run.key = "run";
    map.children.push_back(std::move(run));
    *from = std::move(map);
  }
}

void fill_rest(Node& map) {
  const Node* until = map.is_map() ? map.find("until") : nullptr;
  if (until && until->text == "rest") fill(map, "rest", empty_map());
}

namespace {

/// Fills the keys that an accuracy determines.
void fill_accuracy(Node& solver) {
  if (!solver.is_map()) return;
  const auto text_of = [&](const char* key, std::string_view otherwise) {
    const Node* node = solver.find(key);
    return node ? std::string_view(node->text) : otherwise;
  };
  const auto accuracy = accuracy_named(text_of("accuracy", name(Accuracy::engineering)));
  if (!accuracy) return;
  const SolverSettings s = solver_settings(*accuracy);
  const std::string_view plain = name(SolverKind::gauss_seidel);
  const bool accelerated =
      s.acceleration == Acceleration::nesterov && text_of("method", plain) == plain;
  if (!solver.find("tolerance")) fill(solver, "accuracy", string_node(name(*accuracy)));
  fill(solver, "tolerance", number_node(s.tolerance));
  fill(solver, "max_sweeps", integer_node(s.max_sweeps));
  fill(solver, "acceleration", string_node(accelerated ? "nesterov" : "none"));
}

}  // namespace

void fill_solver(Node& root) {
  if (!root.is_map()) return;
  fill(root, "solver", empty_map());
  fill_accuracy(*root.find("solver"));
}

void fill_impacts(Node& root) {
  Node* step = root.is_map() ? root.find("step") : nullptr;
  if (!step || !step->is_map()) return;
  const bool any =
      std::ranges::any_of(std::array{"joints", "drives", "robots"}, [&](const char* key) {
        const Node* list = root.find(key);
        return list && !list->children.empty();
      });
  fill(*step, "impacts", string_node(name(any ? ImpactLaw::energetic : ImpactLaw::newton)));
}

void fill_stages(Node& root) {
  Node* stages = root.is_map() ? root.find("stages") : nullptr;
  if (!stages) return;
  for (Node& stage : stages->children) {
    fill_rest(stage);
    if (Node* solver = stage.is_map() ? stage.find("solver") : nullptr) fill_accuracy(*solver);
  }
  fill(root, "until", number_node(1));  // sum_stages() sets the number; this moves the stages
}

void sum_stages(Node& root) {
  const Node* stages = root.find("stages");
  Node& until = *root.find("until");
  if (!stages || until.position.line > 0) return;
  until.number = 0;
  for (const Node& stage : stages->children) {
    const Node& end = stage["until"];
    until.number += end.text == "rest" ? stage["rest"]["at_most"].number
                    : end.is_map()     ? end["at_most"].number
                                       : end.number;
  }
}

namespace {

std::vector<std::string> material_names(const Node& root) {
  std::vector<std::string> names;
  if (const Node* materials = root.find("materials"); materials && materials->is_map())
    for (const Node& child : materials->children) names.push_back(child.key);
  return names;
}

}  // namespace

std::optional<MaterialId> material_of(Build& build, const Node& map, std::string_view key) {
  const std::vector<std::string> names = material_names(build.root);
  const Node* node = map.find(key);
  if (!node) {
    if (!names.empty())
      build.problems.report(
          map, fmt::format("the key '{}' is missing; give one of {}", key, joined(names)));
    return {};
  }
  if (!node->is_string()) return {};
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == node->text) return static_cast<MaterialId>(i);
  build.problems.report(
      *node, fmt::format("there is no material '{}'{}", node->text, suggestion(node->text, names)));
  return {};
}

std::optional<double> density_of(Build& build, const Node& map, MaterialId material) {
  if (const auto own = number_if(map, "density")) return own;
  if (material < build.scene.model.materials.size())
    if (const Material& m = build.scene.model.materials[material]; m.density > 0) return m.density;
  const Node* materials = build.root.find("materials");
  if (materials && sound(*materials))
    build.problems.report(map, fmt::format("the material '{}' has no density, which free bodies "
                                           "need; add one, or give 'density' here",
                                           map["material"].text));
  return {};
}

Vec3 Lattice::centre(std::size_t i) const {
  const auto nz = static_cast<std::size_t>(count[2]), ny = static_cast<std::size_t>(count[1]);
  const std::size_t ix = i / nz / ny, iy = i / nz % ny, iz = i % nz;
  const auto steps = [](std::size_t n) { return static_cast<double>(n); };
  return {first.x + steps(ix) * spacing.x, first.y + steps(iy) * spacing.y,
          first.z + steps(iz) * spacing.z};
}

namespace {

/// Distance along each axis at which two equal bodies of a kind just touch [m]; 0 if unknown:
/// random orientations, or neither spheres nor boxes.
Vec3 min_spacing(const BodyKind& kind) {
  const Shape shape = scaled(kind.shape, kind.radius);
  const auto* box = std::get_if<Box>(&shape);
  if (kind.is_sphere()) return 2 * Vec3{kind.radius, kind.radius, kind.radius};
  if (!kind.orientation || !box) return {};
  Vec3 min_spacing_by_axis;
  for (int k = 0; k < 3; ++k) {
    Vec3 axis;
    axis[k] = 1;
    const Vec3 direction = rotate_back(*kind.orientation, axis);
    min_spacing_by_axis[k] = std::numeric_limits<double>::infinity();
    for (int edge = 0; edge < 3; ++edge)
      min_spacing_by_axis[k] =
          std::min(min_spacing_by_axis[k], 2 * box->half_extent[edge] / std::abs(direction[edge]));
  }
  return min_spacing_by_axis;
}

}  // namespace

std::optional<Lattice> read_lattice(Build& build, const Node& map, const BodyKind& kind) {
  const Node& region = map["region"];
  if (!check_region(region, build.problems)) return {};
  const Vec3 low = vec3(region["min"]), high = vec3(region["max"]);
  const Node& spacing = map["spacing"];
  const Vec3 min_spacing_by_axis = min_spacing(kind);
  Lattice lattice{};
  for (int k = 0; k < 3; ++k) {
    const double s = spacing.is_list() ? spacing.children[k].number : spacing.number;
    // Allows for rounding of corners, so that a region of a whole number of cells holds them all
    const double rounding =
        std::numeric_limits<double>::epsilon() * (std::abs(low[k]) + std::abs(high[k])) / s;
    const double n = std::floor((high[k] - low[k]) / s * (1 + 1e-12) + 1e-9 + rounding);
    if (n < 1) {
      build.problems.report(
          spacing, fmt::format("the region is {} m wide along {}, less than the spacing {} m",
                               high[k] - low[k], "xyz"[k], s));
      return {};
    }
    if (n > 1 && s < min_spacing_by_axis[k] * (1 - 1e-6) &&
        build.root["allow_overlap"].truth == false) {
      build.problems.report(
          spacing, fmt::format("{} of {} {} m overlap at a spacing of {} m along {}", kind.plural,
                               kind.is_sphere() ? "diameter" : "width", min_spacing_by_axis[k], s,
                               "xyz"[k]));
      return {};
    }
    lattice.count[k] = n;
    lattice.spacing[k] = s;
    lattice.first[k] = low[k] + (high[k] - low[k] - (n - 1) * s) / 2;
  }
  return lattice;
}

}  // namespace scree::scene

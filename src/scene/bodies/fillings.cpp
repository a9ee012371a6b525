/// Reads fillings: regions that bodies enter at a rate.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "scene/build.hpp"

namespace scree::scene {

namespace {

/// Node with the size of bodies, and the bounding radius where that size is 1 [m].
struct SizeOf {
  const Node* node;  ///< null: all are of one size
  const char* key;
  double radius;
};

SizeOf size_of(const BodyKind& kind, const Node& filling) {
  if (kind.is_sphere()) return {filling.find("radius"), "radius", 1};
  return {filling.find("scale"), "scale", kind.radius};
}

/// Reads size classes; their shares are fractions of the volume.
bool read_classes(Build& build, const Node& classes, const BodyKind& kind, const SizeOf& size,
                  const Filling::Kind& common, std::vector<Filling::Kind>& kinds) {
  double sum = 0;
  for (const Node& entry : classes.children) {
    Filling::Kind one = common;
    one.low = one.high = size.radius * entry[size.key].number;
    one.share = entry["share"].number / volume_properties(scaled(kind.shape, one.low)).volume;
    sum += entry["share"].number;
    kinds.push_back(one);
  }
  if (std::abs(sum - 1) <= 1e-6) return true;
  build.problems.report(classes, fmt::format("the shares add up to {}, not to 1", sum));
  return false;
}

/// Kinds of bodies; empty, and reported, if they cannot be used.
std::vector<Filling::Kind> read_kinds(Build& build, const Node& node, MaterialId material,
                                      double density) {
  auto kind = read_kind(build, node);
  if (!kind) return {};
  if (!kind->is_sphere() && !node.find("orientation")) kind->orientation.reset();
  Filling::Kind common{.prototype = kind->prototype, .material = material, .density = density};
  common.orientation.reset();
  if (kind->orientation)
    common.orientation = body_pose(build.scene.model.prototypes[kind->prototype], kind->radius,
                                   {{}, *kind->orientation})
                             .orientation;
  const SizeOf size = size_of(*kind, node);
  std::vector<Filling::Kind> kinds;
  if (size.node && size.node->find("classes")) {
    if (!read_classes(build, (*size.node)["classes"], *kind, size, common, kinds)) return {};
  } else {
    const Node* range = size.node ? size.node->find("uniform") : nullptr;
    const double one = size.node ? size.node->number : 1;
    Filling::Kind even = common;
    even.low = size.radius * (range ? range->children[0].number : one);
    even.high = size.radius * (range ? range->children[1].number : one);
    if (even.low > even.high) {
      build.problems.report(*range,
                            fmt::format("the smallest {}, {}, is above the largest, {}", size.key,
                                        range->children[0].number, range->children[1].number));
      return {};
    }
    kinds.push_back(even);
  }
  for (const Filling::Kind& each : kinds)
    for (const double radius : {each.low, each.high})
      if (!mass_of(build, node, scaled(kind->shape, radius), density)) return {};
  return kinds;
}

/// True if the largest body fits along each axis where the region is not a face; reports it if not.
bool check_room(Build& build, const Node& region, const Filling& filling) {
  double largest = 0;
  for (const Filling::Kind& kind : filling.kinds) largest = std::max(largest, kind.high);
  for (int axis = 0; axis < 3; ++axis) {
    const double width = filling.max[axis] - filling.min[axis];
    if (width < 0) {
      build.problems.report(region, fmt::format("max[{}] is below min[{}]", axis, axis));
      return false;
    }
    if (width == 0 || width >= 2 * largest) continue;
    build.problems.report(
        region,
        fmt::format("the region is {:.6g} m wide along {}, but the largest body needs {:.6g} m in "
                    "any orientation; widen it, or make it a face with min = max",
                    width, "xyz"[axis], 2 * largest));
    return false;
  }
  return true;
}

bool read_rate(Build& build, const Node& node, Filling& filling) {
  const auto number = number_if(node, "rate"), mass = number_if(node, "mass_rate");
  if (number.has_value() == mass.has_value()) {
    build.problems.report(node, "give either rate, in bodies per second, or mass_rate");
    return false;
  }
  filling.number_rate = number.value_or(0);
  filling.mass_rate = mass.value_or(0);
  filling.from = node["from"].number;
  if (const auto until = number_if(node, "until")) filling.until = *until;
  if (build.scene.rest && !node.find("until")) {
    build.problems.report(
        node, "a filling without 'until' never ends, so the run cannot come to rest; add 'until'");
    return false;
  }
  if (filling.from < filling.until) return true;
  build.problems.report(node["until"],
                        fmt::format("until must be later than from, {} s", filling.from));
  return false;
}

void add_filling(Build& build, const Node& node, std::size_t index) {
  const auto material = material_of(build, node);
  if (!sound(node) || !material) return;
  const auto density = density_of(build, node, *material);
  if (!density) return;
  Filling filling;
  filling.name = name_for(build, node, fmt::format("fillings[{}]", index), build.fillings);
  const Node& region = node["region"];
  filling.min = vec3(region["min"]);
  filling.max = vec3(region["max"]);
  filling.velocity = vec3(node["velocity"]);
  filling.jitter = vec3(node["jitter"]);
  filling.seed = seed_of(build, node);
  filling.kinds = read_kinds(build, node, *material, *density);
  if (filling.kinds.empty() || !read_rate(build, node, filling) ||
      !check_room(build, region, filling))
    return;
  build.scene.model.fillings.push_back(std::move(filling));
}

}  // namespace

void build_fillings(Build& build) {
  const std::vector<Node>& entries = entries_of(build.root["fillings"]);
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (entries[i].is_map()) add_filling(build, entries[i], i);
}

}  // namespace scree::scene

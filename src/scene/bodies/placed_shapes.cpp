/// Shapes that a scene writes in the same way for bodies and for obstacles.
#include <fmt/format.h>

#include "scene/build.hpp"
#include "scree/core/spelling.hpp"

namespace scree::scene {

namespace {

/// Two sets of keys, each of which gives a shape its position and its lengths.
struct TwoWays {
  std::vector<std::string> first, second;
  const char* in_words;
};

std::vector<std::string> keys_found(const Node& node, const std::vector<std::string>& keys) {
  std::vector<std::string> found;
  for (const std::string& key : keys)
    if (node.find(key)) found.push_back(key);
  return found;
}

/// True if a node has the first keys, false if it has the second. None, and reported, unless it has
/// one set in full and nothing of the other.
std::optional<bool> is_given_first_way(Build& build, const Node& node, const TwoWays& ways) {
  std::vector<std::string> found = keys_found(node, ways.first);
  const std::vector<std::string> others = keys_found(node, ways.second);
  if (found == ways.first && others.empty()) return true;
  if (others == ways.second && found.empty()) return false;
  found.insert(found.end(), others.begin(), others.end());
  build.problems.report(node, fmt::format("a {} is given by {}; found {}", node.key, ways.in_words,
                                          found.empty() ? "none of these keys" : joined(found)));
  return {};
}

std::optional<PlacedShape> read_box(Build& build, const Node& node) {
  const auto by_corners = is_given_first_way(
      build, node, {{"min", "max"}, {"position", "size"}, "min and max, or by position and size"});
  const auto rotation = orientation(node["orientation"], build.problems);
  if (!by_corners || !rotation) return {};
  if (!*by_corners)
    return PlacedShape{Box{0.5 * vec3(node["size"])}, {vec3(node["position"]), *rotation}};
  if (!check_region(node, build.problems)) return {};
  const Vec3 low = vec3(node["min"]), high = vec3(node["max"]);
  return PlacedShape{Box{0.5 * (high - low)}, {0.5 * (low + high), *rotation}};
}

}  // namespace

std::optional<PlacedAxis> read_axis(Build& build, const Node& node) {
  const auto by_ends = is_given_first_way(build, node,
                                          {{"from", "to"},
                                           {"position", "axis", "length"},
                                           "position, axis and length, or by from and to"});
  if (!by_ends) return {};
  if (!*by_ends) {
    const auto direction = unit_direction(node["axis"], build.problems);
    if (!direction) return {};
    return PlacedAxis{vec3(node["position"]), *direction, node["length"].number / 2};
  }
  constexpr double kShortest = 1e-100;  // [m] shorter vectors lose digits when squared
  const Vec3 from = vec3(node["from"]), to = vec3(node["to"]);
  if (!(norm(to - from) > kShortest)) {
    build.problems.report(node["to"], "from and to are the same point; move one of them");
    return {};
  }
  return PlacedAxis{0.5 * (from + to), (to - from) / norm(to - from), norm(to - from) / 2};
}

std::optional<PlacedShape> read_placed_shape(Build& build, const Node& node) {
  if (node.key == "box") return read_box(build, node);
  const auto axis = read_axis(build, node);
  if (!axis) return {};
  const double radius = node["radius"].number;
  if (node.key == "cylinder") return PlacedShape{Cylinder{radius, axis->half_length}, axis->pose()};
  return PlacedShape{Capsule{radius, axis->half_length}, axis->pose()};
}

}  // namespace scree::scene

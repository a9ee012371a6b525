/// Warns of numbers that are valid but probably not intended.
#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "scene/build.hpp"

namespace scree::scene {

namespace {

/// Smallest radius of all bodies, including those that enter later [m]; infinite if there are none.
double smallest_radius(const Scene& scene) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const double radius : scene.state.bodies.radius) smallest = std::min(smallest, radius);
  for (const Inflow& inflow : scene.model.inflows) smallest = std::min(smallest, inflow.radius);
  for (const Filling& filling : scene.model.fillings)
    for (const Filling::Kind& kind : filling.kinds) smallest = std::min(smallest, kind.low);
  return smallest;
}

void check_law(Build& build, const Node& law, double radius) {
  constexpr double kMaxFriction = 2;
  if (const Node* friction = law.find("friction"); friction && friction->number > kMaxFriction)
    build.problems.warn(
        *friction,
        fmt::format("{} is large: friction is a coefficient, not an angle; tan 30° = 0.577",
                    friction->number));
  for (const char* key : {"rolling_friction", "spinning_friction"})
    if (const Node* length = law.find(key); length && length->number > radius)
      build.problems.warn(*length,
                          fmt::format("{} m is more than the radius of the smallest body, {:.3g} "
                                      "m; {} is a length (its lever), not a coefficient",
                                      length->number, radius, key));
}

/// Checks the laws of the scene or of a stage.
void check_laws(Build& build, const Node& map, double radius) {
  if (const Node* standard = map.find("default_law")) check_law(build, *standard, radius);
  if (const Node* laws = map.find("laws"))
    for (const Node& law : entries_of(*laws)) check_law(build, law, radius);
}

/// Checks all densities below a node.
void check_densities(Build& build, const Node& node) {
  constexpr double kMin = 20, kMax = 30000;  // [kg/m³]; between foam and osmium
  if (node.key == "density" && node.is_number() && node.unit.empty() &&
      !(node.number >= kMin && node.number <= kMax))
    build.problems.warn(node, fmt::format("{} kg/m3 is an unusual density; a number without a unit "
                                          "is in kg/m3: 2.5 g/cm3 is 2500",
                                          node.number));
  for (const Node& child : node.children) check_densities(build, child);
}

}  // namespace

void check_values(Build& build) {
  const double radius = smallest_radius(build.scene);
  check_laws(build, build.root, radius);
  if (const Node* stages = build.root.find("stages"))
    for (const Node& stage : entries_of(*stages)) check_laws(build, stage, radius);
  for (const char* key : {"materials", "bodies", "inflows", "fillings"})
    if (const Node* list = build.root.find(key)) check_densities(build, *list);
}

}  // namespace scree::scene

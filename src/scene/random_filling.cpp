#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "scene/build.hpp"
#include "scene/sphere_grid.hpp"

/// Random sequential addition: each sphere is put at uniformly random places until it overlaps nothing, the largest
/// sphere first, so that small ones find the room that is left. Equal spheres jam near a solid fraction of 0.38.

namespace scree::scene {

namespace {

constexpr double kMostTriesPerSphere = 300;  // on average over the group
constexpr double kLeastTries = 1e6;          // for the group
constexpr double kJamming = 0.385;           // solid fraction that equal spheres never reach
constexpr int kMostTriesOfOne = 200'000;     // for one sphere

double volume(double radius) { return volume_properties(Sphere{radius}).volume; }

double region_volume(const Node& region) {
  const Vec3 size = vec3(region["max"]) - vec3(region["min"]);
  return size.x * size.y * size.z;
}

/// Number of spheres and how their radii are drawn.
struct SizeDistribution {
  double count = 0;            ///< of all spheres
  double low = 0, high = 0;    ///< uniform in between
  std::vector<double> radius;  ///< of each class; empty: uniform
  std::vector<double> number;  ///< of spheres in each class
};

/// count parts in given proportions, as whole numbers by the largest remainder.
std::vector<double> apportioned(double count, const std::vector<double>& proportion) {
  const double total = std::accumulate(proportion.begin(), proportion.end(), 0.0);
  std::vector<double> parts, rest;
  double given = 0;
  for (const double p : proportion) {
    parts.push_back(std::floor(count * p / total));
    rest.push_back(count * p / total - parts.back());
    given += parts.back();
  }
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rest[a] > rest[b]; });
  for (std::size_t i = 0; given < count && i < order.size(); ++i, ++given) ++parts[order[i]];
  return parts;
}

bool read_classes(Build& build, const Node& node, const Node& classes, SizeDistribution& sizes) {
  double sum = 0;
  std::vector<double> proportion;  // of the number of spheres, where the shares are of the volume
  for (const Node& entry : classes.children) {
    sum += entry["share"].number;
    sizes.radius.push_back(entry["radius"].number);
    proportion.push_back(entry["share"].number / volume(sizes.radius.back()));
  }
  if (std::abs(sum - 1) > 1e-6) {
    build.problems.report(classes, fmt::format("the shares add up to {}, not to 1", sum));
    return false;
  }
  if (const auto fraction = number_if(node, "volume_fraction"))
    sizes.count = std::round(*fraction * region_volume(node["region"]) *
                             std::accumulate(proportion.begin(), proportion.end(), 0.0));
  sizes.number = apportioned(sizes.count, proportion);
  for (std::size_t i = 0; i < sizes.number.size(); ++i) {
    if (sizes.number[i] > 0) continue;
    build.problems.report(classes.children[i],
                          fmt::format("with {} spheres in all, none is of this class; ask for more "
                                      "or enlarge the region",
                                      sizes.count));
    return false;
  }
  return true;
}

std::optional<SizeDistribution> read_sizes(Build& build, const Node& node) {
  SizeDistribution sizes;
  const Node *count = node.find("count"), *fraction = node.find("volume_fraction");
  if ((count != nullptr) == (fraction != nullptr)) {
    build.problems.report(node, "give either count or volume_fraction");
    return {};
  }
  if (count) sizes.count = static_cast<double>(integer(*count));
  const Node& radius = node["radius"];
  if (radius.is_map() && radius.find("classes")) {
    if (!read_classes(build, node, radius["classes"], sizes)) return {};
    sizes.low = sizes.high = *std::max_element(sizes.radius.begin(), sizes.radius.end());
  } else {
    const Node* range = radius.find("uniform");
    sizes.low = range ? range->children[0].number : radius.number;
    sizes.high = range ? range->children[1].number : radius.number;
    if (sizes.low > sizes.high) {
      build.problems.report(*range,
                            fmt::format("the smallest radius {} m is above the largest {} m", sizes.low, sizes.high));
      return {};
    }
    // Mean of r³ for r uniform in [a, b]: (a + b)(a² + b²)/4
    const double a = sizes.low, b = sizes.high, mean_cube = (a + b) * (a * a + b * b) / 4;
    if (fraction)
      sizes.count = std::round(fraction->number * region_volume(node["region"]) / volume(std::cbrt(mean_cube)));
  }
  if (sizes.count >= 1) return sizes;
  build.problems.report(count ? *count : *fraction, "this asks for less than one sphere");
  return {};
}

/// The radii, falling.
std::vector<double> draw_radii(const SizeDistribution& sizes, RandomStream& random) {
  std::vector<double> radii;
  radii.reserve(static_cast<std::size_t>(sizes.count));
  for (std::size_t k = 0; k < sizes.radius.size(); ++k)
    radii.insert(radii.end(), static_cast<std::size_t>(sizes.number[k]), sizes.radius[k]);
  if (sizes.radius.empty())
    for (double i = 0; i < sizes.count; ++i)
      radii.push_back(sizes.low < sizes.high ? random.uniform(sizes.low, sizes.high) : sizes.low);
  std::sort(radii.begin(), radii.end(), std::greater<>());
  return radii;
}

bool check_room(Build& build, const Node& node, const SizeDistribution& sizes) {
  const Node& region = node["region"];
  const Vec3 size = vec3(region["max"]) - vec3(region["min"]);
  for (int k = 0; k < 3; ++k) {
    if (size[k] >= 2 * sizes.high) continue;
    build.problems.report(region, fmt::format("along {} the region has {} m, less than the largest diameter {} m",
                                              "xyz"[k], size[k], 2 * sizes.high));
    return false;
  }
  return true;
}

struct Filling {
  std::vector<Vec3> centre;
  double tries = 0;
};

/// Places one sphere after the other until all stand or the tries are used up.
Filling place_spheres(const Build& build, const Node& node, const std::vector<double>& radii, RandomStream& random) {
  SphereGrid grid;
  const Bodies& bodies = build.scene.state.bodies;
  grid.reserve(bodies.size() + radii.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) grid.insert(bodies.position[i], bodies.radius[i]);
  const Vec3 low = vec3(node["region"]["min"]), high = vec3(node["region"]["max"]);
  const double most = std::max(kLeastTries, kMostTriesPerSphere * static_cast<double>(radii.size()));
  Filling filling;
  filling.centre.reserve(radii.size());
  for (const double r : radii) {
    bool placed = false;
    for (int i = 0; i < kMostTriesOfOne && !placed && filling.tries < most; ++i, ++filling.tries) {
      Vec3 x;
      for (int k = 0; k < 3; ++k)
        x[k] = high[k] - low[k] > 2 * r ? random.uniform(low[k] + r, high[k] - r) : (low[k] + high[k]) / 2;
      if (grid.overlaps(x, r) || hits_obstacle(build, x, r)) continue;
      grid.insert(x, r);
      filling.centre.push_back(x);
      placed = true;
    }
    if (!placed) break;
  }
  return filling;
}

/// Whether trying makes sense at all: many spheres of sizes within a factor of 1.2 jam as equal ones do.
bool may_fit(const Node& node, const std::vector<double>& radii) {
  double solid = 0;
  for (const double r : radii) solid += volume(r);
  constexpr std::size_t kMany = 64;
  const double most = radii.size() >= kMany && radii.front() <= 1.2 * radii.back() ? kJamming : 1;
  return solid < most * region_volume(node["region"]);
}

void report_jam(Build& build, const Node& node, const std::vector<double>& radii, const Filling& filling) {
  double reached = 0, asked = 0;
  for (std::size_t i = 0; i < radii.size(); ++i) {
    asked += volume(radii[i]);
    if (i < filling.centre.size()) reached += volume(radii[i]);
  }
  const double room = region_volume(node["region"]);
  const std::string found =
      filling.tries > 0
          ? fmt::format("only {} of {} spheres found a place in {:.3g} tries (solid fraction {:.3f} of {:.3f})",
                        filling.centre.size(), radii.size(), filling.tries, reached / room, asked / room)
          : fmt::format("{} spheres would fill {:.3f} of the region", radii.size(), asked / room);
  build.problems.report(
      node,
      found + "; random placing of equal spheres jams near 0.38: ask for fewer, enlarge the region, or use a lattice");
}

}  // namespace

void add_random_filling(Build& build, const Node& node, MaterialId material, double density) {
  if (!check_region(node["region"], build.problems)) return;
  const auto sizes = read_sizes(build, node);
  if (!sizes || !check_room(build, node, *sizes) || !check_memory(build, node, sizes->count)) return;

  RandomStream random{seed_of(build, node), 0};
  const std::vector<double> radii = draw_radii(*sizes, random);
  const Filling filling = may_fit(node, radii) ? place_spheres(build, node, radii, random) : Filling{};
  if (filling.centre.size() < radii.size()) {
    report_jam(build, node, radii, filling);
    return;
  }
  const Vec3 velocity = vec3(node["velocity"]), jitter = vec3(node["jitter"]);
  make_room(build, radii.size());
  for (std::size_t i = 0; i < radii.size(); ++i) {
    Body body{.position = filling.centre[i], .velocity = velocity};
    for (int k = 0; k < 3; ++k) body.velocity[k] += jitter[k] * random.uniform(-1, 1);
    const auto mass = sphere_mass(build, node, radii[i], density);
    if (!mass) return;
    body.radius = radii[i], body.mass = *mass, body.material = material;
    add_body(build, body);
  }
}

}  // namespace scree::scene

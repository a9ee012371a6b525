#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "scene/bodies/sphere_grid.hpp"
#include "scene/build.hpp"

/// Random sequential addition: each body gets uniformly random positions until it overlaps nothing,
/// the largest first, so that small bodies fill the gaps. Random orientations are drawn again at
/// each try. Equal spheres jam near a solid fraction of 0.38.

namespace scree::scene {

namespace {

constexpr double kMaxTriesPerBody = 300;  // on average over the group
constexpr double kMinTries = 1e6;         // for the group
constexpr double kJamming = 0.385;        // solid fraction that equal spheres never reach
constexpr int kMaxTriesOfOne = 200'000;   // for one body
constexpr double kFitRounding = 1e-12;    // [-] a body as large as the region fits into it

double volume(const BodyKind& kind, double radius) {
  return volume_properties(scaled(kind.shape, radius)).volume;
}

double region_volume(const Node& region) {
  const Vec3 size = vec3(region["max"]) - vec3(region["min"]);
  return size.x * size.y * size.z;
}

/// Number of bodies and distribution of their bounding radii.
struct SizeDistribution {
  double count = 0;            ///< number of bodies; an average with a volume and uniform radii
  double volume = 0;           ///< target volume of bodies with uniform radii; or 0 [m³]
  double low = 0, high = 0;    ///< uniform in between [m]
  std::vector<double> radius;  ///< radius of each class [m]; empty: uniform
  std::vector<double> number;  ///< bodies in each class
};

/// Key with the size of bodies: radius for spheres, scale for other shapes.
struct SizeKey {
  const char* name;
  const char* unit;  ///< unit of its value, for messages
  double radius;     ///< bounding radius where the value is 1 [m]
  const Node* node;  ///< null without scale: all bodies have one size
};

SizeKey size_key(const BodyKind& kind, const Node& node) {
  if (kind.is_sphere()) return {"radius", " m", 1, node.find("radius")};
  return {"scale", "", kind.radius, node.find("scale")};
}

/// Splits count in given proportions into whole numbers, by the largest remainder.
std::vector<double> apportioned(double count, const std::vector<double>& proportion) {
  const double total = std::accumulate(proportion.begin(), proportion.end(), 0.0);
  std::vector<double> counts, rest;
  double assigned = 0;
  for (const double p : proportion) {
    counts.push_back(std::floor(count * p / total));
    rest.push_back(count * p / total - counts.back());
    assigned += counts.back();
  }
  std::vector<std::size_t> order(counts.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rest[a] > rest[b]; });
  for (std::size_t i = 0; assigned < count && i < order.size(); ++i, ++assigned) ++counts[order[i]];
  return counts;
}

bool read_classes(Build& build, const Node& node, const BodyKind& kind, const Node& classes,
                  SizeDistribution& sizes) {
  const SizeKey key = size_key(kind, node);
  double sum = 0;
  std::vector<double> proportion;  // of numbers of bodies; the shares are fractions of volume
  for (const Node& entry : classes.children) {
    sum += entry["share"].number;
    sizes.radius.push_back(key.radius * entry[key.name].number);
    proportion.push_back(entry["share"].number / volume(kind, sizes.radius.back()));
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
    build.problems.report(
        classes.children[i],
        fmt::format("with {} {} in total, this class gets none; ask for more or enlarge the region",
                    sizes.count, kind.plural));
    return false;
  }
  return true;
}

/// Reads a range of radii, or one radius.
bool read_range(Build& build, const SizeKey& key, SizeDistribution& sizes) {
  const Node* range = key.node && key.node->is_map() ? key.node->find("uniform") : nullptr;
  const double one = key.node ? key.node->number : 1;
  const double low = range ? range->children[0].number : one,
               high = range ? range->children[1].number : one;
  sizes.low = key.radius * low;
  sizes.high = key.radius * high;
  if (low <= high) return true;
  build.problems.report(*range, fmt::format("the smallest {} {}{} is above the largest {}{}",
                                            key.name, low, key.unit, high, key.unit));
  return false;
}

std::optional<SizeDistribution> read_sizes(Build& build, const Node& node, const BodyKind& kind) {
  SizeDistribution sizes;
  const Node *count = node.find("count"), *fraction = node.find("volume_fraction");
  if ((count != nullptr) == (fraction != nullptr)) {
    build.problems.report(node, "give either count or volume_fraction");
    return {};
  }
  if (count) sizes.count = static_cast<double>(integer(*count));
  const SizeKey key = size_key(kind, node);
  if (key.node && key.node->is_map() && key.node->find("classes")) {
    if (!read_classes(build, node, kind, (*key.node)["classes"], sizes)) return {};
    sizes.low = sizes.high = *std::max_element(sizes.radius.begin(), sizes.radius.end());
  } else {
    if (!read_range(build, key, sizes)) return {};
    // Mean of r³ for r uniform in [a, b]: (a + b)(a² + b²)/4
    const double a = sizes.low, b = sizes.high, mean_cube = (a + b) * (a * a + b * b) / 4;
    if (fraction) {
      sizes.volume = fraction->number * region_volume(node["region"]);
      sizes.count = std::round(sizes.volume / volume(kind, std::cbrt(mean_cube)));
    }
  }
  if (sizes.count >= 1) return sizes;
  build.problems.report(count ? *count : *fraction,
                        fmt::format("this makes less than one {}; ask for more", kind.name));
  return {};
}

/// Removes the last radii or draws further ones until the volume is nearest to the target.
void meet_volume(const BodyKind& kind, const SizeDistribution& sizes, RandomStream& random,
                 std::vector<double>& radii) {
  constexpr double kMaxOff = 0.03;  // smaller deviations are left
  double missing = sizes.volume;
  for (const double radius : radii) missing -= volume(kind, radius);
  if (std::abs(missing) <= kMaxOff * sizes.volume) return;
  while (radii.size() > 1 && missing < -volume(kind, radii.back()) / 2) {
    missing += volume(kind, radii.back());
    radii.pop_back();
  }
  for (;;) {
    const double radius = random.uniform(sizes.low, sizes.high), more = volume(kind, radius);
    if (missing < more / 2) return;
    missing -= more;
    radii.push_back(radius);
  }
}

/// Draws the radii and sorts them by falling size.
std::vector<double> draw_radii(const BodyKind& kind, const SizeDistribution& sizes,
                               RandomStream& random) {
  std::vector<double> radii;
  radii.reserve(static_cast<std::size_t>(sizes.count));
  for (std::size_t k = 0; k < sizes.radius.size(); ++k)
    radii.insert(radii.end(), static_cast<std::size_t>(sizes.number[k]), sizes.radius[k]);
  if (sizes.radius.empty())
    for (double i = 0; i < sizes.count; ++i)
      radii.push_back(sizes.low < sizes.high ? random.uniform(sizes.low, sizes.high) : sizes.low);
  if (sizes.volume > 0 && sizes.low < sizes.high) meet_volume(kind, sizes, random, radii);
  std::sort(radii.begin(), radii.end(), std::greater<>());
  return radii;
}

bool check_room(Build& build, const Node& node, const BodyKind& kind,
                const SizeDistribution& sizes) {
  const Node& region = node["region"];
  const Vec3 size = vec3(region["max"]) - vec3(region["min"]);
  const Shape largest = scaled(kind.shape, sizes.high);
  const double width = -2 * signed_distance(largest, Vec3{}).distance;
  const Prototype& prototype = build.scene.model.prototypes[kind.prototype];
  const auto turned = [&] {
    return body_pose(prototype, sizes.high, {{}, *kind.orientation}).orientation;
  };
  const Vec3 across = kind.orientation ? 2 * reach(largest, turned()) : Vec3{width, width, width};
  const bool is_box = std::holds_alternative<Box>(kind.shape);
  const std::string what = kind.is_sphere()   ? "diameter"
                           : kind.orientation ? kind.name + ", which takes"
                           : is_box           ? "box's shortest edge"
                                              : kind.name + "'s inscribed sphere, of diameter";
  for (int k = 0; k < 3; ++k) {
    if (size[k] >= across[k] * (1 - kFitRounding)) continue;
    build.problems.report(
        region, fmt::format("along {} the region is {} m wide, less than the largest {} {} m",
                            "xyz"[k], size[k], what, across[k]));
    return false;
  }
  return true;
}

/// Region that bodies are placed in, clear of obstacles and other bodies.
class FillRegion {
 public:
  FillRegion(const Build& build, const Node& region, std::size_t bodies)
      : build_(build),
        low_(vec3(region["min"])),
        high_(vec3(region["max"])),
        grid_(build.scene.model.domain) {
    const Bodies& present = build.scene.state.bodies;
    grid_.reserve(present.size() + bodies);
    placed_.reserve(bodies);
    hits_.resize(build.scene.model.obstacles.size());
    for (std::size_t i = 0; i < present.size(); ++i)
      grid_.insert(present.position[i], present.radius[i]);
  }

  /// Puts a body at a random position inside the region; false if it does not fit in this
  /// orientation or overlaps anything.
  bool try_to_place(Body& body, RandomStream& random) {
    const Vec3 half = reach(shape_of(build_, body), body.orientation);
    for (int k = 0; k < 3; ++k) {
      if (spans_period(build_, k, low_[k], high_[k])) {
        body.position[k] = random.uniform(low_[k], high_[k]);
        continue;
      }
      const double range = high_[k] - low_[k] - 2 * half[k];
      if (range < -kFitRounding * half[k]) return false;
      body.position[k] = range > 0 ? random.uniform(low_[k] + half[k], high_[k] - half[k])
                                   : (low_[k] + high_[k]) / 2;
    }
    if (overlaps_a_body(body)) return false;
    if (const auto obstacle = obstacle_hit(build_, body)) {
      ++hits_[*obstacle];
      inside_ = body.position;
      return false;
    }
    grid_.insert(body.position, body.radius);
    placed_.push_back(body);
    return true;
  }

  std::vector<Body> take_placed() { return std::move(placed_); }
  /// Numbers of tries that hit each obstacle.
  const std::vector<double>& hits() const { return hits_; }
  const Vec3& last_hit() const { return inside_; }  ///< position of the last of them [m]

 private:
  bool overlaps_a_body(const Body& body) const {
    const Bodies& present = build_.scene.state.bodies;
    bool any = false;
    grid_.for_each_overlap(body.position, body.radius, [&](std::uint32_t k, double) {
      const Body other = k < present.size() ? present[k] : placed_[k - present.size()];
      any = overlap(build_, body, other) > 0 && !ignore_each_other(build_, body, other);
      return !any;
    });
    return any;
  }

  const Build& build_;
  Vec3 low_, high_;
  SphereGrid grid_;
  std::vector<Body> placed_;
  std::vector<double> hits_;
  Vec3 inside_;
};

struct RandomFill {
  std::vector<Body> bodies;
  double tries = 0;
  /// Obstacle that more than half of the tries hit, and their share
  std::optional<std::uint32_t> in_the_way{};
  double share_hit = 0;
  Vec3 last_hit{};  ///< [m]
};

/// Places one body after the other until all are placed or the tries are used up.
RandomFill place_bodies(const Build& build, const Node& node, const BodyKind& kind,
                        MaterialId material, const std::vector<double>& radii,
                        RandomStream& random) {
  FillRegion fill_region(build, node["region"], radii.size());
  const double max_tries =
      std::max(kMinTries, kMaxTriesPerBody * static_cast<double>(radii.size()));
  double tries = 0;
  for (const double radius : radii) {
    bool placed = false;
    for (int i = 0; i < kMaxTriesOfOne && !placed && tries < max_tries; ++i, ++tries) {
      Body body = body_of(build, kind, radius, random);
      body.material = material;
      placed = fill_region.try_to_place(body, random);
    }
    if (!placed) break;
  }
  RandomFill filling{.bodies = fill_region.take_placed(), .tries = tries};
  const auto most = std::ranges::max_element(fill_region.hits());
  if (most != fill_region.hits().end() && *most > tries / 2) {
    filling.in_the_way = static_cast<std::uint32_t>(most - fill_region.hits().begin());
    filling.share_hit = *most / tries;
    filling.last_hit = fill_region.last_hit();
  }
  return filling;
}

/// False if the bodies cannot fit: many spheres with sizes within a factor of 1.2 jam like equal
/// ones.
bool may_fit(const Node& node, const BodyKind& kind, const std::vector<double>& radii) {
  double solid = 0;
  for (const double r : radii) solid += volume(kind, r);
  constexpr std::size_t kMany = 64;
  const bool equal_spheres =
      kind.is_sphere() && radii.size() >= kMany && radii.front() <= 1.2 * radii.back();
  return solid < (equal_spheres ? kJamming : 1) * region_volume(node["region"]);
}

void report_jam(Build& build, const Node& node, const BodyKind& kind,
                const std::vector<double>& radii, const RandomFill& filling) {
  double reached = 0, asked = 0;
  for (std::size_t i = 0; i < radii.size(); ++i) {
    asked += volume(kind, radii[i]);
    if (i < filling.bodies.size()) reached += volume(kind, radii[i]);
  }
  const double available = region_volume(node["region"]);
  const std::string found =
      filling.tries > 0
          ? fmt::format(
                "only {} of {} {} were placed in {:.3g} tries (solid fraction {:.3f} of {:.3f})",
                filling.bodies.size(), radii.size(), kind.plural, filling.tries,
                reached / available, asked / available)
          : fmt::format("{} {} would fill {:.3f} of the region", radii.size(), kind.plural,
                        asked / available);
  if (filling.in_the_way) {
    const Obstacle& obstacle = build.scene.model.obstacles[*filling.in_the_way];
    const std::string advice = advice_on_normal(obstacle, filling.last_hit);
    build.problems.report(
        node, fmt::format(
                  "{}; {:.0f} % of the tries hit the obstacle '{}': {}", found,
                  100 * filling.share_hit, obstacle.name,
                  advice.empty() ? "move the region away from it, or enlarge the region" : advice));
    return;
  }
  const std::string limit = kind.is_sphere() ? "equal spheres jams near 0.38"
                                             : kind.plural + " jams long before they fill a region";
  build.problems.report(
      node,
      fmt::format("{}; random placement of {}: ask for fewer, enlarge the region, or use a lattice",
                  found, limit));
}

/// Reports a region larger than the periodic cell, which would be filled twice.
bool check_period(Build& build, const Node& region) {
  constexpr double kMore = 1 + 1e-9;  // rounding of corners in scenes
  const Vec3 size = vec3(region["max"]) - vec3(region["min"]);
  const Vec3 period = build.scene.model.domain.period();
  for (int k = 0; k < 3; ++k) {
    if (period[k] == 0 || size[k] <= period[k] * kMore) continue;
    build.problems.report(
        region,
        fmt::format("along {} the region is {} m wide, more than the period of the cell, {} m",
                    "xyz"[k], size[k], period[k]));
    return false;
  }
  return true;
}

}  // namespace

void add_random_filling(Build& build, const Node& node, MaterialId material, double density) {
  if (!check_region(node["region"], build.problems) || !check_period(build, node["region"])) return;
  const auto kind = read_kind(build, node);
  if (!kind) return;
  const auto sizes = read_sizes(build, node, *kind);
  if (!sizes || !check_room(build, node, *kind, *sizes) || !check_memory(build, node, sizes->count))
    return;

  RandomStream random{seed_of(build, node), 0};
  const std::vector<double> radii = draw_radii(*kind, *sizes, random);
  RandomFill filling = may_fit(node, *kind, radii)
                           ? place_bodies(build, node, *kind, material, radii, random)
                           : RandomFill{};
  if (filling.bodies.size() < radii.size()) {
    report_jam(build, node, *kind, radii, filling);
    return;
  }
  const Vec3 velocity = vec3(node["velocity"]), jitter = vec3(node["jitter"]);
  reserve_bodies(build, radii.size());
  for (Body& body : filling.bodies) {
    body.velocity = velocity;
    for (int k = 0; k < 3; ++k) body.velocity[k] += jitter[k] * random.uniform(-1, 1);
    const auto mass = mass_of(build, node, scaled(kind->shape, body.radius), density);
    if (!mass) return;
    body.mass = *mass;
    add_body(build, body);
  }
}

}  // namespace scree::scene

/// Reports overlaps of bodies with each other and with obstacles at t = 0.
#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "scene/bodies/sphere_grid.hpp"
#include "scene/build.hpp"

namespace scree::scene {

namespace {

constexpr double kOverlapRounding = 1e-6;  // smaller overlaps do not count [radius]
constexpr std::size_t kMaxListed = 10;     // overlaps reported one by one

/// Name for messages: "body 12 of bodies[1].lattice (radius … at …)", with the position in the
/// user's frame
std::string name_of(const Build& build, const BodyGroup& group, std::size_t i) {
  const Body body = build.scene.state.bodies[i];
  const Vec3 x = given_pose(build, body).position;
  const std::string which =
      group.count == 1 ? path_of(*group.node)
                       : fmt::format("body {} of {}", i - group.first, path_of(*group.node));
  return fmt::format("{} ({} at {:.6g}, {:.6g}, {:.6g})", which, description_of(build, body), x.x,
                     x.y, x.z);
}

const BodyGroup& group_of(const Build& build, std::size_t i) {
  return *std::find_if(build.groups.begin(), build.groups.end(),
                       [&](const BodyGroup& g) { return i >= g.first && i < g.first + g.count; });
}

class OverlapCheck {
 public:
  OverlapCheck(Build& build, double allowed)
      : build_(build), bodies_(build.scene.state.bodies), allowed_(allowed) {}

  void between_bodies() {
    // Falling radii: each body visits few cells
    std::vector<std::uint32_t> order(bodies_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return bodies_.radius[a] > bodies_.radius[b]; });
    // Limits the work where many bodies share a position: it would grow with the square of their
    // number
    const std::size_t max_overlaps = 10'000 + 30 * bodies_.size();
    std::size_t touched = 0;
    SphereGrid grid(build_.scene.model.domain);
    grid.reserve(bodies_.size());
    for (const std::uint32_t i : order) {
      grid.for_each_overlap(bodies_.position[i], bodies_.radius[i], [&](std::uint32_t k, double) {
        const std::uint32_t other = order[k];
        const double depth = overlap(build_, bodies_[i], bodies_[other]);
        if (depth > 0 && ignore_each_other(build_, bodies_[i], bodies_[other])) return true;
        if (depth > 0 && run_of(i) && run_of(i) == run_of(other)) return true;
        if (depth > std::max(allowed_, kOverlapRounding * bodies_.radius[i]))
          found(i, other, depth);
        touched += depth > 0 ? 1 : 0;
        return touched < max_overlaps;
      });
      if (touched >= max_overlaps) break;
      grid.insert(bodies_.position[i], bodies_.radius[i]);
    }
  }

  void with_obstacles() {
    for (std::size_t i = 0; i < bodies_.size(); ++i)
      for (std::uint32_t k = 0; k < build_.scene.model.obstacles.size(); ++k) {
        const Obstacle& obstacle = build_.scene.model.obstacles[k];
        const double depth = overlap(build_, bodies_[i], obstacle);
        if (depth <= std::max(allowed_, kOverlapRounding * bodies_.radius[i])) continue;
        if (ignore_each_other(build_, bodies_[i], k)) continue;
        if (depth <= depth_in_run(i, obstacle.name)) continue;
        report(i, fmt::format("overlaps the obstacle '{}' by {:.3g} m", obstacle.name, depth),
               advice_on_normal(obstacle, bodies_.position[i]));
      }
  }

  void summarise() {
    if (count_ <= kMaxListed) return;
    build_.problems.add(
        build_.root["bodies"],
        fmt::format("{} overlaps in all; move the bodies apart, or set allow_overlap "
                    "to true or to a length",
                    count_));
  }

 private:
  void found(std::size_t i, std::size_t j, double depth) {
    if (count_ >= kMaxListed) {
      ++count_;
      return;
    }
    const auto [first, second] = std::minmax(i, j);
    const double smaller = std::min(half_width(i), half_width(j));
    report(second, fmt::format("overlaps {} by {:.3g} m, {:.3g} % of the smaller {}",
                               name_of(build_, group_of(build_, first), first), depth,
                               100 * depth / smaller,
                               is_sphere(i) && is_sphere(j) ? "radius" : "half width"));
  }

  /// Run that a body comes from; null if none.
  const TakenRun* run_of(std::size_t i) const {
    for (const TakenRun& taken : build_.taken) {
      const BodyGroup& group = build_.groups[taken.group];
      if (i >= group.first && i < group.first + group.count) return &taken;
    }
    return nullptr;
  }

  /// Overlap of a body with the obstacle of this name in the run that it comes from [m]; 0 if there
  /// was none.
  double depth_in_run(std::size_t i, const std::string& name) const {
    const TakenRun* taken = run_of(i);
    if (!taken) return 0;
    const auto& obstacles = taken->run->scene.model.obstacles;
    const auto obstacle = std::ranges::find(obstacles, name, &Obstacle::name);
    if (obstacle == obstacles.end()) return 0;
    const auto index = static_cast<std::uint32_t>(obstacle - obstacles.begin());
    for (const RunStage& stage : taken->run->scene.stages)
      if (std::ranges::count(stage.removed, index) > 0) return 0;
    Obstacle then = *obstacle;
    then.pose = taken->run->state.obstacles[index].pose;
    constexpr double kOfDigits = 1e-9;  // of the radius
    return overlap(build_, bodies_[i], then) + kOfDigits * bodies_.radius[i];
  }

  bool is_sphere(std::size_t i) const {
    return build_.scene.model.prototypes[bodies_.prototype[i]].is_sphere();
  }

  /// Radius of the largest sphere in a body, or in the smallest part of a clump [m].
  double half_width(std::size_t i) const {
    return bodies_.radius[i] *
           build_.scene.model.prototypes[bodies_.prototype[i]].inscribed_radius();
  }

  void report(std::size_t i, const std::string& what, const std::string& advice = "") {
    if (++count_ > kMaxListed) return;
    const BodyGroup& group = group_of(build_, i);
    build_.problems.add(*group.node,
                        name_of(build_, group, i) + " " + what + "; " +
                            (advice.empty() ? "move it, or set allow_overlap" : advice));
  }

  Build& build_;
  const Bodies& bodies_;
  double allowed_;
  std::size_t count_ = 0;
};

}  // namespace

void check_overlaps(Build& build) {
  const Node& setting = build.root["allow_overlap"];
  if (!sound(setting) || (setting.kind == Node::Kind::boolean && setting.truth)) return;
  OverlapCheck check(build, setting.is_number() ? setting.number : 0);
  check.between_bodies();
  check.with_obstacles();
  check.summarise();
}

}  // namespace scree::scene

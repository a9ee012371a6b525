/// Rays against all bodies, by a tree of boxes, and against all obstacles.
#include "scree/sim/raycast.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "scree/core/error.hpp"
#include "scree/core/infinity.hpp"

namespace scree {
namespace {

/// Materials that ignore all materials.
std::vector<bool> untouched_materials(const Model& model) {
  const std::size_t count = model.materials.size();
  std::vector<bool> ignored(count * count);
  for (const auto& [a, b] : model.ignored) {
    if (a.one || b.one) continue;
    ignored[a.material * count + b.material] = true;
    ignored[b.material * count + a.material] = true;
  }
  std::vector<bool> untouched(count);
  for (std::size_t k = 0; k < count; ++k) {
    const auto row = ignored.begin() + static_cast<std::ptrdiff_t>(k * count);
    untouched[k] = std::all_of(row, row + static_cast<std::ptrdiff_t>(count), std::identity{});
  }
  return untouched;
}

/// Boxes about the bounding spheres of bodies, each split at the median of its longest side.
class BodyTree {
 public:
  /// For few rays one box must do: its tree would cost more than it saves.
  BodyTree(const Bodies& bodies, std::vector<BodyIndex> members, std::size_t rays)
      : bodies_(bodies),
        members_(std::move(members)),
        in_leaf_(rays < kManyRays ? members_.size() : kInLeaf) {
    if (!members_.empty()) build(0, members_.size());
  }

  /// Calls f(body) for all bodies whose bounding spheres a ray meets nearer than `within`, which f
  /// may reduce, and some others.
  template <class F>
  void for_each_on_ray(const Ray& ray, const double& within, F&& f) const {
    for (std::size_t k = 0; k < nodes_.size();) {
      const Node& node = nodes_[k];
      const bool meets = meets_box(ray, node.low, node.high, within);
      if (meets && is_leaf(node))
        for (std::size_t m = node.first; m < node.last; ++m)
          if (meets_sphere(ray, members_[m])) f(members_[m]);
      k = meets ? k + 1 : node.next;
    }
  }

 private:
  static constexpr std::size_t kInLeaf = 4, kManyRays = 16;
  static constexpr double kRoundUp = 1 + 1e-12;
  struct Node {
    Vec3 low, high;           ///< [m]
    std::size_t first, last;  ///< its members
    std::size_t next;         ///< first node that is not below this one
  };

  bool is_leaf(const Node& node) const { return node.last - node.first <= in_leaf_; }
  bool meets_sphere(const Ray& ray, BodyIndex i) const {
    const double r = bodies_.radius[i];
    return squared_norm(cross(ray.direction, bodies_.position[i] - ray.origin)) <= kRoundUp * r * r;
  }

  void build(std::size_t first, std::size_t last) {
    const std::size_t own = nodes_.size();
    nodes_.push_back(box_of(first, last));
    if (!is_leaf(nodes_[own])) {
      const Vec3 size = nodes_[own].high - nodes_[own].low;
      const int axis = size.x >= std::max(size.y, size.z) ? 0 : size.y >= size.z ? 1 : 2;
      const auto at = [&](std::size_t k) {
        return members_.begin() + static_cast<std::ptrdiff_t>(k);
      };
      const std::size_t middle = (first + last) / 2;
      std::nth_element(at(first), at(middle), at(last), [&](BodyIndex a, BodyIndex b) {
        return bodies_.position[a][axis] < bodies_.position[b][axis];
      });
      build(first, middle);
      build(middle, last);
    }
    nodes_[own].next = nodes_.size();
  }

  Node box_of(std::size_t first, std::size_t last) const {
    Node node{
        {kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}, first, last, 0};
    for (std::size_t m = first; m < last; ++m)
      for (int k = 0; k < 3; ++k) {
        const double x = bodies_.position[members_[m]][k], r = bodies_.radius[members_[m]];
        node.low[k] = std::min(node.low[k], x - r);
        node.high[k] = std::max(node.high[k], x + r);
      }
    return node;
  }

  const Bodies& bodies_;
  std::vector<BodyIndex> members_;
  std::size_t in_leaf_;  ///< bodies in a leaf, at most
  std::vector<Node> nodes_;
};

std::vector<BodyIndex> seen_bodies(const Simulation& simulation, const RayLimits& limits) {
  const State& state = simulation.state();
  const std::vector<bool> untouched = untouched_materials(simulation.model());
  std::vector<BodyIndex> seen;
  for (BodyIndex i = 0; i < state.bodies.size(); ++i)
    if (!untouched[state.bodies.material[i]] && !state.neighbours.has_left(i) &&
        std::ranges::find(limits.unseen, state.bodies.id[i]) == limits.unseen.end())
      seen.push_back(i);
  return seen;
}

void take_nearer(SeenBody& first, const RayHit& hit, BodyId id) {
  if (hit.distance < first.distance) first = {hit, id};
}

/// Hits on obstacles, which are few.
void cast_on_obstacles(const Simulation& simulation, const Ray& ray, const RayLimits& limits,
                       SeenBody& first) {
  const auto& obstacles = simulation.model().obstacles;
  for (std::uint32_t k = 0; k < obstacles.size(); ++k) {
    const BodyId id = obstacle_id(k);
    if (obstacles[k].is_absent || std::ranges::find(limits.unseen, id) != limits.unseen.end())
      continue;
    take_nearer(first, cast_ray(ray, obstacles[k].shape, simulation.obstacle_pose(k)), id);
  }
}

Ray with_unit_direction(const Ray& ray, std::size_t k) {
  const double length = norm(ray.direction);
  if (!is_finite(ray.origin) || !(length > 0) || !(length < kInfinity))
    throw InputError("ray " + std::to_string(k) +
                     " needs a finite origin, and a finite direction that is not 0");
  return {ray.origin, ray.direction / length};
}

}  // namespace

std::vector<SeenBody> raycast(const Simulation& simulation, std::span<const Ray> rays,
                              const RayLimits& limits) {
  if (simulation.model().domain.repeats()) throw InputError("rays do not work in a periodic cell");
  if (!(limits.within > 0)) throw InputError("the range of rays must be above 0");
  const Bodies& bodies = simulation.state().bodies;
  const auto& prototypes = simulation.model().prototypes;
  const BodyTree tree(bodies, seen_bodies(simulation, limits), rays.size());
  std::vector<SeenBody> hits;
  for (std::size_t k = 0; k < rays.size(); ++k) {
    const Ray ray = with_unit_direction(rays[k], k);
    SeenBody first{{limits.within, {}}, kWorld};
    cast_on_obstacles(simulation, ray, limits, first);
    tree.for_each_on_ray(ray, first.distance, [&](BodyIndex i) {
      const Shape shape = scaled(prototypes[bodies.prototype[i]].shape, bodies.radius[i]);
      const Pose pose{bodies.position[i], bodies.orientation[i]};
      take_nearer(first, cast_ray(ray, shape, pose), bodies.id[i]);
    });
    hits.push_back(first.id == kWorld ? SeenBody{} : first);
  }
  return hits;
}

}  // namespace scree

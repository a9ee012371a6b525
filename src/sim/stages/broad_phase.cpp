#include <algorithm>
#include <cmath>

#include "sim/step.hpp"

namespace scree {
namespace {

/// How far beyond its margin a body's neighbours are looked up, so that the list lasts several steps: five steps' travel, within
/// bounds relative to its radius.
constexpr double kSkinSteps = 5, kLeastSkin = 0.05, kMostSkin = 0.3;

double skin(double radius, double travel) {
  return std::clamp(kSkinSteps * travel, kLeastSkin * radius, kMostSkin * radius);
}

template <class Vector>
void permute(Vector& v, std::span<const SortItem> order) {
  Vector sorted;
  sorted.reserve(v.capacity());
  for (const SortItem& item : order) sorted.push_back(v[item.value]);
  v.swap(sorted);
}

/// Puts bodies into the order of the grid's cells; scratch.origin then tells where each stood in the old list.
void reorder_bodies(StepContext& c) {
  Scratch& s = c.scratch;
  Bodies& bodies = c.state.bodies;
  const std::size_t n = bodies.size();
  const double h = c.model.step.h;
  Neighbours& neighbours = c.state.neighbours;
  resize_tightly(neighbours.slack, n);
  resize_tightly(s.reach, n);
  for (std::size_t i = 0; i < n; ++i) {
    neighbours.slack[i] = s.margin[i] + skin(bodies.radius[i], h * norm(s.problem.bodies[i].velocity));
    s.reach[i] = bodies.radius[i] + neighbours.slack[i];
  }
  const std::span<const SortItem> order = s.search.order(bodies.position, s.reach);
  bodies.for_each_field([&](auto& field) { permute(field, order); });
  permute(neighbours.slack, order);
  permute(s.reach, order);
  permute(s.margin, order);
  permute(s.origin, order);
  s.problem.bodies.pop_back();  // the body at rest stays last
  permute(s.problem.bodies, order);
  s.problem.bodies.push_back({});
  if (s.any_anisotropic) permute(s.problem.inverse_inertia, order);
}

/// Every pair of bodies, and of body and obstacle, within each other's reach.
void find_pairs(StepContext& c) {
  Scratch& s = c.scratch;
  const Bodies& bodies = c.state.bodies;
  Neighbours& neighbours = c.state.neighbours;
  const auto& obstacles = c.model.obstacles;
  neighbours.obstacle_slack.resize(obstacles.size());
  std::vector<double> bound(obstacles.size());
  for (std::size_t k = 0; k < obstacles.size(); ++k) {
    // A moving wall's margin is its travel in a step: look five more steps ahead.
    neighbours.obstacle_slack[k] = s.obstacle_margin[k] * (2 + kSkinSteps);
    bound[k] = bounding_radius(obstacles[k].shape) + neighbours.obstacle_slack[k];
  }
  const auto add_obstacles = [&](BodyIndex i, std::vector<PairSearch::Pair>& pairs) {
    for (std::uint32_t k = 0; k < obstacles.size(); ++k) {
      const Pose& pose = c.state.obstacles[k].pose;
      const double far = bound[k] + s.reach[i];
      if (squared_norm(bodies.position[i] - pose.position) > far * far) continue;
      if (signed_distance(obstacles[k].shape, pose, bodies.position[i]).distance <
          s.reach[i] + neighbours.obstacle_slack[k])
        pairs.push_back({i, Neighbours::kObstacle | k});
    }
  };
  s.search.find(bodies.position, s.reach, add_obstacles, s.found, neighbours.first, c.pool);
}

/// Percussions of pairs that were in the old list stay with them.
void carry_percussions(StepContext& c) {
  Scratch& s = c.scratch;
  Neighbours& neighbours = c.state.neighbours;
  resize_tightly(neighbours.pairs, s.found.size());
  resize_tightly(neighbours.percussion, s.found.size());
  const auto look_up = [&](std::uint32_t owner, std::uint32_t other) -> const Vec3* {
    if (owner + 1 >= s.old_first.size()) return nullptr;
    for (std::uint32_t p = s.old_first[owner]; p < s.old_first[owner + 1]; ++p)
      if (s.old_pairs[p].other == other) return &s.old_percussion[p];
    return nullptr;
  };
  c.pool.for_each_range(s.found.size(), 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) {
      const auto [owner, other] = s.found[p];
      neighbours.pairs[p] = {owner, other};
      const bool obstacle = other & Neighbours::kObstacle;
      const std::uint32_t was = s.origin[owner], other_was = obstacle ? other : s.origin[other];
      const Vec3* old = look_up(was, other_was);
      if (!old && !obstacle) old = look_up(other_was, was);
      neighbours.percussion[p] = old ? *old : Vec3{};
    }
  });
}

void colour_pairs(StepContext& c) {
  Scratch& s = c.scratch;
  Neighbours& neighbours = c.state.neighbours;
  const Bodies& bodies = c.state.bodies;
  resize_tightly(s.edges, neighbours.pairs.size());
  resize_tightly(neighbours.colour, neighbours.pairs.size());
  for (std::size_t p = 0; p < neighbours.pairs.size(); ++p) {
    const auto [a, b] = neighbours.pairs[p];
    const BodyId b_id = b & Neighbours::kObstacle ? obstacle_id(b & ~Neighbours::kObstacle) : bodies.id[b];
    s.edges[p] = {a, b, bodies.id[a].value, b_id.value};
  }
  neighbours.colour_count = s.colouring(s.edges, bodies.size(), neighbours.colour);
}

}  // namespace

void broad_phase(StepContext& c) {
  Neighbours& neighbours = c.state.neighbours;
  if (neighbours.valid) return;
  c.report.neighbours_rebuilt = true;
  Scratch& s = c.scratch;
  s.old_pairs.swap(neighbours.pairs);
  s.old_first.swap(neighbours.first);
  s.old_percussion.swap(neighbours.percussion);
  resize_tightly(s.origin, c.state.bodies.size());
  for (std::uint32_t i = 0; i < s.origin.size(); ++i) s.origin[i] = i;

  remove_outflow(c);
  reorder_bodies(c);
  find_pairs(c);
  carry_percussions(c);
  colour_pairs(c);
  neighbours.valid = true;
}

}  // namespace scree

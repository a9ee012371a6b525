/// Loads of contacts on obstacles in a step.
#include <algorithm>
#include <numeric>
#include <tuple>

#include "sim/contacts/solved_points.hpp"
#include "sim/contacts/store.hpp"
#include "sim/motion/body_motion.hpp"
#include "sim/motion/motion.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

using Task = Scratch::ObstacleContacts::Task;
using ObstaclePair = Scratch::ObstacleContacts::ObstaclePair;
using WornFacet = Scratch::ObstacleContacts::WornFacet;

/// Lists pairs with obstacles, and reserves memory for all, so that later contacts need no
/// allocation.
void list_pairs(StepContext& c) {
  Scratch::ObstacleContacts& s = c.scratch.obstacle_contacts;
  const auto& pairs = c.state.neighbours.pairs;
  s.listed.clear();
  for (std::uint32_t p = 0; p < pairs.size(); ++p)
    if (pairs[p].other & Neighbours::kObstacle)
      s.listed.push_back({p, pairs[p].owner, pairs[p].other & ~Neighbours::kObstacle});
  s.looked_at = pairs.size();
  s.found.resize(kPairChunks);
  for (auto& found : s.found) reserve_tightly(found, s.listed.size() / kPairChunks + 1);
  reserve_tightly(s.pairs, s.listed.size());
  reserve_tightly(s.task, c.model.obstacles.size() + s.listed.size() / kLoadPairsPerTask);
}

/// Collects contacts with obstacles, grouped by obstacle, in tasks of one obstacle each.
void gather(StepContext& c) {
  Scratch::ObstacleContacts& s = c.scratch.obstacle_contacts;
  const std::size_t obstacles = c.model.obstacles.size();
  if (c.report.neighbours_rebuilt || s.looked_at != c.state.neighbours.pairs.size()) list_pairs(c);
  c.pool.for_each_chunk(kPairChunks, [&](std::size_t chunk) {
    auto& found = s.found[chunk];
    found.clear();
    for (std::size_t k = s.listed.size() * chunk / kPairChunks;
         k < s.listed.size() * (chunk + 1) / kPairChunks; ++k)
      if (c.scratch.slot[s.listed[k].pair] != Scratch::kNoContact) found.push_back(s.listed[k]);
  });

  // Counting sort: number of each obstacle, its end, then the pairs.
  s.end.assign(obstacles + 1, 0);
  for (const auto& found : s.found)
    for (const ObstaclePair& pair : found) ++s.end[pair.obstacle + 1];
  std::partial_sum(s.end.begin(), s.end.end(), s.end.begin());
  s.pairs.resize(s.end.back());
  for (const auto& found : s.found)
    for (const ObstaclePair& pair : found) s.pairs[s.end[pair.obstacle]++] = pair;

  s.tasks = 0;
  std::uint32_t begin = 0;
  for (std::uint32_t obstacle = 0; obstacle < obstacles; ++obstacle)
    for (; begin < s.end[obstacle]; begin = std::min(begin + kLoadPairsPerTask, s.end[obstacle])) {
      if (s.task.size() == s.tasks) s.task.emplace_back();
      Task& task = s.task[s.tasks++];
      task.obstacle = obstacle;
      task.begin = begin;
      task.end = std::min(begin + kLoadPairsPerTask, s.end[obstacle]);
      task.clear();
    }
}

/// Sums the contacts of a task.
class ObstacleLoader {
 public:
  ObstacleLoader(const StepContext& c, Task& task)
      : c_(c),
        task_(task),
        obstacle_(c.model.obstacles[task.obstacle]),
        now_(c.state.obstacles[task.obstacle]),
        pivot_(now_.pose.position + rotate(now_.pose.orientation, obstacle_.pivot)),
        points_(c.model, c.state, c.scratch, CentreAtStart{c.state.bodies}) {}

  void operator()() {
    const std::vector<ObstaclePair>& pairs = c_.scratch.obstacle_contacts.pairs;
    for (std::uint32_t k = task_.begin; k < task_.end; ++k) {
      if (k + kLoadPairsAhead < task_.end) prefetch(pairs[k + kLoadPairsAhead]);
      const BodyIndex body = pairs[k].body;
      points_.for_each(pairs[k].pair, [&](const SolvedPoint& point) { add(body, point); });
    }
  }

 private:
  /// A is the body, B the obstacle.
  void add(BodyIndex body, const SolvedPoint& point) {
    const double fraction_of_step = point.force ? half_step_factor(c_) : 1;
    const Vec3 impulse = fraction_of_step * point.impulse,
               couple = fraction_of_step * point.angular_impulse;
    task_.wrench.add(impulse, c_.scratch.domain.separation(pivot_, point.on_b), couple);

    const Motion wall = motion_of_obstacle(point);
    (point.force ? task_.soft_work : task_.rigid_work)
        .add(-dot(impulse, wall.velocity) - dot(couple, wall.angular_velocity));

    const Wear taken = point.event ? point.event->wear : wear_of(body, point, impulse, couple);
    task_.impact.add(taken.impact);
    task_.sliding.add(taken.sliding);
    if (obstacle_.records_wear)
      task_.worn.push_back({facet_at(point.on_b), c_.state.bodies.id[body], taken});
  }

  /// Energy that a contact takes, with the mean velocities of the step.
  Wear wear_of(BodyIndex body, const SolvedPoint& point, const Vec3& impulse,
               const Vec3& couple) const {
    const Motion wall = motion_of_obstacle(point);
    const Motion own = mean_motion(body);
    const Vec3 arm = c_.scratch.domain.separation(c_.state.bodies.position[body], point.on_a);
    const Vec3 u = wall.velocity - own.velocity - cross(own.angular_velocity, arm);
    const double u_n = dot(u, point.normal), r_n = dot(impulse, point.normal);
    return {-r_n * u_n, -dot(impulse - r_n * point.normal, u - u_n * point.normal) -
                            dot(couple, wall.angular_velocity - own.angular_velocity)};
  }

  /// Motion of the obstacle's surface at the contact, mean of the step, as for its work.
  Motion motion_of_obstacle(const SolvedPoint& point) const {
    if (!surface_moves(c_, task_.obstacle) && !moves(twist_before(point))) return {};
    if (point.force) {
      const Twist before = twist_before(point);
      const Vec3 at =
          now_.pose.position + c_.scratch.domain.separation(now_.pose.position, point.on_b);
      return {0.5 * (velocity_at(now_.pose, before, at) + velocity_at(now_.pose, now_.twist, at)) +
                  surface_velocity(c_, task_.obstacle, point.normal),
              0.5 * (before.angular + now_.twist.angular)};
    }
    const BodyIndex record = point.full    ? point.full->contact(point.lane).b
                             : point.event ? point.event->b
                                           : point.diagonal->b[point.lane];
    return {c_.scratch.problem.bodies[record].velocity, now_.twist.angular};
  }
  /// Twist in the step before, during which forces act, too.
  Twist twist_before(const SolvedPoint& point) const {
    return point.force ? c_.scratch.forces.twist_before[task_.obstacle] : Twist{};
  }

  Motion mean_motion(BodyIndex i) const {
    const Bodies& bodies = c_.state.bodies;
    return {0.5 * (bodies.velocity[i] + c_.scratch.problem.bodies[i].velocity),
            0.5 * (bodies.angular_velocity[i] + angular_velocity(c_, i))};
  }

  std::uint32_t facet_at(const Vec3& point) const {
    const Mesh& mesh = std::get<Mesh>(obstacle_.shape);
    const Vec3 at = c_.scratch.domain.separation(now_.pose.position, point);
    return mesh.mesh->closest(rotate_back(now_.pose.orientation, at) / mesh.scale).facet;
  }

  // Prefetches: bodies at an obstacle are scattered in memory.
  [[gnu::always_inline]] void prefetch(const ObstaclePair& ahead) const {
    const auto [pair, i, obstacle] = ahead;
    const Bodies& bodies = c_.state.bodies;
    const Neighbours& list = c_.state.neighbours;
    __builtin_prefetch(&list.pairs[pair]);
    __builtin_prefetch(&bodies.position[i]);
    __builtin_prefetch(&bodies.velocity[i]);
    __builtin_prefetch(&bodies.angular_velocity[i]);
    __builtin_prefetch(&bodies.radius[i]);
    __builtin_prefetch(&c_.scratch.problem.bodies[i]);
    if (!list.force_memory.empty()) __builtin_prefetch(&list.force_memory[list.places(pair).begin]);
  }

  const StepContext& c_;
  Task& task_;
  const Obstacle& obstacle_;
  const ObstacleState& now_;
  Vec3 pivot_;
  SolvedPoints<CentreAtStart> points_;
};

/// Adds wear to the facets, in an order that depends only on the contacts.
void wear_facets(StepContext& c) {
  Scratch::ObstacleContacts& s = c.scratch.obstacle_contacts;
  std::size_t first = 0;
  for (std::uint32_t obstacle = 0; obstacle < c.model.obstacles.size(); ++obstacle) {
    const std::size_t facets = worn_facets(c.model.obstacles[obstacle]);
    if (facets == 0) continue;
    s.worn.clear();
    for (std::size_t k = 0; k < s.tasks; ++k)
      if (s.task[k].obstacle == obstacle)
        s.worn.insert(s.worn.end(), s.task[k].worn.begin(), s.task[k].worn.end());
    std::ranges::sort(s.worn, {}, [](const WornFacet& w) {
      return std::tuple(w.facet, w.body, w.taken.impact, w.taken.sliding);
    });
    for (const WornFacet& worn : s.worn) c.state.facet_wear[first + worn.facet] += worn.taken;
    first += facets;
  }
}

}  // namespace

void load_obstacles(StepContext& c) {
  Scratch::ObstacleContacts& s = c.scratch.obstacle_contacts;
  s.rigid_work = s.soft_work = 0;
  if (c.model.obstacles.empty()) return;
  gather(c);
  c.pool.for_each_chunk(s.tasks, [&](std::size_t k) { ObstacleLoader(c, s.task[k])(); });

  ExactSum rigid, soft;
  for (std::size_t k = 0; k < s.tasks;) {
    Task& sum = s.task[k];
    rigid += sum.rigid_work;
    soft += sum.soft_work;
    for (++k; k < s.tasks && s.task[k].obstacle == sum.obstacle; ++k) {
      rigid += s.task[k].rigid_work;
      soft += s.task[k].soft_work;
      sum += s.task[k];
    }
    load_obstacle(c, sum.obstacle, sum.wrench.value());
    ObstacleLoad& load = c.state.obstacle_loads[sum.obstacle];
    load.work += sum.rigid_work.value() + sum.soft_work.value();
    load.wear += {sum.impact.value(), sum.sliding.value()};
  }
  s.rigid_work = rigid.value();
  s.soft_work = soft.value();
  wear_facets(c);
}

}  // namespace scree

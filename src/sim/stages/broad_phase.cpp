#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include "scree/collision/pair_search.hpp"
#include "scree/contact/colouring.hpp"
#include "scree/contact/wavefront.hpp"
#include "sim/step.hpp"

namespace scree {
namespace {

/// How far beyond its margin a body's neighbours are looked up, so that the list lasts several
/// steps: five steps' travel, within bounds relative to its radius.
constexpr double kSkinSteps = 5, kLeastSkin = 0.05, kMostSkin = 0.3;

double skin(double radius, double travel) {
  return std::clamp(kSkinSteps * travel, kLeastSkin * radius, kMostSkin * radius);
}

template <class Vector>
void permute(Vector& v, std::span<const SortItem> order) {
  Vector sorted;
  sorted.reserve(order.size() + order.size() / 64 + 2);  // a body at rest, and a few that enter
  for (const SortItem& item : order) sorted.push_back(v[item.value]);
  v.swap(sorted);
}

/// Gives back what is filled anew in every step, for as long as it lives; then there is room for as
/// much again.
template <class Vector>
class Lent {
 public:
  explicit Lent(Vector& v) : v_(v), capacity_(v.capacity()) { Vector().swap(v_); }
  ~Lent() {
    try {
      v_.reserve(capacity_);
    } catch (const std::bad_alloc&) {
      // The step asks for what it needs, and tells.
    }
  }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;

 private:
  Vector& v_;
  std::size_t capacity_;
};

/// Makes the neighbour list anew. What it needs for that, it gives back: steps between do not. The
/// list of before and the new one are there together for a while; the problem, which the step has
/// yet to make, is not, so that no memory is needed beyond that of a step.
class NeighbourUpdate {
 public:
  explicit NeighbourUpdate(StepContext& c)
      : c_(c),
        neighbours_(c.state.neighbours),
        bodies_(c.state.bodies),
        blocks_(c.scratch.problem.blocks),
        full_(c.scratch.problem.full),
        slot_(c.scratch.slot),
        gap_(c.scratch.gap),
        search_(c.model.domain) {}

  void run() {
    old_.pairs.swap(neighbours_.pairs);
    old_.first.swap(neighbours_.first);
    old_.first_place.swap(neighbours_.first_place);
    old_.feature.swap(neighbours_.feature);
    old_.percussion.swap(neighbours_.percussion);
    old_.force_memory.swap(neighbours_.force_memory);
    old_.force_moment.swap(neighbours_.force_moment);
    old_.angular_percussion.swap(neighbours_.angular_percussion);
    origin_.resize(bodies_.size());
    for (std::uint32_t i = 0; i < origin_.size(); ++i) origin_[i] = i;

    remove_outflow(c_, origin_);
    reorder_bodies();
    find_pairs();
    carry_percussions();
    neighbours_.valid = true;
  }

 private:
  /// Puts bodies into the order of the grid's cells; origin_ then tells where each stood in the old
  /// list.
  void reorder_bodies() {
    Scratch& s = c_.scratch;
    const std::size_t n = bodies_.size();
    const double h = c_.model.step.h;
    resize_tightly(neighbours_.slack, n);
    reach_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double travel = h * norm(s.problem.bodies[i].velocity);
      // Finite, or the body would seem to have left.
      neighbours_.slack[i] = std::min(double{s.margin[i]} + skin(bodies_.radius[i], travel),
                                      std::numeric_limits<double>::max());
      reach_[i] = bodies_.radius[i] + neighbours_.slack[i];
    }
    const std::span<const SortItem> order = search_.order(bodies_.position, reach_);
    bodies_.for_each_field([&](auto& field) { permute(field, order); });
    permute(neighbours_.slack, order);
    permute(reach_, order);
    permute(s.margin, order);
    permute(origin_, order);
    s.problem.bodies.pop_back();  // the body at rest stays last
    permute(s.problem.bodies, order);
    s.problem.bodies.push_back({});
    if (!s.problem.own_gain.empty()) permute(s.problem.own_gain, order);
  }

  /// Every pair of bodies, and of body and obstacle, within each other's reach.
  void find_pairs() {
    const auto& obstacles = c_.model.obstacles;
    neighbours_.obstacle_slack.resize(obstacles.size());
    std::vector<double> bound(obstacles.size());
    // of a half-space: nearly all bodies look at nearly all of them
    std::vector<Vec3> outward(obstacles.size());
    for (std::size_t k = 0; k < obstacles.size(); ++k) {
      // A moving wall's margin is its travel in a step: look five more steps ahead.
      neighbours_.obstacle_slack[k] = c_.scratch.obstacle_margin[k] * (2 + kSkinSteps);
      bound[k] = bounding_radius(obstacles[k].shape) + neighbours_.obstacle_slack[k];
      outward[k] = rotate(c_.state.obstacles[k].pose.orientation, {0, 0, 1});
    }
    const auto add_obstacles = [&](BodyIndex i, std::vector<BodyPair>& pairs) {
      for (std::uint32_t k = 0; k < obstacles.size(); ++k) {
        const Pose& pose = c_.state.obstacles[k].pose;
        const Vec3 apart = c_.model.domain.separation(pose.position, bodies_.position[i]);
        const double far = bound[k] + reach_[i];
        if (squared_norm(apart) > far * far) continue;
        const double distance = std::holds_alternative<HalfSpace>(obstacles[k].shape)
                                    ? dot(outward[k], apart)
                                    : distance_to_part(c_, k, bodies_.position[i]);
        if (distance < reach_[i] + neighbours_.obstacle_slack[k])
          pairs.push_back({i, Neighbours::kObstacle | k});
      }
    };
    search_.find(bodies_.position, reach_, add_obstacles, neighbours_.pairs, neighbours_.first,
                 c_.pool);
    search_ = PairSearch(c_.model.domain);
  }

  /// A pair of the old list by its old indices; null if it was not there.
  const BodyPair* old_pair(std::uint32_t owner, std::uint32_t other) const {
    if (owner + std::size_t{1} >= old_.first.size()) return nullptr;
    for (std::uint32_t p = old_.first[owner]; p < old_.first[owner + 1]; ++p)
      if (old_.pairs[p].other == other) return &old_.pairs[p];
    return nullptr;
  }

  /// One place for a pair, or as many as a pair can have points.
  void make_places() {
    const std::size_t pairs = neighbours_.pairs.size();
    std::size_t places = pairs;
    if (!c_.scratch.all_spheres) {
      resize_tightly(neighbours_.first_place, pairs + 1);
      std::uint32_t place = 0;
      for (std::size_t p = 0; p < pairs; ++p) {
        neighbours_.first_place[p] = place;
        place += most_points(c_.model, bodies_, neighbours_.pairs[p]);
      }
      neighbours_.first_place[pairs] = place;
      neighbours_.feature.assign(place, Neighbours::kNoFeature);
      places = place;
    }
    neighbours_.percussion.assign(places, {});
    if (c_.scratch.forces.any) neighbours_.force_memory.assign(places, {});
    if (c_.scratch.forces.moments) neighbours_.force_moment.assign(places, {});
    if (c_.scratch.any_turning) neighbours_.angular_percussion.assign(places, {});
  }

  void carry_percussions() {
    make_places();
    c_.pool.for_each_range(neighbours_.pairs.size(), 4096, [&](std::size_t begin, std::size_t end) {
      for (std::size_t p = begin; p < end; ++p) {
        const auto [owner, other] = neighbours_.pairs[p];
        const bool obstacle = other & Neighbours::kObstacle;
        const std::uint32_t was = origin_[owner], other_was = obstacle ? other : origin_[other];
        const BodyPair* old = old_pair(was, other_was);
        if (!old && !obstacle) old = old_pair(other_was, was);
        if (!old) continue;
        std::size_t to = neighbours_.places(p).begin;
        const auto [from, last] = old_.places(static_cast<std::size_t>(old - old_.pairs.data()));
        for (std::size_t place = from; place < last; ++place, ++to) {
          neighbours_.percussion[to] = old_.percussion[place];
          if (!old_.force_memory.empty()) neighbours_.force_memory[to] = old_.force_memory[place];
          if (!old_.force_moment.empty()) neighbours_.force_moment[to] = old_.force_moment[place];
          if (!old_.angular_percussion.empty())
            neighbours_.angular_percussion[to] = old_.angular_percussion[place];
          if (!neighbours_.feature.empty()) neighbours_.feature[to] = old_.feature[place];
        }
      }
    });
    old_ = {};
  }

  StepContext& c_;
  Neighbours& neighbours_;
  Bodies& bodies_;
  Lent<AlignedVector<DiagonalBlock>> blocks_;
  Lent<AlignedVector<FullBlock>> full_;
  Lent<AlignedVector<std::uint32_t>> slot_;
  Lent<AlignedVector<float>> gap_;
  PairSearch search_;
  AlignedVector<double> reach_;
  AlignedVector<std::uint32_t> origin_;
  Neighbours old_;  ///< pairs and what they remember
};

/// Colours, and slabs of space. They are a function of the list of pairs and of where bodies are;
/// what is computed, of the colours alone.
void plan_groups(StepContext& c) {
  const Bodies& bodies = c.state.bodies;
  const auto& pairs = c.state.neighbours.pairs;
  Scratch& s = c.scratch;
  const auto edge = [&](std::size_t p) {
    const auto [a, b] = pairs[p];
    const BodyId b_id =
        b & Neighbours::kObstacle ? obstacle_id(b & ~Neighbours::kObstacle) : bodies.id[b];
    return Colouring::Edge{a, b, bodies.id[a].value, b_id.value};
  };
  resize_tightly(s.group, pairs.size());
  const std::uint32_t colours = Colouring()(edge, bodies.size(), s.group);
  s.group_count = wavefront_groups(pairs, bodies.position, colours, s.group);
}

}  // namespace

void broad_phase(StepContext& c) {
  const bool planned = c.scratch.group.size() == c.state.neighbours.pairs.size();
  if (c.state.neighbours.valid && planned) return;
  if (!c.state.neighbours.valid) {
    c.report.neighbours_rebuilt = true;
    NeighbourUpdate(c).run();
  }
  plan_groups(c);
}

}  // namespace scree

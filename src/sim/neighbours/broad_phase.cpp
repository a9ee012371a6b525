// Neighbour list: rebuilds it, or adds to it, when bodies have used up their skin.
#include <algorithm>
#include <new>
#include <optional>

#include "scree/collision/local_solid_fraction.hpp"
#include "scree/collision/pair_search.hpp"
#include "scree/core/exact_sum.hpp"
#include "scree/solvers/colouring.hpp"
#include "sim/boundaries/boundaries.hpp"
#include "sim/contacts/narrow_phase.hpp"
#include "sim/motion/body_motion.hpp"
#include "sim/neighbours/ignored_pairs.hpp"
#include "sim/neighbours/neighbours.hpp"
#include "sim/neighbours/search_radius.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

template <class Vector>
void permute(Vector& v, std::span<const SortItem> order) {
  Vector sorted;
  sorted.reserve(order.size() + order.size() / 64 + 2);  // a body at rest, and a few that enter
  for (const SortItem& item : order) sorted.push_back(v[item.value]);
  v.swap(sorted);
}

/// Frees a per-step buffer for its lifetime, and reserves the same capacity afterwards.
template <class Vector>
class Workspace {
 public:
  explicit Workspace(Vector& v) : v_(v), capacity_(v.capacity()) { Vector().swap(v_); }
  ~Workspace() {
    try {
      v_.reserve(capacity_);
    } catch (const std::bad_alloc&) {
      // The step allocates its own buffers and reports them.
    }
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

 private:
  Vector& v_;
  std::size_t capacity_;
};

/// Rebuilds the neighbour list, and then frees its buffers: steps in between do not hold them. The
/// old and the new list exist together for a while. The problem, which the step builds later, does
/// not: the peak stays below the memory of a step.
class NeighbourUpdate {
 public:
  explicit NeighbourUpdate(StepContext& c)
      : c_(c),
        neighbours_(c.state.neighbours),
        bodies_(c.state.bodies),
        blocks_(c.scratch.problem.blocks),
        full_(c.scratch.problem.contact_blocks),
        slot_(c.scratch.slot),
        gap_(c.scratch.gap),
        search_(c.scratch.domain) {}

  void run() {
    old_.pairs.swap(neighbours_.pairs);
    old_.first.swap(neighbours_.first);
    old_.first_place.swap(neighbours_.first_place);
    old_.feature.swap(neighbours_.feature);
    old_.impulse.swap(neighbours_.impulse);
    old_.force_memory.swap(neighbours_.force_memory);
    old_.force_moment.swap(neighbours_.force_moment);
    old_.force_radius.swap(neighbours_.force_radius);
    old_.force_held.swap(neighbours_.force_held);
    old_.angular_impulse.swap(neighbours_.angular_impulse);
    origin_.resize(bodies_.size());
    for (std::uint32_t i = 0; i < origin_.size(); ++i) origin_[i] = i;

    remove_outflow(c_, origin_);
    neighbours_.drift = drift();
    look_ahead();
    reorder_bodies();
    find_pairs();
    carry_impulses();
    neighbours_.valid = true;
  }

 private:
  /// Mean velocity, if it makes up most of the motion of the bodies; else zero.
  Vec3 drift() const {
    ExactSum sum[3], squares;
    for (const Vec3& v : bodies_.velocity) {
      for (int k = 0; k < 3; ++k) sum[k].add(v[k]);
      squares.add(squared_norm(v));
    }
    const auto bodies = static_cast<double>(bodies_.size());
    const Vec3 mean = 1 / bodies * Vec3{sum[0].value(), sum[1].value(), sum[2].value()};
    return squared_norm(mean) > kMinDriftFraction * squares.value() / bodies ? mean : Vec3{};
  }

  /// Computes skin and search radius of each body.
  void look_ahead() {
    const std::size_t n = bodies_.size();
    resize_tightly(neighbours_.skin, n);
    reach_.resize(n);
    // A grid of cells would depend on where the borders of a periodic domain lie.
    std::optional<LocalSolidFraction> local_fraction;
    if (!c_.scratch.domain.repeats()) local_fraction.emplace(bodies_.position, bodies_.radius);
    c_.pool.for_each_range(n, kBodiesPerChunk, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const double filled =
            local_fraction ? local_fraction->about(bodies_.position[i]) : kFullSolidFraction;
        neighbours_.skin[i] = skin_of(c_, i, filled);
        reach_[i] = bodies_.radius[i] + neighbours_.skin[i];
      }
    });
  }

  /// Sorts bodies by the cells of the grid; origin_ then has their indices in the old list.
  void reorder_bodies() {
    Scratch& s = c_.scratch;
    const std::span<const SortItem> order = search_.order(bodies_.position, reach_);
    bodies_.for_each_field([&](auto& field) { permute(field, order); });
    permute(neighbours_.skin, order);
    permute(reach_, order);
    permute(s.margin, order);
    permute(origin_, order);
    s.problem.bodies.pop_back();  // the body at rest stays last
    permute(s.problem.bodies, order);
    s.problem.bodies.push_back({});
    if (!s.problem.own_increment.empty()) permute(s.problem.own_increment, order);
    if (!s.fields.wrench.empty()) permute(s.fields.wrench, order);
    if (c_.model.step.sleep)
      c_.state.sleep.for_each_of_bodies([&](auto& field) { permute(field, order); });
  }

  /// Finds every pair of bodies, and of body and obstacle, within their search radii.
  void find_pairs() {
    neighbours_.obstacle_skin.assign(c_.model.obstacles.size(), {});
    for (std::size_t k = 0; k < neighbours_.obstacle_skin.size(); ++k)
      neighbours_.obstacle_skin[k] =
          2.0 * c_.scratch.obstacle_margin[k] + (1 + kSkinSteps) * approach_of_obstacle(c_, k);
    const ObstacleReach obstacles(c_);
    const auto add_obstacles = [&](BodyIndex i, std::vector<BodyPair>& pairs) {
      obstacles.add_pairs(i, reach_[i], pairs);
    };
    search_.find(bodies_.position, reach_, add_obstacles, neighbours_.pairs, neighbours_.first,
                 c_.pool);
    search_ = PairSearch(c_.scratch.domain);
    leave_out_ignored();
  }

  /// Removes pairs that must not touch.
  void leave_out_ignored() {
    const IgnoredPairs ignored(c_.model);
    if (ignored.empty()) return;
    std::size_t kept = 0;
    for (std::size_t i = 0, p = 0; i + 1 < neighbours_.first.size(); ++i) {
      const std::size_t end = neighbours_.first[i + 1];
      neighbours_.first[i] = static_cast<std::uint32_t>(kept);
      for (; p < end; ++p)
        if (!ignored.contains(bodies_, neighbours_.pairs[p]))
          neighbours_.pairs[kept++] = neighbours_.pairs[p];
    }
    neighbours_.first.back() = static_cast<std::uint32_t>(kept);
    neighbours_.pairs.resize(kept);
  }

  /// Number of slots of a pair in the new list.
  std::uint32_t slots_of(std::size_t pair) const {
    if (c_.scratch.forces.any)
      return max_manifold_points(c_.model, bodies_, neighbours_.pairs[pair]);
    const std::uint32_t was = was_[pair];
    return was == kNewPair ? 0 : static_cast<std::uint32_t>(old_.places(was).count());
  }

  /// Makes one slot per pair, or as many as it had, or as it can have points.
  void make_slots() {
    const std::size_t pairs = neighbours_.pairs.size();
    std::size_t slots = pairs;
    if (!c_.scratch.all_spheres) {
      resize_tightly(neighbours_.first_place, pairs + 1);
      std::uint32_t slot = 0;
      for (std::size_t p = 0; p < pairs; ++p) {
        neighbours_.first_place[p] = slot;
        slot += slots_of(p);
      }
      neighbours_.first_place[pairs] = slot;
      neighbours_.feature.assign(slot, Neighbours::kNoFeature);
      slots = slot;
    }
    // PositionCorrection uses this array as its buffer.
    const std::size_t workspace = (c_.scratch.all_sphere_contacts ? 1 : 2) * bodies_.size();
    reserve_tightly(neighbours_.impulse, std::max(slots, workspace));
    neighbours_.impulse.resize(slots);
    if (c_.scratch.forces.any) neighbours_.force_memory.assign(slots, {});
    if (c_.scratch.forces.moments) neighbours_.force_moment.assign(slots, {});
    if (c_.scratch.forces.radii) neighbours_.force_radius.assign(slots, 0);
    if (neighbours_.holds_points()) neighbours_.force_held.assign(slots, {});
    if (c_.scratch.any_rolling) neighbours_.angular_impulse.assign(slots, {});
  }

  /// Copies memories from a pair of the old list, by its slots there, to one of the new.
  void carry(std::size_t from_pair, std::size_t to_pair) {
    std::size_t to = neighbours_.places(to_pair).begin;
    const auto [from, last] = old_.places(from_pair);
    for (std::size_t slot = from; slot < last; ++slot, ++to) {
      neighbours_.impulse[to] = old_.impulse[slot];
      if (!old_.force_memory.empty()) neighbours_.force_memory[to] = old_.force_memory[slot];
      if (!old_.force_moment.empty()) neighbours_.force_moment[to] = old_.force_moment[slot];
      if (!old_.force_radius.empty()) neighbours_.force_radius[to] = old_.force_radius[slot];
      if (!old_.force_held.empty()) neighbours_.force_held[to] = old_.force_held[slot];
      if (!old_.angular_impulse.empty())
        neighbours_.angular_impulse[to] = old_.angular_impulse[slot];
      if (!neighbours_.feature.empty()) neighbours_.feature[to] = old_.feature[slot];
    }
  }

  void carry_impulses() {
    find_old_pairs();
    make_slots();
    c_.pool.for_each_range(neighbours_.pairs.size(), kCarriedPairsPerTask,
                           [&](std::size_t begin, std::size_t end) {
                             for (std::size_t p = begin; p < end; ++p)
                               if (was_[p] != kNewPair) carry(was_[p], p);
                           });
    old_ = {};
  }

  void find_old_pairs() {
    was_.resize(neighbours_.pairs.size(), kNewPair);
    c_.pool.for_each_range(
        was_.size(), kCarriedPairsPerTask, [&](std::size_t begin, std::size_t end) {
          for (std::size_t p = begin; p < end; ++p) {
            const auto [owner, other] = neighbours_.pairs[p];
            const bool obstacle = other & Neighbours::kObstacle;
            const std::uint32_t was = origin_[owner], other_was = obstacle ? other : origin_[other];
            const BodyPair* old = old_.find_owned(was, other_was);
            if (!old && !obstacle) old = old_.find_owned(other_was, was);
            if (old) was_[p] = static_cast<std::uint32_t>(old - old_.pairs.data());
          }
        });
    if (old_.added() > 0) find_added();
  }

  /// Finds pairs that were added to the old list.
  void find_added() {
    constexpr std::uint32_t kRemovedBody = 0xffffffff;
    AlignedVector<std::uint32_t> now(old_.first.size() - 1, kRemovedBody);
    for (std::uint32_t i = 0; i < origin_.size(); ++i)
      if (origin_[i] < now.size()) now[origin_[i]] = i;
    for (std::size_t p = old_.first.back(); p < old_.pairs.size(); ++p) {
      const auto [owner, other] = old_.pairs[p];
      const bool obstacle = other & Neighbours::kObstacle;
      const std::uint32_t a = now[owner], b = obstacle ? other : now[other];
      if (a == kRemovedBody || b == kRemovedBody) continue;
      const BodyPair* pair = neighbours_.find_owned(a, b);
      if (!pair && !obstacle) pair = neighbours_.find_owned(b, a);
      if (pair)
        was_[static_cast<std::size_t>(pair - neighbours_.pairs.data())] =
            static_cast<std::uint32_t>(p);
    }
  }

  StepContext& c_;
  Neighbours& neighbours_;
  Bodies& bodies_;
  Workspace<AlignedVector<SphereContactBlock>> blocks_;
  Workspace<AlignedVector<ContactBlock>> full_;
  Workspace<AlignedVector<std::uint32_t>> slot_;
  Workspace<AlignedVector<float>> gap_;
  PairSearch search_;
  AlignedVector<double> reach_;
  AlignedVector<std::uint32_t> origin_;
  Neighbours old_;  ///< pairs and their memories
  static constexpr std::uint32_t kNewPair = 0xffffffff;
  AlignedVector<std::uint32_t> was_;  ///< index of each pair in old_, or kNewPair
};

/// Computes colours and slabs of space. They depend on the list of pairs and on the positions of
/// bodies; results depend on the colours only. `added`: only added pairs have changed.
void plan_colours(StepContext& c, bool added) {
  const Bodies& bodies = c.state.bodies;
  const auto& pairs = c.state.neighbours.pairs;
  Scratch& s = c.scratch;
  const auto edge = [&](std::size_t p) {
    const auto [a, b] = pairs[p];
    const BodyId b_id =
        b & Neighbours::kObstacle ? obstacle_id(b & ~Neighbours::kObstacle) : bodies.id[b];
    return Colouring::Edge{a, b, bodies.id[a].value, b_id.value};
  };
  const std::size_t grouped = pairs.size() - c.state.neighbours.added();
  resize_tightly(s.schedule, pairs.size());
  const std::span<std::uint32_t> colour(s.schedule);
  std::uint32_t colours = 0;
  if (added)
    for (std::uint32_t& entry : colour.first(grouped)) entry = s.plan.colour_of(entry);
  else
    colours = Colouring()(edge, bodies.size(), colour.first(grouped));
  if (pairs.size() > grouped) colours = Colouring()(edge, bodies.size(), colour, grouped);
  s.plan = plan_waves(pairs, bodies.position, colours, colour, c.pool);
}

/// True if the list dates from faster bodies, and has far more candidates than they need now.
bool is_too_wide(const StepContext& c) {
  const auto& pairs = c.state.neighbours.pairs;
  const auto near = static_cast<std::size_t>(std::ranges::count_if(
      pairs, [&](const BodyPair& pair) { return is_within_margin(c, pair); }));
  return pairs.size() > c.state.bodies.size() + kMaxListedPerNear * near;
}

/// True if so few bodies, now and since the last rebuild, moved beyond the list that looking up
/// only their pairs is cheaper. SubsetPairSearch does not support periodic images.
bool few_are_stale(const StepContext& c) {
  if (c.scratch.domain.repeats()) return false;
  const Neighbours& list = c.state.neighbours;
  return kMinBodiesPerStale * c.scratch.stale <= c.state.bodies.size() &&
         kMinListedPerAdded * list.added() <= list.first.back() &&
         !(c.state.step % kStepsBetweenListChecks == 0 && is_too_wide(c));
}

}  // namespace

void broad_phase(StepContext& c) {
  Neighbours& list = c.state.neighbours;
  const bool planned = c.scratch.schedule.size() == list.pairs.size();
  if (c.scratch.stale > 0 && !few_are_stale(c)) list.valid = false;
  const bool remade = !list.valid;
  if (remade) {
    c.report.neighbours_rebuilt = true;
    NeighbourUpdate(c).run();
  } else if (c.scratch.stale > 0) {
    c.report.neighbours_extended = true;
    add_pairs(c);
  }
  c.scratch.stale = 0;
  if (remade || !planned)
    plan_colours(c, false);
  else if (c.scratch.schedule.size() != list.pairs.size())
    plan_colours(c, true);
}

}  // namespace scree

// Adds pairs to the neighbour list for a few bodies that moved beyond their skin.
#include <algorithm>
#include <bit>
#include <vector>

#include "scree/collision/subset_pair_search.hpp"
#include "scree/math/random.hpp"
#include "sim/contacts/narrow_phase.hpp"
#include "sim/neighbours/ignored_pairs.hpp"
#include "sim/neighbours/neighbours.hpp"
#include "sim/neighbours/search_radius.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

/// Set of pairs, independent of which body owns them.
class PairSet {
 public:
  explicit PairSet(std::size_t pairs)
      : bits_(static_cast<int>(std::bit_width(2 * pairs + 1))),
        keys_(std::size_t{1} << bits_, kEmptyBucket) {}

  /// True if the pair is new.
  bool insert(const BodyPair& pair) {
    const std::uint64_t key =
        std::uint64_t{std::min(pair.owner, pair.other)} << 32 | std::max(pair.owner, pair.other);
    std::size_t bucket = mix_bits(key) >> (64 - bits_);
    while (keys_[bucket] != kEmptyBucket && keys_[bucket] != key)
      bucket = (bucket + 1) & (keys_.size() - 1);
    const bool is_new = keys_[bucket] == kEmptyBucket;
    keys_[bucket] = key;
    return is_new;
  }

 private:
  static constexpr std::uint64_t kEmptyBucket = ~std::uint64_t{0};
  int bits_;
  std::vector<std::uint64_t> keys_;
};

/// Gives new skins to bodies whose margin the list does not cover, and lists them.
std::vector<BodyIndex> renew_skin(StepContext& c) {
  // Skins by local density wait for the next rebuild of the list.
  Neighbours& neighbours = c.state.neighbours;
  std::vector<BodyIndex> stale;
  for (BodyIndex i = 0; i < c.state.bodies.size(); ++i) {
    if (double{c.scratch.margin[i]} <= neighbours.skin[i]) continue;
    stale.push_back(i);
    neighbours.skin[i] = skin_of(c, i, kFullSolidFraction);
  }
  return stale;
}

/// Pairs of these bodies within both search radii, including those that the list has.
std::vector<BodyPair> pairs_in_reach(const StepContext& c, std::span<const BodyIndex> few) {
  const Neighbours& neighbours = c.state.neighbours;
  const auto reach = [&](BodyIndex i) {
    return neighbours.has_left(i) ? -1 : c.state.bodies.radius[i] + neighbours.skin[i];
  };
  std::vector<BodyPair> pairs = SubsetPairSearch()(few, c.state.bodies.position, reach, c.pool);
  const ObstacleReach obstacles(c);
  for (const BodyIndex i : few) obstacles.add_pairs(i, reach(i), pairs);
  return pairs;
}

/// Pairs that the list lacks.
std::vector<BodyPair> new_pairs(const StepContext& c, std::span<const BodyPair> candidates) {
  const Neighbours& list = c.state.neighbours;
  const IgnoredPairs ignored(c.model);
  PairSet added(list.added() + candidates.size());
  for (std::size_t p = list.first.back(); p < list.pairs.size(); ++p) added.insert(list.pairs[p]);
  std::vector<BodyPair> pairs;
  for (const BodyPair& pair : candidates) {
    const bool owned =
        list.find_owned(pair.owner, pair.other) ||
        (!(pair.other & Neighbours::kObstacle) && list.find_owned(pair.other, pair.owner));
    if (!owned && !ignored.contains(c.state.bodies, pair) && added.insert(pair))
      pairs.push_back(pair);
  }
  return pairs;
}

}  // namespace

void add_pairs(StepContext& c) {
  Neighbours& list = c.state.neighbours;
  const std::vector<BodyIndex> few = renew_skin(c);
  const std::vector<BodyPair> pairs = new_pairs(c, pairs_in_reach(c, few));
  const std::size_t before = list.pairs.size();
  resize_tightly(list.pairs, before + pairs.size());
  std::ranges::copy(pairs, list.pairs.begin() + static_cast<std::ptrdiff_t>(before));
  // They have no memories: no contact was without a pair. Compliant laws need slots all the same.
  std::size_t slots = list.pairs.size();
  if (!list.first_place.empty()) {
    slots = list.first_place.back();
    resize_tightly(list.first_place, list.pairs.size() + 1);
    for (std::size_t k = 0; k < pairs.size(); ++k)
      list.first_place[before + k + 1] = static_cast<std::uint32_t>(
          slots +=
          c.scratch.forces.any ? max_manifold_points(c.model, c.state.bodies, pairs[k]) : 0);
    reserve_tightly(list.feature, slots);
    list.feature.resize(slots, Neighbours::kNoFeature);
  }
  resize_tightly(list.impulse, slots);
  if (c.scratch.any_rolling) list.angular_impulse.resize(slots);
}

}  // namespace scree

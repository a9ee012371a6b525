/// Cuts space into slabs and schedules (slab, colour) in waves.
#include "scree/solvers/wavefront.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace scree {
namespace {

/// Minimum number of pairs; the bodies of fewer pairs fit in cache anyway.
constexpr std::size_t kMinWavefrontPairs = std::size_t{1} << 17;
/// Average number of pairs per slab and colour; thinner slabs gain nothing.
constexpr std::size_t kPairsPerCell = 2048;
constexpr std::uint32_t kMinSlabs = 4;
constexpr std::size_t kPerTask = 16384;

struct Slabs {
  int axis = 0;
  double low = 0, thickness = 1;
  std::uint32_t count = 1;

  std::uint32_t of(const Vec3& p) const {
    const double slab = (p[axis] - low) / thickness;
    return static_cast<std::uint32_t>(std::clamp(slab, 0.0, count - 1.0));
  }
};

/// Maximum of f(k).
template <class F>
double largest(std::size_t count, ThreadPool& pool, F&& f) {
  std::vector<double> max_slabs((count + kPerTask - 1) / kPerTask, 0);
  pool.for_each_range(count, kPerTask, [&](std::size_t begin, std::size_t end) {
    double of_task = 0;
    for (std::size_t k = begin; k < end; ++k) of_task = std::max(of_task, f(k));
    max_slabs[begin / kPerTask] = of_task;
  });
  return max_slabs.empty() ? 0 : *std::ranges::max_element(max_slabs);
}

/// Slabs across the longest side, at least twice as thick as the longest pair. They are cut by the
/// positions as stored: a pair across a periodic border counts with its full distance. Then there
/// may be no slabs along that axis, but never wrong ones.
Slabs cut(std::span<const BodyPair> pairs, std::span<const Vec3> position, std::uint32_t colours,
          ThreadPool& pool) {
  const double infinity = std::numeric_limits<double>::infinity();
  Vec3 low{infinity, infinity, infinity}, high = -low;
  for (const Vec3& p : position)
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], p[k]);
      high[k] = std::max(high[k], p[k]);
    }
  const Vec3 side = high - low;
  Slabs slabs;
  slabs.axis = side.x >= side.y && side.x >= side.z ? 0 : side.y >= side.z ? 1 : 2;
  slabs.low = low[slabs.axis];
  const double longest = largest(pairs.size(), pool, [&](std::size_t p) {
    const auto [owner, other] = pairs[p];
    return other < position.size()
               ? std::abs(position[owner][slabs.axis] - position[other][slabs.axis])
               : 0;
  });
  const std::size_t filled = pairs.size() / (kPairsPerCell * colours);
  const double max_slabs = std::min(side[slabs.axis] / (2 * longest), static_cast<double>(filled));
  if (!(max_slabs >= kMinSlabs)) return slabs;
  slabs.count = static_cast<std::uint32_t>(max_slabs);
  slabs.thickness = side[slabs.axis] / slabs.count;
  return slabs;
}

}  // namespace

WavePlan plan_waves(std::span<const BodyPair> pairs, std::span<const Vec3> position,
                    std::uint32_t colours, std::span<std::uint32_t> colour_to_order,
                    ThreadPool& pool) {
  const WavePlan uncut{.waves = colours};
  // Ranks share a group by regions of space, and a wave is in few of them.
  if (pairs.size() < kMinWavefrontPairs || pool.ranks().size() > 1) return uncut;
  const Slabs slabs = cut(pairs, position, colours, pool);
  const WavePlan plan{.waves = slabs.count + 2 * (colours - 1),
                      .colour_bits = static_cast<int>(std::bit_width(colours))};
  if (slabs.count == 1 || std::bit_width(plan.waves) + plan.colour_bits > 32) return uncut;
  pool.for_each_range(pairs.size(), kPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) {
      const std::uint32_t colour = colour_to_order[p];
      const std::uint32_t wave = slabs.of(position[pairs[p].owner]) + 2 * colour;
      colour_to_order[p] = wave << plan.colour_bits | colour;
    }
  });
  return plan;
}

}  // namespace scree

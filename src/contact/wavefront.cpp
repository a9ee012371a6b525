#include "scree/contact/wavefront.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace scree {
namespace {

/// Fewer pairs than these have their bodies in cache anyway.
constexpr std::size_t kMinPairs = std::size_t{1} << 17;
/// Pairs of a slab and a colour, on average: below, there is nothing to gain in thinner slabs.
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

/// The largest of f(k).
template <class F>
double largest(std::size_t count, ThreadPool& pool, F&& f) {
  std::vector<double> most((count + kPerTask - 1) / kPerTask, 0);
  pool.for_each_range(count, kPerTask, [&](std::size_t begin, std::size_t end) {
    double of_task = 0;
    for (std::size_t k = begin; k < end; ++k) of_task = std::max(of_task, f(k));
    most[begin / kPerTask] = of_task;
  });
  return most.empty() ? 0 : *std::ranges::max_element(most);
}

/// Slabs across the longest side, twice as thick as the longest pair. They are of places as bodies
/// have them: a pair that meets across the border of a domain counts with its whole length, so that
/// there may be no slabs along that axis, never wrong ones.
Slabs cut(std::span<const BodyPair> pairs, std::span<const Vec3> position, std::uint32_t colours,
          ThreadPool& pool) {
  const double infinity = std::numeric_limits<double>::infinity();
  Vec3 low{infinity, infinity, infinity}, high = -low;
  for (const Vec3& p : position)
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
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
  const double most = std::min(side[slabs.axis] / (2 * longest), static_cast<double>(filled));
  if (!(most >= kMinSlabs)) return slabs;
  slabs.count = static_cast<std::uint32_t>(most);
  slabs.thickness = side[slabs.axis] / slabs.count;
  return slabs;
}

}  // namespace

WavePlan plan_waves(std::span<const BodyPair> pairs, std::span<const Vec3> position,
                    std::uint32_t colours, std::span<std::uint32_t> colour_to_order,
                    ThreadPool& pool) {
  const WavePlan uncut{.waves = colours};
  if (pairs.size() < kMinPairs) return uncut;
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

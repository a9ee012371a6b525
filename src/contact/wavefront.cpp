#include "scree/contact/wavefront.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace scree {
namespace {

/// Fewer pairs than these have their bodies in cache anyway.
constexpr std::size_t kLeastPairs = std::size_t{1} << 17;
/// Pairs of a group, on average: enough to share out to threads.
constexpr std::size_t kPairsPerGroup = 4096;
constexpr std::uint32_t kLeastSlabs = 4;

struct Slabs {
  int axis = 0;
  double low = 0, thickness = 1;
  std::uint32_t count = 1;

  std::uint32_t of(const Vec3& p) const {
    const double slab = (p[axis] - low) / thickness;
    return static_cast<std::uint32_t>(std::clamp(slab, 0.0, count - 1.0));
  }
};

/// Slabs across the longest side, twice as thick as the longest pair. They are of places as bodies
/// have them: a pair that meets across the border of a domain counts with its whole length, so that
/// there may be no slabs along that axis, never wrong ones.
Slabs cut(std::span<const BodyPair> pairs, std::span<const Vec3> position, std::uint32_t colours) {
  const double infinity = std::numeric_limits<double>::infinity();
  Vec3 low{infinity, infinity, infinity}, high = -low;
  for (const Vec3& p : position)
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
  const Vec3 side = high - low;
  Slabs slabs;
  slabs.axis = side.x >= side.y && side.x >= side.z ? 0 : side.y >= side.z ? 1 : 2;
  slabs.low = low[slabs.axis];
  double longest = 0;
  for (const auto& [owner, other] : pairs)
    if (other < position.size())
      longest =
          std::max(longest, std::abs(position[owner][slabs.axis] - position[other][slabs.axis]));
  const std::size_t filled = pairs.size() / (kPairsPerGroup * colours);
  const double most = std::min(side[slabs.axis] / (2 * longest), static_cast<double>(filled));
  if (!(most >= kLeastSlabs)) return slabs;
  slabs.count = static_cast<std::uint32_t>(most);
  slabs.thickness = side[slabs.axis] / slabs.count;
  return slabs;
}

}  // namespace

std::uint32_t wavefront_groups(std::span<const BodyPair> pairs, std::span<const Vec3> position,
                               std::uint32_t colours, std::span<std::uint32_t> colour_to_group) {
  if (pairs.size() < kLeastPairs) return colours;
  const Slabs slabs = cut(pairs, position, colours);
  if (slabs.count == 1) return colours;

  // Wave w holds colours lowest(w) to min(w, colours − 1), each of slab w − colour.
  const auto lowest = [&](std::uint32_t wave) {
    return wave < slabs.count ? 0 : wave - slabs.count + 1;
  };
  const std::uint32_t waves = slabs.count + colours - 1;
  std::vector<std::uint32_t> first(waves + 1, 0);
  for (std::uint32_t wave = 0; wave < waves; ++wave)
    first[wave + 1] = first[wave] + std::min(wave, colours - 1) - lowest(wave) + 1;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    std::uint32_t& group = colour_to_group[p];
    const std::uint32_t wave = slabs.of(position[pairs[p].owner]) + group;
    group = first[wave] + group - lowest(wave);
  }
  return first[waves];
}

}  // namespace scree

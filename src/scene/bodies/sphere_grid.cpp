/// Hashed grids of spheres.
#include "scene/bodies/sphere_grid.hpp"

#include <algorithm>
#include <cmath>

#include "scree/math/random.hpp"

namespace scree::scene {

SphereGrid::Cell SphereGrid::cell_of(const Vec3& x, double edge) {
  // Far cells may share an index, which costs time but misses no overlap
  constexpr double kFarthest = 4e18;
  Cell cell;
  for (int k = 0; k < 3; ++k)
    cell[k] = static_cast<std::int64_t>(std::clamp(std::floor(x[k] / edge), -kFarthest, kFarthest));
  return cell;
}

std::size_t SphereGrid::bucket_of(const Cell& cell, std::size_t buckets) {
  std::uint64_t h = 0;
  for (const std::int64_t c : cell)
    h = mix_bits(h + static_cast<std::uint64_t>(c) + 0x9e3779b97f4a7c15ULL);
  return h & (buckets - 1);
}

SphereGrid::Level& SphereGrid::level_for(double radius) {
  int exponent = 0;
  const double fraction = std::frexp(2 * radius, &exponent);
  if (fraction == 0.5) --exponent;
  const auto it = std::find_if(levels_.begin(), levels_.end(),
                               [&](const Level& level) { return level.exponent == exponent; });
  if (it != levels_.end()) return *it;
  levels_.push_back(
      {exponent, std::ldexp(1.0, exponent), {}, std::vector<std::uint32_t>(64, kNone)});
  return levels_.back();
}

void SphereGrid::rehash(Level& level) {
  level.heads.assign(4 * level.heads.size(), kNone);
  for (const std::uint32_t i : level.members) {
    std::uint32_t& head =
        level.heads[bucket_of(cell_of(spheres_[i].centre, level.edge), level.heads.size())];
    spheres_[i].next = head;
    head = i;
  }
}

void SphereGrid::insert(const Vec3& anywhere, double radius) {
  const Vec3 centre = domain_.home(anywhere);
  largest_ = std::max(largest_, radius);
  Level& level = level_for(radius);
  const auto number = static_cast<std::uint32_t>(spheres_.size());
  std::uint32_t& head = level.heads[bucket_of(cell_of(centre, level.edge), level.heads.size())];
  spheres_.push_back({centre, radius, head});
  head = number;
  level.members.push_back(number);
  if (level.members.size() > level.heads.size()) rehash(level);
}

}  // namespace scree::scene

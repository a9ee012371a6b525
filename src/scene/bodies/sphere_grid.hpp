/// Finds the spheres near a given one, among many of any size.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "scree/geometry/domain.hpp"

namespace scree::scene {

/// Hashed grids, one for each power of two of the diameter, so that a sphere visits few cells for
/// any sizes. Fast if spheres are inserted by falling radius; correct in any order.
class SphereGrid {
 public:
  explicit SphereGrid(const Domain& domain) : domain_(domain) {}
  /// Reserves memory for this many spheres.
  void reserve(std::size_t spheres) { spheres_.reserve(spheres); }
  /// Adds a sphere; its number is the count of those before it.
  void insert(const Vec3& centre, double radius);
  std::size_t size() const { return spheres_.size(); }

  /// Calls f(number, depth) for every sphere that a new one overlaps by depth > 0 [m], and for each
  /// image of it; f returns false to stop.
  template <class F>
  void for_each_overlap(const Vec3& centre, double radius, F&& f) const;

  bool overlaps(const Vec3& centre, double radius) const {
    bool any = false;
    for_each_overlap(centre, radius, [&](std::uint32_t, double) { return any = true, false; });
    return any;
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;
  using Cell = std::array<std::int64_t, 3>;

  struct Sphere {
    Vec3 centre;  ///< in the primary cell of the domain
    double radius;
    std::uint32_t next;  ///< in the same bucket
  };
  struct Level {
    /// Cells have edges of 2^exponent; diameters are at most that and more than half of it [m]
    int exponent;
    double edge;
    std::vector<std::uint32_t> members;
    std::vector<std::uint32_t> heads;  ///< heads of the buckets' chains; size is a power of two
  };

  static Cell cell_of(const Vec3& x, double edge);
  static std::size_t bucket_of(const Cell& cell, std::size_t buckets);
  Level& level_for(double radius);
  void rehash(Level& level);

  template <class F>
  bool visit_level(const Level& level, const Vec3& centre, double radius, F& f) const;

  Domain domain_;
  double largest_ = 0;  ///< radius [m]
  std::vector<Sphere> spheres_;
  std::vector<Level> levels_;
};

template <class F>
bool SphereGrid::visit_level(const Level& level, const Vec3& centre, double radius, F& f) const {
  const auto depth_of = [&](std::uint32_t i) {
    return radius + spheres_[i].radius - norm(spheres_[i].centre - centre);
  };
  const double reach = radius + level.edge / 2;
  const Vec3 corner{reach, reach, reach};
  const Cell low = cell_of(centre - corner, level.edge),
             high = cell_of(centre + corner, level.edge);
  double cells = 1;
  for (int k = 0; k < 3; ++k) cells *= static_cast<double>(high[k] - low[k] + 1);

  // For a large sphere among few small ones, visiting all spheres is cheaper than visiting all
  // cells
  if (cells > static_cast<double>(level.members.size())) {
    for (const std::uint32_t i : level.members)
      if (const double depth = depth_of(i); depth > 0 && !f(i, depth)) return false;
    return true;
  }
  for (std::int64_t x = low[0]; x <= high[0]; ++x)
    for (std::int64_t y = low[1]; y <= high[1]; ++y)
      for (std::int64_t z = low[2]; z <= high[2]; ++z) {
        const Cell cell{x, y, z};
        for (std::uint32_t i = level.heads[bucket_of(cell, level.heads.size())]; i != kNone;
             i = spheres_[i].next) {
          // Other cells share the bucket; their spheres are found there.
          const double depth = depth_of(i);
          if (depth > 0 && cell_of(spheres_[i].centre, level.edge) == cell && !f(i, depth))
            return false;
        }
      }
  return true;
}

template <class F>
void SphereGrid::for_each_overlap(const Vec3& centre, double radius, F&& f) const {
  bool continues = true;
  domain_.for_each_image(centre, radius + largest_, [&](const Vec3& image, const Vec3&) {
    for (const Level& level : levels_)
      continues = continues && visit_level(level, image, radius, f);
  });
}

}  // namespace scree::scene

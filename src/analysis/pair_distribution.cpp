/// Neighbours and radial distribution function of the centres in a region.
#include "scree/analysis/pair_distribution.hpp"

#include <algorithm>
#include <numbers>

#include "scree/core/error.hpp"

namespace scree {
namespace {

/// A centre, or an image of one, in or near a region.
struct Centre {
  Vec3 position;
  bool is_inside;    ///< in the region
  bool is_in_reach;  ///< in the region, or beyond it along axes that repeat
};

/// Centres sorted into the cells of a grid.
struct CellList {
  Grid grid;
  std::vector<Centre> centres;     ///< cell by cell
  std::vector<std::size_t> first;  ///< first entry of each cell, and the end

  /// Cells are no smaller than `reach`, so that closer centres are in the same or a neighbouring
  /// cell.
  CellList(const Region& region, double reach, const std::vector<Centre>& points) : grid{region} {
    // More cells than points would only cost time.
    const double max_cells = std::cbrt(static_cast<double>(points.size())) + 1;
    for (std::size_t k = 0; k < 3; ++k) {
      const double fit = region.extent()[static_cast<int>(k)] / reach * (1 - 1e-9);
      grid.cells[k] = static_cast<std::uint32_t>(std::clamp(fit, 1.0, max_cells));
    }
    first.assign(grid.size() + 1, 0);
    for (const Centre& p : points) ++first[grid.cell_of(p.position) + 1];
    for (std::size_t k = 1; k < first.size(); ++k) first[k] += first[k - 1];
    auto next = first;
    centres.resize(points.size());
    for (const Centre& p : points) centres[next[grid.cell_of(p.position)]++] = p;
  }

  /// Calls f(p, q) once for every pair in the same cell or in neighbouring cells.
  template <class F>
  void for_each_pair(const F& f) const {
    std::array<std::uint32_t, 3> at{};
    for (at[0] = 0; at[0] < grid.cells[0]; ++at[0]) {
      for (at[1] = 0; at[1] < grid.cells[1]; ++at[1]) {
        for (at[2] = 0; at[2] < grid.cells[2]; ++at[2]) pairs_of_cell(at, f);
      }
    }
  }

 private:
  /// Pairs within a cell and with its later neighbours.
  template <class F>
  void pairs_of_cell(const std::array<std::uint32_t, 3>& at, const F& f) const {
    const std::size_t here = grid.index(at);
    for (std::uint32_t i = below(at[0]); i <= above(at[0], 0); ++i) {
      for (std::uint32_t j = below(at[1]); j <= above(at[1], 1); ++j) {
        for (std::uint32_t k = below(at[2]); k <= above(at[2], 2); ++k) {
          const std::size_t there = grid.index({i, j, k});
          if (there < here) continue;
          for (std::size_t p = first[here]; p < first[here + 1]; ++p) {
            for (std::size_t q = there == here ? p + 1 : first[there]; q < first[there + 1]; ++q)
              f(centres[p], centres[q]);
          }
        }
      }
    }
  }
  static std::uint32_t below(std::uint32_t i) { return i == 0 ? 0 : i - 1; }
  std::uint32_t above(std::uint32_t i, std::size_t axis) const {
    return std::min(i + 1, grid.cells[axis] - 1);
  }
};

/// Axes along which a domain repeats.
AxisSet axes_of(const Domain& domain) {
  AxisSet axes = 0;
  const Vec3 period = domain.period();
  for (int axis = 0; axis < 3; ++axis)
    if (period[axis] > 0) axes = static_cast<AxisSet>(axes | 1U << axis);
  return axes;
}

Region widened(const Region& region, double by) {
  const Vec3 margin{by, by, by};
  return {region.min - margin, region.max + margin};
}

/// All images of points that are in a region or nearer to it than `reach`.
std::vector<Centre> centres_near(const Region& region, double reach,
                                 std::span<const Vec3> positions, const Domain& domain) {
  const Region near = widened(region, reach);
  const AxisSet repeating = axes_of(domain);
  std::vector<Centre> centres;
  const auto take = [&](const Vec3& p) {
    if (!near.contains(p)) return;
    bool inside = true, in_reach = true;
    for (int axis = 0; axis < 3; ++axis) {
      const bool within = p[axis] >= region.min[axis] && p[axis] < region.max[axis];
      inside = inside && within;
      in_reach = in_reach && (within || contains(repeating, axis));
    }
    centres.push_back({p, inside, in_reach});
  };
  for (const Vec3& position : positions) {
    if (!is_finite(position)) continue;
    if (!domain.repeats())
      take(position);
    else
      domain.for_each_image_in(region.min, region.max, position, reach,
                               [&](const Vec3& image, const Vec3&) { take(image); });
  }
  return centres;
}

}  // namespace

double pair_measure(const Region& box, double r, AxisSet repeating) {
  // γ = mean of Π (side − r |e|) over unit vectors e, as ⟨|e_x|⟩ = 1/2, ⟨|e_x e_y|⟩ = 2/3π, ⟨|e_x
  // e_y e_z|⟩ = 1/4π; along an axis that repeats the factor is the side.
  const Vec3 e = box.extent();
  const Vec3 ends = without({1, 1, 1}, repeating);
  const double volume = e.x * e.y * e.z,
               faces = ends.z * e.x * e.y + ends.x * e.y * e.z + ends.y * e.z * e.x,
               sides = ends.y * ends.z * e.x + ends.x * ends.z * e.y + ends.x * ends.y * e.z,
               corner = ends.x * ends.y * ends.z;
  return r * r * r *
         (4 * std::numbers::pi / 3 * volume -
          r * (std::numbers::pi / 2 * faces - r * (8.0 / 15 * sides - corner * r / 6)));
}

PairDistribution::PairDistribution(const Region& region, double r_max, std::size_t bins)
    : region_(region), r_max_(r_max), ends_of_pairs_(bins, 0), neighbours_(bins, 0) {
  const Vec3 e = region.extent();
  if (!(region.volume() > 0))
    throw InputError("the region of a pair distribution is empty; give one with a volume");
  if (!(r_max > 0) || r_max > std::min({e.x, e.y, e.z}))
    throw InputError(
        "the range r of a pair distribution must be > 0 and at most the smallest side of its "
        "region");
  if (bins == 0) throw InputError("a pair distribution needs at least one bin");
}

void PairDistribution::add(std::span<const Vec3> position, const Domain& domain) {
  repeating_ = axes_of(domain);
  const std::vector<Centre> centres = centres_near(region_, r_max_, position, domain);
  ++frames_;
  const auto count = static_cast<double>(std::ranges::count(centres, true, &Centre::is_inside));
  centres_ += count;
  possible_pairs_ += count * (count - 1) / 2;
  const double bins_per_metre = static_cast<double>(neighbours_.size()) / r_max_;
  const auto visit = [&](const Centre& p, const Centre& q) {
    if (!p.is_inside && !q.is_inside) return;
    const double distance = norm(q.position - p.position) * bins_per_metre;
    if (!(distance < static_cast<double>(neighbours_.size()))) return;
    const auto bin = static_cast<std::size_t>(distance);
    const std::uint64_t ends = p.is_inside && q.is_inside ? 2 : 1;
    neighbours_[bin] += ends;
    if (p.is_in_reach && q.is_in_reach) ends_of_pairs_[bin] += ends;
  };
  CellList(widened(region_, r_max_), r_max_, centres).for_each_pair(visit);
}

double PairDistribution::number_density() const {
  return frames_ == 0 ? 0 : centres_ / static_cast<double>(frames_) / region_.volume();
}

std::vector<PairDistribution::Shell> PairDistribution::shells() const {
  const double volume = region_.volume();
  std::vector<Shell> shells;
  std::uint64_t neighbours = 0;
  for (std::size_t k = 0; k < neighbours_.size(); ++k) {
    const double inner = edge(k), outer = edge(k + 1);
    const double probability =
        (pair_measure(region_, outer, repeating_) - pair_measure(region_, inner, repeating_)) /
        (volume * volume);
    const double expected = possible_pairs_ * probability;
    const double pairs = static_cast<double>(ends_of_pairs_[k]) / 2;
    neighbours += neighbours_[k];
    shells.push_back({inner, outer, pairs, expected > 0 ? pairs / expected : 0,
                      centres_ > 0 ? static_cast<double>(neighbours) / centres_ : 0});
  }
  return shells;
}

std::vector<double> PairDistribution::tally() const {
  std::vector<double> tally{static_cast<double>(frames_), centres_, possible_pairs_,
                            static_cast<double>(repeating_)};
  tally.insert(tally.end(), ends_of_pairs_.begin(), ends_of_pairs_.end());
  tally.insert(tally.end(), neighbours_.begin(), neighbours_.end());
  return tally;
}

void PairDistribution::restore(std::span<const double> tally) {
  constexpr std::size_t kHead = 4;
  const std::size_t bins = neighbours_.size();
  if (tally.size() != kHead + 2 * bins)
    throw InputError(
        "the tally to continue is not a pair distribution with the same number of bins");
  frames_ = static_cast<std::size_t>(tally[0]);
  centres_ = tally[1];
  possible_pairs_ = tally[2];
  repeating_ = static_cast<AxisSet>(tally[3]);
  for (std::size_t k = 0; k < bins; ++k) {
    ends_of_pairs_[k] = static_cast<std::uint64_t>(tally[kHead + k]);
    neighbours_[k] = static_cast<std::uint64_t>(tally[kHead + bins + k]);
  }
}

}  // namespace scree

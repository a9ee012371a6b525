/// Radial distribution function of the centres in a region.
#include "scree/analysis/pair_distribution.hpp"

#include <algorithm>
#include <numbers>

#include "scree/core/error.hpp"

namespace scree {
namespace {

/// Centres sorted into the cells of a grid.
struct CellList {
  Grid grid;
  std::vector<Vec3> centres;       ///< cell by cell
  std::vector<std::size_t> first;  ///< first entry of each cell, and the end

  /// Cells are no smaller than `reach`, so that closer centres are in the same or a neighbouring
  /// cell.
  CellList(const Region& region, double reach, const std::vector<Vec3>& points) : grid{region} {
    // More cells than points would only cost time.
    const double max_cells = std::cbrt(static_cast<double>(points.size())) + 1;
    for (std::size_t k = 0; k < 3; ++k) {
      const double fit = region.extent()[static_cast<int>(k)] / reach * (1 - 1e-9);
      grid.cells[k] = static_cast<std::uint32_t>(std::clamp(fit, 1.0, max_cells));
    }
    first.assign(grid.size() + 1, 0);
    for (const Vec3& p : points) ++first[grid.cell_of(p) + 1];
    for (std::size_t k = 1; k < first.size(); ++k) first[k] += first[k - 1];
    auto next = first;
    centres.resize(points.size());
    for (const Vec3& p : points) centres[next[grid.cell_of(p)]++] = p;
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

}  // namespace

double pair_measure(const Region& box, double r) {
  // γ = mean of Π (side − r |e|) over unit vectors e, as ⟨|e_x|⟩ = 1/2, ⟨|e_x e_y|⟩ = 2/3π, ⟨|e_x
  // e_y e_z|⟩ = 1/4π.
  const Vec3 e = box.extent();
  const double volume = e.x * e.y * e.z, half_surface = e.x * e.y + e.y * e.z + e.z * e.x,
               sides = e.x + e.y + e.z;
  return r * r * r *
         (4 * std::numbers::pi / 3 * volume -
          r * (std::numbers::pi / 2 * half_surface - r * (8.0 / 15 * sides - r / 6)));
}

PairDistribution::PairDistribution(const Region& region, double r_max, std::size_t bins)
    : region_(region), r_max_(r_max), pairs_(bins, 0) {
  const Vec3 e = region.extent();
  if (!(region.volume() > 0))
    throw InputError("the region of a pair distribution is empty; give one with a volume");
  if (!(r_max > 0) || r_max > std::min({e.x, e.y, e.z}))
    throw InputError(
        "the range r of a pair distribution must be > 0 and at most the smallest side of its "
        "region");
  if (bins == 0) throw InputError("a pair distribution needs at least one bin");
}

void PairDistribution::add(std::span<const Vec3> position) {
  std::vector<Vec3> inside;
  for (const Vec3& p : position) {
    if (region_.contains(p)) inside.push_back(p);
  }
  ++frames_;
  const auto count = static_cast<double>(inside.size());
  centres_ += count;
  possible_pairs_ += count * (count - 1) / 2;
  const double bins_per_metre = static_cast<double>(pairs_.size()) / r_max_;
  CellList(region_, r_max_, inside).for_each_pair([&](const Vec3& p, const Vec3& q) {
    const double bin = norm(q - p) * bins_per_metre;
    if (bin < static_cast<double>(pairs_.size())) ++pairs_[static_cast<std::size_t>(bin)];
  });
}

double PairDistribution::number_density() const {
  return frames_ == 0 ? 0 : centres_ / static_cast<double>(frames_) / region_.volume();
}

std::vector<PairDistribution::Shell> PairDistribution::shells() const {
  const double volume = region_.volume(), density = number_density();
  std::vector<Shell> shells;
  double neighbours = 0;
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const double inner = edge(k), outer = edge(k + 1);
    const double probability =
        (pair_measure(region_, outer) - pair_measure(region_, inner)) / (volume * volume);
    const double expected = possible_pairs_ * probability;
    const double g = expected > 0 ? static_cast<double>(pairs_[k]) / expected : 0;
    neighbours +=
        density * 4 * std::numbers::pi / 3 * (outer * outer * outer - inner * inner * inner) * g;
    shells.push_back({inner, outer, pairs_[k], g, neighbours});
  }
  return shells;
}

std::vector<double> PairDistribution::tally() const {
  std::vector<double> tally{static_cast<double>(frames_), centres_, possible_pairs_};
  tally.insert(tally.end(), pairs_.begin(), pairs_.end());
  return tally;
}

void PairDistribution::restore(std::span<const double> tally) {
  if (tally.size() != 3 + pairs_.size())
    throw InputError(
        "the tally to continue is not a pair distribution with the same number of bins");
  frames_ = static_cast<std::size_t>(tally[0]);
  centres_ = tally[1];
  possible_pairs_ = tally[2];
  for (std::size_t k = 0; k < pairs_.size(); ++k)
    pairs_[k] = static_cast<std::uint64_t>(tally[3 + k]);
}

}  // namespace scree

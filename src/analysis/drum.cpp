/// Angle of the surface in a rotating drum.
#include "scree/analysis/drum.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace scree {
namespace {

constexpr std::size_t kFewestColumns = 5, kFewestStrips = 3;

/// A body in the coordinates of the drum.
struct Grain {
  double across, along;  ///< the drum [m]
  double bottom, diameter;
  double top() const { return bottom + diameter; }
};

std::vector<Grain> grains_in(const Bodies& bodies, const Region& region, const Upward& up,
                             int axis) {
  const int across = 3 - up.axis - axis;
  std::vector<Grain> grains;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Vec3& x = bodies.position[i];
    if (region.contains(x))
      grains.push_back(
          {x[across], x[axis], up.sign * x[up.axis] - bodies.radius[i], 2 * bodies.radius[i]});
  }
  return grains;
}

long cell_of(double column, double width) { return std::lround(std::floor(column / width)); }

/// Bodies that do not fly.
std::vector<Grain> resting(std::vector<Grain> grains, double diameter) {
  std::sort(grains.begin(), grains.end(),
            [](const Grain& a, const Grain& b) { return a.bottom < b.bottom; });
  std::map<long, double> piles;  // heights of strips
  std::vector<Grain> rest;
  for (const Grain& grain : grains) {
    const auto pile = piles.try_emplace(cell_of(grain.across, 2 * diameter), grain.top()).first;
    if (grain.bottom - pile->second > grain.diameter) continue;
    pile->second = std::max(pile->second, grain.top());
    rest.push_back(grain);
  }
  return rest;
}

/// Highest body of each column.
std::vector<Grain> tops_of(const std::vector<Grain>& grains, double diameter) {
  std::map<std::pair<long, long>, Grain> columns;
  for (const Grain& grain : grains) {
    const std::pair column{cell_of(grain.across, diameter), cell_of(grain.along, diameter)};
    Grain& top = columns.try_emplace(column, grain).first->second;
    if (grain.top() > top.top()) top = grain;
  }
  std::vector<Grain> tops;
  tops.reserve(columns.size());
  for (const auto& [column, top] : columns) tops.push_back(top);
  return tops;
}

/// Range across that contains the middle half of the bodies.
std::pair<double, double> quartiles_of(const std::vector<Grain>& grains) {
  std::vector<double> across(grains.size());
  std::ranges::transform(grains, across.begin(), &Grain::across);
  std::sort(across.begin(), across.end());
  return {across[across.size() / 4], across[across.size() - 1 - across.size() / 4]};
}

DrumSurface line_through(const std::vector<Grain>& tops) {
  const auto n = static_cast<double>(tops.size());
  double u = 0, z = 0;
  for (const Grain& top : tops) {
    u += top.across / n;
    z += top.top() / n;
  }
  double uu = 0, uz = 0, zz = 0;
  for (const Grain& top : tops) {
    const double off = top.across - u, above = top.top() - z;
    uu += off * off;
    uz += off * above;
    zz += above * above;
  }
  const double slope = uz / uu, left = std::max(0.0, zz - slope * uz);
  DrumSurface surface;
  surface.columns = tops.size();
  surface.angle = std::atan(slope);
  surface.error = std::sqrt(left / (n - 2) / uu) / (1 + slope * slope);
  surface.roughness = std::sqrt(left / n);
  return surface;
}

}  // namespace

std::optional<DrumSurface> drum_surface_of(const Bodies& bodies, const Region& region,
                                           const Upward& up, int axis) {
  std::vector<Grain> grains = grains_in(bodies, region, up, axis);
  if (grains.empty()) return {};
  double diameter = 0;
  for (const Grain& grain : grains) diameter += grain.diameter / static_cast<double>(grains.size());
  std::vector<Grain> tops = tops_of(resting(std::move(grains), diameter), diameter);
  const auto [low, high] = quartiles_of(tops);
  std::erase_if(tops, [low = low, high = high](const Grain& top) {
    return top.across < low || top.across > high;
  });
  std::set<long> strips;
  for (const Grain& top : tops) strips.insert(cell_of(top.across, diameter));
  if (tops.size() < kFewestColumns || strips.size() < kFewestStrips) return {};
  DrumSurface surface = line_through(tops);
  surface.low = low;
  surface.high = high;
  return surface;
}

}  // namespace scree

#include "scree/analysis/heap.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace scree {
namespace {

constexpr std::size_t kQuarters = 4, kFewestRings = 3;
constexpr double kUpper = 0.8, kLower = 0.2;  // [-] of the height
constexpr double kFewestDiameters = 1.5;      // less is a single layer

/// The highest body of a column.
struct Top {
  double height = 0, radius = 0;  ///< above the floor, from the axis [m]
  std::size_t quarter = 0;
};

/// Sums over the columns of a ring.
struct Ring {
  double columns = 0, radius = 0, height = 0;

  void add(const Top& top) {
    ++columns;
    radius += top.radius;
    height += top.height;
  }
  double mean_radius() const { return radius / columns; }
  double mean_height() const { return columns > 0 ? height / columns : 0; }
};
using Rings = std::vector<Ring>;

/// The bodies of a region, seen from above.
class Seen {
 public:
  Seen(const Bodies& bodies, const Region& region, const Upward& up) : up_(up) {
    double mass = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (!region.contains(bodies.position[i])) continue;
      of_.push_back(i);
      diameter_ += 2 * bodies.radius[i];
      mass += bodies.mass[i];
      u += bodies.mass[i] * bodies.position[i][first()];
      v += bodies.mass[i] * bodies.position[i][second()];
    }
    if (of_.empty()) return;
    diameter_ /= static_cast<double>(of_.size());
    u /= mass;
    v /= mass;
    const double floor = up.sign > 0 ? region.min[up.axis] : -region.max[up.axis];
    std::map<std::pair<long, long>, Top> columns;
    for (const std::size_t i : of_) {
      const Vec3& x = bodies.position[i];
      const double along_u = x[first()] - u, along_v = x[second()] - v;
      Top& top = columns[{std::lround(std::floor(along_u / diameter_)),
                          std::lround(std::floor(along_v / diameter_))}];
      const double height = up.sign * x[up.axis] + bodies.radius[i] - floor;
      if (height > top.height)
        top = {height, std::hypot(along_u, along_v),
               (along_u < 0 ? 1u : 0u) + (along_v < 0 ? 2u : 0u)};
    }
    for (const auto& [place, top] : columns) tops_.push_back(top);
  }

  double diameter() const { return diameter_; }
  /// Of a quarter, or of all.
  Rings rings(std::optional<std::size_t> quarter) const {
    Rings rings;
    for (const Top& top : tops_) {
      if (quarter && top.quarter != *quarter) continue;
      const auto ring = static_cast<std::size_t>(top.radius / diameter_);
      if (ring >= rings.size()) rings.resize(ring + 1);
      rings[ring].add(top);
    }
    return rings;
  }

  double u = 0, v = 0;  ///< centre of mass [m]

 private:
  int first() const { return up_.axis == 0 ? 1 : 0; }
  int second() const { return up_.axis == 2 ? 1 : 2; }

  Upward up_;
  std::vector<std::size_t> of_;
  double diameter_ = 0;
  std::vector<Top> tops_;
};

/// Rings of the flank, from the first on up to the last, which is none of it.
std::pair<std::size_t, std::size_t> flank_of(const Rings& rings, double diameter) {
  const auto highest = std::ranges::max_element(rings, {}, &Ring::mean_height);
  const double height = highest->mean_height();
  auto first = highest;
  while (first != rings.end() && first->mean_height() > kUpper * height) ++first;
  auto last = first;
  const double least = std::max(kLower * height, kFewestDiameters * diameter);
  while (last != rings.end() && last->mean_height() >= least) ++last;
  return {static_cast<std::size_t>(first - rings.begin()),
          static_cast<std::size_t>(last - rings.begin())};
}

/// Of a line through the rings' means [rad]; none of fewer than three.
std::optional<double> angle_of(const Rings& rings, std::size_t first, std::size_t last) {
  double n = 0, r = 0, z = 0;
  std::size_t count = 0;
  for (std::size_t k = first; k < std::min(last, rings.size()); ++k) {
    if (rings[k].columns == 0) continue;
    ++count;
    n += rings[k].columns;
    r += rings[k].radius;
    z += rings[k].height;
  }
  if (count < kFewestRings) return {};
  double rr = 0, rz = 0;
  for (std::size_t k = first; k < std::min(last, rings.size()); ++k) {
    if (rings[k].columns == 0) continue;
    const double off = rings[k].mean_radius() - r / n;
    rr += rings[k].columns * off * off;
    rz += rings[k].columns * off * (rings[k].mean_height() - z / n);
  }
  return std::atan(-rz / rr);
}

}  // namespace

std::optional<Heap> heap_of(const Bodies& bodies, const Region& region, const Upward& up) {
  const Seen seen(bodies, region, up);
  const Rings rings = seen.rings({});
  if (rings.empty()) return {};
  const auto [first, last] = flank_of(rings, seen.diameter());
  const auto angle = angle_of(rings, first, last);
  if (!angle) return {};
  double sum = 0, squares = 0;
  for (std::size_t quarter = 0; quarter < kQuarters; ++quarter) {
    const auto own = angle_of(seen.rings(quarter), first, last);
    if (!own) return {};
    sum += *own;
    squares += *own * *own;
  }
  const double mean = sum / kQuarters;
  Heap heap;
  heap.angle = *angle;
  heap.error = std::sqrt(std::max(0.0, squares / kQuarters - mean * mean) / (kQuarters - 1));
  heap.height = std::ranges::max_element(rings, {}, &Ring::mean_height)->mean_height();
  heap.inner = static_cast<double>(first) * seen.diameter();
  heap.outer = static_cast<double>(last) * seen.diameter();
  heap.u = seen.u;
  heap.v = seen.v;
  return heap;
}

}  // namespace scree

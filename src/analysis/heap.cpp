/// Angle of repose of a heap.
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
constexpr double kFlankTop = 0.8, kFlankFoot = 0.2;  // fractions of the height [-]
constexpr double kFewestDiameters = 1.5;             // less is a single layer

/// The highest body of a column.
struct Top {
  double u = 0, v = 0;  ///< along the axes across [m]
  double height = 0;    ///< above the floor [m]
};

/// Sums over the columns of a ring.
struct Ring {
  double columns = 0, radius = 0, height = 0;

  void add(double top_radius, double top_height) {
    ++columns;
    radius += top_radius;
    height += top_height;
  }
  double mean_radius() const { return radius / columns; }
  double mean_height() const { return columns > 0 ? height / columns : 0; }
};
using Rings = std::vector<Ring>;

/// Surface of the bodies in a region, seen from above.
class Seen {
 public:
  Seen(const Bodies& bodies, const Region& region, const Upward& up) : up_(up) {
    std::vector<std::size_t> of;
    double middle_u = 0, middle_v = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (!region.contains(bodies.position[i])) continue;
      of.push_back(i);
      diameter_ += 2 * bodies.radius[i];
      middle_u += bodies.position[i][first()];
      middle_v += bodies.position[i][second()];
    }
    if (of.empty()) return;
    const auto count = static_cast<double>(of.size());
    diameter_ /= count;
    const double floor = up.sign > 0 ? region.min[up.axis] : -region.max[up.axis];
    std::map<std::pair<long, long>, Top> columns;
    for (const std::size_t i : of) {
      const Vec3& x = bodies.position[i];
      const auto column_of = [&](double coordinate) {
        return std::lround(std::floor(coordinate / diameter_));
      };
      Top& top = columns[{column_of(x[first()] - middle_u / count),
                          column_of(x[second()] - middle_v / count)}];
      const double height = up.sign * x[up.axis] + bodies.radius[i] - floor;
      if (height > top.height) top = {x[first()], x[second()], height};
    }
    for (const auto& [coordinate, top] : columns) tops_.push_back(top);
    find_axis();
  }

  double diameter() const { return diameter_; }
  /// Rings of a quarter, or of all.
  Rings rings(std::optional<std::size_t> quarter) const {
    Rings rings;
    for (const Top& top : tops_) {
      const double along_u = top.u - u, along_v = top.v - v;
      if (quarter && (along_u < 0 ? 1u : 0u) + (along_v < 0 ? 2u : 0u) != *quarter) continue;
      const double radius = std::hypot(along_u, along_v);
      const auto ring = static_cast<std::size_t>(radius / diameter_);
      if (ring >= rings.size()) rings.resize(ring + 1);
      rings[ring].add(radius, top.height);
    }
    return rings;
  }

  double u = 0, v = 0;  ///< the axis [m]

 private:
  int first() const { return up_.axis == 0 ? 1 : 0; }
  int second() const { return up_.axis == 2 ? 1 : 2; }

  /// Centre of the volume below the surface: densities have no effect.
  void find_axis() {
    double height = 0;
    for (const Top& top : tops_) {
      height += top.height;
      u += top.height * top.u;
      v += top.height * top.v;
    }
    u /= height;
    v /= height;
  }

  Upward up_;
  double diameter_ = 0;
  std::vector<Top> tops_;
};

/// Rings of the flank, from the first to before the last.
std::pair<std::size_t, std::size_t> flank_of(const Rings& rings, double diameter) {
  const auto highest = std::ranges::max_element(rings, {}, &Ring::mean_height);
  const double height = highest->mean_height();
  auto first = highest;
  while (first != rings.end() && first->mean_height() > kFlankTop * height) ++first;
  auto last = first;
  const double min_height = std::max(kFlankFoot * height, kFewestDiameters * diameter);
  while (last != rings.end() && last->mean_height() >= min_height) ++last;
  return {static_cast<std::size_t>(first - rings.begin()),
          static_cast<std::size_t>(last - rings.begin())};
}

/// Angle of a line through the means of the rings [rad]; none with fewer than three.
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

double heap_height(const Bodies& bodies, const Region& region, const Upward& up) {
  const Seen seen(bodies, region, up);
  const Rings rings = seen.rings({});
  if (rings.empty()) return 0;
  return std::ranges::max_element(rings, {}, &Ring::mean_height)->mean_height() / seen.diameter();
}

}  // namespace scree

#include "collision/narrow/candidates.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace scree {
namespace {

constexpr double kTie = 1e-3;  ///< of lengths and areas that are compared [-]

}  // namespace

void Candidates::add(std::uint32_t feature, const Vec3& point, double gap) {
  for (int k = 0; k < count_; ++k) {
    if (squared_norm(items_[k].point - point) > same_place2_) continue;
    if (gap < items_[k].gap) items_[k] = {items_[k].feature, point, gap};
    return;
  }
  assert(count_ < kMost);
  items_[count_++] = {feature, point, gap};
}

double Candidates::least_gap() const {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < count_; ++k) least = std::min(least, items_[k].gap);
  return least;
}

std::uint32_t Candidates::choose(const Vec3& normal, double tie) const {
  const auto at = [&](int k) { return items_[k].point; };
  const auto area = [&](int i, int j, int k) {
    return dot(normal, cross(at(j) - at(i), at(k) - at(i)));
  };
  const auto distance2 = [&](int i, int j) {  // across the normal
    const Vec3 way = at(j) - at(i);
    return squared_norm(way - dot(way, normal) * normal);
  };
  // The first whose positive value is the largest, but for ties; −1 if there is none.
  const auto first_largest = [&](auto value) {
    double largest = 0;
    for (int k = 0; k < count_; ++k) largest = std::max(largest, value(k));
    for (int k = 0; k < count_; ++k)
      if (value(k) > 0 && value(k) >= (1 - kTie) * largest) return k;
    return -1;
  };
  const double least = least_gap();
  int deepest = 0, first = -1;
  for (int k = 0; k < count_; ++k) {
    if (items_[k].gap < items_[deepest].gap) deepest = k;
    if (first < 0 && items_[k].gap <= least + tie) first = k;
  }
  std::uint32_t chosen = 1u << first;
  // The farthest from it, the farthest from the line of both, the farthest outside the triangle.
  const int second = first_largest([&](int k) { return distance2(first, k); });
  const int third =
      second < 0 ? -1 : first_largest([&](int k) { return std::abs(area(first, second, k)); });
  if (second >= 0) chosen |= 1u << second;
  if (third >= 0) {
    const double side = area(first, second, third) > 0 ? -1 : 1;
    const int fourth = first_largest([&](int k) {
      return std::max({side * area(first, second, k), side * area(second, third, k),
                       side * area(third, first, k)});
    });
    chosen |= 1u << third;
    if (fourth >= 0) chosen |= 1u << fourth;
  }
  if (chosen >> deepest & 1) return chosen;
  // A tie has kept the deepest out: it takes the place of the nearest.
  int nearest = first;
  for (int k = 0; k < count_; ++k)
    if (chosen >> k & 1 && distance2(k, deepest) < distance2(nearest, deepest)) nearest = k;
  return (chosen & ~(1u << nearest)) | 1u << deepest;
}

Manifold Candidates::well_spread(const Vec3& normal, double margin) const {
  const std::uint32_t chosen = count_ > 4 ? choose(normal, kTie * (margin - least_gap())) : ~0u;
  Manifold manifold;
  for (int k = 0; k < count_; ++k)
    if (chosen >> k & 1)
      manifold.points[manifold.count++] = {items_[k].feature, items_[k].point, normal,
                                           items_[k].gap};
  return manifold;
}

Manifold placed(Manifold manifold, const Pose& pose) {
  for (int k = 0; k < manifold.count; ++k) {
    ContactPoint& c = manifold.points[k];
    c.point = pose.position + rotate(pose.orientation, c.point);
    c.normal = rotate(pose.orientation, c.normal);
  }
  return manifold;
}

}  // namespace scree

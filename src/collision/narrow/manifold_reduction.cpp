/// Selects at most four contact points that span the largest area.
#include "collision/narrow/manifold_reduction.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace scree {
void Candidates::add(std::uint32_t feature, const Vec3& point, double gap) {
  for (int k = 0; k < count_; ++k) {
    if (squared_norm(items_[k].point - point) > same_distance2_) continue;
    if (gap < items_[k].gap) items_[k] = {items_[k].feature, point, gap};
    return;
  }
  assert(count_ < kMax);
  items_[count_++] = {feature, point, gap};
}

double Candidates::min_gap() const {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < count_; ++k) least = std::min(least, items_[k].gap);
  return least;
}

int Candidates::count_up_to(double gap) const {
  return static_cast<int>(
      std::ranges::count_if(all(), [&](const Candidate& c) { return c.gap <= gap; }));
}

Chosen reduced_manifold(std::span<const Candidate> items, const Vec3& normal, double tie) {
  const int count = static_cast<int>(items.size());
  Chosen chosen;
  if (count <= 4) {
    for (int k = 0; k < count; ++k) chosen.index[chosen.count++] = k;
    return chosen;
  }
  const auto at = [&](int k) { return items[k].point; };
  const auto area = [&](int i, int j, int k) {
    return dot(normal, cross(at(j) - at(i), at(k) - at(i)));
  };
  const auto distance2 = [&](int i, int j) {  // orthogonal to the normal
    const Vec3 displacement = at(j) - at(i);
    return squared_norm(displacement - dot(displacement, normal) * normal);
  };
  // Index of the first value that is the largest up to ties; −1 if no value is positive.
  const auto first_largest = [&](auto value) {
    double largest = 0;
    for (int k = 0; k < count; ++k) largest = std::max(largest, value(k));
    for (int k = 0; k < count; ++k)
      if (value(k) > 0 && value(k) >= (1 - kTie) * largest) return k;
    return -1;
  };
  int deepest = 0, first = -1;
  for (int k = 0; k < count; ++k)
    if (items[k].gap < items[deepest].gap) deepest = k;
  for (int k = 0; k < count && first < 0; ++k)
    if (items[k].gap <= items[deepest].gap + tie) first = k;
  const auto choose = [&](int k) { chosen.index[chosen.count++] = k; };
  choose(first);
  // Choose the farthest from it, the farthest from the line of both, and the farthest outside the
  // triangle.
  const int second = first_largest([&](int k) { return distance2(first, k); });
  const int third =
      second < 0 ? -1 : first_largest([&](int k) { return std::abs(area(first, second, k)); });
  if (second >= 0) choose(second);
  if (third >= 0) {
    const double side = area(first, second, third) > 0 ? -1 : 1;
    const int fourth = first_largest([&](int k) {
      return std::max({side * area(first, second, k), side * area(second, third, k),
                       side * area(third, first, k)});
    });
    choose(third);
    if (fourth >= 0) choose(fourth);
  }
  int *const begin = chosen.index.data(), *const end = begin + chosen.count;
  const auto sort = [&] {
    for (int* k = begin; k != end; ++k) std::rotate(std::upper_bound(begin, k, *k), k, k + 1);
  };
  sort();
  if (std::find(begin, end, deepest) != end) return chosen;
  // A tie excluded the deepest point: it replaces the nearest.
  int* nearest = std::find(begin, end, first);
  for (int& k : std::span(begin, end))
    if (distance2(k, deepest) < distance2(*nearest, deepest)) nearest = &k;
  *nearest = deepest;
  sort();
  return chosen;
}

Manifold Candidates::reduced_manifold(const Vec3& normal, double margin) const {
  const Chosen chosen = scree::reduced_manifold(all(), normal, kTie * (margin - min_gap()));
  Manifold manifold;
  for (int k = 0; k < chosen.count; ++k) {
    const Candidate& c = items_[chosen.index[k]];
    manifold.points[manifold.count++] = {c.feature, c.point, normal, c.gap};
  }
  return manifold;
}

void to_inertial_frame(Manifold& manifold, const Pose& pose) {
  if (manifold.count == 0) return;
  const Vec3 normal = rotate(pose.orientation, manifold.points[0].normal);  // common to all points
  for (int k = 0; k < manifold.count; ++k) {
    ContactPoint& c = manifold.points[k];
    c.point = pose.position + rotate(pose.orientation, c.point);
    c.normal = normal;
  }
}

}  // namespace scree

/// Candidate contact points with one normal, and the selection of four.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "scree/collision/contact_points.hpp"
#include "scree/core/unset_array.hpp"

namespace scree {

/// Distance over the smaller shape's size within which corners coincide, or lie over a face [-].
inline constexpr double kSamePoint = 1e-5;

/// Distance over the smaller shape's size below which shapes touch [-].
inline constexpr double kTouching = 1e-4;

struct Candidate {
  std::uint32_t feature;
  Vec3 point;  ///< [m]
  double gap;  ///< [m]
};

/// Selection of at most four candidates, by increasing index: one of least gap, and those that span
/// the largest area with it orthogonal to the normal. Gaps within `tie` [m] count as equal, and the
/// first wins, so that rounding does not change the selection.
struct Chosen {
  int count = 0;
  std::array<int, 4> index{};
};
Chosen reduced_manifold(std::span<const Candidate> candidates, const Vec3& normal, double tie);

/// Fraction of the range of gaps that counts as equal in the selection [-].
inline constexpr double kTie = 1e-3;

class Candidates {
 public:
  static constexpr int kMax = 32;

  /// Points closer than `same_distance` [m] count as one, with the feature of the first: add them
  /// in the order of their features.
  explicit Candidates(double same_distance) : same_distance2_(same_distance * same_distance) {}

  void add(std::uint32_t feature, const Vec3& point, double gap);
  bool is_empty() const { return count_ == 0; }
  std::span<const Candidate> all() const {
    return {items_.data(), static_cast<std::size_t>(count_)};
  }
  double min_gap() const;  ///< minimum gap [m]; infinite if there is no point
  int count_up_to(double gap) const;

  /// At most four points, in the order in which they were added; gaps within kTie of `margin` minus
  /// the least gap [m] count as equal.
  Manifold reduced_manifold(const Vec3& normal, double margin) const;

 private:
  UnsetArray<Candidate, kMax> items_;
  int count_ = 0;
  double same_distance2_;
};

/// Transforms a manifold from the axes of a body at `pose` to the inertial frame.
void to_inertial_frame(Manifold& manifold, const Pose& pose);

}  // namespace scree

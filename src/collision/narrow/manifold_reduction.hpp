/// Points where two shapes may touch, all with one normal, and the choice of the four to keep.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "scree/collision/contact_points.hpp"
#include "scree/core/unset_array.hpp"

namespace scree {

/// A corner this close to another, or to the face it should lie over, is there: of the size of
/// the smaller shape [-].
inline constexpr double kSamePlace = 1e-5;

struct Candidate {
  std::uint32_t feature;
  Vec3 point;  ///< [m]
  double gap;  ///< [m]
};

/// At most four of some candidates, by their indices in rising order: one of least gap and those
/// that span the largest area with it across the normal. Gaps that differ by `tie` [m] count as
/// equal, and then the first wins, so that rounding does not change the choice.
struct Chosen {
  int count = 0;
  std::array<int, 4> index{};
};
Chosen reduced_manifold(std::span<const Candidate> candidates, const Vec3& normal, double tie);

/// Part of the range of gaps that counts as none, when some of many points are chosen [-].
inline constexpr double kTie = 1e-3;

class Candidates {
 public:
  static constexpr int kMax = 32;

  /// Points closer to each other than `same_place` [m] count as one, by the feature that came
  /// first: add them in the order of their features.
  explicit Candidates(double same_place) : same_place2_(same_place * same_place) {}

  void add(std::uint32_t feature, const Vec3& point, double gap);
  bool is_empty() const { return count_ == 0; }
  std::span<const Candidate> all() const {
    return {items_.data(), static_cast<std::size_t>(count_)};
  }
  double min_gap() const;  ///< [m]; infinite if there is none
  int count_up_to(double gap) const;

  /// At most four, in the order in which they were added; of gaps those are equal that differ by
  /// kTie of `margin` less the least gap [m].
  Manifold reduced_manifold(const Vec3& normal, double margin) const;

 private:
  UnsetArray<Candidate, kMax> items_;
  int count_ = 0;
  double same_place2_;
};

/// From the axes of a body that stands at `pose` to the inertial frame.
void to_inertial_frame(Manifold& manifold, const Pose& pose);

}  // namespace scree

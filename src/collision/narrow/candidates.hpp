/// Points where two shapes may touch, all with one normal, and the choice of the four to keep.
#pragma once

#include <array>
#include <cstdint>

#include "scree/collision/contact_points.hpp"

namespace scree {

/// A corner this close to another, or to the face it should lie over, is there: of the size of
/// the smaller shape [-].
inline constexpr double kSamePlace = 1e-5;

class Candidates {
 public:
  static constexpr int kMost = 32;

  struct Candidate {
    std::uint32_t feature;
    Vec3 point;  ///< [m]
    double gap;  ///< [m]
  };

  /// Points closer to each other than `same_place` [m] count as one, by the feature that came
  /// first: add them in the order of their features.
  explicit Candidates(double same_place) : same_place2_(same_place * same_place) {}

  void add(std::uint32_t feature, const Vec3& point, double gap);
  bool is_empty() const { return count_ == 0; }
  double least_gap() const;  ///< [m]; infinite if there is none

  /// At most four: one of least gap and those that span the largest area with it, in the order in
  /// which they were added. What is equal to a thousandth of `margin` less the least gap [m]
  /// counts as equal, and then the first wins, so that rounding does not change the choice.
  Manifold well_spread(const Vec3& normal, double margin) const;

 private:
  /// The chosen, as bits.
  std::uint32_t choose(const Vec3& normal, double tie) const;

  std::array<Candidate, kMost> items_;
  int count_ = 0;
  double same_place2_;
};

/// From the axes of a body that stands at `pose` to the inertial frame.
Manifold placed(Manifold manifold, const Pose& pose);

}  // namespace scree

/// The space that bodies are in: without bounds, or a cell that repeats.
#pragma once

#include <cmath>

#include "scree/math/vec3.hpp"

namespace scree {

/// Where space repeats, bodies keep the places that their paths lead them to; each stands for all
/// its images, whole periods away, and two bodies meet by the nearest pair of images. So whoever
/// looks at two places asks separation() or nearest(), and never takes a difference of his own.
/// Without periods these are b − a and b, bit for bit.
///
/// A search looks at the images of one cell, [0, period): home() is the place of a point there, and
/// for_each_image() tells from where else it is seen.
class Domain {
 public:
  Domain() = default;  ///< without bounds
  /// Periods along the axes [m] ≥ 0; 0: space does not repeat along this one.
  explicit Domain(const Vec3& period) : period_(period), repeats_(period != Vec3{}) {}

  const Vec3& period() const { return period_; }
  bool repeats() const { return repeats_; }

  /// The shortest way from a to an image of b [m]; that from b to a is its negative, bit for bit.
  Vec3 separation(const Vec3& a, const Vec3& b) const {
    const Vec3 way = b - a;
    return repeats_ ? way - times_period(whole_periods(way)) : way;
  }
  /// The image of b nearest to a [m].
  Vec3 nearest(const Vec3& a, const Vec3& b) const {
    return repeats_ ? b - times_period(whole_periods(b - a)) : b;
  }

  /// The image of a point in the cell [m].
  Vec3 home(const Vec3& point) const {
    return repeats_ ? point - times_period(cell(point)) : point;
  }

  /// Calls f(image, shift) for those images of a point whose sphere of radius `reach` meets the
  /// cell, `shift` periods from its home: first home, then of those around it.
  template <class F>
  void for_each_image(const Vec3& point, double reach, F&& f) const {
    const Vec3 at_home = home(point);
    f(at_home, Vec3{});
    if (!repeats_) return;
    const auto [x_low, x_high] = shifts(at_home.x, period_.x, reach);
    const auto [y_low, y_high] = shifts(at_home.y, period_.y, reach);
    const auto [z_low, z_high] = shifts(at_home.z, period_.z, reach);
    for (int x = x_low; x <= x_high; ++x)
      for (int y = y_low; y <= y_high; ++y)
        for (int z = z_low; z <= z_high; ++z) {
          const Vec3 shift{1.0 * x, 1.0 * y, 1.0 * z};
          if (shift != Vec3{}) f(at_home + times_period(shift), shift);
        }
  }
  /// The shift of the image of a that is nearest to b at home; turned where a and b are swapped.
  Vec3 nearest_shift(const Vec3& a, const Vec3& b) const {
    return repeats_ ? whole_periods(b - a) - (cell(b) - cell(a)) : Vec3{};
  }

 private:
  struct Shifts {
    int low, high;
  };
  /// Along one axis, of a point that is at home at x.
  static Shifts shifts(double x, double period, double reach) {
    if (period == 0) return {0, 0};
    return {x + reach > period ? -1 : 0, x - reach < 0 ? 1 : 0};
  }
  Vec3 whole_periods(const Vec3& way) const {
    Vec3 count;
    for (int k = 0; k < 3; ++k)
      if (period_[k] > 0) count[k] = std::round(way[k] / period_[k]);
    return count;
  }
  Vec3 cell(const Vec3& point) const {
    Vec3 count;
    for (int k = 0; k < 3; ++k)
      if (period_[k] > 0) count[k] = std::floor(point[k] / period_[k]);
    return count;
  }
  Vec3 times_period(const Vec3& count) const {
    return {count.x * period_.x, count.y * period_.y, count.z * period_.z};
  }

  Vec3 period_;
  bool repeats_ = false;
};

}  // namespace scree

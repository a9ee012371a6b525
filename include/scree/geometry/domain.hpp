/// Space that holds the bodies: unbounded, or a periodic cell.
#pragma once

#include <cmath>

#include "scree/math/vec3.hpp"

namespace scree {

/// Upper triangular 3 × 3 matrix: the edges of a cell as columns, or a velocity gradient.
struct UpperTriangle {
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;

  constexpr bool operator==(const UpperTriangle&) const = default;
  constexpr Vec3 operator*(const Vec3& v) const {
    return {xx * v.x + xy * v.y + xz * v.z, yy * v.y + yz * v.z, zz * v.z};
  }
  constexpr UpperTriangle operator*(const UpperTriangle& b) const {
    return {xx * b.xx,
            yy * b.yy,
            zz * b.zz,
            xx * b.xy + xy * b.yy,
            xx * b.xz + xy * b.yz + xz * b.zz,
            yy * b.yz + yz * b.zz};
  }
  constexpr Vec3 diagonal() const { return {xx, yy, zz}; }
};

/// Frobenius norm, an upper bound of |m v| / |v|.
inline double norm(const UpperTriangle& m) {
  return std::sqrt(m.xx * m.xx + m.yy * m.yy + m.zz * m.zz + m.xy * m.xy + m.xz * m.xz +
                   m.yz * m.yz);
}

/// Position before a step h of a point that the flow has moved to `point`: (1 + h L)⁻¹ times it.
inline Vec3 before_flow(const UpperTriangle& gradient, double h, const Vec3& point) {
  Vec3 before;
  before.z = point.z / (1 + h * gradient.zz);
  before.y = (point.y - h * gradient.yz * before.z) / (1 + h * gradient.yy);
  before.x =
      (point.x - h * (gradient.xy * before.y + gradient.xz * before.z)) / (1 + h * gradient.xx);
  return before;
}

/// Positions are not wrapped: each body stands for all its images, whole periods away, and two
/// bodies interact through the nearest pair of images. So differences of positions must come from
/// separation() or nearest(). Without periods these are b − a and b, bit for bit.
///
/// The cell may be sheared: its edges are (xx, 0, 0), (xy, yy, 0) and (xz, yz, zz), the columns of
/// edges(). Images are then bricks in rows shifted against each other, so a point still has its
/// home in [0, period). The cell may also flow: an image displaced by w from its original moves at
/// gradient() w relative to it.
///
/// A search looks at the images in one brick, [0, period): home() is the position of a point there,
/// and for_each_image() lists its other images near the brick.
class Domain {
 public:
  Domain() = default;  ///< unbounded
  /// Periods along the axes [m] ≥ 0; 0 for an axis that does not repeat.
  explicit Domain(const Vec3& period) : Domain({period.x, period.y, period.z, 0, 0, 0}, {}) {}
  /// Edges [m], 0 for an axis that does not repeat; velocity gradient of the images [1/s].
  Domain(const UpperTriangle& edges, const UpperTriangle& gradient)
      : edges_(edges),
        gradient_(gradient),
        repeats_(edges.diagonal() != Vec3{}),
        flows_(gradient != UpperTriangle{}) {}

  Vec3 period() const { return edges_.diagonal(); }
  const UpperTriangle& edges() const { return edges_; }
  const UpperTriangle& gradient() const { return gradient_; }
  bool repeats() const { return repeats_; }
  bool flows() const { return flows_; }

  /// Displacement from a to the nearest image of b [m]; that from b to a is its negative, bit for
  /// bit.
  Vec3 separation(const Vec3& a, const Vec3& b) const {
    const Vec3 displacement = b - a;
    return repeats_ ? displacement - edges_ * whole_periods(displacement) : displacement;
  }
  /// Image of b nearest to a [m].
  Vec3 nearest(const Vec3& a, const Vec3& b) const {
    return repeats_ ? b - edges_ * whole_periods(b - a) : b;
  }

  /// Image of a point in the brick [m].
  Vec3 home(const Vec3& point) const { return repeats_ ? point - edges_ * cell(point) : point; }

  /// Calls f(image, shift) for the images of a point whose sphere of radius `reach` meets the
  /// brick, `shift` periods from its home: first home itself, then the others.
  template <class F>
  void for_each_image(const Vec3& point, double reach, F&& f) const {
    const Vec3 at_home = home(point);
    f(at_home, Vec3{});
    if (!repeats_) return;
    for_each_image_in({}, period(), at_home, reach, [&](const Vec3& image, const Vec3& shift) {
      if (shift != Vec3{}) f(image, shift);
    });
  }
  /// Calls f(image, shift) for the images of a point, `shift` periods from it, that are nearer than
  /// `reach` to the box from low to high along each repeating axis.
  template <class F>
  void for_each_image_in(const Vec3& low, const Vec3& high, const Vec3& point, double reach,
                         F&& f) const {
    const Shifts z = shifts(point.z, edges_.zz, low.z - reach, high.z + reach);
    for (double k = z.first; k <= z.last; ++k) {
      const double at_y = point.y + k * edges_.yz;
      const Shifts y = shifts(at_y, edges_.yy, low.y - reach, high.y + reach);
      for (double j = y.first; j <= y.last; ++j) {
        const double at_x = point.x + k * edges_.xz + j * edges_.xy;
        const Shifts x = shifts(at_x, edges_.xx, low.x - reach, high.x + reach);
        for (double i = x.first; i <= x.last; ++i) {
          const Vec3 shift{i, j, k};
          f(point + edges_ * shift, shift);
        }
      }
    }
  }
  /// Shift of the image of a that is nearest to b at home; its sign changes when a and b are
  /// swapped.
  Vec3 nearest_shift(const Vec3& a, const Vec3& b) const {
    return repeats_ ? whole_periods(b - a) - (cell(b) - cell(a)) : Vec3{};
  }

 private:
  /// Range of whole numbers of periods.
  struct Shifts {
    double first, last;
  };
  /// Range of shifts that move coordinate x to between low and high.
  static Shifts shifts(double x, double period, double low, double high) {
    if (period == 0) return {0, 0};
    return {std::floor((low - x) / period) + 1, std::ceil((high - x) / period) - 1};
  }
  /// Nearest whole periods, edge by edge: the remainder is at most half a period along each axis.
  Vec3 whole_periods(const Vec3& displacement) const {
    return counted(displacement, [](double periods) { return std::round(periods); });
  }
  Vec3 cell(const Vec3& point) const {
    return counted(point, [](double periods) { return std::floor(periods); });
  }
  template <class F>
  Vec3 counted(const Vec3& displacement, F&& whole) const {
    Vec3 count;
    if (edges_.zz > 0) count.z = whole(displacement.z / edges_.zz);
    if (edges_.yy > 0) count.y = whole((displacement.y - count.z * edges_.yz) / edges_.yy);
    if (edges_.xx > 0)
      count.x = whole((displacement.x - (count.y * edges_.xy + count.z * edges_.xz)) / edges_.xx);
    return count;
  }

  UpperTriangle edges_, gradient_;
  bool repeats_ = false, flows_ = false;
};

}  // namespace scree

/// The space that bodies are in: without bounds, or a cell that repeats.
#pragma once

#include <cmath>

#include "scree/math/vec3.hpp"

namespace scree {

/// An upper triangular 3 × 3 matrix: the edges of a cell, as columns, or a gradient of velocity.
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

/// Frobenius' norm: a vector is changed by no more than this times its length.
inline double norm(const UpperTriangle& m) {
  return std::sqrt(m.xx * m.xx + m.yy * m.yy + m.zz * m.zz + m.xy * m.xy + m.xz * m.xz +
                   m.yz * m.yz);
}

/// Where a point was that such a flow has taken to `point` in a step h: (1 + h L)⁻¹ of it.
inline Vec3 before_flow(const UpperTriangle& gradient, double h, const Vec3& point) {
  Vec3 was;
  was.z = point.z / (1 + h * gradient.zz);
  was.y = (point.y - h * gradient.yz * was.z) / (1 + h * gradient.yy);
  was.x = (point.x - h * (gradient.xy * was.y + gradient.xz * was.z)) / (1 + h * gradient.xx);
  return was;
}

/// Where space repeats, bodies keep the places that their paths lead them to; each stands for all
/// its images, whole periods away, and two bodies meet by the nearest pair of images. So whoever
/// looks at two places asks separation() or nearest(), and never takes a difference of his own.
/// Without periods these are b − a and b, bit for bit.
///
/// The cell may lean: its edges are (xx, 0, 0), (xy, yy, 0) and (xz, yz, zz), the columns of
/// edges(). Images then are bricks in rows that are shifted against each other, so that a point has
/// its place in [0, period) all the same. And it may flow: an image that is w away moves by
/// gradient() w against what it is the image of.
///
/// A search looks at the images of one brick, [0, period): home() is the place of a point there,
/// and for_each_image() tells from where else it is seen.
class Domain {
 public:
  Domain() = default;  ///< without bounds
  /// Periods along the axes [m] ≥ 0; 0: space does not repeat along this one.
  explicit Domain(const Vec3& period) : Domain({period.x, period.y, period.z, 0, 0, 0}, {}) {}
  /// Edges [m], those of an axis that does not repeat 0; gradient of the velocity of images [1/s].
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

  /// The shortest way from a to an image of b [m]; that from b to a is its negative, bit for bit.
  Vec3 separation(const Vec3& a, const Vec3& b) const {
    const Vec3 way = b - a;
    return repeats_ ? way - edges_ * whole_periods(way) : way;
  }
  /// The image of b nearest to a [m].
  Vec3 nearest(const Vec3& a, const Vec3& b) const {
    return repeats_ ? b - edges_ * whole_periods(b - a) : b;
  }

  /// The image of a point in the brick [m].
  Vec3 home(const Vec3& point) const { return repeats_ ? point - edges_ * cell(point) : point; }

  /// Calls f(image, shift) for those images of a point whose sphere of radius `reach` meets the
  /// brick, `shift` periods from its home: first home, then of those around it.
  template <class F>
  void for_each_image(const Vec3& point, double reach, F&& f) const {
    const Vec3 at_home = home(point);
    f(at_home, Vec3{});
    if (!repeats_) return;
    for_each_image_in({}, period(), at_home, reach, [&](const Vec3& image, const Vec3& shift) {
      if (shift != Vec3{}) f(image, shift);
    });
  }
  /// Calls f(image, shift) for those images of a point, `shift` periods from it, that are nearer
  /// than `reach` to the box from low to high along each axis that repeats.
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
  /// The shift of the image of a that is nearest to b at home; turned where a and b are swapped.
  Vec3 nearest_shift(const Vec3& a, const Vec3& b) const {
    return repeats_ ? whole_periods(b - a) - (cell(b) - cell(a)) : Vec3{};
  }

 private:
  /// Whole numbers.
  struct Shifts {
    double first, last;
  };
  /// By how many periods what stands at x comes to lie between low and high.
  static Shifts shifts(double x, double period, double low, double high) {
    if (period == 0) return {0, 0};
    return {std::floor((low - x) / period) + 1, std::ceil((high - x) / period) - 1};
  }
  /// Edge by edge: what is left is at most half a period along each axis.
  Vec3 whole_periods(const Vec3& way) const {
    return counted(way, [](double periods) { return std::round(periods); });
  }
  Vec3 cell(const Vec3& point) const {
    return counted(point, [](double periods) { return std::floor(periods); });
  }
  template <class F>
  Vec3 counted(const Vec3& way, F&& whole) const {
    Vec3 count;
    if (edges_.zz > 0) count.z = whole(way.z / edges_.zz);
    if (edges_.yy > 0) count.y = whole((way.y - count.z * edges_.yz) / edges_.yy);
    if (edges_.xx > 0)
      count.x = whole((way.x - (count.y * edges_.xy + count.z * edges_.xz)) / edges_.xx);
    return count;
  }

  UpperTriangle edges_, gradient_;
  bool repeats_ = false, flows_ = false;
};

}  // namespace scree

/// Contact points of a convex body and a hollow shape.
///
/// The space inside the side is convex: every tangent plane of the side bounds it. So a body inside
/// touches with its outermost points: corners, and for rims and round bodies the points of maximum
/// distance. A body outside touches along one generator of the side, that of maximum distance.
/// Discs are planes with a round rim. The remaining candidates are the rims, circles whose minimum
/// distances from the body are searched along them, and apices, where a radius is 0.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "collision/narrow/body_on_surface.hpp"
#include "collision/narrow/pairs.hpp"
#include "collision/narrow/rounded_box.hpp"
#include "math/false_position.hpp"
#include "scree/geometry/convex_hull.hpp"

namespace scree {
namespace {

// fraction of the size: points outside a feature by less still lie over it
constexpr double kHollowSlack = 1e-9;
constexpr double kHollowShallow = 1e-5;  // fraction of the size: overlaps that may be on any side
constexpr double kHollowAngle = 1e-7;    // [rad]: smaller approaches to the body are ignored

/// Angle of one of three fixed positions on a circle.
double third(std::uint32_t k) { return 2 * std::numbers::pi / 3 * k; }
Vec3 outward(double angle) { return {std::cos(angle), std::sin(angle), 0}; }
Vec3 outward(const Vec3& p) {
  const double across = std::hypot(p.x, p.y);
  return across > 0 ? Vec3{p.x / across, p.y / across, 0} : Vec3{1, 0, 0};
}

/// Calls f(x) where `slope` changes from positive to negative, within `count` steps from `from` and
/// a little more on either side.
template <class Slope, class F>
void for_each_maximum(double from, double step, int count, const Slope& slope, const F& f) {
  // avoids symmetric positions, where the slope may vanish
  const double start = from - 0.37 * step;
  double at = start, here = slope(at);
  for (int k = 1; k <= count + 1; ++k) {
    const double next = start + k * step, there = slope(next);
    if (here > 0 && there <= 0) {
      const Bracket root = narrowed({at, next, here, there}, 1e-16, slope);
      f(0.5 * (root.a + root.b));
    }
    at = next;
    here = there;
  }
}

class HollowPoints {
 public:
  HollowPoints(const BodyOnSurface& body, const Hollow& hollow, double margin)
      : body_(body),
        h_(hollow),
        margin_(margin),
        slack_(kHollowSlack * body.size),
        radius_(body.core.radius()),
        length_(hollow.top - hollow.bottom),
        widening_(hollow.top_radius - hollow.bottom_radius),
        slant_(std::hypot(length_, widening_)),
        offset_((length_ * hollow.bottom_radius - widening_ * hollow.bottom) / slant_),
        inside_(beyond_side(body.middle) < 0),
        points_(body, margin) {}

  SurfacePoints all() {
    if (inside_) {
      from_inside();
    } else {
      from_outside();
      points_.end_group();
      corners();
    }
    for (const bool top : {false, true}) {
      if ((top ? h_.closed_top : h_.closed_bottom) && !is_apex(top)) over_disc(top);
      const bool groove = (top ? h_.closed_top : h_.closed_bottom) && is_between_ends();
      if (is_apex(top)) {
        if (!inside_) at_apex(top);
      } else if (!groove) {
        along_rim(top);
      }
    }
    return points_.finish();
  }

 private:
  double rim_radius(bool top) const { return top ? h_.top_radius : h_.bottom_radius; }
  double rim_height(bool top) const { return top ? h_.top : h_.bottom; }
  /// True if the side ends in an apex, which closes the vessel there.
  bool is_apex(bool top) const { return rim_radius(top) == 0; }
  /// True if the body's middle is in the vessel: there the side and the discs form grooves.
  bool is_between_ends() const {
    return inside_ && body_.middle.z > h_.bottom && body_.middle.z < h_.top;
  }

  /// Normal of the side out of the vessel; u points away from the axis.
  Vec3 normal_at(const Vec3& u) const {
    return length_ / slant_ * u + Vec3{0, 0, -widening_ / slant_};
  }
  /// Distance of a point outside the cone of the side [m]: a convex function.
  double beyond_side(const Vec3& p) const {
    return (length_ * std::hypot(p.x, p.y) - widening_ * p.z) / slant_ - offset_;
  }
  /// Coordinate along the side of a point on the meridian of u: 0 at the bottom, 1 at the top.
  double along_side(const Vec3& p, const Vec3& u) const {
    return ((p.z - h_.bottom) * length_ + (dot(p, u) - h_.bottom_radius) * widening_) /
           (slant_ * slant_);
  }
  /// True if a point of the side's cone belongs to the side. The cone is extended in grooves and,
  /// for a body inside, beyond an apex.
  bool is_on_side(double along) const {
    if (inside_ && ((is_apex(false) && along <= 0) || (is_apex(true) && along >= 1))) return true;
    const double groove = is_between_ends() ? std::max(margin_, 0.01 * body_.size) : slack_;
    const double below = (h_.closed_bottom ? groove : slack_) / slant_,
                 above = (h_.closed_top ? groove : slack_) / slant_;
    return along >= -below && along <= 1 + above;
  }

  /// True if a point of the body on the other side came there through the side, not around an end.
  bool came_through_side(const Vec3& p) const {
    const auto at = [&](double s) { return body_.middle + s * (p - body_.middle); };
    double from = 0, to = 1;
    for (int step = 0; step < 50; ++step) {
      const double half = 0.5 * (from + to);
      ((beyond_side(at(half)) < 0) == inside_ ? from : to) = half;
    }
    const Vec3 crossing = at(from);
    return is_on_side(along_side(crossing, outward(crossing)));
  }
  bool came_through_disc(const Vec3& p, double z, double radius) const {
    const double s = (z - body_.middle.z) / (p.z - body_.middle.z);
    const Vec3 crossing = body_.middle + s * (p - body_.middle);
    return std::hypot(crossing.x, crossing.y) <= radius + 1e-6 * body_.size;
  }

  /// Adds a point of the core against the tangent plane of the side at the meridian of u. A feature
  /// of the body that touches at several meridians has an `index` for each.
  void add_point(std::uint32_t part, const Vec3& p, const Vec3& u, std::uint32_t index = 0) {
    const Vec3 to_body = inside_ ? -normal_at(u) : normal_at(u);
    const double height = dot(to_body, p) + (inside_ ? offset_ : -offset_), gap = height - radius_;
    if (!(gap < margin_)) return;
    const Vec3 foot = p - height * to_body;
    if (!is_on_side(along_side(foot, u))) return;
    if (gap < -kHollowShallow * body_.size && !came_through_side(p - radius_ * to_body)) return;
    points_.add(surface_feature(SurfacePart::side, 0, index, part), foot, to_body, gap);
    points_.end_group();  // normals differ
  }

  /// Adds corners, ends and fixed points of rims.
  void corners() {
    const Shape& shape = body_.shape;
    const auto corner = [&](std::uint32_t part, const Vec3& position) {
      const Vec3 p = body_.pose.position + rotate(body_.pose.orientation, position);
      if (inside_)
        add_all_round(part, outward(p), [&](const Vec3&) { return p; });
      else
        add_point(part, p, outward(p));
    };
    const auto rim = [&](double r, double z, bool top) {
      constexpr int kFixed = 8;
      for (int k = 0; k < (r > 0 ? kFixed : 1); ++k)
        corner((top ? 0x28U : 0x18U) + static_cast<std::uint32_t>(k),
               r * outward(k * std::numbers::pi / 4) + Vec3{0, 0, z});
    };
    if (const auto* box = std::get_if<Box>(&shape)) {
      for (int v = 0; v < 8; ++v)
        corner(static_cast<std::uint32_t>(v), vertex(box->half_extent, v));
    } else if (const auto* capsule = std::get_if<Capsule>(&shape)) {
      corner(0, {0, 0, -capsule->half_length});
      corner(1, {0, 0, capsule->half_length});
    } else if (const auto* polyhedron = std::get_if<Polyhedron>(&shape)) {
      std::uint32_t v = 0;
      for (const Vec3& position : polyhedron->hull->vertices())
        corner(v++, polyhedron->scale * position);
    } else if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
      for (const bool top : {false, true})
        rim(cylinder->radius, top ? cylinder->half_length : -cylinder->half_length, top);
    } else if (const auto* frustum = std::get_if<Frustum>(&shape)) {
      for (const bool top : {false, true})
        rim(top ? frustum->top_radius : frustum->bottom_radius,
            top ? frustum->top : frustum->bottom, top);
    }
  }

  void from_inside() {
    const Shape& shape = body_.shape;
    if (const auto* capsule = std::get_if<Capsule>(&shape)) {
      for (const int end : {0, 1}) {
        const double z = end == 0 ? -capsule->half_length : capsule->half_length;
        const Vec3 p = body_.pose.position + rotate(body_.pose.orientation, {0, 0, z});
        add_all_round(static_cast<std::uint32_t>(end), outward(p), [&](const Vec3&) { return p; });
      }
    } else if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
      for (const bool top : {false, true})
        rim_of_body(cylinder->radius, top ? cylinder->half_length : -cylinder->half_length, top);
    } else if (const auto* frustum = std::get_if<Frustum>(&shape)) {
      for (const bool top : {false, true})
        rim_of_body(top ? frustum->top_radius : frustum->bottom_radius,
                    top ? frustum->top : frustum->bottom, top);
    } else if (std::holds_alternative<Superellipsoid>(shape)) {
      round_body();
    }
    if (!std::holds_alternative<Capsule>(shape)) corners();
  }

  /// Adds a point at its nearest meridian and at three fixed meridians. Near the axis all meridians
  /// are nearly alike, and a single one would push the body from side to side.
  template <class F>
  void add_all_round(std::uint32_t part, const Vec3& u, const F& position) {
    add_point(part, position(u), u);
    add_at_thirds(part, position);
  }
  template <class F>
  void add_at_thirds(std::uint32_t part, const F& position) {
    for (std::uint32_t k = 0; k < 3; ++k) {
      const Vec3 fixed = outward(third(k));
      add_point(part, position(fixed), fixed, k + 1);
    }
  }

  /// Adds the outermost points of a cap's rim.
  void rim_of_body(double r, double z, bool top) {
    if (r == 0) return;  // an apex is a corner
    const Vec3 x = rotate(body_.pose.orientation, {r, 0, 0}),
               y = rotate(body_.pose.orientation, {0, r, 0}),
               centre = body_.pose.position + rotate(body_.pose.orientation, {0, 0, z});
    const auto position = [&](double t) { return centre + std::cos(t) * x + std::sin(t) * y; };
    const auto slope = [&](double t) {
      const Vec3 p = position(t), tangent = std::cos(t) * y - std::sin(t) * x;
      const double across = std::hypot(p.x, p.y);
      return across > 0
                 ? length_ * (p.x * tangent.x + p.y * tangent.y) / across - widening_ * tangent.z
                 : 0;
    };
    std::uint32_t part = top ? 0x20 : 0x10;
    constexpr int kSamples = 16;
    for_each_maximum(0, 2 * std::numbers::pi / kSamples, kSamples, slope, [&](double t) {
      const Vec3 p = position(t);
      add_point(part++, p, outward(p));
    });
  }

  /// Range of angles about the axis in which the body is visible: middle and half width.
  struct View {
    double angle, half;
  };
  View view() const {
    const Vec3& p = body_.pose.position;
    const double across = std::hypot(p.x, p.y), reach = 1.05 * body_.size;
    return {across > 0 ? std::atan2(p.y, p.x) : 0,
            across > reach ? std::asin(reach / across) : std::numbers::pi};
  }

  void round_body() {
    constexpr int kSamples = 32;
    const auto [angle, half] = view();
    const auto position = [&](const Vec3& u) { return body_.core.support(normal_at(u)); };
    const auto slope = [&](double t) {
      const Vec3 u = outward(t);
      return dot(position(u), Vec3{-u.y, u.x, 0});
    };
    if (half == std::numbers::pi) add_at_thirds(0, position);
    const double step = 2 * half / kSamples;
    double steepest = 0;
    for (int k = 0; k < kSamples; k += 3)
      steepest = std::max(steepest, std::abs(slope(angle - half + k * step)));
    if (steepest <= 1e-9 * body_.size) return;  // all meridians are equal
    std::uint32_t part = 3;
    for_each_maximum(angle - half, step, kSamples, slope, [&](double t) {
      const Vec3 u = outward(t);
      add_point(part++, position(u), u);
    });
  }

  void from_outside() {
    constexpr int kSamples = 32;
    const auto [angle, half] = view();
    const auto nearest = [&](double t) { return body_.core.support(-normal_at(outward(t))); };
    const auto gap_at = [&](double t) {
      return dot(normal_at(outward(t)), nearest(t)) - offset_ - radius_;
    };
    const auto slope = [&](double t) {
      const Vec3 u = outward(t);
      return dot(nearest(t), Vec3{-u.y, u.x, 0});
    };
    double best = angle, max_gap = gap_at(angle);
    for_each_maximum(angle - half, 2 * half / kSamples, kSamples, slope, [&](double t) {
      if (const double gap = gap_at(t); gap > max_gap) {
        best = t;
        max_gap = gap;
      }
    });
    if (!(max_gap < margin_)) return;
    const Vec3 u = outward(best), n = normal_at(u), p = nearest(best);
    if (max_gap < -kHollowShallow * body_.size && !came_through_side(p - radius_ * n)) return;
    const auto add = [&](std::uint32_t part, const Vec3& middle, double gap) {
      points_.add(surface_feature(SurfacePart::side, 1, 0, part), middle - 0.5 * gap * n, n, gap);
    };
    const ConvexCore solid(Frustum{h_.bottom_radius, h_.top_radius, h_.bottom, h_.top}, {});
    const Candidates found = points_along(body_.core, solid, -n, max_gap, margin_);
    for (const Candidate& c : found.all())
      add(c.feature < kCrossingPart ? c.feature : crossing_part(c.feature, 0), c.point, c.gap);
    const Vec3 foot = p - (max_gap + radius_) * n;
    // deviation of a corner that is not the only point
    const double aside = std::abs(dot(foot, Vec3{-u.y, u.x, 0}));
    if (found.min_gap() > max_gap + 1e-3 * slack_ && aside <= kSamePoint * body_.size &&
        is_on_side(along_side(foot, u)))
      add(SupportPoints::kFarthest, foot + 0.5 * max_gap * n, max_gap);
  }

  void over_disc(bool top) {
    const double z = rim_height(top), rim = rim_radius(top);
    const double up = body_.middle.z >= z ? 1 : -1;
    const bool groove = is_between_ends();
    const double reach = rim + (groove ? std::max(margin_, 0.01 * body_.size) : slack_);
    const auto add = [&](SurfacePart kind, std::uint32_t part, const Vec3& p) {
      const double gap = up * (p.z - z) - radius_;
      if (!(gap < margin_) || std::hypot(p.x, p.y) > reach) return;
      if (gap < -kHollowShallow * body_.size &&
          !came_through_disc(p - Vec3{0, 0, up * radius_}, z, reach))
        return;
      points_.add(surface_feature(kind, top ? 1 : 0, 0, part), {p.x, p.y, z}, {0, 0, up}, gap);
    };
    for (const auto& [part, p] : body_.facing({0, 0, -up})) add(SurfacePart::disc, part, p);
    if (!groove) flush_with_rim(top, up, add);
    points_.end_group();
  }

  /// Adds crossings of the rim with the edges of a body's side that is flush with the plane of the
  /// rim.
  template <class F>
  void flush_with_rim(bool top, double up, const F& add) {
    const double rim = rim_radius(top);
    const SupportFeature feature = body_.core.facing({0, 0, -up});
    if (feature.count < 3 || -up * feature.normal.z < kFlush) return;
    for (int k = 0; k < feature.count; ++k) {
      const Vec3 &from = feature.corner[k], edge = feature.corner[(k + 1) % feature.count] - from;
      const double e2 = edge.x * edge.x + edge.y * edge.y,
                   middle = -(from.x * edge.x + from.y * edge.y) / e2,
                   near2 = from.x * from.x + from.y * from.y - middle * middle * e2,
                   chord2 = (rim * rim - near2) / e2;
      if (!(chord2 > 0)) continue;
      const std::uint32_t part =
          crossing_part(feature.feature[k], feature.feature[(k + 1) % feature.count]);
      for (const double side : {-1.0, 1.0}) {
        const double s = middle + side * std::sqrt(chord2);
        if (s >= 0 && s <= 1)
          add(SurfacePart::rim, side < 0 ? part : crossing_part(part, 1), from + s * edge);
      }
    }
  }

  /// Adds the apex of the side, unless the displacement from there to the body approaches it along
  /// a generator.
  void at_apex(bool top) {
    const Vec3 position{0, 0, rim_height(top)};
    const auto [gap, from_body] = signed_distance(body_.shape, body_.pose, position);
    if (!(gap < margin_)) return;
    const Vec3 d = -from_body;
    const double back = top ? d.z : -d.z;
    if ((std::abs(widening_) * std::hypot(d.x, d.y) - length_ * back) / slant_ > kHollowAngle)
      return;
    points_.add(surface_feature(SurfacePart::rim, top ? 1 : 0, 0, kInside), position, d, gap);
    points_.end_group();
  }

  /// Adds the minimum distances of a rim from the body.
  void along_rim(bool top) {
    const double rim = rim_radius(top), z = rim_height(top), reach = body_.size + margin_;
    const Vec3& p = body_.pose.position;
    const double across = std::hypot(p.x, p.y), up = p.z - z;
    const double least = across * across + rim * rim + up * up - reach * reach,
                 cosine = across > 0 ? least / (2 * across * rim) : (least > 0 ? 2.0 : -2.0);
    if (cosine > 1) return;
    const double half = cosine < -1 ? std::numbers::pi : std::acos(cosine),
                 angle = across > 0 ? std::atan2(p.y, p.x) : 0;
    // At least sixteen steps for the body, at positions that do not move with it.
    double step = std::numbers::pi / 8;
    while (step * rim > body_.size / 8 && step > std::numbers::pi / 4096) step *= 0.5;
    const auto position = [&](double t) { return rim * outward(t) + Vec3{0, 0, z}; };
    const auto distance = [&](double t) {
      return signed_distance(body_.shape, body_.pose, position(t)).distance;
    };
    const auto first = static_cast<int>(std::floor((angle - half) / step)) - 1,
               last = static_cast<int>(std::ceil((angle + half) / step)) + 1;
    flush_samples(top, first, last, step);
    double before = distance((first - 1) * step), here = distance(first * step);
    std::uint32_t rank = 0;
    for (int k = first; k <= last; ++k) {
      const double after = distance((k + 1) * step);
      if (here <= before && here < after && here < margin_ + step * rim) {
        const double t = minimum((k - 1) * step, (k + 1) * step, distance);
        add_rim(top, t, rank++, kInside);
        points_.end_group();
      }
      before = here;
      here = after;
    }
    // A body that fills the hole touches all around.
    if (half == std::numbers::pi)
      for (std::uint32_t k = 0; k < 3; ++k) {
        add_rim(top, third(k), k, kInside - 2);
        points_.end_group();
      }
  }

  /// Adds samples where a side of the body is flush with the plane of the rim.
  void flush_samples(bool top, int first, int last, double step) {
    const double up = top ? 1 : -1;
    if (up * (body_.middle.z - rim_height(top)) < 0) return;
    const SupportFeature feature = body_.core.facing({0, 0, -up});
    if (feature.count < 3 || -up * feature.normal.z < kFlush) return;
    for (int k = first; k <= last; ++k)
      add_rim(top, k * step, static_cast<std::uint32_t>(k), kInside - 1);
    flush_with_rim(top, up, [&](SurfacePart kind, std::uint32_t part, const Vec3& p) {
      const double gap = up * (p.z - rim_height(top)) - radius_;
      points_.add(surface_feature(kind, top ? 3 : 2, 0, part), {p.x, p.y, rim_height(top)},
                  {0, 0, up}, gap);
    });
    points_.end_group();
  }

  /// Adds a point of a rim, unless the displacement from there to the body approaches it along the
  /// side or along a disc.
  void add_rim(bool top, double t, std::uint32_t rank, std::uint32_t part) {
    const Vec3 u = outward(t), position = rim_radius(top) * u + Vec3{0, 0, rim_height(top)};
    const auto [gap, from_body] = signed_distance(body_.shape, body_.pose, position);
    if (!(gap < margin_)) return;
    const Vec3 up_the_side = (widening_ * u + Vec3{0, 0, length_}) / slant_, d = -from_body;
    if (dot(d, top ? -up_the_side : up_the_side) > kHollowAngle) return;
    if ((top ? h_.closed_top : h_.closed_bottom) && dot(d, u) < -kHollowAngle) return;
    points_.add(surface_feature(SurfacePart::rim, top ? 1 : 0, rank, part), position, d, gap);
  }

  /// Minimum of a unimodal function by golden-section search, to rounding of the value.
  template <class F>
  static double minimum(double a, double b, const F& f) {
    constexpr double kGoldenRatio = 0.6180339887498949;
    double x = b - kGoldenRatio * (b - a), y = a + kGoldenRatio * (b - a), f_x = f(x), f_y = f(y);
    for (int step = 0; step < 60; ++step) {
      if (f_x <= f_y) {
        b = y;
        y = x;
        f_y = f_x;
        x = b - kGoldenRatio * (b - a);
        f_x = f(x);
      } else {
        a = x;
        x = y;
        f_x = f_y;
        y = a + kGoldenRatio * (b - a);
        f_y = f(y);
      }
    }
    return 0.5 * (a + b);
  }

  const BodyOnSurface& body_;
  const Hollow& h_;
  double margin_, slack_, radius_, length_, widening_, slant_, offset_;
  bool inside_;
  PointCollector points_;
};

}  // namespace

SurfacePoints points_on_hollow(const BodyOnSurface& body, const Hollow& hollow, double margin) {
  return HollowPoints(body, hollow, margin).all();
}

}  // namespace scree

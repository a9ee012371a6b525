#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/collision/surface_contacts.hpp"

namespace scree {
namespace {

/// A sphere on its free path, in the frame of the surface as it stands at the start: straight, at
/// the velocity that it has there against the surface.
class PathAlongSurface {
 public:
  PathAlongSurface(const Shape& surface, const Vec3& centre, double radius, const Vec3& velocity,
                   double h)
      : surface_(surface), centre_(centre), velocity_(velocity), radius_(radius), h_(h) {}

  double gap(double time) const {
    return std::abs(signed_distance(surface_, centre_ + time * velocity_).distance) - radius_;
  }

  struct Passage {
    bool touches;
    double closest;  ///< when, if it does not touch [s]
  };
  /// Conservative advancement: the gap cannot close faster than the sphere flies. A pass so close
  /// that it takes too many steps counts as a touch.
  Passage pass() const {
    constexpr int kMaxSteps = 1000;
    const double speed = norm(velocity_), tolerance = 1e-9 * radius_;
    Passage passage{true, 0};
    if (gap(h_) <= tolerance) return passage;  // as nearly all that come to a wall do
    double time = 0, least = std::numeric_limits<double>::infinity();
    for (int step = 0; step < kMaxSteps; ++step) {
      const double now = gap(time);
      if (now <= tolerance) return passage;
      if (now < least) {
        least = now;
        passage.closest = time;
      }
      if (time >= h_) {
        passage.touches = false;
        return passage;
      }
      time = std::min(h_, time + now / speed);
    }
    return passage;
  }

 private:
  const Shape& surface_;
  Vec3 centre_, velocity_;
  double radius_, h_;
};

class SphereStep {
 public:
  SphereStep(const Shape& surface, const Pose& pose, const Twist& twist, const Vec3& centre,
             double radius, const Vec3& velocity, double margin, double h, KnownFacets* known)
      : surface_(surface),
        pose_(pose),
        twist_(twist),
        centre_(rotate_back(pose.orientation, centre - pose.position)),
        velocity_(rotate_back(pose.orientation, velocity - velocity_at(pose, twist, centre))),
        radius_(radius),
        margin_(margin),
        h_(h),
        known_(h * norm(velocity_) < kSlow * radius ? known : nullptr) {}

  /// Points of the step; `way`: see sphere_on_surface_in_step().
  SphereOnSurfaces points(const Vec3& way) {
    const SurfaceTouches start = touches_of_sphere(surface_, centre_, radius_, margin_, known_);
    if (start.count == 0) return {};
    const bool inside = start.touches[0].height < 0;
    const bool touching = gap_of(start.touches[0]) <= 0;
    bool passes = false;
    double closest = 0;
    if (!inside && !touching &&
        std::any_of(start.touches.begin(), start.touches.begin() + start.count,
                    [&](const SurfaceTouch& t) { return is_broken(t); })) {
      const auto passage = PathAlongSurface(surface_, centre_, radius_, velocity_, h_).pass();
      passes = !passage.touches;
      closest = passage.closest;
    }
    for (int k = 0; k < start.count; ++k)
      if (!passes || !is_broken(start.touches[k])) add(start.touches[k], gap_of(start.touches[k]));
    if (passes)
      add_closest(closest);
    else if (!inside)
      add_what_lies_ahead();
    for (int k = 0; k < result_.count; ++k) place_in_space(result_.points[k], way, k);
    return result_;
  }

 private:
  /// In a step, of the radius: others leave the facets that they would know too soon.
  static constexpr double kSlow = 0.005;

  double gap_of(const SurfaceTouch& touch) const { return touch.height - radius_; }
  /// Whether the free path crosses the plane of a touch that is apart.
  bool is_broken(const SurfaceTouch& touch) const {
    return gap_of(touch) > 0 && gap_of(touch) + h_ * dot(touch.normal, velocity_) < 0;
  }

  void add(const SurfaceTouch& touch, double remaining_gap) {
    if (result_.count == kMaxOnSurface) return;
    const double gap = gap_of(touch);
    foot_[result_.count] = touch.point;
    result_.points[result_.count++] = {touch.feature, {touch.normal, gap, remaining_gap, {}}};
  }

  /// The plane across the shortest way at the closest instant, which the free path obeys.
  void add_closest(double time) {
    const Vec3 then = centre_ + time * velocity_;
    const SurfaceTouches touches = touches_of_sphere(surface_, then, radius_, margin_);
    if (touches.count == 0) return;
    SurfaceTouch touch = touches.touches[0];
    const double remaining_gap = dot(touch.normal, centre_ - touch.point) - radius_;
    const double free = -h_ * dot(touch.normal, velocity_);
    touch.height = dot(touch.normal, centre_ - touch.point);
    add(touch, std::max({0.0, remaining_gap, free}));
  }

  /// What it would overlap at the end of the step after it has slid along the places of the start.
  void add_what_lies_ahead() {
    constexpr double kNear = 1e-3;  // of the radius: a way so short ends in no deep overlap
    if (!(h_ * norm(velocity_) > kNear * radius_)) return;
    Vec3 way = h_ * velocity_;
    for (int k = 0; k < result_.count; ++k) {
      const SeparatingPlane& plane = result_.points[k].plane;
      const double beyond = std::max(0.0, plane.gap) + dot(plane.normal, way);
      if (beyond < 0) way = way - beyond * plane.normal;
    }
    const Vec3 end = centre_ + way;
    const SurfaceTouches ahead = touches_of_sphere(surface_, end, radius_, 0);
    if (ahead.count > 0 && ahead.touches[0].height < 0) return;  // far gone: that is for the start
    const int known = result_.count;
    for (int k = 0; k < ahead.count; ++k) {
      SurfaceTouch touch = ahead.touches[k];
      const double overlap = -gap_of(touch);
      touch.height = dot(touch.normal, centre_ - touch.point);
      if (overlap < kNear * radius_ || gap_of(touch) < 0) continue;
      const bool is_new = std::none_of(
          result_.points.begin(), result_.points.begin() + known, [&](const SphereOnSurface& p) {
            return p.feature == touch.feature || dot(p.plane.normal, touch.normal) > 1 - 1e-6;
          });
      if (is_new) add(touch, gap_of(touch));
    }
  }

  /// From the surface's frame to the inertial one, with the velocity of the surface.
  void place_in_space(SphereOnSurface& point, const Vec3& way, int k) const {
    SeparatingPlane& plane = point.plane;
    const Vec3 foot = pose_.position + rotate(pose_.orientation, foot_[k]);
    plane.normal = rotate(pose_.orientation, plane.normal);
    if (!moves(twist_)) return;
    plane.velocity = velocity_at(pose_, twist_, foot);
    if (twist_.angular == Vec3{}) return;
    // On a face the place travels with the sphere.
    plane.velocity += along(cross(twist_.angular, along(way, plane.normal)), plane.normal);
  }

  const Shape& surface_;
  const Pose& pose_;
  const Twist& twist_;
  const Vec3 centre_, velocity_;
  const double radius_, margin_, h_;
  KnownFacets* const known_;  ///< or null
  SphereOnSurfaces result_;
  std::array<Vec3, kMaxOnSurface> foot_;  ///< of each point, in the surface's frame [m]
};

}  // namespace

SphereOnSurfaces sphere_on_surface_in_step(const Shape& surface, const Pose& pose,
                                           const Twist& twist, const Vec3& centre, double radius,
                                           const Vec3& velocity, const Vec3& motion, double margin,
                                           double h, KnownFacets* known) {
  return SphereStep(surface, pose, twist, centre, radius, velocity, margin, h, known)
      .points(motion);
}

}  // namespace scree

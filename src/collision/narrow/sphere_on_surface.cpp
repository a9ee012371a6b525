/// Points of a sphere and a surface for a step in which the sphere may pass an edge.
#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/collision/surface_contacts.hpp"

namespace scree {
namespace {

/// Sphere on its free path, in the frame of the surface at the start: straight, at its velocity
/// relative to the surface there.
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
    double closest;  ///< time of closest approach if it does not touch [s]
  };
  /// Conservative advancement: the gap cannot close faster than the sphere flies. A pass too close
  /// for the number of steps counts as a touch.
  Passage pass() const {
    constexpr int kMaxSteps = 1000;
    const double speed = norm(velocity_), tolerance = 1e-9 * radius_;
    Passage passage{true, 0};
    if (gap(h_) <= tolerance) return passage;  // true for nearly all spheres that reach a wall
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

  /// Points of the step; `displacement` is `motion` of sphere_on_surface_in_step().
  SphereOnSurfaces points(const Vec3& displacement) {
    const SurfaceTouches start = touches_of_sphere(surface_, centre_, radius_, margin_, known_);
    if (start.count == 0) return {};
    const bool inside = start.touches[0].height < 0;
    const bool touching = gap_of(start.touches[0]) <= 0;
    bool passes = false;
    double closest = 0;
    if (!inside && !touching &&
        std::any_of(start.touches.begin(), start.touches.begin() + start.count,
                    [&](const SurfaceTouch& t) { return is_crossed(t); })) {
      const auto passage = PathAlongSurface(surface_, centre_, radius_, velocity_, h_).pass();
      passes = !passage.touches;
      closest = passage.closest;
    }
    for (int k = 0; k < start.count; ++k)
      if (!passes || !is_crossed(start.touches[k])) add(start.touches[k], gap_of(start.touches[k]));
    if (passes)
      add_closest(closest);
    else if (!inside)
      add_touches_ahead();
    for (int k = 0; k < result_.count; ++k) to_inertial_frame(result_.points[k], displacement, k);
    return result_;
  }

 private:
  /// Maximum displacement per step over the radius at which the cache of facets pays; faster
  /// spheres leave the cached facets too soon.
  static constexpr double kSlow = 0.005;

  double gap_of(const SurfaceTouch& touch) const { return touch.height - radius_; }
  /// True if the free path crosses the plane of a touch that is apart.
  bool is_crossed(const SurfaceTouch& touch) const {
    return gap_of(touch) > 0 && gap_of(touch) + h_ * dot(touch.normal, velocity_) < 0;
  }

  void add(const SurfaceTouch& touch, double remaining_gap) {
    if (result_.count == kMaxOnSurface) return;
    const double gap = gap_of(touch);
    foot_[result_.count] = touch.point;
    result_.points[result_.count++] = {touch.feature, {touch.normal, gap, remaining_gap, {}}};
  }

  /// Adds the separating plane at the closest instant, which the free path satisfies.
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

  /// Adds the touches that the sphere would overlap at the end of the step, after sliding along the
  /// touches of the start.
  void add_touches_ahead() {
    // fraction of the radius: such a short displacement cannot end in a deep overlap
    constexpr double kNear = 1e-3;
    if (!(h_ * norm(velocity_) > kNear * radius_)) return;
    Vec3 displacement = h_ * velocity_;
    for (int k = 0; k < result_.count; ++k) {
      const SeparatingPlane& plane = result_.points[k].plane;
      const double beyond = std::max(0.0, plane.gap) + dot(plane.normal, displacement);
      if (beyond < 0) displacement = displacement - beyond * plane.normal;
    }
    const Vec3 end = centre_ + displacement;
    const SurfaceTouches ahead = touches_of_sphere(surface_, end, radius_, 0);
    // deep inside: handled by the touches of the start
    if (ahead.count > 0 && ahead.touches[0].height < 0) return;
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

  /// Transforms a point from the surface's frame to the inertial one, with the velocity of the
  /// surface.
  void to_inertial_frame(SphereOnSurface& point, const Vec3& displacement, int k) const {
    SeparatingPlane& plane = point.plane;
    const Vec3 foot = pose_.position + rotate(pose_.orientation, foot_[k]);
    plane.normal = rotate(pose_.orientation, plane.normal);
    if (!moves(twist_)) return;
    plane.velocity = velocity_at(pose_, twist_, foot);
    if (twist_.angular == Vec3{}) return;
    // On a face the touch travels with the sphere.
    plane.velocity += along(cross(twist_.angular, along(displacement, plane.normal)), plane.normal);
  }

  const Shape& surface_;
  const Pose& pose_;
  const Twist& twist_;
  const Vec3 centre_, velocity_;
  const double radius_, margin_, h_;
  KnownFacets* const known_;  ///< or null
  SphereOnSurfaces result_;
  /// surface point of each touch, in the surface's frame [m]
  std::array<Vec3, kMaxOnSurface> foot_;
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

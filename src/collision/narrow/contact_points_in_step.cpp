/// Contact points for a step in which two bodies may pass each other: conservative advancement
/// along their free paths.
#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "scree/collision/contact_points.hpp"
#include "scree/collision/surface_contacts.hpp"

namespace scree {
namespace {

struct Instant {
  double time, gap;
  /// upper bound of the closing speed of all points along the normal, now or later [m/s]
  double closing;
};

/// Two bodies on their free paths; `Points` is Manifold or SurfacePoints.
template <class Points>
class FreePaths {
 public:
  using PointsOf = Points (*)(const Shape&, const Pose&, const Shape&, const Pose&, double margin);

  FreePaths(PointsOf points, const Shape& a, const Pose& pose_a, const Twist& twist_a,
            const Shape& b, const Pose& pose_b, const Twist& twist_b, double h)
      : find_points_(points),
        a_(a),
        b_(b),
        pose_a_(pose_a),
        pose_b_(pose_b),
        twist_a_(twist_a),
        twist_b_(twist_b),
        h_(h) {
    // Only the part of a half-space near the other body matters.
    const double apart =
        norm(pose_b.position - pose_a.position) + h * norm(twist_b.linear - twist_a.linear);
    const double radius_a = bounding_radius(a), radius_b = bounding_radius(b);
    reach_a_ = std::min(radius_a, apart + radius_b);
    reach_b_ = std::min(radius_b, apart + radius_a);
    tolerance_ =
        1e-12 * std::min(radius_a, radius_b) + 8 * std::numeric_limits<double>::epsilon() *
                                                   (norm(pose_a.position) + norm(pose_b.position));
  }

  Instant at(double time) const {
    const auto [gap, n] = separation(a_, pose_at(a_, pose_a_, twist_a_, time), b_,
                                     pose_at(b_, pose_b_, twist_b_, time));
    const double rotational =
        norm(cross(twist_a_.angular, n)) * reach_a_ + norm(cross(twist_b_.angular, n)) * reach_b_;
    return {time, gap, rotational - dot(n, twist_b_.linear - twist_a_.linear)};
  }

  struct Opening {
    double gap, speed;  ///< [m], d gap / dt [m/s]
  };
  /// Gap and its rate at a time; needs a gap below the margin.
  Opening opening_at(double time, double margin) const {
    const Pose then_a = pose_at(a_, pose_a_, twist_a_, time),
               then_b = pose_at(b_, pose_b_, twist_b_, time);
    const Points manifold = find_points_(a_, then_a, b_, then_b, margin);
    const auto closest = std::min_element(
        manifold.points.begin(), manifold.points.begin() + manifold.count,
        [](const ContactPoint& p, const ContactPoint& q) { return p.gap < q.gap; });
    return {closest->gap, normal_velocity(*closest, then_a, then_b)};
  }

  Pose pose_of_a(double time) const { return advance_pose(pose_a_, twist_a_, time); }
  Pose pose_of_b(double time) const { return advance_pose(pose_b_, twist_b_, time); }
  double h() const { return h_; }
  double tolerance() const { return tolerance_; }

  bool violates(const ContactPoint& c) const {
    return c.gap + h_ * normal_velocity(c, pose_a_, pose_b_) < 0;
  }

  /// Points of an instant, carried back to the start with the bodies.
  Points points_of(double time, double margin) const {
    const Pose then_a = pose_of_a(time), then_b = pose_of_b(time);
    Points manifold = find_points_(a_, then_a, b_, then_b, margin);
    for (int k = 0; k < manifold.count; ++k) {
      ContactPoint& c = manifold.points[k];
      const Vec3 half_gap = 0.5 * c.gap * c.normal;
      const Vec3 on_a = carried(c.point - half_gap, then_a, pose_a_);
      const Vec3 on_b = carried(c.point + half_gap, then_b, pose_b_);
      c.point = 0.5 * (on_a + on_b);
      // Rotation bends the paths: relax the gap so that the free paths satisfy the point.
      c.gap =
          std::max({0.0, dot(c.normal, on_b - on_a), -h_ * normal_velocity(c, pose_a_, pose_b_)});
    }
    return manifold;
  }

 private:
  double normal_velocity(const ContactPoint& c, const Pose& pose_a, const Pose& pose_b) const {
    return dot(c.normal,
               velocity_at(pose_b, twist_b_, c.point) - velocity_at(pose_a, twist_a_, c.point));
  }
  /// Pose at a time that gives the same points: a sphere need not rotate.
  static Pose pose_at(const Shape& shape, const Pose& pose, const Twist& twist, double time) {
    if (std::holds_alternative<Sphere>(shape))
      return {pose.position + time * twist.linear, pose.orientation};
    return advance_pose(pose, twist, time);
  }
  static Vec3 carried(const Vec3& point, const Pose& from, const Pose& to) {
    return to.position +
           rotate(to.orientation, rotate_back(from.orientation, point - from.position));
  }

  PointsOf find_points_;
  const Shape &a_, &b_;
  const Pose &pose_a_, &pose_b_;
  const Twist &twist_a_, &twist_b_;
  const double h_;
  double reach_a_, reach_b_, tolerance_;  ///< [m]
};

struct Passage {
  bool touches;
  Instant before, after;  ///< instants around the closest approach
};

/// Conservative advancement: in each step the gap cannot close, because no point of the bodies
/// moves so fast along the normal.
template <class Points>
Passage advance(const FreePaths<Points>& paths) {
  constexpr int kMaxSteps = 24;
  Instant now = paths.at(0);
  Passage passage{true, now, now};
  double least = now.gap;
  for (int step = 0; step < kMaxSteps; ++step) {
    if (now.gap <= paths.tolerance()) return passage;
    const double until = now.closing > 0 ? now.time + now.gap / now.closing : paths.h();
    const Instant next = paths.at(std::min(paths.h(), until));
    if (next.gap < least) {
      least = next.gap;
      passage.before = now;
      passage.after = next;
    } else if (passage.after.time == now.time) {
      passage.after = next;  // the gap grows again
    }
    if (next.time >= paths.h()) {
      passage.touches = next.gap <= paths.tolerance();
      return passage;
    }
    now = next;
  }
  return passage;
}

/// Instant of minimum gap, from the side where the gap grows: there the free paths satisfy the
/// plane at the gap. It is so close that the plane also separates the bodies at the start.
template <class Points>
double closest_instant(const FreePaths<Points>& paths, const Passage& passage, double margin) {
  constexpr int kMaxSteps = 40;
  // fraction of the gap by which the plane may have moved since the start
  constexpr double kEnough = 0.01;
  double low = passage.before.time, high = passage.after.time;
  for (int step = 0; step < kMaxSteps; ++step) {
    const double middle = 0.5 * (low + high);
    const auto [gap, opening] = paths.opening_at(middle, margin);
    if (opening >= 0 && opening * middle <= kEnough * gap) return middle;
    (opening < 0 ? low : high) = middle;
  }
  return high;
}

template <class Points>
Points points_in_step(const Points& start, const FreePaths<Points>& paths, double margin) {
  bool crosses = false;
  for (int k = 0; k < start.count; ++k) {
    if (start.points[k].gap <= 0) return start;
    crosses = crosses || paths.violates(start.points[k]);
  }
  if (!crosses) return start;
  const Passage passage = advance(paths);
  if (passage.touches) return start;
  return paths.points_of(closest_instant(paths, passage, margin), margin);
}

}  // namespace

Manifold contact_points_in_step(const Shape& a, const Pose& pose_a, const Twist& twist_a,
                                const Shape& b, const Pose& pose_b, const Twist& twist_b,
                                double margin, double h) {
  const FreePaths<Manifold> paths(contact_points, a, pose_a, twist_a, b, pose_b, twist_b, h);
  return points_in_step(contact_points(a, pose_a, b, pose_b, margin), paths, margin);
}

SurfacePoints points_on_surface_in_step(const Shape& body, const Pose& pose_body,
                                        const Twist& twist_body, const Shape& surface,
                                        const Pose& pose_surface, const Twist& twist_surface,
                                        double margin, double h) {
  const FreePaths<SurfacePoints> paths(points_on_surface, body, pose_body, twist_body, surface,
                                       pose_surface, twist_surface, h);
  return points_in_step(points_on_surface(body, pose_body, surface, pose_surface, margin), paths,
                        margin);
}

}  // namespace scree

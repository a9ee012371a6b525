#include <algorithm>

#include "scree/collision/contact_points.hpp"
#include "scree/collision/separating_plane.hpp"
#include "sim/step.hpp"

namespace scree {
namespace {

PairPoint point_on(const SeparatingPlane& plane, const Vec3& point) {
  return {0, point, plane.normal, plane.gap, plane.room, plane.turn_cosine, plane.velocity};
}

/// Of a sphere, midway to the other surface.
Vec3 point_of_sphere(const Vec3& centre, double radius, const SeparatingPlane& plane) {
  return centre + (radius + plane.gap / 2) * plane.normal;
}

class PairGeometry {
 public:
  explicit PairGeometry(const StepContext& c) : c_(c), bodies_(c.state.bodies) {}

  PairPoints with_obstacle(BodyIndex i, std::uint32_t k) const {
    const Shape& shape = c_.model.obstacles[k].shape;
    const auto& [pose, twist] = c_.state.obstacles[k];
    if (is_sphere(i)) {
      SeparatingPlane plane = plane_between(shape, pose, twist, bodies_.position[i], bodies_.radius[i],
                                            c_.scratch.problem.bodies[i].velocity, c_.model.step.h);
      plane.normal = -plane.normal;
      return {1, {point_on(plane, point_of_sphere(bodies_.position[i], bodies_.radius[i], plane))}};
    }
    const double margin = double{c_.scratch.margin[i]} + c_.scratch.obstacle_margin[k];
    PairPoints points = taken(points_between(
        {shape_of(i), {bodies_.position[i], bodies_.orientation[i]}, twist_of(i), bodies_.radius[i]},
        {shape, pose, twist, bodies_.radius[i]}, margin));
    if (moves(twist))
      for (PairPoint& p : points.points)
        p.wall = velocity_at(pose, twist, p.point + p.gap / 2 * p.normal);
    return points;
  }

  /// A is the body of lower id.
  PairPoints with_body(BodyIndex a, BodyIndex b) const {
    if (is_sphere(a) && is_sphere(b)) {
      const Vec3 approach = c_.scratch.problem.bodies[b].velocity - c_.scratch.problem.bodies[a].velocity;
      const SeparatingPlane plane =
          plane_between_spheres(bodies_.position[b] - bodies_.position[a], bodies_.radius[a] + bodies_.radius[b],
                                approach, c_.model.step.h);
      return {1, {point_on(plane, point_of_sphere(bodies_.position[a], bodies_.radius[a], plane))}};
    }
    const double margin = double{c_.scratch.margin[a]} + double{c_.scratch.margin[b]};
    return taken(points_between(
        {shape_of(a), {bodies_.position[a], bodies_.orientation[a]}, twist_of(a), bodies_.radius[a]},
        {shape_of(b), {bodies_.position[b], bodies_.orientation[b]}, twist_of(b), bodies_.radius[b]}, margin));
  }

 private:
  static PairPoints taken(const Manifold& manifold) {
    PairPoints points{.count = manifold.count};
    for (int k = 0; k < manifold.count; ++k) {
      const ContactPoint& p = manifold.points[k];
      points.points[k] = {p.feature, p.point, p.normal, p.gap, p.gap, 1, {}};
    }
    return points;
  }

  struct Moving {
    Shape shape;
    Pose pose;
    Twist twist;
    double radius;  ///< of the bounding sphere, or the other's where that is infinite [m]
  };

  /// Bodies that are apart and come to touch by a point of the start may only pass: see contact_points_in_step.
  Manifold points_between(const Moving& a, const Moving& b, double margin) const {
    constexpr double kTouch = 1e-4;  // of the radius; bodies that are so near touch
    const Manifold start = contact_points(a.shape, a.pose, b.shape, b.pose, margin);
    const double h = c_.model.step.h, touch = kTouch * std::min(a.radius, b.radius);
    bool apart = true, closes = false;
    for (int k = 0; k < start.count; ++k) {
      const ContactPoint& p = start.points[k];
      const Vec3 u = velocity_at(b.pose, b.twist, p.point) - velocity_at(a.pose, a.twist, p.point);
      apart = apart && p.gap > touch;
      closes = closes || p.gap + h * dot(u, p.normal) < 0;
    }
    if (!apart || !closes) return start;
    return contact_points_in_step(a.shape, a.pose, a.twist, b.shape, b.pose, b.twist, margin, h);
  }

  Twist twist_of(BodyIndex i) const {
    return {c_.scratch.problem.bodies[i].velocity, angular_velocity(c_, i)};
  }
  bool is_sphere(BodyIndex i) const { return c_.scratch.kinds[bodies_.prototype[i]].sphere; }
  Shape shape_of(BodyIndex i) const {
    return scaled(c_.model.prototypes[bodies_.prototype[i]].shape, bodies_.radius[i]);
  }

  const StepContext& c_;
  const Bodies& bodies_;
};

}  // namespace

std::uint32_t most_points(const Model& model, const Bodies& bodies, const Neighbours::Pair& pair) {
  const auto is_sphere = [&](BodyIndex i) { return model.prototypes[bodies.prototype[i]].is_sphere(); };
  const bool one = is_sphere(pair.owner) ||
                   (pair.other & Neighbours::kObstacle
                        ? std::holds_alternative<Sphere>(model.obstacles[pair.other & ~Neighbours::kObstacle].shape)
                        : is_sphere(pair.other));
  return one ? 1 : Neighbours::kMostPoints;
}

BodyPair in_order(const StepContext& c, const Neighbours::Pair& pair) {
  if (pair.other & Neighbours::kObstacle) return pair;
  const auto& id = c.state.bodies.id;
  return id[pair.owner] < id[pair.other] ? pair : BodyPair{pair.other, pair.owner};
}

PairPoints points_of(const StepContext& c, const Neighbours::Pair& pair) {
  if (!is_within_margin(c, pair)) return {};
  const PairGeometry geometry(c);
  if (pair.other & Neighbours::kObstacle)
    return geometry.with_obstacle(pair.owner, pair.other & ~Neighbours::kObstacle);
  const auto [a, b] = in_order(c, pair);
  return geometry.with_body(a, b);
}

}  // namespace scree

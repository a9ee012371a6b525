// Finds the points at which a pair touches, or may come to touch in the step.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "scree/collision/clump_contacts.hpp"
#include "scree/collision/contact_points.hpp"
#include "scree/collision/overlap_points.hpp"
#include "scree/collision/separating_plane.hpp"
#include "scree/collision/surface_contacts.hpp"
#include "scree/geometry/convex_hull.hpp"
#include "sim/cell/cell.hpp"
#include "sim/contacts/narrow_phase.hpp"
#include "sim/motion/body_motion.hpp"
#include "sim/motion/motion.hpp"
#include "sim/neighbours/neighbours.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

/// First feature of balls about the centres of bodies: of A, of B, of A, …
constexpr std::uint32_t kBalls = Neighbours::kNoFeature - 2 * kMaxOnSurface;

PairPoint point_on(const SeparatingPlane& plane, const Vec3& point) {
  return {
      0, point, plane.normal, plane.gap, plane.remaining_gap, plane.turn_cosine, plane.velocity};
}

/// Point of a sphere, midway to the other surface.
Vec3 point_of_sphere(const Vec3& centre, double radius, const SeparatingPlane& plane) {
  return centre + (radius + plane.gap / 2) * plane.normal;
}

/// Velocity of an obstacle's material at a point of its surface, less the normal part of a spin
/// that moves a surface of revolution along itself [m/s].
Vec3 wall_velocity(const Shape& shape, const Pose& pose, const Twist& twist, const Vec3& point,
                   const Vec3& normal) {
  const Vec3 of_material = velocity_at(pose, twist, point);
  if (!is_of_revolution(shape)) return of_material;
  const Vec3 axis = rotate(pose.orientation, {0, 0, 1});
  const Vec3 by_spin = cross(dot(twist.angular, axis) * axis, point - pose.position);
  return of_material - dot(by_spin, normal) * normal;
}

class PairGeometry {
 public:
  explicit PairGeometry(const StepContext& c) : c_(c), bodies_(c.state.bodies) {}

  struct Placed {
    Shape shape;
    Pose pose;
  };
  /// Pose and shape of a body, or of an obstacle by its flag.
  Placed placed(BodyIndex i) const {
    if (i & Neighbours::kObstacle) {
      const std::uint32_t k = i & ~Neighbours::kObstacle;
      return {c_.model.obstacles[k].shape, c_.state.obstacles[k].pose};
    }
    return {scaled(c_.model.prototypes[bodies_.prototype[i]].shape, bodies_.radius[i]),
            {bodies_.position[i], bodies_.orientation[i]}};
  }
  /// Pair in its nearest images: A at its position, B as its image nearest to A.
  struct PlacedPair {
    Placed a, b;
  };
  PlacedPair placed(const BodyPair& in_order) const {
    PlacedPair pair{placed(in_order.owner), placed(in_order.other)};
    pair.b.pose.position = c_.scratch.domain.nearest(pair.a.pose.position, pair.b.pose.position);
    return pair;
  }
  Twist twist(BodyIndex i) const {
    if (i & Neighbours::kObstacle) return c_.state.obstacles[i & ~Neighbours::kObstacle].twist;
    return {c_.scratch.problem.bodies[i].velocity, angular_velocity(c_, i)};
  }
  double margin(const Neighbours::Pair& pair) const {
    const bool obstacle = pair.other & Neighbours::kObstacle;
    return double{c_.scratch.margin[pair.owner]} +
           (obstacle ? margin_towards(c_, pair.other & ~Neighbours::kObstacle, pair.owner)
                     : double{c_.scratch.margin[pair.other]});
  }

  PairPoints with_obstacle(const Neighbours::Pair& pair, KnownFacets* known) const {
    const BodyIndex i = pair.owner;
    const std::uint32_t k = pair.other & ~Neighbours::kObstacle;
    const Shape& shape = c_.model.obstacles[k].shape;
    const Twist& twist = c_.state.obstacles[k].twist;
    Pose pose = c_.state.obstacles[k].pose;
    pose.position = c_.scratch.domain.nearest(bodies_.position[i], pose.position);
    if (is_sphere(i) && is_surface(shape)) return sphere_on_surface(pair, known);
    if (is_sphere(i) && !is_clump(shape)) {
      SeparatingPlane plane =
          plane_between(shape, pose, twist, bodies_.position[i], bodies_.radius[i],
                        c_.scratch.problem.bodies[i].velocity, c_.model.step.h);
      plane.normal = -plane.normal;
      if (twist.angular != Vec3{})
        plane.velocity += change_along(shape, pose, twist, bodies_.position[i],
                                       half_displacement(c_, twist, i), plane.normal);
      return one(point_on(plane, point_of_sphere(bodies_.position[i], bodies_.radius[i], plane)));
    }
    PairPoints points = has_clump(pair)     ? all_of(points_of_clump(pair))
                        : is_surface(shape) ? all_of(points_on_surface(pair))
                                            : points_of_convex(pair);
    if (is_surface(shape)) {
      allow_for_rotation(points, i, twist);
      if (may_go_through(i, pair.other, points)) hold_middle_on_surface(points, pair);
    }
    if (moves(twist))
      for (PairPoint& p : points)
        p.wall = wall_velocity(shape, pose, twist, p.point + p.gap / 2 * p.normal, p.normal);
    if (twist.angular != Vec3{} && touches_with_corners_alone(points, i))
      for (PairPoint& p : points)
        p.wall += along(cross(twist.angular, half_displacement(c_, twist, i)), p.normal);
    return points;
  }

  PairPoints sphere_on_surface(const Neighbours::Pair& pair, KnownFacets* known) const {
    const BodyIndex i = pair.owner;
    const SphereOnSurfaces found = ball_on_surface(pair, bodies_.radius[i], known);
    PairPoints points;
    for (int p = 0; p < found.count; ++p) {
      SeparatingPlane plane = found.points[p].plane;
      plane.normal = -plane.normal;
      points.add(point_on(plane, point_of_sphere(bodies_.position[i], bodies_.radius[i], plane)));
      points.points[p].feature = found.points[p].feature;
    }
    return points;
  }

  /// Points that overlap in the present position.
  PairPoints overlaps(const Neighbours::Pair& pair) const {
    const auto [a, b] = placed(in_order(c_, pair));
    PairPoints kept;
    const auto shared = [&](const OverlapPoints& points) {
      kept.sharing = points.sharing;
      return all_of(points);
    };
    const PairPoints all =
        has_clump(pair) ? all_of(scree::points_of_clump(a.shape, a.pose, b.shape, b.pose, 0.0))
        : is_surface(b.shape)
            ? all_of(scree::points_on_surface(a.shape, a.pose, b.shape, b.pose, 0.0))
        : max_manifold_points(c_.model, bodies_, pair) == 1
            ? taken(pair, contact_points(a.shape, a.pose, b.shape, b.pose, 0.0))
            : shared(overlap_points(a.shape, a.pose, b.shape, b.pose));
    for (const PairPoint& point : all)
      if (point.gap <= 0) kept.add(point);
    return kept;
  }

  /// Points of a pair with a second body; A is the body of lower id.
  PairPoints with_body(const Neighbours::Pair& pair) const {
    const auto [a, b] = in_order(c_, pair);
    if (is_sphere(a) && is_sphere(b)) {
      const Vec3 approach = c_.scratch.problem.bodies[b].velocity -
                            c_.scratch.problem.bodies[a].velocity + flow_between(c_, a, b);
      const SeparatingPlane plane = plane_between_spheres(
          c_.scratch.domain.separation(bodies_.position[a], bodies_.position[b]),
          bodies_.radius[a] + bodies_.radius[b], approach, c_.model.step.h);
      return one(point_on(plane, point_of_sphere(bodies_.position[a], bodies_.radius[a], plane)));
    }
    return has_clump(pair) ? all_of(points_of_clump(pair)) : points_of_convex(pair);
  }

 private:
  /// Reduces the remaining gap for rotation: points of a body that rotates far in the step move on
  /// arcs, not straight along their velocities. The reduction is the extra depth of an arc.
  void allow_for_rotation(PairPoints& points, BodyIndex i, const Twist& obstacle) const {
    const double h = c_.model.step.h;
    const Vec3 spin = angular_velocity(c_, i) - obstacle.angular;
    if (!(h * norm(spin) > kMaxStraightRotation)) return;
    const Quaternion by_step = rotation(spin, h * norm(spin));
    for (PairPoint& p : points) {
      const Vec3 arm = p.point - p.gap / 2 * p.normal - bodies_.position[i];
      const double deeper = dot(p.normal, rotate(by_step, arm) - arm - h * cross(spin, arm));
      if (deeper > 0)
        p.remaining_gap = std::max(std::min(p.remaining_gap, 0.0), p.remaining_gap - deeper);
    }
  }

  PairPoints points_of_convex(const Neighbours::Pair& pair) const {
    PairPoints points = taken(pair, points_between(pair));
    if (points.count == 0) return points;
    const BodyPair ordered = in_order(c_, pair);
    if (may_go_through(ordered.owner, ordered.other, points)) {
      const auto [a, b] = placed(ordered);
      hold_middle(points, ordered.owner, a.pose.position, ordered.other, b, 1);
    }
    if (may_go_through(ordered.other, ordered.owner, points)) {
      const auto [a, b] = placed(ordered);
      hold_middle(points, ordered.other, b.pose.position, ordered.owner, a, -1);
    }
    return points;
  }

  /// Radius of the ball about the centre of a body, see hold_middle() [m]; 0 for a clump whose
  /// centre is outside of it.
  double ball_of(BodyIndex i) const {
    const Shape& own = c_.model.prototypes[bodies_.prototype[i]].shape;
    if (!is_clump(own)) return kGuardBallOfInscribed * inscribed_radius(c_, i);
    return kGuardBallOfInscribed * bodies_.radius[i] *
           std::max(0.0, -signed_distance(own, Vec3{}).distance);
  }

  /// True if a body is so fast, or so deep in the other, that its ball may hit the other.
  bool may_go_through(BodyIndex i, BodyIndex j, const PairPoints& points) const {
    if (i & Neighbours::kObstacle || is_sphere(i)) return false;
    const double enough = kGuardedTravelOfBall * ball_of(i);
    if (enough == 0) return false;
    const auto [linear, angular] = twist(j);
    const Vec3 approach = c_.scratch.problem.bodies[i].velocity - linear;
    const double speed = norm(approach) + norm(cross(angular, from_to(j, i)));
    return c_.model.step.h * speed > enough ||
           std::ranges::any_of(points, [&](const PairPoint& p) { return p.gap < -enough; });
  }
  Vec3 from_to(BodyIndex j, BodyIndex i) const {
    const Vec3& from = j & Neighbours::kObstacle
                           ? c_.state.obstacles[j & ~Neighbours::kObstacle].pose.position
                           : bodies_.position[j];
    return c_.scratch.domain.separation(from, bodies_.position[i]);
  }

  SphereOnSurfaces ball_on_surface(const Neighbours::Pair& pair, double radius,
                                   KnownFacets* known) const {
    const BodyIndex i = pair.owner;
    const std::uint32_t k = pair.other & ~Neighbours::kObstacle;
    const auto& [own_pose, twist] = c_.state.obstacles[k];
    const Pose pose{c_.scratch.domain.nearest(bodies_.position[i], own_pose.position),
                    own_pose.orientation};
    return sphere_on_surface_in_step(c_.model.obstacles[k].shape, pose, twist, bodies_.position[i],
                                     radius, c_.scratch.problem.bodies[i].velocity,
                                     half_displacement(c_, twist, i), margin(pair), c_.model.step.h,
                                     known);
  }

  /// Adds balls for a pair with a surface, see hold_middle().
  void hold_middle_on_surface(PairPoints& points, const Neighbours::Pair& pair) const {
    const SphereOnSurfaces found = ball_on_surface(pair, ball_of(pair.owner), nullptr);
    for (int k = 0; k < found.count; ++k)
      add_ball(points, kBalls + 2 * static_cast<std::uint32_t>(k), pair.owner,
               bodies_.position[pair.owner], found.points[k].plane, -1);
  }

  /// Adds the ball if it comes close enough in the step; `sign` orients the plane's normal from A
  /// to B.
  void add_ball(PairPoints& points, std::uint32_t feature, BodyIndex i, const Vec3& middle,
                const SeparatingPlane& plane, double sign) const {
    const double radius = ball_of(i);
    const Vec3 approach = c_.scratch.problem.bodies[i].velocity - plane.velocity;
    const double closing = -dot(approach, plane.normal);
    if (plane.gap < -radius || plane.gap > std::max(0.0, c_.model.step.h * closing)) return;
    if (points.count == kMaxOnSurface && (points.end() - 1)->feature >= kBalls) return;
    if (points.count == kMaxOnSurface) --points.count;
    points.add({feature,
                middle - (radius + plane.gap / 2) * plane.normal,
                sign * plane.normal,
                plane.gap,
                plane.remaining_gap,
                plane.turn_cosine,
                {}});
  }

  /// Guards against passing through: contacts, or a spin, may rotate a body about a point until its
  /// centre is through. A ball about the centre moves straight: if it hits the other body in the
  /// step, the plane between the two is a point of the pair. `side` is 1 for A, −1 for B.
  void hold_middle(PairPoints& points, BodyIndex i, const Vec3& middle, BodyIndex j,
                   const Placed& other, double side) const {
    if (std::holds_alternative<HalfSpace>(other.shape)) return;
    const SeparatingPlane plane =
        plane_between(other.shape, other.pose, twist(j), middle, ball_of(i),
                      c_.scratch.problem.bodies[i].velocity, c_.model.step.h);
    add_ball(points, side > 0 ? kBalls : kBalls + 1, i, middle, plane, -side);
  }

  /// True if only corners touch, or the ball about the centre. Then the points move with the body,
  /// and not with the obstacle.
  bool touches_with_corners_alone(const PairPoints& points, BodyIndex i) const {
    const Shape& shape = c_.model.prototypes[bodies_.prototype[i]].shape;
    const auto* box = std::get_if<Box>(&shape);
    const auto* polyhedron = std::get_if<Polyhedron>(&shape);
    if (!box && !polyhedron) return false;
    const double radius = bodies_.radius[i];
    const auto is_corner = [&](const PairPoint& p) {
      if (p.feature >= kBalls) return true;
      const Vec3 at =
          1 / radius *
          rotate_back(bodies_.orientation[i], p.point - p.gap / 2 * p.normal - bodies_.position[i]);
      if (polyhedron)
        return std::ranges::any_of(polyhedron->hull->vertices(),
                                   [&](const Vec3& v) { return norm(v - at) <= kCornerRounding; });
      for (int k = 0; k < 3; ++k)
        if (!(std::abs(std::abs(at[k]) - box->half_extent[k]) <= kCornerRounding)) return false;
      return true;
    };
    return std::ranges::all_of(points, is_corner);
  }

  static PairPoint as_point(const ContactPoint& p) {
    return {p.feature, p.point, p.normal, p.gap, p.gap, 1, {}};
  }
  static PairPoints one(const PairPoint& point) {
    PairPoints points;
    points.add(point);
    return points;
  }
  template <class Points>
  static PairPoints all_of(const Points& found) {
    PairPoints points;
    for (int k = 0; k < found.count; ++k) points.add(as_point(found.points[k]));
    return points;
  }
  /// Points of a manifold; a pair with one slot keeps the point of smallest gap.
  PairPoints taken(const Neighbours::Pair& pair, const Manifold& manifold) const {
    const auto first = manifold.points.begin(), end = first + manifold.count;
    if (manifold.count > 1 && max_manifold_points(c_.model, bodies_, pair) == 1)
      return one(as_point(*std::min_element(
          first, end, [](const auto& p, const auto& q) { return p.gap < q.gap; })));
    return all_of(manifold);
  }

  Manifold points_between(const Neighbours::Pair& pair) const {
    return points_in_step(pair, contact_points, contact_points_in_step);
  }
  SurfacePoints points_on_surface(const Neighbours::Pair& pair) const {
    return points_in_step(pair, scree::points_on_surface, points_on_surface_in_step);
  }

  /// Points of each pair of parts, as for separate bodies.
  SurfacePoints points_of_clump(const Neighbours::Pair& pair) const {
    const BodyPair ordered = in_order(c_, pair);
    const auto [a, b] = placed(ordered);
    return points_of_clump_in_step(a.shape, a.pose, twist(ordered.owner), b.shape, b.pose,
                                   twist(ordered.other), margin(pair), c_.model.step.h,
                                   seam_test(pair));
  }

  /// Bodies that slide over a seam do not hit its edge: see internal_edge_manifold(). Other pairs
  /// that are apart and would touch by a point of the start may only pass: see
  /// contact_points_in_step.
  template <class Points>
  Points points_in_step(const Neighbours::Pair& pair,
                        Points (*at_start)(const Shape&, const Pose&, const Shape&, const Pose&,
                                           double),
                        Points (*in_step)(const Shape&, const Pose&, const Twist&, const Shape&,
                                          const Pose&, const Twist&, double, double)) const {
    const BodyPair ordered = in_order(c_, pair);
    const PlacedPair pair_placed = placed(ordered);
    const Placed &a = pair_placed.a, &b = pair_placed.b;
    const Points start = at_start(a.shape, a.pose, b.shape, b.pose, margin(pair));
    const double h = c_.model.step.h, touch = kPenetrationSlop * bodies_.radius[pair.owner];
    const Twist of_a = twist(ordered.owner), of_b = twist(ordered.other);
    if constexpr (std::is_same_v<Points, Manifold>)
      if (const auto points = internal_edge_manifold(a.shape, a.pose, of_a, b.shape, b.pose, of_b,
                                                     start, margin(pair), h, seam_test(pair)))
        return *points;
    const auto first = start.points.begin(), end = first + start.count;
    if (std::any_of(first, end, [&](const ContactPoint& p) { return p.gap <= touch; }))
      return start;
    const auto closes = [&](const ContactPoint& p) {
      const Vec3 u = velocity_at(b.pose, of_b, p.point) - velocity_at(a.pose, of_a, p.point);
      return p.gap + h * dot(u, p.normal) < 0;
    };
    if (std::none_of(first, end, closes)) return start;
    return in_step(a.shape, a.pose, of_a, b.shape, b.pose, of_b, margin(pair), h);
  }

  SeamTest seam_test(const Neighbours::Pair& pair) const {
    const Vec3 fall = c_.model.step.h * c_.model.gravity;
    return {pair.other & Neighbours::kObstacle ? -fall : Vec3{},
            kRestingFractionOfWeight * norm(fall), kPenetrationSlop * bodies_.radius[pair.owner]};
  }

  bool has_clump(const Neighbours::Pair& pair) const {
    return scree::has_clump(c_.model, bodies_, pair);
  }
  bool is_sphere(BodyIndex i) const { return c_.scratch.kinds[bodies_.prototype[i]].sphere; }
  const StepContext& c_;
  const Bodies& bodies_;
};

}  // namespace

BodyPair in_order(const StepContext& c, const Neighbours::Pair& pair) {
  if (pair.other & Neighbours::kObstacle) return pair;
  const auto& id = c.state.bodies.id;
  return id[pair.owner] < id[pair.other] ? pair : BodyPair{pair.other, pair.owner};
}

bool separates_along(const StepContext& c, const Neighbours::Pair& pair, const Vec3& direction) {
  const PairGeometry geometry(c);
  const auto [a, b] = geometry.placed(in_order(c, pair));
  const double apart = dot(direction, b.pose.position - a.pose.position) -
                       support(a.shape, a.pose, direction) - support(b.shape, b.pose, -direction);
  return apart > (1 + kSeparationRounding) * geometry.margin(pair);
}

Vec3 shortest_way(const StepContext& c, const Neighbours::Pair& pair) {
  const auto [a, b] = PairGeometry(c).placed(in_order(c, pair));
  return separation(a.shape, a.pose, b.shape, b.pose).normal;
}

PairPoints overlaps_of(const StepContext& c, const Neighbours::Pair& pair) {
  return PairGeometry(c).overlaps(pair);
}

ClumpPoints overlaps_of_parts(const StepContext& c, const Neighbours::Pair& pair) {
  const auto [a, b] = PairGeometry(c).placed(in_order(c, pair));
  return overlaps_of_clump(a.shape, a.pose, b.shape, b.pose);
}

PairPoints points_of(const StepContext& c, const Neighbours::Pair& pair, KnownFacets* known) {
  // One search finds all that is near a surface.
  const bool on_surface = surface_of(c.model, pair);
  if (on_surface ? c.state.neighbours.has_left(pair.owner) : !is_within_margin(c, pair)) return {};
  const PairGeometry geometry(c);
  if (!(pair.other & Neighbours::kObstacle)) return geometry.with_body(pair);
  PairPoints points = geometry.with_obstacle(pair, known);
  for (PairPoint& point : points)
    point.wall += surface_velocity(c, pair.other & ~Neighbours::kObstacle, point.normal);
  return points;
}

}  // namespace scree

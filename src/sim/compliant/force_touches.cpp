// Finds touching points of pairs with compliant laws other than two spheres, and their springs.
#include "sim/compliant/force_touches.hpp"

#include <cmath>
#include <limits>

#include "scree/collision/surface_contacts.hpp"
#include "sim/motion/motion.hpp"
#include "sim/neighbours/neighbours.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

/// R* of Hertz' law for a sphere at `at` in an obstacle's frame, from the two curvatures of the
/// surface at the contact; edges count as flat [m].
double radius_on(double radius, const Shape& obstacle, const Vec3& at) {
  const auto effective = [radius](double first, double second) {
    return 1 / std::sqrt((1 / radius + first) * (1 / radius + second));
  };
  if (const auto* sphere = std::get_if<Sphere>(&obstacle))
    return force::effective_radius(radius, 1 / sphere->radius);
  if (const auto* capsule = std::get_if<Capsule>(&obstacle)) {
    const bool shaft = std::abs(at.z) < capsule->half_length;
    return shaft ? effective(1 / capsule->radius, 0)
                 : force::effective_radius(radius, 1 / capsule->radius);
  }
  if (const auto* cylinder = std::get_if<Cylinder>(&obstacle)) {
    const bool side = std::abs(at.z) < cylinder->half_length;
    return side ? effective(1 / cylinder->radius, 0) : radius;
  }
  if (const auto* f = std::get_if<Frustum>(&obstacle)) {
    // For a cone: the inverse of the distance from the axis along the normal of its side.
    const Vec3 normal = signed_distance(obstacle, at).normal;
    const double across = std::hypot(normal.x, normal.y);
    const double length = f->top - f->bottom, widening = f->top_radius - f->bottom_radius;
    const double tilt = length / std::hypot(length, widening);  // for normals of the side
    if (std::abs(across - tilt) > kConeSideRounding) return radius;
    const double from_axis =
        std::hypot(at.x, at.y) - signed_distance(obstacle, at).distance * across;
    return effective(tilt / from_axis, 0);
  }
  return radius;
}

/// Calls f(number, record) for the spheres of a body.
template <class F>
void for_each_sphere(const StepContext& c, BodyIndex i, F&& f) {
  const ForceContacts& forces = c.scratch.forces;
  if (is_sphere(c, i)) {
    f(0U, i);
    return;
  }
  for (std::uint32_t k = forces.first_sphere[i]; k < forces.first_sphere[i + 1]; ++k)
    f(k - forces.first_sphere[i], k);
}

/// Convex obstacle, or one part of an obstacle that is a clump.
struct ConvexObstacle {
  Shape shape;
  Pose pose;     ///< in the frame of the obstacle
  double reach;  ///< distance from that position within which it lies [m]
};

ConvexObstacle part_of(const Shape& obstacle, std::uint32_t k) {
  const auto* clump = std::get_if<Clump>(&obstacle);
  if (!clump) return {obstacle, {}, bounding_radius(obstacle)};
  const ClumpPart& part = clump->parts->parts()[k];
  return {scaled(part.shape, clump->scale),
          {clump->scale * part.pose.position, part.pose.orientation},
          clump->scale * clump->parts->reaches()[k]};
}

std::uint32_t parts_of(const Shape& obstacle) {
  const auto* clump = std::get_if<Clump>(&obstacle);
  return clump ? static_cast<std::uint32_t>(clump->parts->parts().size()) : 1;
}

/// Inscribed radius of a body, or of a part of a clump.
struct Inside {
  double radius;  ///< [m]
  bool sphere;
  bool round;  ///< it touches convex shapes at one point
};

Inside inside_of(const Shape& shape, double scale, double inscribed_radius, std::uint32_t part) {
  const auto* clump = std::get_if<Clump>(&shape);
  const Shape& own = clump ? clump->parts->parts()[part].shape : shape;
  const bool sphere = std::holds_alternative<Sphere>(own);
  const bool round = sphere || std::holds_alternative<Superellipsoid>(own);
  if (!clump) return {inscribed_radius, sphere, round};
  const double inner = sphere ? std::get<Sphere>(own).radius
                              : -signed_distance(own, volume_properties(own).centre).distance;
  return {scale * clump->scale * inner, sphere, round};
}

Inside inside_of(const StepContext& c, BodyIndex i, std::uint32_t part) {
  if (is_obstacle(i)) return inside_of(c.model.obstacles[obstacle_of(i)].shape, 1, 0, part);
  return inside_of(c.model.prototypes[c.state.bodies.prototype[i]].shape, c.state.bodies.radius[i],
                   inscribed_radius(c, i), part);
}

/// Touches as in touches_of_sphere(), including those of a sphere that just touches.
SurfaceTouches touches_of(const Shape& surface, const Vec3& centre, double radius, double neck) {
  return touches_of_sphere(surface, centre,
                           std::nextafter(radius, std::numeric_limits<double>::infinity()), neck);
}

}  // namespace

double radius_of(const StepContext& c, std::uint32_t p) {
  const Neighbours& list = c.state.neighbours;
  const std::size_t slot = list.places(p).begin;
  if (!list.force_radius.empty() && list.force_memory[slot].is_contact() &&
      list.force_radius[slot] > 0)
    return list.force_radius[slot];
  const auto [i, other] = list.pairs[p];
  const Pose& pose = c.state.obstacles[obstacle_of(other)].pose;
  const Vec3 apart = c.scratch.domain.separation(pose.position, c.state.bodies.position[i]);
  return radius_on(c.state.bodies.radius[i], c.model.obstacles[obstacle_of(other)].shape,
                   rotate_back(pose.orientation, apart));
}

PairPoints touched_points(const StepContext& c, std::uint32_t law, std::uint32_t p) {
  const auto [i, other] = c.state.neighbours.pairs[p];
  const Shape& surface = c.model.obstacles[obstacle_of(other)].shape;
  const Bodies& bodies = c.state.bodies;
  const Pose& pose = c.state.obstacles[obstacle_of(other)].pose;
  const Vec3 centre = c.scratch.domain.separation(pose.position, bodies.position[i]);
  const SurfaceTouches touches = touches_of(surface, rotate_back(pose.orientation, centre),
                                            bodies.radius[i], neck(c, law, p, bodies.radius[i]));
  PairPoints points;
  for (int k = 0; k < touches.count; ++k) {
    const SurfaceTouch& touch = touches.touches[k];
    const Vec3 normal = rotate(pose.orientation, touch.normal);
    const double gap = touch.height - bodies.radius[i];
    points.add(as_point(touch.feature, bodies.position[i] - (bodies.radius[i] + gap / 2) * normal,
                        -normal, gap));
  }
  return points;
}

Touches touches_of_balls(const StepContext& c, std::uint32_t law, std::uint32_t p) {
  const auto [i, other] = c.state.neighbours.pairs[p];
  const Shape& obstacle = c.model.obstacles[obstacle_of(other)].shape;
  const Pose& pose = c.state.obstacles[obstacle_of(other)].pose;
  const Vec3 at = c.state.bodies.position[i];
  const Vec3 from_obstacle = c.scratch.domain.separation(pose.position, at);
  Touches touches;
  touches.keeps_radius = !is_surface(obstacle);
  const auto add = [&](const ForceBody& sphere, std::uint32_t record, std::uint32_t feature,
                       const Vec3& outward, double distance, double radius) {
    const double gap = distance - sphere.radius;
    if (gap > 0 && gap > neck(c, law, p, radius)) return;
    const Vec3 normal = -rotate(pose.orientation, outward);
    touches.add(
        as_point(feature, sphere.position + (sphere.radius + gap / 2) * normal, normal, gap),
        {1, radius, sphere.radius, record, c.scratch.problem.free_bodies});
  };
  for_each_sphere(c, i, [&](std::uint32_t k, std::uint32_t record) {
    const ForceBody& sphere = c.scratch.forces.bodies[record];
    const Vec3 centre = rotate_back(pose.orientation, from_obstacle + (sphere.position - at));
    if (!touches.keeps_radius) {
      const SurfaceTouches found =
          touches_of(obstacle, centre, sphere.radius, neck(c, law, p, sphere.radius));
      for (int t = 0; t < found.count; ++t)
        add(sphere, record, feature_on_surface(k, 0, found.touches[t].feature),
            found.touches[t].normal, found.touches[t].height, sphere.radius);
      return;
    }
    for (std::uint32_t j = 0; j < parts_of(obstacle); ++j) {
      const ConvexObstacle part = part_of(obstacle, j);
      const Vec3 in_part = rotate_back(part.pose.orientation, centre - part.pose.position);
      const double radius = radius_on(sphere.radius, part.shape, in_part);
      if (norm(in_part) > part.reach + sphere.radius + neck(c, law, p, radius)) continue;
      const SurfaceDistance surface = signed_distance(part.shape, in_part);
      add(sphere, record, j << 16 | k, rotate(part.pose.orientation, surface.normal),
          surface.distance, radius);
    }
  });
  return touches;
}

Touches touches_of_spheres(const StepContext& c, std::uint32_t law, std::uint32_t p) {
  const BodyPair pair = in_order(c, c.state.neighbours.pairs[p]);
  const BodyIndex a = pair.owner, b = pair.other;
  const Bodies& bodies = c.state.bodies;
  const AlignedVector<ForceBody>& records = c.scratch.forces.bodies;
  const Vec3 to_image = c.scratch.domain.separation(bodies.position[a], bodies.position[b]) -
                        (bodies.position[b] - bodies.position[a]);
  const Vec3 image = bodies.position[b] + to_image;
  Touches touches;
  for_each_sphere(c, a, [&](std::uint32_t i, std::uint32_t of_a) {
    const ForceBody& first = records[of_a];
    const double most = first.radius + bodies.radius[b] + neck(c, law, p, first.radius);
    if (!(squared_norm(image - first.position) <= most * most)) return;
    for_each_sphere(c, b, [&](std::uint32_t j, std::uint32_t of_b) {
      const ForceBody& second = records[of_b];
      const Vec3 apart = second.position + to_image - first.position;
      const double touch = first.radius + second.radius,
                   radius = force::effective_radius(first.radius, 1 / second.radius),
                   reach = touch + neck(c, law, p, radius);
      if (!(squared_norm(apart) <= reach * reach)) return;
      const double distance = norm(apart), gap = distance - touch;
      const Vec3 normal = distance > 0 ? apart / distance : Vec3{0, 0, 1};
      touches.add(
          as_point(i << 16 | j, first.position + (first.radius + gap / 2) * normal, normal, gap),
          {1, radius, std::min(first.radius, second.radius), of_a, of_b});
    });
  });
  return touches;
}

Spring spring_of_parts(const StepContext& c, const BodyPair& in_order,
                       const ClumpPoints::Parts& parts) {
  const auto [a, b] = in_order;
  const Inside of_a = inside_of(c, a, parts.a), of_b = inside_of(c, b, parts.b);
  const bool on_surface = is_obstacle(b) && is_surface(c.model.obstacles[obstacle_of(b)].shape);
  const bool one = on_surface ? of_a.sphere : of_a.round || of_b.round;
  const double radius = is_obstacle(b) ? of_a.radius
                        : of_a.sphere == of_b.sphere
                            ? force::effective_radius(of_a.radius, 1 / of_b.radius)
                        : of_a.sphere ? of_a.radius
                                      : of_b.radius;
  return {one ? 1 : 1.0 / Neighbours::kMaxManifoldPoints, radius,
          is_obstacle(b) ? of_a.radius : std::min(of_a.radius, of_b.radius), a,
          is_obstacle(b) ? c.scratch.problem.free_bodies : b};
}

std::optional<PairPoint> touched_surface(const StepContext& c, std::uint32_t law, std::uint32_t p) {
  const auto [i, other] = c.state.neighbours.pairs[p];
  const Obstacle& obstacle = c.model.obstacles[obstacle_of(other)];
  const Bodies& bodies = c.state.bodies;
  const Pose& pose = c.state.obstacles[obstacle_of(other)].pose;
  const auto surface = signed_distance(obstacle.shape, pose,
                                       c.scratch.domain.nearest(pose.position, bodies.position[i]));
  const double gap = surface.distance - bodies.radius[i];
  if (gap > 0 && gap > neck(c, law, p, radius_of(c, p))) return std::nullopt;
  return as_point(0, bodies.position[i] - (bodies.radius[i] + gap / 2) * surface.normal,
                  -surface.normal, gap);
}

}  // namespace scree

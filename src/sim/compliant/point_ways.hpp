/// Displacements of bodies since the last step at their contacts.
#pragma once

#include "laws/small_rotations.hpp"
#include "sim/cell/cell.hpp"
#include "sim/compliant/force_touches.hpp"
#include "sim/motion/body_motion.hpp"

namespace scree {

/// Displacements of bodies and obstacles, from known velocities and rotations.
class PointWays {
 public:
  explicit PointWays(const StepContext& c) : c_(c), f_(c.scratch.forces) {}

  /// Rotation since the last step, about its centre [rad].
  Vec3 rotation_of(BodyIndex i) const {
    const double h = c_.model.step.h;
    return is_obstacle(i) ? h * f_.twist_before[obstacle_of(i)].angular
                          : h * c_.state.bodies.angular_velocity[i];
  }

  /// Displacement of B's material point relative to A's [m].
  Vec3 displacement_at_point(BodyIndex a, BodyIndex b, const PairPoint& point) const {
    return displacement_of(b, point.point) - displacement_of(a, point.point) +
           displacement_along_surface(b, point.normal) +
           (is_obstacle(b) ? Vec3{} : c_.model.step.h * flow_between(c_, a, b));
  }

  /// Arm from the centre of a body or an obstacle [m].
  Vec3 arm_of(BodyIndex i, const Vec3& point) const {
    const Vec3 centre = is_obstacle(i) ? c_.state.obstacles[obstacle_of(i)].pose.position
                                       : c_.state.bodies.position[i];
    return c_.scratch.domain.separation(centre, point);
  }

  /// Displacement of the surface, see PairMotion::wall_way, of the record of a sphere with these
  /// normals, a step ago and now.
  Vec3 displacement_of_surface(std::uint32_t a, std::uint32_t k, const Vec3& before,
                               const Vec3& now) const {
    const double h = c_.model.step.h;
    const ForceBody& sphere = f_.bodies[a];
    const Vec3 displacement = h * sphere.velocity;
    const Twist& twist = f_.twist_before[k];
    if (!moves(twist)) return -displacement;
    const Vec3 relative = h * twist.linear - displacement;
    const Vec3 arm = c_.scratch.domain.separation(c_.state.obstacles[k].pose.position,
                                                  sphere.position + sphere.radius * now);
    const Vec3 arms = 2 * arm + relative + sphere.radius * (before - now);
    return relative +
           force::vec(force::chord_of<1>(force::lanes(h * twist.angular), force::lanes(arms)));
  }

  /// Displacement of an obstacle's surface along itself, since the last step [m].
  Vec3 displacement_along_surface(BodyIndex i, const Vec3& normal) const {
    if (!is_obstacle(i)) return {};
    return c_.model.step.h * surface_velocity(c_, obstacle_of(i), normal);
  }

 private:
  /// Displacement since the last step of the material point of a body, or of an obstacle, that is
  /// now at `point` [m].
  Vec3 displacement_of(BodyIndex i, const Vec3& point) const {
    const double h = c_.model.step.h;
    const Vec3 velocity =
        is_obstacle(i) ? f_.twist_before[obstacle_of(i)].linear : c_.state.bodies.velocity[i];
    return h * velocity - turned_less(arm_of(i, point), -rotation_of(i));
  }

  static Vec3 turned_less(const Vec3& v, const Vec3& rotation) {
    return force::vec(force::turned_less<1>(force::lanes(v), force::lanes(rotation)));
  }

  const StepContext& c_;
  const ForceContacts& f_;
};

}  // namespace scree

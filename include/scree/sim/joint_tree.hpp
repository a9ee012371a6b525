/// Bodies that joints connect to trees: their coordinates, and their equations of motion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "scree/sim/simulation.hpp"

namespace scree {

/// Trees of bodies at the present state of a simulation,
///
///     M(q) v̇ + b(q, v) = τ + Jᵀ f
///
///   q  coordinates: first those of the bases that no joint connects to the world or an obstacle,
///      by rising id: position of the body's frame [m] and orientation, w first; then those of the
///      joints [m] or [rad], in the order of free_coordinates(); of a spherical joint the
///      orientation of B relative to A, w first
///   v  rates: of a base the velocity of its frame's origin [m/s] and its angular velocity [rad/s],
///      inertial; of joints those of their coordinates; of a spherical joint the angular velocity
///      of B relative to A, along the axes of the frame in A
///   τ  efforts along the rates: of motors, springs, limits and friction together [N] or [N m]
///   f  forces on bodies from elsewhere, as of contacts [N]
///
/// Gears do not count: their efforts are part of τ. Bodies without joints have no place. The object
/// is valid until the next step or change of the simulation.
class JointTree {
 public:
  /// Throws InputError, with the name of the joint, if a joint is gone, closes a loop, or is a
  /// distance or a rope; and in a periodic cell.
  explicit JointTree(Simulation& simulation);
  ~JointTree();

  std::size_t size() const;  ///< number of rates
  /// Bodies without a joint towards the world, in their order.
  std::vector<BodyId> bases() const;
  /// Names of the rates, with these names of bases: "trunk.velocity_x", "knee", "ball.turn_x".
  std::vector<std::string> rate_names(const std::function<std::string(BodyId)>& name_of) const;

  std::vector<double> coordinates() const;
  std::vector<double> rates() const;
  /// Places all bodies of the trees; their velocities and all other bodies stay. Contacts and
  /// forces of the last step are forgotten, as by Simulation::restore(). Throws InputError, with
  /// nothing changed, for other sizes, numbers that are not finite, and coordinates that a gear
  /// does not allow.
  void move_to(std::span<const double> coordinates);
  /// Sets the velocities of all bodies of the trees. Throws as move_to() does.
  void change_rates(std::span<const double> rates);

  /// M, row by row.
  std::vector<double> mass_matrix() const;
  /// b: the efforts at which the rates stay constant.
  std::vector<double> bias_forces() const;
  /// The part of b by gravity: the efforts that hold the bodies at rest.
  std::vector<double> gravity_forces() const;
  /// τ for accelerations v̇, without forces from elsewhere.
  std::vector<double> inverse_dynamics(std::span<const double> accelerations) const;
  /// J of a point that moves with a body [m]: 6 rows of size() each, its velocity and the angular
  /// velocity of the body for unit rates. Throws InputError if the body has no joint.
  std::vector<double> jacobian(BodyId body, const Vec3& point) const;

 private:
  struct Internals;
  std::unique_ptr<Internals> internals_;
};

}  // namespace scree

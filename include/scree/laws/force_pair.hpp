/// Force of a compliant law, step by step, on two spheres or a sphere on a plane whose motion is
/// prescribed: the computation that a simulation makes for each contact.
#pragma once

#include "scree/laws/force_numbers.hpp"
#include "scree/laws/pair_law.hpp"

namespace scree {
namespace force {
template <int N>
struct PairMotion;
}  // namespace force

/// Body state of the leapfrog: position at t, velocities at t − h/2.
struct PairBody {
  Vec3 position;          ///< [m]
  Vec3 velocity;          ///< [m/s]
  Vec3 angular_velocity;  ///< [rad/s]
};

struct ForcePairSettings {
  PairLaw law;  ///< compliant
  ElasticModuli moduli[2];
  double radius[2] = {0, 0};  ///< [m] > 0; the second does not count where `wall` is set
  /// Masses [kg]; 0: motion is prescribed and no mass enters. A dashpot that follows from a
  /// coefficient of restitution needs them.
  double mass[2] = {0, 0};
  bool wall = false;          ///< body A is a plane through its position, B a sphere
  Vec3 wall_normal{0, 0, 1};  ///< of the plane at the start: unit, towards B
  double h = 0;               ///< [s] > 0
};

/// Energies accumulated since the start, except those stored in springs now [J]. Energy stored at
/// the start counts as input before it.
struct PairEnergy {
  double elastic_normal = 0, elastic_shear = 0, elastic_moment = 0;  ///< stored in springs
  double damped = 0;  ///< dissipated by dashpots, and by the end of a contact within a step
  double slid = 0;    ///< dissipated by friction
  double rolled = 0;  ///< dissipated by the moment
  /// Work of all forces on the bodies, minus the sum of all the others.
  double work = 0;
};

/// Forces [N] and torques [N m], inertial frame; zero without a contact.
struct PairForces {
  bool contact = false;
  double overlap = 0;  ///< δ [m]
  Vec3 normal;         ///< from A to B
  Vec3 normal_force;   ///< (F_e + F_d − F_c) n, on B
  Vec3 shear_force;    ///< S + D on B
  Vec3 force_a, force_b, torque_a, torque_b;
  PairEnergy energy;
};

class ForcePair {
 public:
  /// Throws std::invalid_argument for invalid settings.
  explicit ForcePair(const ForcePairSettings& settings);
  /// Forces at the end of a step, which must follow the previous one.
  PairForces step(const PairBody& a, const PairBody& b);

 private:
  /// Relative motion of the pair since the last step: closing distance and slip [m], rotation of B
  /// relative to A [rad].
  struct PairDisplacement {
    double closed;
    Vec3 slip, rotation;
  };
  /// Forces on B [N], moment [N m], lever arms, and energies of springs [J]; all zero without a
  /// contact.
  struct Parts {
    double normal = 0, damping = 0;
    Vec3 shear, dashpot, rolling;
    double lever = 1;             ///< [-]
    double arm_a = 0, arm_b = 0;  ///< [m]
    double closing = 0;           ///< [m/s]
    double normal_energy = 0, shear_energy = 0, moment_energy = 0;
    Vec3 moment;  ///< moment of the spring, contained in `rolling` [N m]
  };
  struct Arranged;

  Arranged arranged(const PairBody& first, const PairBody& second) const;
  force::PairMotion<1> motion_of(const Arranged& pair) const;
  /// Forces of the law for a pair that touches, with effective radius R* [m].
  Parts evaluated(const force::PairMotion<1>& motion, double radius) const;
  /// Writes the forces on both bodies, in the caller's order of the bodies.
  void set_forces(const Arranged& pair, const Parts& parts, PairForces& result) const;
  /// Adds the work over a displacement, from the mean of the forces at its ends.
  void add_work(const PairDisplacement& displacement, const Parts& now);
  /// Energies so far, with those stored in springs now.
  PairEnergy energy() const;

  ForcePairSettings settings_;
  force::Numbers numbers_;
  ForceMemory memory_;
  Vec3 moment_;         ///< moment of the spring, on B [N m]
  Vec3 wall_normal_;    ///< current
  double overlap_ = 0;  ///< overlap in the last step, below zero if apart [m]
  Parts last_;          ///< of the last step
  /// Work on the bodies so far [J]
  double normal_work_ = 0, damping_work_ = 0, shear_work_ = 0, moment_work_ = 0;
  bool begun_ = false;
};

}  // namespace scree

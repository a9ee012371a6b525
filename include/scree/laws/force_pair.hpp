/// Two spheres, or a sphere on a plane, whose motion is prescribed: the force of a compliant law on
/// them, step by step. What a step of a simulation computes for each contact, for one of them.
#pragma once

#include "scree/laws/force_numbers.hpp"
#include "scree/laws/pair_law.hpp"

namespace scree {
namespace force {
template <int N>
struct PairMotion;
}  // namespace force

/// A body as the leapfrog has it: place at t, velocities at t − h/2.
struct PairBody {
  Vec3 position;          ///< [m]
  Vec3 velocity;          ///< [m/s]
  Vec3 angular_velocity;  ///< [rad/s]
};

struct ForcePairSettings {
  PairLaw law;  ///< compliant
  ElasticModuli moduli[2];
  double radius[2] = {0, 0};  ///< [m] > 0; the second does not count where `wall` is set
  /// [kg]; 0: prescribed, and no mass enters. A dashpot that follows from a coefficient of
  /// restitution needs them.
  double mass[2] = {0, 0};
  bool wall = false;          ///< body A is a plane through its position, B a sphere
  Vec3 wall_normal{0, 0, 1};  ///< of the plane at the start: unit, towards B
  double h = 0;               ///< [s] > 0
};

/// Cumulated since the start, but for what springs hold now [J]. What springs hold at the start
/// was put in before.
struct PairEnergy {
  double elastic_normal = 0, elastic_shear = 0, elastic_moment = 0;  ///< held by springs
  double damped = 0;  ///< by dashpots, and by what the step makes of a contact that ends
  double slid = 0;    ///< by friction
  double rolled = 0;  ///< by the moment
  /// Given to the bodies by all forces; its negative is the sum of all the others.
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
  /// Throws std::invalid_argument for settings that no pair has.
  explicit ForcePair(const ForcePairSettings& settings);
  /// The forces at the end of a step, which must follow the one before.
  PairForces step(const PairBody& a, const PairBody& b);

 private:
  /// How the pair has moved since the last step, and how B has moved against A [m], [rad].
  struct PairWay {
    double closed;
    Vec3 slip, turn;
  };
  /// The forces on B [N], M [N m], where they act, and the energies of springs [J]; all zero
  /// without a contact.
  struct Parts {
    double normal = 0, damping = 0;
    Vec3 shear, dashpot, rolling;
    double lever = 1;             ///< [-]
    double arm_a = 0, arm_b = 0;  ///< [m]
    double closing = 0;           ///< [m/s]
    double normal_energy = 0, shear_energy = 0, moment_energy = 0;
    Vec3 moment;  ///< of the spring, part of `rolling` [N m]
  };
  struct Arranged;

  Arranged arranged(const PairBody& first, const PairBody& second) const;
  force::PairMotion<1> motion_of(const Arranged& pair) const;
  /// What the law gives a pair that touches, of effective radius R* [m].
  Parts evaluated(const force::PairMotion<1>& motion, double radius) const;
  /// On both bodies, in the order in which the caller has them.
  void set_forces(const Arranged& pair, const Parts& parts, PairForces& result) const;
  /// Of a way, by the mean of the forces at its ends.
  void add_work(const PairWay& way, const Parts& now);
  /// The books, with what springs hold now.
  PairEnergy energy() const;

  ForcePairSettings settings_;
  force::Numbers numbers_;
  ForceMemory memory_;
  Vec3 moment_;         ///< of the spring, on B [N m]
  Vec3 wall_normal_;    ///< now
  double overlap_ = 0;  ///< of the last step, below zero if apart [m]
  Parts last_;          ///< of the last step
  /// Done on the bodies [J]
  double normal_work_ = 0, damping_work_ = 0, shear_work_ = 0, moment_work_ = 0;
  bool begun_ = false;
};

}  // namespace scree

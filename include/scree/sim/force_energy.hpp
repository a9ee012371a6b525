/// Energy balance of contacts with compliant laws.
#pragma once

namespace scree {

/// Work of the forces of compliant laws on the bodies, cumulated since the start [J].
struct ForceLedger {
  double elastic = 0;   ///< by normal springs and cohesion
  double damping = 0;   ///< by normal and tangential dashpots
  double shear = 0;     ///< by shear springs
  double moment = 0;    ///< by moments
  double at_start = 0;  ///< energy of the springs when the run began
  double max_held = 0;  ///< maximum of the energy of all springs
  bool operator==(const ForceLedger&) const = default;
  ForceLedger& operator+=(const ForceLedger& other) {
    elastic += other.elastic;
    damping += other.damping;
    shear += other.shear;
    moment += other.moment;
    at_start += other.at_start;
    max_held += other.max_held;
    return *this;
  }
};

/// Energy of contacts with compliant laws [J]: stored in their springs, and dissipated since the
/// start.
struct ForceEnergy {
  double elastic_normal = 0;
  double elastic_shear = 0;
  double elastic_moment = 0;
  double damped = 0;    ///< by dashpots, and by the integration error of the work of normal springs
  double slid = 0;      ///< by friction
  double rolled = 0;    ///< by rolling and spinning resistance
  double at_start = 0;  ///< energy of the springs at t = 0, which the first report lacks

  double elastic() const { return elastic_normal + elastic_shear + elastic_moment; }
  double dissipated() const { return damped + slid + rolled; }
  bool operator==(const ForceEnergy&) const = default;
  ForceEnergy& operator+=(const ForceEnergy& other) {
    elastic_normal += other.elastic_normal;
    elastic_shear += other.elastic_shear;
    elastic_moment += other.elastic_moment;
    damped += other.damped;
    slid += other.slid;
    rolled += other.rolled;
    at_start += other.at_start;
    return *this;
  }
};

/// Energy of the contacts of one law, or of all laws.
struct ForceBooks {
  ForceLedger ledger;
  ForceEnergy energy;  ///< after the last step
  bool operator==(const ForceBooks&) const = default;
};

}  // namespace scree

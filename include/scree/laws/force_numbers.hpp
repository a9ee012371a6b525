/// Constants of the contacts of a pair of materials, computed from its parameters.
#pragma once

#include "scree/laws/pair_law.hpp"

namespace scree::force {

/// Options by which a law is evaluated, the same for all contacts that are evaluated together.
struct Scheme {
  ForceKind kind = ForceKind::linear;
  RotationScheme rotations = RotationScheme::exact;
  BranchVectors branch = BranchVectors::ratcheting_free;
  bool attraction = false;
  double h = 0;              ///< [s]
  bool free_motion = false;  ///< true: forces move the bodies; false: their motion is prescribed
  /// t = 0: velocities are those of the coming step, and nothing has moved yet
  bool at_start = false;
  bool operator==(const Scheme&) const = default;
};

/// Constants shared by all contacts of a pair of materials.
struct Numbers {
  Scheme scheme;            ///< without h
  double k_n = 0, k_t = 0;  ///< as in ForceParameters [N/m, Pa]
  double damping = 0;       ///< 2 β, or √5 β of hertz_mindlin [-]
  double fixed_damping = 0, tangential = 0, damping_ratio = 0;  ///< see Coefficients
  double friction = 0, cohesion = 0;
  double adhesion = 0;                                     ///< √(2 π w/E*) [√m]
  double rolling_length = 0, spinning_length = 0;          ///< [m]
  double rolling_stiffness = -1, spinning_stiffness = -1;  ///< [N m]; < 0: k_n ℓ²
  double rolling_damping = 0;

  bool has_moment() const { return rolling_length > 0 || spinning_length > 0; }
  bool operator==(const Numbers&) const = default;
};

/// Constants of a compliant law between two materials.
Numbers numbers_of(const PairLaw& law, const ElasticModuli& a, const ElasticModuli& b);

/// Overlap below which an existing contact ends [m]; negative if an adhesive neck outlives the
/// touch. `radius` is R*.
double min_overlap(const Numbers& numbers, double radius);

/// R* of two spheres [m]. On a flat surface, 1/R_B = 0, it is the radius of the sphere.
inline double effective_radius(double radius_a, double curvature_b) {
  return radius_a / (1 + radius_a * curvature_b);
}

}  // namespace scree::force

/// Accuracy, energy and class of one solved contact, for every operator and method.
#pragma once

#include <cmath>

#include "scree/laws/pair_law.hpp"

namespace scree {

struct ContactCertificate {
  double residual = 0;                   ///< of its own law, see contact_residual() [m/s]
  double cone_violation = 0;             ///< distance of r from the law's cone [N s]
  double complementarity_violation = 0;  ///< |r·û|, û the law's complementary velocity [J]
  /// −½ r·(u⁻ + u⁺) [J], u⁻ the velocity before the step, or at r = 0 where only W and q are given.
  /// In a step u excludes the bias: the sum over all contacts is the energy that the bodies lost.
  double dissipated_energy = 0;
  double painleve_number = 0;  ///< μ|(W_nt1, W_nt2)|/W_nn; 0 between spheres [-]
  ContactClass kind = ContactClass::separating;
};

/// Certificate of a contact with Delassus block W, velocity u and impulse r, in its frame.
template <class Law>
ContactCertificate certificate_of(const Law& law, const SymMat3& W, const Vec3& u, const Vec3& r,
                                  double dissipated_energy) {
  return {.residual = contact_residual(law, W, u, r),
          .cone_violation = norm(r - law.project(r)),
          .complementarity_violation = std::abs(dot(r, law.complementary_velocity(u))),
          .dissipated_energy = dissipated_energy,
          .painleve_number = painleve_number(W, friction_coefficient(law)),
          .kind = law.classify(r)};
}

}  // namespace scree

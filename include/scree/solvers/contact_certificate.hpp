/// What can be told of each contact of a problem that was solved, by its own law: for files and analysis, not for the step.
#pragma once

#include "scree/solvers/contact_problem.hpp"

namespace scree {

struct ContactCertificate {
  double residual;                   ///< natural map of the contact's own law, |r − P(r − ρû)|/ρ [m/s]
  double cone_violation;             ///< distance of r from the cone [N s]
  double complementarity_violation;  ///< |r·û| [J]
  double
      dissipated_energy;  ///< −½ r·(u⁻ + u⁺), without the bias, u⁻ before the step [J]; over all contacts: what the bodies lost
  double painleve_number;  ///< see painleve_number(); 0 between spheres [-]
  ContactClass kind;
};

/// Residual [m/s] and class alone, which need no look at other contacts.
struct ContactVerdict {
  double residual;
  ContactClass kind;
};
ContactVerdict verdict_of(const ContactProblem& problem, const DiagonalBlock& block, int lane);
ContactVerdict verdict_of(const ContactProblem& problem, const FullContact& contact);

class ContactCertifier {
 public:
  /// Of velocities and percussions as they stand in the problem, which must outlive this. Looks at every contact once.
  explicit ContactCertifier(const ContactProblem& problem);

  ContactCertificate operator()(const DiagonalBlock& block, int lane) const;
  ContactCertificate operator()(const FullContact& contact) const;

 private:
  const ContactProblem& problem_;
  /// Half way between the velocities before and after the step: v⁺ − ½ (M⁻¹ H r + gains).
  AlignedVector<BodyRecord> mean_;
};

}  // namespace scree

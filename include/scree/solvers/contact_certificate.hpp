/// What can be told of each contact of a problem that was solved, by its own law: for files and
/// analysis, not for the step.
#pragma once

#include "scree/solvers/certificate.hpp"
#include "scree/solvers/contact_problem.hpp"

namespace scree {

/// Residual [m/s], class and |r·û| [J] alone, which need no look at other contacts.
struct ContactVerdict {
  double residual = 0;
  ContactClass kind = ContactClass::separating;
  double complementarity_violation = 0;
};
ContactVerdict verdict_of(const ContactProblem& problem, const SphereContactBlock& block, int lane);
ContactVerdict verdict_of(const ContactProblem& problem, const ContactBlock& block, int lane);

class ContactCertifier {
 public:
  /// Of velocities and impulses as they stand in the problem, which must outlive this. Looks at
  /// every contact once.
  explicit ContactCertifier(const ContactProblem& problem);

  /// Of a lane of one of the problem's blocks.
  ContactCertificate operator()(const SphereContactBlock& block, int lane) const;
  ContactCertificate operator()(const ContactBlock& block, int lane) const;

 private:
  const ContactProblem& problem_;
  /// Half way between the velocities before and after the step: v⁺ − ½ (M⁻¹ H r + gains), r with
  /// rolling friction and cohesion.
  AlignedVector<BodyRecord> mean_;
};

}  // namespace scree

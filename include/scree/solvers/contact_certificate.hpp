/// Certificates of single contacts of a solved problem, each by its own law. Files and analysis
/// read them; the step does not.
#pragma once

#include "scree/solvers/certificate.hpp"
#include "scree/solvers/contact_problem.hpp"

namespace scree {

/// The values that do not depend on other contacts.
struct ContactVerdict {
  double residual = 0;  ///< see contact_residual() [m/s]
  ContactClass kind = ContactClass::separating;
  double complementarity_violation = 0;  ///< |r·û| [J]
  double impulse = 0;                    ///< |r| [N s]
  /// Impulse that the law asks for besides: ρ |e|, the distance of r from P(r − ρû) [N s]
  double unsolved_impulse = 0;
};
ContactVerdict verdict_of(const ContactProblem& problem, const SphereContactBlock& block, int lane);
ContactVerdict verdict_of(const ContactProblem& problem, const ContactBlock& block, int lane);

class ContactCertifier {
 public:
  /// Reads the present velocities and impulses of the problem, which must outlive this. Visits
  /// every contact once.
  explicit ContactCertifier(const ContactProblem& problem);

  /// Certificate of the contact in a lane of one of the problem's blocks.
  ContactCertificate operator()(const SphereContactBlock& block, int lane) const;
  ContactCertificate operator()(const ContactBlock& block, int lane) const;

 private:
  const ContactProblem& problem_;
  /// Mean of the velocities before and after the step: v⁺ − ½ (M⁻¹ H r + increments), r with
  /// rolling friction and cohesion.
  AlignedVector<BodyRecord> mean_;
};

}  // namespace scree

/// Rolling rows of single contacts: see RollingBlock.
#pragma once

#include <span>

#include "scree/solvers/contact_problem.hpp"

namespace scree::kernels {

/// Rolling rows of one contact, whose r_n bounds their impulses [N s].
class RollingContact {
 public:
  /// Reads the contact in a lane of a contact block with rolling rows.
  RollingContact(const ContactProblem& problem, const ContactBlock& block, int lane);

  /// w, without the bias [m/s].
  Vec3 velocity(std::span<const BodyRecord> bodies) const;
  /// Adds impulse d [N s] on B, −d on A, to the free bodies among `bodies`.
  void add_impulse(std::span<BodyRecord> bodies, std::uint32_t free_bodies, const Vec3& d) const;

  /// The nearest impulse that r_n allows [N s].
  Vec3 project(const Vec3& p) const;
  /// |p − P(p − ρ w)| / ρ with ρ = 3 / trace W [m/s], w with the bias.
  double residual(std::span<const BodyRecord> bodies) const;
  /// Energy that p fails to take from the bodies, compared with the most that r_n allows at this w
  /// [J].
  double violation(const Vec3& w) const;

  /// −p·w of B alone: energy that a moving obstacle gives [J].
  double work_of_b(std::span<const BodyRecord> bodies) const;

  const Vec3& impulse() const { return rows_.impulse; }
  const Vec3& bias() const { return rows_.bias; }
  double lever() const { return rows_.lever; }

 private:
  BodyIndex a_, b_;
  RollingRows rows_;
  double r_n_;
};

/// The nearest impulse that r_n allows to these rows [N s].
Vec3 allowed_rolling(const RollingRows& rows, double r_n, const Vec3& p);

/// Rolling friction of the contact in a lane of a contact block: on B, inertial frame [N m s].
Vec3 angular_impulse(const ContactProblem& problem, const ContactBlock& block, int lane);

/// Residual of the rolling rows of a contact in a lane of a contact block [m/s]; 0 without such
/// rows.
double rolling_residual(const ContactProblem& problem, const ContactBlock& block, int lane);

}  // namespace scree::kernels

/// Rows that resist the rolling of contacts, one contact at a time: see RollingBlock.
#pragma once

#include <span>

#include "scree/solvers/contact_problem.hpp"

namespace scree::kernels {

/// Of the rows of one contact, whose r_n bounds their impulses [N s].
class RollingContact {
 public:
  /// Of the contact in a lane of a contact block that has such rows.
  RollingContact(const ContactProblem& problem, const ContactBlock& block, int lane);

  /// w, without the bias [m/s].
  Vec3 velocity(std::span<const BodyRecord> bodies) const;
  /// Adds impulse d [N s] on B, −d on A, to the free bodies among `bodies`.
  void add_impulse(std::span<BodyRecord> bodies, std::uint32_t free_bodies, const Vec3& d) const;

  /// The nearest impulse that r_n allows [N s].
  Vec3 project(const Vec3& p) const;
  /// |p − P(p − ρ w)| / ρ with ρ = 3 / trace W [m/s], w with the bias.
  double residual(std::span<const BodyRecord> bodies) const;
  /// By how much p takes less from the bodies than r_n would allow it to, at this w [J].
  double violation(const Vec3& w) const;

  /// −p·w of B alone [J]: what a moving obstacle gives.
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

/// Of the contact in a lane of a contact block [m/s]; 0 if it has no such rows.
double rolling_residual(const ContactProblem& problem, const ContactBlock& block, int lane);

}  // namespace scree::kernels

/// Velocities, impulses and residuals of one joint, as kernels.hpp for blocks of contacts.
#pragma once

#include <array>
#include <span>

#include "scree/solvers/contact_problem.hpp"

namespace scree::kernels {

/// One number per row of a joint; 0 behind its rows.
using JointVector = std::array<double, JointBlock::kMaxRows>;

/// u, bias included, without the term of softness [m/s].
JointVector hard_velocity(std::span<const BodyRecord> bodies, const JointBlock& joint);
/// u, bias and softness included [m/s].
JointVector relative_velocity(std::span<const BodyRecord> bodies, const JointBlock& joint);
/// Adds impulse d [N s] on B, −d on A, to the free bodies among `bodies`.
void add_impulse(std::span<BodyRecord> bodies, std::uint32_t free_bodies, const JointBlock& joint,
                 const JointVector& d);

/// Adds the joint's impulse to its bodies.
void apply(const JointBlock& joint, std::span<BodyRecord> bodies, std::uint32_t free_bodies);
/// e of each row [m/s]: u of a held row, W (r − P(r − u / W)) of a driven one, P the projection on
/// its bounds, W its diagonal entry with softness. `u` is the relative velocity.
JointVector residuals(const JointBlock& joint, std::span<const BodyRecord> bodies,
                      const JointVector& u);
/// The same with given impulses instead of the joint's.
JointVector residuals_with(const JointBlock& joint, const JointVector& impulse,
                           std::span<const BodyRecord> bodies, const JointVector& u);
/// Σ e² [m²/s²].
inline double residual(const JointBlock& joint, std::span<const BodyRecord> bodies,
                       const JointVector& u) {
  double sum = 0;
  for (const double e : residuals(joint, bodies, u)) sum += e * e;
  return sum;
}
inline double certify(const JointBlock& joint, std::span<const BodyRecord> bodies) {
  return residual(joint, bodies, relative_velocity(bodies, joint));
}

}  // namespace scree::kernels

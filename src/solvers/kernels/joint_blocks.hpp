/// What is done with a joint: as kernels.hpp has it for blocks of contacts, one joint at a time.
#pragma once

#include <Eigen/Core>
#include <span>

#include "scree/solvers/contact_problem.hpp"

namespace scree::kernels {

/// Of the rows of a joint.
using JointVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, JointBlock::kMaxRows, 1>;

/// u, bias included, as it would be without the softness of its own impulses [m/s].
JointVector hard_velocity(std::span<const BodyRecord> bodies, const JointBlock& joint);
/// u, bias and softness included [m/s].
JointVector relative_velocity(std::span<const BodyRecord> bodies, const JointBlock& joint);
/// Adds impulse d [N s] on B, −d on A, to the free bodies among `bodies`.
void add_impulse(std::span<BodyRecord> bodies, std::uint32_t free_bodies, const JointBlock& joint,
                 const JointVector& d);

/// Adds the joint's impulse to its bodies.
void apply(const JointBlock& joint, std::span<BodyRecord> bodies, std::uint32_t free_bodies);
/// e of each row [m/s]: of rows that are held u, of driven ones W (r − P(r − u / W)), P on the
/// bounds, W that of the row with its softness. `u` is the relative velocity.
JointVector residuals(const JointBlock& joint, std::span<const BodyRecord> bodies, JointVector u);
/// The same with other impulses than the joint's.
JointVector residuals_with(const JointBlock& joint, const JointVector& impulse,
                           std::span<const BodyRecord> bodies, JointVector u);
/// Σ e² [m²/s²].
inline double residual(const JointBlock& joint, std::span<const BodyRecord> bodies,
                       const JointVector& u) {
  return residuals(joint, bodies, u).squaredNorm();
}
inline double certify(const JointBlock& joint, std::span<const BodyRecord> bodies) {
  return residual(joint, bodies, relative_velocity(bodies, joint));
}

}  // namespace scree::kernels

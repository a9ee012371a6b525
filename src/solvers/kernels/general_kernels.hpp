/// Contacts with a full 3×3 block: one law per run of contacts, visited once per run.
#pragma once

#include <span>

#include "scree/solvers/gauss_seidel.hpp"

namespace scree::kernels {

void apply_general(ContactProblem& problem, std::uint32_t group);
/// Returns Σ (trace W · |Δr|)² [m²/s²].
double relax_general(ContactProblem& problem, std::uint32_t group);
/// Adds to the counts, to Σ e² and to max e²; `limit` on e² of one contact [m²/s²], to count those that are over it.
void certify_general(const ContactProblem& problem, double limit, Certificate& certificate, double& sum,
                     double& largest);

/// Adds an impulse [N s, inertial frame] that acts at `arm` (over L) to a free body of `bodies`.
void push(const ContactProblem& problem, std::span<BodyRecord> bodies, BodyIndex i, const Vec3& arm,
          const Vec3& impulse);
/// Adds percussion d [N s, inertial frame] on B, −d on A.
void add_percussion(ContactProblem& problem, const GeneralContact& contact, const Vec3& d);

/// Adds `factor` times the percussions of all contacts to `bodies`.
void add_percussions(const ContactProblem& problem, double factor, std::span<BodyRecord> bodies);

/// u in the contact's frame with these velocities, without the bias [m/s].
Vec3 relative_velocity(std::span<const BodyRecord> bodies, const GeneralContact& contact);
/// u in the contact's frame, bias included [m/s].
Vec3 relative_velocity(const ContactProblem& problem, const GeneralContact& contact);

}  // namespace scree::kernels

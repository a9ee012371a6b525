/// What solvers that know cones alone need of laws: projections, and De Saxcé's shift.
#pragma once

#include "solvers/operators/matrix_operator.hpp"

namespace scree {

/// Whether a law has the round cone |r_t| ≤ μ r_n, and an answer that is a projection on it.
template <class Law>
constexpr bool is_round_cone() {
  if constexpr (std::is_same_v<Law, JointRows>)
    return false;
  else
    return Law::traits.is_projection_on_round_cone() && Law::traits.cone == Cone::circular;
}
/// And De Saxcé's shift.
template <class Law>
constexpr bool is_shifted_cone() {
  if constexpr (is_round_cone<Law>())
    return Law::traits.rule == Rule::de_saxce;
  else
    return false;
}

/// Whether the answer of every law is a projection on a round cone, on the half-line of its normal,
/// or a joint.
bool projections_suit(const Blocks& system);
/// Whether the velocities and impulses of every law separate and repel; joints are let be.
bool are_unilateral(const Blocks& system);

/// r projected on the cone of each block; joints are free.
void project_on_cones(const Blocks& system, Vector& r);

/// s = μ|u_t| in the normal rows of Coulomb's contacts, 0 elsewhere: K* ∋ u + s n ⊥ r ∈ K is
/// Coulomb's law [DeSaxceFeng98].
Vector de_saxce_shift(const Blocks& system, const Vector& u);

}  // namespace scree

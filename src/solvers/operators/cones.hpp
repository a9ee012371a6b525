/// Projections on cones and De Saxcé's shift, for solvers that use nothing else of a law.
#pragma once

#include "solvers/operators/matrix_operator.hpp"

namespace scree {

/// True if a law has the round cone |r_t| ≤ μ r_n, and its answer is a projection on it.
template <class Law>
constexpr bool is_round_cone() {
  if constexpr (std::is_same_v<Law, JointRows>)
    return false;
  else
    return Law::traits.is_projection_on_round_cone() && Law::traits.cone == Cone::circular;
}
/// True if, in addition, it has De Saxcé's shift.
template <class Law>
constexpr bool is_shifted_cone() {
  if constexpr (is_round_cone<Law>())
    return Law::traits.rule == Rule::de_saxce;
  else
    return false;
}

/// True if every block is a joint, or its answer is a projection on a round cone or on the
/// half-line of the normal.
bool projections_suit(const Blocks& system);
/// True if every contact is unilateral: it can separate, and only repels. Ignores joints.
bool are_unilateral(const Blocks& system);

/// Projects r on the cone of each block; rows of joints do not change.
void project_on_cones(const Blocks& system, Vector& r);

/// s = μ|u_t| in the normal rows of Coulomb's contacts, 0 elsewhere: K* ∋ u + s n ⊥ r ∈ K is
/// Coulomb's law [DeSaxceFeng98].
Vector de_saxce_shift(const Blocks& system, const Vector& u);

}  // namespace scree

/// Proof that contacts have no solution, by a theorem of the alternative
/// [BoydVandenberghe04, §5.9].
#pragma once

#include <optional>

#include "solvers/progress.hpp"

namespace scree {

/// Blocks of an island that find_infeasibility() takes at most.
inline constexpr int kMaxBlocksToProve = 500;

/// A proof that an island has no solution, if it is found: p with Wᵀp = 0, q·p = −1 and p_i in the
/// cone C_i of impulses that can take no work from a velocity that the law admits, as
/// Solution::infeasibility tells. It is the least of those p that
///
///     ½ pᵀWp + ½ (1 + q·p)² → min,  p ∈ C
///
/// is zero for, by interior point; then what rounding has left of Wᵀp is taken out of the blocks
/// that carry p, and all is checked: Wᵀp is zero to 10⁻¹² of Σ|W_ij p_i|, and −q·p ≥ 10⁻⁶ |q||p|,
/// in rows that are scaled so that W has ones on its diagonal. So impulses that are 10⁶ times as
/// large as the problem's own would be needed, did W hold what rounding took.
std::optional<Vector> find_infeasibility(const MatrixOperator& island, const Limits& limits);

}  // namespace scree

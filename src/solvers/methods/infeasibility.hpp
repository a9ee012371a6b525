/// Proof that contacts have no solution, by a theorem of the alternative
/// [BoydVandenberghe04, §5.9].
#pragma once

#include <optional>

#include "solvers/progress.hpp"

namespace scree {

/// Largest island, in blocks, that find_infeasibility() takes: a proof among more takes too long.
inline constexpr int kMaxBlocksToProve = 500;

/// Proof that an island has no solution, if one is found: p with Wᵀp = 0, q·p = −1 and p_i in the
/// cone C_i of impulses that take no work from any velocity that the law admits, see
/// Solution::infeasibility. p is the smallest one for which
///
///     ½ pᵀWp + ½ (1 + q·p)² → min,  p ∈ C
///
/// is zero, by interior point. Then the remainder of Wᵀp is removed from the blocks that carry p,
/// and all is checked: Wᵀp is zero to 10⁻¹² of Σ|W_ij p_i|, and −q·p ≥ 10⁻⁶ |q||p|, in rows scaled
/// so that W has ones on its diagonal. To refute this proof by the rounding of W, impulses 10⁶
/// times as large as the problem's own would be needed.
std::optional<Vector> find_infeasibility(const MatrixOperator& island, const Limits& limits);

}  // namespace scree

/// Rows with bounds on their percussions: a linear complementarity problem with bounds. Our own, of
/// block pivots with Murty's rule to fall back on.
#pragma once

#include <Eigen/Core>

namespace scree {

/// w = S r + q with least ≤ r ≤ most, w = 0 in between, w ≥ 0 where r = least, w ≤ 0 where r =
/// most. S is symmetric and positive definite. By pivots, all rows that are wrong at once while
/// that helps, then the last of them alone, which comes to an end (Murty's rule). `r` is the start
/// on entry. False if it came to no end; r then keeps its bounds.
bool solve_bounded(const Eigen::MatrixXd& S, const Eigen::VectorXd& q, const Eigen::VectorXd& least,
                   const Eigen::VectorXd& most, Eigen::VectorXd& r);

}  // namespace scree

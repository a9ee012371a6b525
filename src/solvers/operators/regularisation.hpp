/// W may be singular, and so may its blocks. One rule for all methods: velocities and residuals
/// take W as it is given; a matrix that is inverted on the way has a little more on its diagonal,
/// and the fixed points of the method stay those of W.
#pragma once

#include "laws/single_contact.hpp"

namespace scree {

/// What is added to a diagonal, over the size of the matrix [-].
inline constexpr double kRegularisation = 1e-9;

/// A contact's block, positive definite. A local solve starts from u − W r with this W, so that its
/// fixed point is that of the block as given.
inline SymMat3 made_positive(SymMat3 W) {
  if (clearly_positive(W)) return W;
  const double more = kRegularisation * W.trace();
  W.xx += more;
  W.yy += more;
  W.zz += more;
  return W;
}

}  // namespace scree

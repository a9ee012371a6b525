/// Regularisation of W and its blocks, which may be singular. One rule for all methods: velocities
/// and residuals use W as given; a matrix that a method inverts has kDelassusRegularisation added
/// to its diagonal, and the fixed points of the method stay those of W.
#pragma once

#include "laws/single_contact.hpp"
#include "solvers/step_settings.hpp"

namespace scree {

/// Block of a contact, made positive definite. A local solve starts from u − W r with this W, so
/// that its fixed point is that of the given block.
inline SymMat3 made_positive(SymMat3 W) {
  if (clearly_positive(W)) return W;
  const double shift = kDelassusRegularisation * W.trace();
  W.xx += shift;
  W.yy += shift;
  W.zz += shift;
  return W;
}

}  // namespace scree

/// Semismooth Newton's method [AlartCurnier91], its steps cut by E_s or by the natural monotonicity
/// test [Deuflhard04, §3.3].
#pragma once

#include "solvers/operators/regularisation.hpp"
#include "solvers/progress.hpp"

namespace scree {

enum class NewtonFunction : std::uint8_t { alart_curnier, fischer_burmeister };

/// How far a step goes. By E_s; or by Deuflhard's natural monotonicity test, |J⁻¹F| after the step
/// with the Jacobian before it: where the Jacobian is ill-conditioned, E_s cuts steps to a
/// sixteenth that lead straight to the solution. The test lets E_s rise.
enum class NewtonDamping : std::uint8_t { residual, natural };

struct NewtonSettings {
  NewtonFunction function = NewtonFunction::alart_curnier;
  NewtonDamping damping = NewtonDamping::residual;
  int max_iterations = 30;
  /// Added to W's diagonal in the Jacobian alone, over its largest diagonal block: W may be
  /// singular [-].
  double regularisation = kDelassusRegularisation;
};

/// Semismooth Newton from r, until `progress` is finished, no step is found, or three in a row
/// bring E_s down next to nothing where steps go by E_s. r is the best it saw. Returns whether that
/// is better than at the start.
bool newton(const NewtonSettings& settings, Vector& r, Progress& progress);

}  // namespace scree

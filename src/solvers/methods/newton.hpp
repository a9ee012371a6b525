/// Semismooth Newton's method [AlartCurnier91], damped by E_s or by the natural monotonicity test
/// [Deuflhard04, §3.3].
#pragma once

#include "solvers/operators/regularisation.hpp"
#include "solvers/progress.hpp"

namespace scree {

enum class NewtonFunction : std::uint8_t { alart_curnier, fischer_burmeister };

/// Test that limits the length of a step: E_s, or Deuflhard's natural monotonicity test, |J⁻¹F|
/// after the step with the Jacobian before it. If the Jacobian is ill-conditioned, E_s cuts steps
/// that lead straight to the solution to a sixteenth. The natural test lets E_s rise.
enum class NewtonDamping : std::uint8_t { residual, natural };

struct NewtonSettings {
  NewtonFunction function = NewtonFunction::alart_curnier;
  NewtonDamping damping = NewtonDamping::residual;
  int max_iterations = 30;
  /// Added to W's diagonal in the Jacobian alone, over W's largest diagonal block, because W may be
  /// singular [-].
  double regularisation = kDelassusRegularisation;
};

/// Runs semismooth Newton from r, until `progress` is finished or no step is found. With damping by
/// E_s it also ends after three steps in a row that hardly reduce E_s. r is the best impulse found.
/// True if it is better than the start.
bool newton(const NewtonSettings& settings, Vector& r, Progress& progress);

}  // namespace scree

#pragma once

#include "solvers/explicit/progress.hpp"

namespace scree {

enum class NewtonFunction : std::uint8_t { alart_curnier, fischer_burmeister };

struct NewtonSettings {
  NewtonFunction function = NewtonFunction::alart_curnier;
  int max_iterations = 30;
  /// Added to W's diagonal in the Jacobian alone, over its largest diagonal block: W may be singular [-].
  double regularisation = 1e-9;
};

/// Semismooth Newton from r with a line search on E_s, until `progress` is finished, or three steps in a row bring next to nothing.
/// r is the best it saw. Returns whether that is better than at the start.
bool newton(const NewtonSettings& settings, Vector& r, Progress& progress);

}  // namespace scree

/// Adaptive Runge–Kutta steps of order 5(4), coefficients of Dormand and Prince.
///
/// Written here because the motion is smooth only between switches, which must be found to
/// rounding: the step across a switch is shortened at full order, without interpolation.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace scree::studies {

template <std::size_t N>
using StateVector = std::array<double, N>;

template <std::size_t N>
struct TrialStep {
  StateVector<N> end;
  StateVector<N> error;  ///< of each component, the difference of the two orders
};

/// One step of dy/dt = f(y), of length h.
template <std::size_t N, class Field>
TrialStep<N> dormand_prince_step(const Field& f, const StateVector<N>& y, double h) {
  static constexpr double a[6][6] = {
      {1.0 / 5},
      {3.0 / 40, 9.0 / 40},
      {44.0 / 45, -56.0 / 15, 32.0 / 9},
      {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
      {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
  static constexpr double e[7] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                  -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
  std::array<StateVector<N>, 7> k;
  k[0] = f(y);
  StateVector<N> at{};
  for (std::size_t stage = 0; stage < 6; ++stage) {
    at = y;
    for (std::size_t j = 0; j <= stage; ++j)
      for (std::size_t i = 0; i < N; ++i) at[i] += h * a[stage][j] * k[j][i];
    k[stage + 1] = f(at);
  }
  TrialStep<N> step{at, {}};
  for (std::size_t j = 0; j < 7; ++j)
    for (std::size_t i = 0; i < N; ++i) step.error[i] += h * e[j] * k[j][i];
  return step;
}

/// Factor for the next step after a step whose error was `error` times the tolerance.
inline double step_factor(double error) {
  return error > 0 ? std::clamp(0.9 * std::pow(error, -0.2), 0.2, 5.0) : 5.0;
}

}  // namespace scree::studies

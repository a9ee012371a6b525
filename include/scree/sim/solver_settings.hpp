/// How the contacts of a step are solved, and how well.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "scree/solvers/solver_kind.hpp"

namespace scree {

struct SolverSettings {
  /// All but gauss_seidel take all contacts together
  SolverKind method = SolverKind::gauss_seidel;
  double tolerance = 1e-4;  ///< on the scale-free residual E_s [-]
  /// Cap on sweeps, or on what the method counts, per solve
  int max_sweeps = 200;
  /// Of gauss_seidel: before so many are made only E_s ≤ min(tolerance, 1e-4) ends them. Where
  /// contacts are few and this is more than 1, only 1e-8 does, before four times as many
  int min_sweeps = 1;
  bool warm_start = true;
  bool accelerated = false;  ///< Nesterov's momentum between sweeps
};

/// What is asked of a run as a whole. docs/guide/accuracy.md has what follows for its answers.
enum class Accuracy : std::uint8_t {
  draft,        ///< E_s ≤ 0.1: a first look, flows
  engineering,  ///< E_s ≤ 0.03, and 1e-4 where 50 sweeps give it: the default
  reference,    ///< E_s ≤ 1e-4 in every step
};
inline constexpr std::array kAccuracies{Accuracy::draft, Accuracy::engineering,
                                        Accuracy::reference};

/// The name in scenes.
std::string_view name(Accuracy accuracy);
std::optional<Accuracy> accuracy_named(std::string_view name);

/// Sweeps of gauss_seidel with Nesterov's momentum.
SolverSettings solver_settings(Accuracy accuracy);

/// Sweeps of gauss_seidel after which few contacts that are not solved go to the portfolio.
constexpr int sweeps_before_portfolio(int max_sweeps) { return (max_sweeps + 4) / 5; }

}  // namespace scree

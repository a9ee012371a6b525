/// Accuracy levels: one word that sets how well the contacts of a run are solved.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "scree/solvers/solver_settings.hpp"

namespace scree {

/// Target for the residual of every step. The error of the bodies' velocity changes is about
/// as large: docs/theory/accuracy.md has its distribution.
enum class Accuracy : std::uint8_t {
  draft,        ///< E_s ≤ 0.1: for a first look and for flows
  engineering,  ///< E_s ≤ 0.03: the default
  reference,    ///< E_s ≤ 1e-4
};
inline constexpr std::array kAccuracies{Accuracy::draft, Accuracy::engineering,
                                        Accuracy::reference};

/// Name in scenes.
std::string_view name(Accuracy accuracy);
std::optional<Accuracy> accuracy_named(std::string_view name);

/// Settings of gauss_seidel with Nesterov's momentum. Where bodies hardly move, step() goes below
/// the tolerance: see there.
SolverSettings solver_settings(Accuracy accuracy);

/// Number of sweeps of gauss_seidel after which a small unsolved set of contacts goes to the
/// portfolio.
constexpr int sweeps_before_portfolio(int max_sweeps) { return (max_sweeps + 4) / 5; }

}  // namespace scree

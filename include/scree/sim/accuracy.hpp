/// Accuracy levels: one word that sets how well the contacts of a run are solved.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "scree/solvers/solver_settings.hpp"

namespace scree {

/// Target for the residual of every step. docs/guide/accuracy.md lists the errors that follow.
enum class Accuracy : std::uint8_t {
  draft,        ///< E_s ≤ 0.1: for a first look and for flows
  engineering,  ///< E_s ≤ 0.03, and 1e-4 where 50 sweeps reach it: the default
  reference,    ///< E_s ≤ 1e-4 in every step
};
inline constexpr std::array kAccuracies{Accuracy::draft, Accuracy::engineering,
                                        Accuracy::reference};

/// Name in scenes.
std::string_view name(Accuracy accuracy);
std::optional<Accuracy> accuracy_named(std::string_view name);

/// Settings of gauss_seidel with Nesterov's momentum. Where bodies hardly move, step() makes more
/// sweeps than min_sweeps: see there.
SolverSettings solver_settings(Accuracy accuracy);

/// Number of sweeps of gauss_seidel after which a small unsolved set of contacts goes to the
/// portfolio.
constexpr int sweeps_before_portfolio(int max_sweeps) { return (max_sweeps + 4) / 5; }

}  // namespace scree

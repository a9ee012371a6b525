/// How well the contacts of a run are solved, in one word.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "scree/solvers/solver_settings.hpp"

namespace scree {

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

/// Sweeps of gauss_seidel with Nesterov's momentum. Where bodies hardly move, step() asks for more
/// than min_sweeps says, see there.
SolverSettings solver_settings(Accuracy accuracy);

/// Sweeps of gauss_seidel after which few contacts that are not solved go to the portfolio.
constexpr int sweeps_before_portfolio(int max_sweeps) { return (max_sweeps + 4) / 5; }

}  // namespace scree

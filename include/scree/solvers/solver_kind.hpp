/// The solvers of many contacts.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "scree/laws/pair_law.hpp"

namespace scree {

enum class SolverKind : std::uint8_t {
  automatic,  ///< the portfolio: see solve_automatically in src/solvers/portfolio.cpp
  /// Block Gauss–Seidel: each contact exactly by its own law, with the others' impulses fixed
  gauss_seidel,
  /// A projected step per contact instead of a solution, over-relaxed
  psor,
  jacobi,                     ///< all contacts at once from the same velocities, damped
  newton,                     ///< semismooth, on the function of Alart and Curnier
  newton_fischer_burmeister,  ///< semismooth, on that of Fischer and Burmeister for cones
  /// Primal-dual, Nesterov–Todd scaling, De Saxcé's shift inside for Coulomb
  interior_point,
  accelerated_gradient,  ///< `apgd`: Nesterov's method on the cone QP
  barzilai_borwein,      ///< spectral projected gradient on the cone QP
  admm,                  ///< alternating directions on the cone QP, one factorisation
  lemke,                 ///< pivots, on a polyhedral cone; small problems
};
inline constexpr std::array kSolverKinds{SolverKind::automatic,
                                         SolverKind::gauss_seidel,
                                         SolverKind::psor,
                                         SolverKind::jacobi,
                                         SolverKind::newton,
                                         SolverKind::newton_fischer_burmeister,
                                         SolverKind::interior_point,
                                         SolverKind::accelerated_gradient,
                                         SolverKind::barzilai_borwein,
                                         SolverKind::admm,
                                         SolverKind::lemke};

/// The name of a solver in scenes and on the command line.
std::string_view name(SolverKind kind);
std::optional<SolverKind> solver_named(std::string_view name);

/// True if a solver uses only the projection on a law's cone.
bool needs_projections(SolverKind solver);

/// True if a solver takes rolling rows of contacts.
bool takes_rolling(SolverKind solver);

/// True if a solver takes contacts of a law; some solvers also have a limit on size.
bool suits(SolverKind solver, LawKind law);

}  // namespace scree

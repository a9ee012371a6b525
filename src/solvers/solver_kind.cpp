#include "scree/solvers/solver_kind.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace scree {
namespace {

constexpr std::pair<SolverKind, std::string_view> kSolverNames[] = {
    {SolverKind::automatic, "auto"},
    {SolverKind::gauss_seidel, "gauss_seidel"},
    {SolverKind::psor, "psor"},
    {SolverKind::jacobi, "jacobi"},
    {SolverKind::newton, "newton"},
    {SolverKind::newton_fischer_burmeister, "newton_fischer_burmeister"},
    {SolverKind::interior_point, "interior_point"},
    {SolverKind::accelerated_gradient, "apgd"},
    {SolverKind::barzilai_borwein, "barzilai_borwein"},
    {SolverKind::admm, "admm"},
    {SolverKind::lemke, "lemke"},
};
static_assert(std::size(kSolverNames) == kSolverKinds.size());

}  // namespace

std::string_view name(SolverKind kind) {
  return std::ranges::find(kSolverNames, kind, [](const auto& entry) { return entry.first; })
      ->second;
}

std::optional<SolverKind> solver_named(std::string_view name) {
  const auto found =
      std::ranges::find(kSolverNames, name, [](const auto& entry) { return entry.second; });
  return found == std::end(kSolverNames) ? std::nullopt : std::optional(found->first);
}

bool needs_projections(SolverKind solver) {
  switch (solver) {
    case SolverKind::newton_fischer_burmeister:
    case SolverKind::interior_point:
    case SolverKind::accelerated_gradient:
    case SolverKind::barzilai_borwein:
    case SolverKind::admm:
      return true;
    default:
      return false;
  }
}

bool takes_rolling(SolverKind solver) { return solver == SolverKind::gauss_seidel; }

bool suits(SolverKind solver, LawKind law) {
  if (traits(law).compliant) return true;
  if (solver == SolverKind::lemke) return traits(law).is_linear_on_facets();
  return !needs_projections(solver) || traits(law).is_projection_on_round_cone();
}

}  // namespace scree

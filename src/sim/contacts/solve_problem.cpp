/// Sweeps, and what follows where they do not suffice.
#include "sim/contacts/solve_problem.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "scree/sim/accuracy.hpp"
#include "scree/solvers/factored_problem.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

/// Contacts of sets without a body that just fits, see ContactProblem::near_tight.
std::vector<ContactIndex> contacts_away_from_tight(const ContactProblem& problem) {
  std::vector<ContactIndex> contacts = contacts_of(problem);
  std::erase_if(contacts, [&](ContactIndex contact) {
    const ContactRows c = contact_rows(problem, contact);
    return problem.is_near_tight(c.a, c.b);
  });
  return contacts;
}

/// True if the portfolio may solve the problem. It supports neither rolling rows nor drives.
bool suits_portfolio(const ContactProblem& problem) {
  return problem.rolling.empty() && !problem.has_drives() &&
         (problem.near_tight.empty() || problem.joints.empty());
}

double fine_residual(const SolveRequest& request) {
  return std::min(request.fraction * kFineResidual, request.settings.tolerance);
}

/// Sweeps far below the tolerance, but not for long: later steps start from the result.
SolveResult sweep_finely(ContactProblem& problem, const SolveRequest& request,
                         const SolverSettings& asked, GaussSeidel& solver, ThreadPool& pool) {
  SolverSettings part = asked;
  part.max_sweeps = std::min(request.max_fine_sweeps, asked.max_sweeps);
  SolveResult swept = solver.solve(problem, part, pool, fine_residual(request));
  part.max_sweeps = asked.max_sweeps - swept.sweeps;
  if (swept.converged || part.max_sweeps <= 0) return swept;
  const int before = swept.sweeps;
  swept = solver.solve(problem, part, pool);
  swept.sweeps += before;
  return swept;
}

/// Solves by the portfolio with the settings `part` what `swept` left: all contacts, or `others`
/// where a body just fits. That body and its set then get the remaining sweeps.
SolveResult finish_by_portfolio(ContactProblem& problem, const SolverSettings& asked,
                                SolverSettings part, std::span<const ContactIndex> others,
                                const SolveResult& swept, GaussSeidel& solver, ThreadPool& pool) {
  const bool any_tight = !problem.near_tight.empty();
  part.method = SolverKind::automatic;
  SolveResult finished = any_tight ? solve_as_matrix_problem(problem, others, part, pool)
                                   : solve_as_matrix_problem(problem, part, pool);
  finished.certificate = solver.certify(problem, asked.tolerance, pool);
  finished.converged = finished.certificate.residual <= asked.tolerance;
  finished.sweeps += swept.sweeps;
  if (any_tight && !finished.converged && finished.sweeps < asked.max_sweeps) {
    part = asked;
    part.max_sweeps = asked.max_sweeps - finished.sweeps;
    const int before = finished.sweeps;
    finished = solver.solve(problem, part, pool);
    finished.sweeps += before;
  }
  finished.convergence_ratio = finished.certificate.error / swept.certificate.error;
  return finished;
}

}  // namespace

bool is_few(std::size_t contacts, const SolverSettings& settings) {
  const std::size_t third =
      static_cast<std::size_t>(settings.max_sweeps) / kSweepsPerPortfolioContact;
  return contacts > 0 &&
         contacts <= std::clamp(third, kMinPortfolioContacts, kMaxPortfolioContacts);
}

SolveResult sweep_then_finish(ContactProblem& problem, const SolveRequest& request,
                              GaussSeidel& solver, ThreadPool& pool) {
  const SolverSettings& asked = request.settings;
  // The portfolio would preload bodies that just fit, so it takes the contacts of all others.
  const bool any_tight = !problem.near_tight.empty();
  const std::vector<ContactIndex> others =
      any_tight ? contacts_away_from_tight(problem) : std::vector<ContactIndex>{};
  const bool few = request.few && suits_portfolio(problem) && (!any_tight || !others.empty());
  SolverSettings part = asked;
  if (few) part.max_sweeps = sweeps_before_portfolio(asked.max_sweeps);
  const SolveResult swept = request.rests ? sweep_finely(problem, request, part, solver, pool)
                                          : solver.solve(problem, part, pool);
  const bool creeps =
      request.rests && swept.certificate.residual > request.fraction * kCreepResidual;
  part.max_sweeps = asked.max_sweeps - swept.sweeps;
  if (!few || (swept.converged && !creeps) || part.max_sweeps <= 0) return swept;
  if (asked.max_sweeps >= kPatientSweeps)
    part.max_sweeps = std::max(part.max_sweeps, kMinPortfolioIterations);
  if (request.rests) part.tolerance = fine_residual(request);
  return finish_by_portfolio(problem, asked, part, others, swept, solver, pool);
}

}  // namespace scree

/// Solves of matrix problems: checks of the input, choice of the method, certificates.
#include "scree/solvers/solve_problem.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "scree/core/error.hpp"
#include "solvers/methods/admm.hpp"
#include "solvers/methods/gauss_seidel.hpp"
#include "solvers/methods/interior_point.hpp"
#include "solvers/methods/lemke.hpp"
#include "solvers/methods/minimum_norm.hpp"
#include "solvers/methods/newton.hpp"
#include "solvers/methods/projected_gradient.hpp"
#include "solvers/methods/sweeps.hpp"
#include "solvers/operators/cones.hpp"
#include "solvers/operators/factored_operator.hpp"
#include "solvers/portfolio.hpp"

namespace scree {
namespace {

Limits::Clock::time_point deadline_of(double seconds, Limits::Clock::time_point start) {
  constexpr double kMaxDeadline = 1e8;  // [s]; more would overflow the clock
  if (!(seconds < kMaxDeadline)) return Limits::Clock::time_point::max();
  return start + std::chrono::duration_cast<Limits::Clock::duration>(
                     std::chrono::duration<double>(seconds));
}

/// Newton's method, started from a few sweeps, and restarted from more sweeps when it stalls.
void newton_alone(NewtonFunction function, Vector& r, Progress& progress) {
  const GaussSeidelSweep sweep(progress.system());
  constexpr int kMaxNewtonRounds = 50, kMaxSweepsPerRound = 10000;
  int sweeps = 10;
  for (int round = 0; round < kMaxNewtonRounds && !progress.finished(); ++round) {
    relax(sweep, sweeps, r, progress);
    if (progress.finished()) return;
    newton({.function = function, .max_iterations = 50}, r, progress);
    sweeps = std::min(sweeps + sweeps / 2, kMaxSweepsPerRound);
  }
}

bool needs_no_matrix(SolverKind solver) {
  switch (solver) {
    case SolverKind::gauss_seidel:
    case SolverKind::psor:
    case SolverKind::jacobi:
    case SolverKind::accelerated_gradient:
    case SolverKind::barzilai_borwein:
      return true;
    default:
      return false;
  }
}

/// Runs a solver of needs_no_matrix(); W may be explicit all the same.
template <class Operator>
void run_without_matrix(const SolverSettings& settings, const SolveContext& context, Vector& r,
                        ProgressOf<Operator>& progress) {
  if (settings.method == SolverKind::accelerated_gradient ||
      settings.method == SolverKind::barzilai_borwein)
    first_order(settings, r, progress);
  else
    run_sweeps(settings, context.subdomain, r, progress);
}

/// Runs the solver of the settings; false if it does not suit the problem.
bool run(const SolverSettings& settings, const SolveContext& context, Progress& progress) {
  if (needs_projections(settings.method) && !projections_suit(progress.system())) return false;
  Vector r = progress.best();
  switch (settings.method) {
    case SolverKind::automatic:
      solve_automatically(progress, context.pool);
      return true;
    case SolverKind::gauss_seidel:
    case SolverKind::psor:
    case SolverKind::jacobi:
    case SolverKind::accelerated_gradient:
    case SolverKind::barzilai_borwein:
      run_without_matrix(settings, context, r, progress);
      return true;
    case SolverKind::newton:
      newton_alone(NewtonFunction::alart_curnier, r, progress);
      return true;
    case SolverKind::newton_fischer_burmeister:
      newton_alone(NewtonFunction::fischer_burmeister, r, progress);
      return true;
    case SolverKind::lemke:
      return pivot(settings.facets, r, progress);
    case SolverKind::interior_point:
      interior_point({.max_iterations = 200}, r, progress);
      // Near the border of the cone, rounding of r·û limits the accuracy to about its square root;
      // Newton's method does the rest.
      if (!progress.finished()) newton({.max_iterations = 10}, r, progress);
      return true;
    case SolverKind::admm:
      admm_with_growing_penalty(progress);
      return true;
  }
  return false;
}

Vector start_of(std::span<const double> start, const Blocks& system) {
  if (static_cast<int>(start.size()) != system.rows()) return Vector::Zero(system.rows());
  const Vector r = Eigen::Map<const Vector>(start.data(), system.rows());
  return r.allFinite() ? r : Vector::Zero(system.rows());
}

ContactCertificate joint_certificate(double residual, double dissipated_energy) {
  return {
      .residual = residual, .dissipated_energy = dissipated_energy, .kind = ContactClass::sticking};
}

std::vector<ContactCertificate> certificates(const Blocks& system, const Vector& u,
                                             const Vector& r) {
  std::vector<ContactCertificate> blocks(system.blocks());
  system.for_each_block([&]<class Law>(const Law& law, int block) {
    const int row = system.first_row(block), n = system.rows_of(block);
    const double dissipated =
        -0.5 * r.segment(row, n).dot(u.segment(row, n) + system.q().segment(row, n));
    if constexpr (std::is_same_v<Law, JointRows>)
      blocks[block] = joint_certificate(system.block_residual(law, block, u, r), dissipated);
    else
      blocks[block] = certificate_of(law, system.diagonal(block), Blocks::at(u, row),
                                     Blocks::at(r, row), dissipated);
  });
  return blocks;
}

void require_of_problem(bool good, const char* message) {
  if (!good) throw InputError(message);
}

/// Checks (W, q, laws) or (G, q, laws); the matrix must have a row for each row of q.
template <class Problem>
void require_usable(const Problem& problem, const SparseMatrix& matrix) {
  int rows = 0;
  bool friction_is_usable = true;
  for_each_block(problem.laws, [&]<class Law>(const Law& law, int) {
    rows += rows_of(law);
    if constexpr (requires { law.mu; }) friction_is_usable &= law.mu >= 0 && std::isfinite(law.mu);
  });
  require_of_problem(problem.q.size() == rows,
                     "q must have as many rows as the laws: three for a contact");
  require_of_problem(matrix.rows() == rows, "the matrix must have as many rows as q");
  require_of_problem(matrix.isCompressed(), "the matrix must be compressed: makeCompressed()");
  require_of_problem(problem.q.allFinite(), "q has a number that is not finite");
  require_of_problem(Eigen::Map<const Vector>(matrix.valuePtr(), matrix.nonZeros()).allFinite(),
                     "the matrix has a number that is not finite");
  require_of_problem(friction_is_usable, "friction coefficients must be finite and not negative");
}

/// Checks that the step of each contact's natural map, 3 / trace, is finite.
void require_own_velocities(const Blocks& system) {
  system.for_each_block([&]<class Law>(const Law&, int block) {
    if constexpr (!std::is_same_v<Law, JointRows>)
      require_of_problem(system.diagonal(block).trace() != 0,
                         "a contact has a diagonal block of W with trace zero");
  });
}

Limits limits_of(const SolverSettings& settings, const SolveContext& context,
                 Limits::Clock::time_point start) {
  return {deadline_of(context.max_seconds, start), context.stop, settings.max_sweeps};
}

/// Gives each contact whose law has several solutions the one that the law takes from `start`;
/// true if any had another one.
template <class Operator>
bool take_chosen(const Operator& system, const Vector& start, const Vector& u, Vector& r) {
  bool any = false;
  system.for_each_block([&]<class Law>(const Law& law, int block) {
    if constexpr (requires { law.has_one_solution(system.diagonal(block)); }) {
      const SymMat3 W = system.diagonal(block);
      if (law.has_one_solution(W)) return;
      const int row = system.first_row(block);
      const Vec3 now = Blocks::at(r, row);
      const auto chosen =
          law.other_choice(W, Blocks::at(u, row) - W * now, now, Blocks::at(start, row));
      if (!chosen) return;
      any = true;
      for (int k = 0; k < 3; ++k) r[row + k] = (*chosen)[k];
    }
  });
  return any;
}

/// Methods that do not solve contact by contact end at any solution of Coulomb's law. Where a
/// contact has several, Gauss–Seidel goes on from the one that its law takes: all methods then end
/// at the same.
template <class Operator>
void settle_choices(const Vector& start, ProgressOf<Operator>& progress) {
  Vector r = progress.best();
  if (!progress.converged() || !take_chosen(progress.system(), start, progress.best_velocity(), r))
    return;
  ProgressOf<Operator> settled(progress.system(), progress.tolerance(), progress.limits(), r);
  run_sweeps({.method = SolverKind::gauss_seidel}, {}, r, settled);
  if (settled.converged()) progress.adopt(settled.best(), settled.iterations());
}

/// Best impulse of a solve, and its status.
template <class Operator>
Solution answer_of(const ProgressOf<Operator>& progress, bool suited) {
  Solution solution;
  solution.r = progress.best();
  solution.u = progress.best_velocity();
  solution.residual = progress.residual();
  solution.iterations = progress.iterations();
  solution.status = !suited                  ? SolveStatus::unsuited
                    : progress.converged()   ? SolveStatus::converged
                    : progress.infeasible()  ? SolveStatus::infeasible
                    : progress.stopped()     ? SolveStatus::stopped
                    : progress.out_of_time() ? SolveStatus::time_limit
                                             : SolveStatus::stalled;
  if (solution.status == SolveStatus::infeasible) solution.infeasibility = progress.infeasibility();
  return solution;
}

void take_minimum_norm(const Progress& progress, Solution& solution) {
  const MatrixOperator& system = progress.system();
  Hyperstatic& hyperstatic = solution.hyperstatic.emplace();
  const Vector shortest =
      minimum_norm(system, solution.r, progress.tolerance(), progress.limits(), hyperstatic);
  const Vector u = system.velocity(shortest);
  const double residual = system.residual(u, shortest);
  if (residual <= std::max(solution.residual, progress.tolerance())) {
    solution.r = shortest;
    solution.u = u;
    solution.residual = residual;
  } else {
    hyperstatic.minimum_norm = false;
  }
  if (hyperstatic.minimum_norm || solution.status == SolveStatus::infeasible) return;
  if (progress.stopped())
    solution.status = SolveStatus::stopped;
  else if (progress.out_of_time())
    solution.status = SolveStatus::time_limit;
}

/// Completes a solution by times, certificates and history; the time excludes the certificates.
template <class Operator>
Solution certified(Solution solution, ProgressOf<Operator>& progress,
                   Limits::Clock::time_point start, Limits::Clock::time_point laid_out) {
  const Operator& system = progress.system();
  solution.seconds = std::chrono::duration<double>(Limits::Clock::now() - start).count();
  solution.layout_seconds = std::chrono::duration<double>(laid_out - start).count();
  solution.blocks = certificates(system, solution.u, solution.r);
  solution.history = std::move(progress.history());
  return solution;
}

}  // namespace

std::string_view name(SolveStatus status) {
  switch (status) {
    case SolveStatus::converged:
      return "converged";
    case SolveStatus::stalled:
      return "stalled";
    case SolveStatus::infeasible:
      return "infeasible";
    case SolveStatus::time_limit:
      return "time_limit";
    case SolveStatus::stopped:
      return "stopped";
    case SolveStatus::unsuited:
      break;
  }
  return "unsuited";
}

Solution solve(const FrictionContactProblem& problem, const SolverSettings& settings,
               const SolveContext& context) {
  const auto start = Limits::Clock::now();
  require_usable(problem, problem.W);
  require_of_problem(problem.W.cols() == problem.W.rows(), "W must be square");
  const MatrixOperator system(problem);
  require_own_velocities(system);
  const auto laid_out = Limits::Clock::now();
  const Vector first = start_of(context.start, system);
  Progress progress(system, settings.tolerance, limits_of(settings, context, start), first);
  const bool suited = progress.converged() || run(settings, context, progress);
  settle_choices(first, progress);
  Solution solution = answer_of(progress, suited);
  if (settings.minimum_norm && suited) take_minimum_norm(progress, solution);
  return certified(std::move(solution), progress, start, laid_out);
}

Solution solve(const FactoredProblem& problem, const SolverSettings& settings,
               const SolveContext& context) {
  require_usable(problem, problem.G);
  if (!needs_no_matrix(settings.method) || settings.minimum_norm)
    return solve(multiplied_out(problem), settings, context);
  const auto start = Limits::Clock::now();
  const FactoredOperator system(problem);
  require_own_velocities(system);
  const auto laid_out = Limits::Clock::now();
  const Vector first = start_of(context.start, system);
  ProgressOf<FactoredOperator> progress(system, settings.tolerance,
                                        limits_of(settings, context, start), first);
  const bool suited = !needs_projections(settings.method) || projections_suit(system);
  Vector r = progress.best();
  if (suited && !progress.finished()) run_without_matrix(settings, context, r, progress);
  settle_choices(first, progress);
  return certified(answer_of(progress, suited), progress, start, laid_out);
}

double scaled_residual(const FrictionContactProblem& problem, const Vector& r) {
  const MatrixOperator system(problem);
  return system.residual(system.velocity(r), r);
}

double fclib_residual(const FrictionContactProblem& problem, const Vector& r) {
  const Vector u = problem.W * r + problem.q;
  const SymMat3 unit = diagonal(1, 1, 1);  // 3 / trace is the step of the natural map
  double squares = 0;
  problem.for_each_block([&]<class Law>(const Law& law, int row) {
    double e = 0;
    if constexpr (std::is_same_v<Law, JointRows>)
      e = u.segment(row, law.rows).norm();
    else if constexpr (Law::traits.rule == Rule::own && Law::traits.cone == Cone::circular)
      e = norm(Coulomb{law.mu}.residual(unit, Blocks::at(u, row), Blocks::at(r, row)));
    else
      e = norm(law.residual(unit, Blocks::at(u, row), Blocks::at(r, row)));
    squares += e * e;
  });
  return squares > 0 ? std::sqrt(squares) / std::max({problem.q.norm(), r.norm(), u.norm()}) : 0;
}

std::vector<ContactCertificate> certify(const FrictionContactProblem& problem, const Vector& r) {
  const MatrixOperator system(problem);
  return certificates(system, system.velocity(r), r);
}

}  // namespace scree

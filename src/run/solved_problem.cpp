/// Reads and solves one problem file, and describes the result as JSON and CSV.
#include "scree/run/solved_problem.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <future>
#include <iterator>
#include <stop_token>

#include "scree/core/error.hpp"
#include "scree/run/exit_status.hpp"

namespace scree {
namespace {

constexpr std::array kClasses{ContactClass::separating, ContactClass::sticking,
                              ContactClass::sliding};

/// Label of each block: of contacts as in the settings, of each joint one of its own.
std::vector<int> subdomains_of(const Problem& problem, const ProblemSettings& settings) {
  std::vector<int> labels = settings.subdomains;
  if (labels.empty()) return labels;
  if (static_cast<int>(labels.size()) != problem.contacts())
    throw InputError(
        fmt::format("there are {} labels of subdomains for {} contacts; give one for "
                    "each contact",
                    labels.size(), problem.contacts()));
  if (std::ranges::any_of(labels, [](int label) { return label < 0; }))
    throw InputError("a label of a subdomain is negative; number them from 0 on");
  int of_joint = 0;
  problem.system.for_each_block([&]<class Law>(const Law&, int) {
    if constexpr (std::is_same_v<Law, JointRows>) labels.push_back(--of_joint);
  });
  return labels;
}

/// Solvers do not know their caller, and a signal handler must not call them: this thread polls for
/// a stop while another one solves.
Solution solve_until_stopped(const Problem& problem, SolverKind solver,
                             const ProblemSettings& settings, const StopRequested& stop_requested) {
  using namespace std::chrono_literals;
  SolverSettings with_solver = settings.solver;
  with_solver.method = solver;
  std::stop_source stop;
  ThreadPool pool(settings.threads);
  const std::vector<int> subdomains = subdomains_of(problem, settings);
  const SolveContext context{.subdomain = subdomains,
                             .max_seconds = settings.max_seconds,
                             .stop = stop.get_token(),
                             .pool = &pool};
  std::future<Solution> solution =
      std::async(std::launch::async, [&] { return solve(problem.system, with_solver, context); });
  while (solution.wait_for(50ms) != std::future_status::ready)
    if (stop_requested && stop_requested()) stop.request_stop();
  return solution.get();
}

/// Blocks with a part in the proof of infeasibility.
void find_contradiction(const Problem& problem, SolvedProblem& solved) {
  constexpr double kNegligible = 1e-6;  // of the largest
  const Vector& p = *solved.solution.infeasibility;
  const double threshold = kNegligible * p.lpNorm<Eigen::Infinity>();
  for (int i = 0; i < problem.contacts(); ++i)
    if (p.segment<3>(3 * i).norm() > threshold) solved.contradictory_contacts.push_back(i);
  for (int i = 0; i < problem.joint_rows(); ++i)
    if (std::abs(p[3 * problem.contacts() + i]) > threshold)
      solved.contradictory_joints.push_back(i);
}

double spread_of(const Solution& solution, int block) {
  return solution.hyperstatic->spread[block];
}

}  // namespace

void complete_laws(FrictionContactProblem& problem, const ProblemSettings& settings) {
  for (LawRun& run : problem.laws) {
    if (auto* polyhedral = std::get_if<std::vector<Polyhedral>>(&run))
      for (Polyhedral& law : *polyhedral) law.facets = settings.facets;
    if (auto* coulomb = std::get_if<std::vector<Coulomb>>(&run))
      for (Coulomb& law : *coulomb) law.choice = settings.choice;
  }
}

Problem read_problem(const std::string& name, const std::filesystem::path& path,
                     const ProblemSettings& settings) {
  Problem problem{name, read_fclib(path), {}};
  FrictionContactProblem system = delassus_problem(problem.file, settings.law);
  complete_laws(system, settings);
  problem.asymmetry = asymmetry_of(system.W);
  problem.system = std::move(system);
  return problem;
}

std::string asymmetry_in_words(const Problem& problem) {
  const Asymmetry& a = problem.asymmetry;
  return fmt::format(
      "W is not symmetric: its entries at ({}, {}) and ({}, {}), counted from 0, differ by {:.2g} "
      "of the largest. The solver uses W unchanged; a law may then have no solution, and other "
      "programs may solve another problem. If W should be symmetric, write both of its triangles",
      a.row, a.column, a.column, a.row, a.share);
}

SolvedProblem solve_one(const Problem& problem, SolverKind solver, const ProblemSettings& settings,
                        const StopRequested& stop_requested) {
  SolvedProblem solved{.solver = solver,
                       .solution = solve_until_stopped(problem, solver, settings, stop_requested)};
  solved.fclib_residual = fclib_residual(problem.system, solved.solution.r);
  if (solved.solution.infeasibility) find_contradiction(problem, solved);
  const auto& blocks = solved.solution.blocks;
  for (const ContactCertificate& block : blocks) solved.dissipation += block.dissipated_energy;
  for (int i = 0; i < problem.contacts(); ++i) {
    ++solved.classes[static_cast<std::size_t>(blocks[i].kind)];
    if (solved.worst < 0 || blocks[i].residual > blocks[solved.worst].residual) solved.worst = i;
    if (settings.solver.minimum_norm)
      solved.largest_spread = std::max(solved.largest_spread, spread_of(solved.solution, i));
  }
  return solved;
}

int SolvedProblem::exit_status() const {
  switch (solution.status) {
    case SolveStatus::converged:
      return kDone;
    case SolveStatus::unsuited:
      return kBadInput;
    case SolveStatus::stopped:
      return kInterrupted;
    default:
      return kToleranceMissed;
  }
}

Json json_of(const Problem& problem, const SolvedProblem& solved, const ProblemSettings& settings) {
  const Solution& solution = solved.solution;
  Json json{{"problem", problem.name},
            {"file", problem.file.path.string()},
            {"contacts", problem.contacts()},
            {"joints", problem.joint_rows()},
            {"asymmetry", problem.asymmetry.share},
            {"law", name(settings.law)},
            {"solver", name(solved.solver)},
            {"tolerance", settings.solver.tolerance},
            {"status", name(solution.status)},
            {"exit_status", solved.exit_status()}};
  if (!solved.is_suited()) {  // nothing was solved, there are no figures
    json["message"] = unsuited(settings.law, solved.solver);
    return json;
  }
  json.update({{"iterations", solution.iterations},
               {"seconds", solution.seconds},
               {"residual_scaled", solution.residual},
               {"residual_fclib", solved.fclib_residual}});
  for (const ContactClass kind : kClasses)
    json["classes"][std::string(name(kind))] = solved.classes[static_cast<std::size_t>(kind)];
  json["dissipation"] = solved.dissipation;
  if (solved.worst >= 0)
    json["worst"] = {{"contact", solved.worst},
                     {"residual", solution.blocks[solved.worst].residual}};
  if (solution.infeasibility)
    json["contradiction"] = {{"contacts", solved.contradictory_contacts},
                             {"joints", solved.contradictory_joints}};
  if (solution.hyperstatic)
    json["hyperstatic"] = {{"dimension", solution.hyperstatic->dimension},
                           {"minimum_norm", solution.hyperstatic->minimum_norm},
                           {"largest_spread", solved.largest_spread}};
  return json;
}

std::string unsuited(LawKind law, SolverKind solver) {
  if (solver == SolverKind::lemke)
    return "lemke takes the laws polyhedral, coulomb and frictionless, some ten contacts and no "
           "joints; take --solver "
           "auto, or "
           "fewer --facets";
  return fmt::format("{} does not take the law {}; take --solver auto, or another law",
                     name(solver), name(law));
}

std::string history_table(const Solution& solution) {
  std::string csv = "iteration,residual_scaled\n";
  for (const Iterate& iterate : solution.history)
    fmt::format_to(std::back_inserter(csv), "{},{}\n", iterate.iteration, iterate.residual);
  return csv;
}

std::string contacts_table(const Problem& problem, const Solution& solution) {
  std::string csv =
      "block,class,r_n,r_t1,r_t2,u_n,u_t1,u_t2,residual,cone_violation,complementarity,dissipation,"
      "painleve";
  csv += solution.hyperstatic ? ",spread\n" : "\n";
  const auto cell = [&](double value) {
    fmt::format_to(std::back_inserter(csv), ",{}", value + 0.0);
  };
  int block = 0;
  problem.system.for_each_block([&](const auto& law, int row) {
    const ContactCertificate& c = solution.blocks[block];
    const int rows = scree::rows_of(law);
    fmt::format_to(std::back_inserter(csv), "{},{}", block, rows == 3 ? name(c.kind) : "joint");
    for (const Vector* vector : {&solution.r, &solution.u})
      for (int k = 0; k < 3; ++k) {
        if (k < rows)
          cell((*vector)[row + k]);
        else
          csv += ',';  // a joint has a single row
      }
    for (const double value : {c.residual, c.cone_violation, c.complementarity_violation,
                               c.dissipated_energy, c.painleve_number})
      cell(value);
    if (solution.hyperstatic) cell(spread_of(solution, block));
    csv += '\n';
    ++block;
  });
  return csv;
}

}  // namespace scree

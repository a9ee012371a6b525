#include "solved_problem.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <future>
#include <iterator>
#include <stop_token>

#include "interrupt.hpp"
#include "scree/run/exit_status.hpp"

namespace scree::cli {
namespace {

constexpr std::array kClasses{ContactClass::separating, ContactClass::sticking,
                              ContactClass::sliding};

SolverSettings settings_of(SolverKind solver, const SolveCommandOptions& options) {
  SolverSettings settings;
  settings.method = solver;
  settings.tolerance = options.tolerance;
  settings.max_sweeps = options.max_iterations.value_or(settings.max_sweeps);
  settings.acceleration = options.acceleration == "anderson"   ? Acceleration::anderson
                          : options.acceleration == "nesterov" ? Acceleration::nesterov
                                                               : Acceleration::none;
  settings.relaxation = options.relaxation.value_or(settings.relaxation);
  settings.facets = options.facets.value_or(settings.facets);
  settings.minimum_norm = options.minimum_norm;
  return settings;
}

/// Solvers know nothing of signals, and a handler must not ask them to stop: this thread does while
/// another one solves.
Solution solve_until_interrupted(const FrictionContactProblem& problem, SolverKind solver,
                                 const SolveCommandOptions& options) {
  using namespace std::chrono_literals;
  std::stop_source stop;
  ThreadPool pool(options.threads.value_or(1));
  const SolveContext context{
      .max_seconds = options.max_seconds, .stop = stop.get_token(), .pool = &pool};
  std::future<Solution> solution = std::async(
      std::launch::async, [&] { return solve(problem, settings_of(solver, options), context); });
  while (solution.wait_for(50ms) != std::future_status::ready)
    if (is_interrupted()) stop.request_stop();
  return solution.get();
}

/// Which blocks carry the proof that there is no solution.
void find_contradiction(const Problem& problem, SolvedProblem& solved) {
  constexpr double kNothing = 1e-6;  // of the largest
  const Vector& p = *solved.solution.infeasibility;
  const double least = kNothing * p.lpNorm<Eigen::Infinity>();
  for (int i = 0; i < problem.contacts(); ++i)
    if (p.segment<3>(3 * i).norm() > least) solved.contradictory_contacts.push_back(i);
  for (int i = 0; i < problem.joint_rows(); ++i)
    if (std::abs(p[3 * problem.contacts() + i]) > least) solved.contradictory_joints.push_back(i);
}

/// "contacts 0, 4, 7", or the first of them.
std::string listed(const char* what, const std::vector<int>& numbers) {
  constexpr std::size_t kMost = 12;
  const std::size_t shown = std::min(numbers.size(), kMost);
  std::string text =
      fmt::format("{} {}", what, fmt::join(numbers.begin(), numbers.begin() + shown, ", "));
  if (shown < numbers.size()) text += fmt::format(" and {} more", numbers.size() - shown);
  return text;
}

std::string contradiction_in_words(const SolvedProblem& solved) {
  std::string text;
  if (!solved.contradictory_contacts.empty())
    text = listed("contacts", solved.contradictory_contacts);
  if (!solved.contradictory_joints.empty())
    text += (text.empty() ? "" : " and ") + listed("rows of joints", solved.contradictory_joints);
  return text +
         ", counted from 0, contradict each other: no percussions give them velocities that the "
         "law allows";
}

double spread_of(const Solution& solution, int block) {
  return solution.hyperstatic->spread[block];
}

std::string in_words(double spread) {
  return std::isfinite(spread) ? fmt::format("{:.3g} N s", spread) : "any distance";
}

}  // namespace

Problem read_problem(const std::string& name, const std::filesystem::path& path,
                     const SolveCommandOptions& options) {
  Problem problem{name, read_fclib(path), {}};
  FrictionContactProblem system = delassus_problem(problem.file, law_named(options.law).value());
  if (options.facets)
    for (LawRun& run : system.laws)
      if (auto* contacts = std::get_if<std::vector<Polyhedral>>(&run))
        for (Polyhedral& law : *contacts) law.facets = *options.facets;
  problem.asymmetry = asymmetry_of(system.W);
  problem.system = std::move(system);
  return problem;
}

std::string asymmetry_in_words(const Problem& problem) {
  const Asymmetry& a = problem.asymmetry;
  return fmt::format(
      "W is not symmetric: its entries at ({}, {}) and ({}, {}), counted from 0, differ by {:.2g} "
      "of the largest; it "
      "is "
      "taken as it is, but a law need not have a solution then, and another program may solve "
      "another problem: if that "
      "is not meant, write both triangles of W",
      a.row, a.column, a.column, a.row, a.share);
}

SolvedProblem solve_one(const Problem& problem, SolverKind solver,
                        const SolveCommandOptions& options) {
  SolvedProblem solved{.solver = solver,
                       .solution = solve_until_interrupted(problem.system, solver, options)};
  solved.fclib_residual = fclib_residual(problem.system, solved.solution.r);
  if (solved.solution.infeasibility) find_contradiction(problem, solved);
  const auto& blocks = solved.solution.blocks;
  for (const ContactCertificate& block : blocks) solved.dissipation += block.dissipated_energy;
  for (int i = 0; i < problem.contacts(); ++i) {
    ++solved.classes[static_cast<std::size_t>(blocks[i].kind)];
    if (solved.worst < 0 || blocks[i].residual > blocks[solved.worst].residual) solved.worst = i;
    if (options.minimum_norm)
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

Json json_of(const Problem& problem, const SolvedProblem& solved,
             const SolveCommandOptions& options) {
  const Solution& solution = solved.solution;
  Json json{{"problem", problem.name},
            {"file", problem.file.path.string()},
            {"contacts", problem.contacts()},
            {"joints", problem.joint_rows()},
            {"asymmetry", problem.asymmetry.share},
            {"law", options.law},
            {"solver", name(solved.solver)},
            {"tolerance", options.tolerance},
            {"status", name(solution.status)},
            {"exit_status", solved.exit_status()}};
  if (solution.status == SolveStatus::unsuited) {  // nothing was solved: there are no figures
    json["message"] = unsuited(options, solved.solver);
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

std::string report_of(const Problem& problem, const SolvedProblem& solved,
                      const SolveCommandOptions& options) {
  const Solution& solution = solved.solution;
  std::string text;
  const auto line = [&]<class... T>(const char* what, fmt::format_string<T...> format,
                                    T&&... values) {
    fmt::format_to(std::back_inserter(text), "{:<12}{}\n", what,
                   fmt::format(format, std::forward<T>(values)...));
  };
  const std::string joints = problem.joint_rows() > 0
                                 ? fmt::format(", {} rows of joints", problem.joint_rows())
                                 : std::string();
  line("problem", "{}: {} contacts{}, law {}", problem.name, problem.contacts(), joints,
       options.law);
  line("solved by", "{}: {} {}, {:.3g} s", name(solved.solver), solution.iterations,
       solution.iterations == 1 ? "iteration" : "iterations", solution.seconds);
  line("status", "{}", name(solution.status));
  if (solution.infeasibility) line("no solution", "{}", contradiction_in_words(solved));
  line("residual", "E_s = {:.2e}, tolerance {:.0e}; E = {:.2e}, as FCLIB has it", solution.residual,
       options.tolerance, solved.fclib_residual);
  line("contacts", "{} separating, {} sticking, {} sliding", solved.classes[0], solved.classes[1],
       solved.classes[2]);
  line("dissipated", "{:.6g} J", solved.dissipation);
  if (solved.worst >= 0)
    line("worst", "contact {}, counted from 0: {:.2e} m/s off its law", solved.worst,
         solution.blocks[solved.worst].residual);
  if (solution.hyperstatic && solution.hyperstatic->dimension == 0)
    line("hyperstatic", "no: these percussions alone have these velocities");
  else if (solution.hyperstatic)
    line("hyperstatic",
         "the velocities leave percussions free in {} {}, a normal one over {} or more; {}",
         solution.hyperstatic->dimension,
         solution.hyperstatic->dimension == 1 ? "dimension" : "dimensions",
         in_words(solved.largest_spread),
         solution.hyperstatic->minimum_norm ? "these are those of least norm"
                                            : "those of least norm were not found");
  return text;
}

std::string unsuited(const SolveCommandOptions& options, SolverKind solver) {
  if (solver == SolverKind::lemke)
    return "lemke takes the laws polyhedral, coulomb and frictionless, some ten contacts and no "
           "joints; take --solver "
           "auto, or "
           "fewer --facets";
  return fmt::format("{} does not take the law {}; take --solver auto, or another law",
                     name(solver), options.law);
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
          csv += ',';  // a row of a joint stands alone
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

}  // namespace scree::cli

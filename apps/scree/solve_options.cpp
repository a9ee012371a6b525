/// The command line of scree solve.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <initializer_list>
#include <limits>

#include "command_options.hpp"
#include "scree/io/files.hpp"
#include "scree/laws/pair_law.hpp"
#include "scree/solvers/solve_problem.hpp"

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

template <class Kinds>
std::vector<std::string> names_of(const Kinds& kinds) {
  std::vector<std::string> names;
  names.reserve(kinds.size());
  for (const auto kind : kinds) names.emplace_back(name(kind));
  return names;
}

std::string positive(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const bool good = end != text.c_str() && *end == '\0' && std::isfinite(value) && value > 0;
  return good ? "" : fmt::format("{} is not a number > 0", text);
}

std::string between_0_and_2(const std::string& text) {
  const std::string wrong = positive(text);
  return wrong.empty() && std::strtod(text.c_str(), nullptr) < 2
             ? ""
             : fmt::format("{} is not between 0 and 2", text);
}

constexpr const char* kFooter =
    "Files hold W, q and mu, or M, H, f, w and mu, in the layout of FCLIB. --law sets the law of\n"
    "all contacts. The residual E_s is that of the law over the speeds that contacts must undo,\n"
    "as in scree run; it has no unit. E is the residual that FCLIB and Siconos report. auto tries\n"
    "several solvers and stops when none improves the answer.\n\n"
    "One file and one solver: the command prints a report. --out writes a copy of the file with\n"
    "/solution/r and /solution/u.\n\n"
    "Several files, a directory (its *.hdf5 and *.h5) or several solvers: the command prints a\n"
    "table, one row for each solve. --out is a directory then (default for a directory:\n"
    "out/solve_NAME). It gets results.csv, results.json, table.md, performance_profile.png and,\n"
    "in solutions/, each problem with its answer of the smallest residual. The row of an\n"
    "unusable file shows the reason. A missing file is an error before the first solve.\n\n"
    "Exit status:\n"
    "  0    at least one solver met the tolerance on each problem\n"
    "  2    bad input\n"
    "  3    tolerance missed, or no solution; the best impulses are written\n"
    "  4    a file could not be read or written\n"
    "  130  interrupted; the solves that ended are written, of one problem the best impulses\n\n"
    "Examples:\n"
    "  scree solve tests/data/fclib/NESpheres_30_1.hdf5\n"
    "  scree solve tests/data/fclib/Rover3865.hdf5 --out solution.hdf5 --contacts contacts.csv\n"
    "  scree solve tests/data/fclib/NESpheres_30_1.hdf5 --law cone_complementarity "
    "--solver apgd --history history.csv\n"
    "  scree solve tests/data/fclib/OneObject-i1028-138.hdf5 --minimum-norm\n"
    "  scree solve tests/data/fclib\n"
    "  scree solve tests/data/fclib --solver auto,gauss_seidel,newton --max-seconds 10\n";

void add_files(CLI::App& solve, SolveCommandOptions& o) {
  solve.add_option("PROBLEM", o.problems, "Problem files (HDF5), or directories of them")
      ->required();
  solve
      .add_option("--out,-o", o.out,
                  "File for the solution; a directory if there are several problems or solvers")
      ->check(not_empty);
  solve
      .add_option("--history", o.history,
                  "File for the residual over iterations (CSV); for one file and one solver")
      ->type_name("FILE")
      ->check(not_empty);
  solve
      .add_option("--contacts", o.contacts,
                  "File for each contact's impulse, velocity and certificate (CSV); for one file "
                  "and one solver")
      ->type_name("FILE")
      ->check(not_empty);
  solve.add_flag("!--no-pictures", o.pictures, "Draw no performance profile");
  add_json(solve, o.json);
}

void add_method(CLI::App& solve, SolveCommandOptions& o) {
  solve.add_option("--law,-l", o.law, "Law of all contacts")
      ->check(CLI::IsMember(names_of(kRigidLawKinds)))
      ->capture_default_str();
  solve
      .add_option("--facets", o.facets,
                  fmt::format("Facets of the friction cone, for the law polyhedral (default: {}) "
                              "and the solver lemke "
                              "(default for laws of round cones: {})",
                              PairLaw{}.facets, SolverSettings{}.facets))
      ->check(CLI::Range(Polyhedral::kFewestFacets, Polyhedral::kMaxFacets));
  solve.add_option("--policy", o.policy, "Choice of coulomb among several solutions")
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(kChoices), std::end(kChoices))))
      ->default_str("dissipation");
  solve.add_option("--solver,-s", o.solvers,
                   "Solver, or several to compare, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)  // the next argument is a problem
      ->check(CLI::IsMember(names_of(kSolverKinds)))
      ->default_str("auto");
  solve.add_option("--tol", o.tolerance, "Tolerance on the scaled residual E_s")
      ->check(positive)
      ->capture_default_str();
  solve.add_option("--max-seconds", o.max_seconds, "Maximum wall time of each solve [s]")
      ->type_name("S")
      ->check(positive)
      ->capture_default_str();
  solve
      .add_option("--max-iterations", o.max_iterations,
                  "Maximum number of iterations, as the solver counts them")
      ->type_name("N")
      ->check(CLI::Range(1, std::numeric_limits<int>::max()));
  solve
      .add_option("--acceleration", o.acceleration,
                  "Acceleration of the sweeps of gauss_seidel, psor and jacobi")
      ->check(CLI::IsMember({"none", "anderson", "nesterov"}))
      ->default_str("none");
  solve
      .add_option("--relaxation", o.relaxation,
                  "Relaxation factor of psor and jacobi, between 0 and 2 (default: the solver's)")
      ->type_name("W")
      ->check(between_0_and_2);
  solve
      .add_option("--subdomains", o.subdomains,
                  "File with a whole number for each contact: jacobi sweeps after Gauss-Seidel "
                  "inside contacts of one number")
      ->type_name("FILE")
      ->check(not_empty);
  solve
      .add_option("--threads,-t", o.threads,
                  "Threads of auto (default: 1); results do not depend on it")
      ->check(CLI::Range(1, 4096));
  solve.add_flag("--minimum-norm", o.minimum_norm,
                 "Choose the impulses of least norm among those with the same velocities; report "
                 "their spread");
}

bool has_any_of(const std::vector<std::string>& solvers, std::initializer_list<SolverKind> kinds) {
  return std::ranges::any_of(kinds, [&](SolverKind kind) {
    return std::ranges::find(solvers, name(kind)) != solvers.end();
  });
}

/// Throws InputError for options that none of the solvers uses.
void check_solvers(const SolveCommandOptions& o) {
  using enum SolverKind;
  for (auto solver = o.solvers.begin(); solver != o.solvers.end(); ++solver)
    if (std::find(o.solvers.begin(), solver, *solver) != solver)
      throw InputError(fmt::format("--solver names {} twice; name each once", *solver));
  const auto chosen = fmt::format("{}", fmt::join(o.solvers, ","));
  if (o.facets && o.law != name(LawKind::polyhedral) && !has_any_of(o.solvers, {lemke}))
    throw InputError(fmt::format(
        "--facets is for the law polyhedral and the solver lemke; leave it out for {} by {}", o.law,
        chosen));
  if (!o.policy.empty() && o.law != name(LawKind::coulomb))
    throw InputError(
        fmt::format("--policy chooses among the solutions of coulomb; leave it out for {}", o.law));
  if (!o.acceleration.empty() && !has_any_of(o.solvers, {gauss_seidel, psor, jacobi}))
    throw InputError(fmt::format(
        "--acceleration is for gauss_seidel, psor and jacobi; leave it out for {}", chosen));
  if (o.relaxation && !has_any_of(o.solvers, {psor, jacobi}))
    throw InputError(
        fmt::format("--relaxation is for psor and jacobi; leave it out for {}", chosen));
  if (!o.subdomains.empty() && !has_any_of(o.solvers, {jacobi}))
    throw InputError(fmt::format("--subdomains is for jacobi; leave it out for {}", chosen));
  if (o.threads && !has_any_of(o.solvers, {automatic}))
    throw InputError(fmt::format("--threads is for auto; leave it out for {}", chosen));
}

}  // namespace

std::string not_empty(const std::string& text) { return text.empty() ? "the value is empty" : ""; }

void add_solve_options(CLI::App& solve, SolveCommandOptions& options) {
  add_files(solve, options);
  add_method(solve, options);
  solve.footer(kFooter);
}

void check(const SolveCommandOptions& options) {
  check_solvers(options);
  std::error_code error;
  for (const fs::path& problem : options.problems)
    if (!fs::exists(problem, error))
      throw InputError(fmt::format("{} does not exist; give problem files or directories of them",
                                   problem.string()));
}

}  // namespace scree::cli

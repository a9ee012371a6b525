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
  return good ? "" : fmt::format("{} is no number > 0", text);
}

std::string between_0_and_2(const std::string& text) {
  const std::string wrong = positive(text);
  return wrong.empty() && std::strtod(text.c_str(), nullptr) < 2
             ? ""
             : fmt::format("{} is not between 0 and 2", text);
}

constexpr const char* kFooter =
    "Files hold W, q and mu, or M, H, f, w and mu, in the layout of FCLIB; the law is chosen here, "
    "for all contacts.\n"
    "The answer is measured by E_s, the residual of the law over |q|, which has no units and does "
    "not depend on them;\n"
    "E is the residual that FCLIB and Siconos tell. auto tries several solvers, and stops when "
    "none gets further.\n\n"
    "One file, one solver: a report; --out gets the file again, with /solution/r and /solution/u. "
    "Several files, a\n"
    "directory (its *.hdf5 and *.h5) or several solvers: a table, one row a solve, as they come. "
    "--out is a directory "
    "then\n"
    "(default for a directory: out/solve_NAME) for results.csv, results.json, table.md, "
    "performance_profile.png, and\n"
    "in solutions/ each problem with the answer of the least residual. A file that cannot be used "
    "is told in its "
    "row;\none that is not there is refused before anything starts.\n\n"
    "Exit status: 0 each problem solved to the tolerance, by one of the solvers at least; 3 "
    "tolerance missed, or "
    "there\n"
    "is no solution, the best impulses written all the same; 2 bad input; 4 a file could not be "
    "read or written;\n"
    "130 interrupted, what had been solved is written, of one problem the best impulses until "
    "then.\n\n"
    "Examples:\n"
    "  scree solve tests/data/fclib/NESpheres_30_1.hdf5\n"
    "  scree solve tests/data/fclib/Rover3865.hdf5 --out solution.hdf5 --contacts contacts.csv\n"
    "  scree solve tests/data/fclib/NESpheres_30_1.hdf5 --law cone_complementarity --solver apgd "
    "--history "
    "history.csv\n"
    "  scree solve tests/data/fclib/OneObject-i1028-138.hdf5 --minimum-norm\n"
    "  scree solve tests/data/fclib\n"
    "  scree solve tests/data/fclib --solver auto,gauss_seidel,newton --max-seconds 10\n";

void add_files(CLI::App& solve, SolveCommandOptions& o) {
  solve.add_option("PROBLEM", o.problems, "Problem files (HDF5), or directories of them")
      ->required();
  solve
      .add_option("--out,-o", o.out,
                  "File to write the solution to; of several problems or solvers a directory")
      ->check(not_empty);
  solve
      .add_option("--history", o.history,
                  "Write the residual over iterations (CSV); of one file and one solver")
      ->type_name("FILE")
      ->check(not_empty);
  solve
      .add_option("--contacts", o.contacts,
                  "Write each contact's impulse, velocity and certificate (CSV); of one file "
                  "and one solver")
      ->type_name("FILE")
      ->check(not_empty);
  solve.add_flag("!--no-pictures", o.pictures, "Do not draw the performance profile");
  solve.add_flag("--json", o.json, "Print the result as one JSON object on standard output");
}

void add_method(CLI::App& solve, SolveCommandOptions& o) {
  solve.add_option("--law,-l", o.law, "Contact law, of all contacts")
      ->check(CLI::IsMember(names_of(kRigidLawKinds)))
      ->capture_default_str();
  solve
      .add_option("--facets", o.facets,
                  fmt::format("Facets of the friction cone, for the law polyhedral (default: {}) "
                              "and the solver lemke "
                              "(default for laws of round cones: {})",
                              PairLaw{}.facets, SolverSettings{}.facets))
      ->check(CLI::Range(Polyhedral::kFewestFacets, Polyhedral::kMaxFacets));
  solve
      .add_option("--solver,-s", o.solvers,
                  "Solver; several, with commas between them, are compared")
      ->delimiter(',')
      ->allow_extra_args(false)  // what stands after it is a problem
      ->check(CLI::IsMember(names_of(kSolverKinds)))
      ->default_str("auto");
  solve.add_option("--tol", o.tolerance, "Stop when the scaled residual E_s is at most this")
      ->check(positive)
      ->capture_default_str();
  solve.add_option("--max-seconds", o.max_seconds, "Stop each solve after this time")
      ->type_name("S")
      ->check(positive)
      ->capture_default_str();
  solve
      .add_option("--max-iterations", o.max_iterations,
                  "Stop after so many iterations, counted as the solver does")
      ->type_name("N")
      ->check(CLI::Range(1, std::numeric_limits<int>::max()));
  solve
      .add_option("--acceleration", o.acceleration,
                  "Of the sweeps of gauss_seidel, psor and jacobi")
      ->check(CLI::IsMember({"none", "anderson", "nesterov"}))
      ->default_str("none");
  solve
      .add_option("--relaxation", o.relaxation,
                  "Factor on the steps of psor and jacobi, between 0 and 2 (default: their own)")
      ->type_name("W")
      ->check(between_0_and_2);
  solve
      .add_option("--threads,-t", o.threads,
                  "Threads of auto (default: 1); results do not depend on it")
      ->check(CLI::Range(1, 4096));
  solve.add_flag(
      "--minimum-norm", o.minimum_norm,
      "Of all impulses with the same velocities, take the least; tell how far they can go");
}

bool has_any_of(const std::vector<std::string>& solvers, std::initializer_list<SolverKind> kinds) {
  return std::ranges::any_of(kinds, [&](SolverKind kind) {
    return std::ranges::find(solvers, name(kind)) != solvers.end();
  });
}

/// Options that none of the solvers looks at.
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
  if (!o.acceleration.empty() && !has_any_of(o.solvers, {gauss_seidel, psor, jacobi}))
    throw InputError(fmt::format(
        "--acceleration is for gauss_seidel, psor and jacobi; leave it out for {}", chosen));
  if (o.relaxation && !has_any_of(o.solvers, {psor, jacobi}))
    throw InputError(
        fmt::format("--relaxation is for psor and jacobi; leave it out for {}", chosen));
  if (o.threads && !has_any_of(o.solvers, {automatic}))
    throw InputError(fmt::format("--threads is for auto; leave it out for {}", chosen));
}

}  // namespace

std::string not_empty(const std::string& text) {
  return text.empty() ? "what it is set to is empty" : "";
}

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
      throw InputError(fmt::format("there is no {}; name problem files, or directories of them",
                                   problem.string()));
}

}  // namespace scree::cli

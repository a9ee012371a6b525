/// scree solve: solves problems of many contacts from files and certifies the answers.
#include <charconv>
#include <cstdio>
#include <fmt/format.h>
#include <map>
#include <sstream>

#include "collection_reporter.hpp"
#include "command_options.hpp"
#include "commands.hpp"
#include "interrupt.hpp"
#include "say.hpp"
#include "scree/io/files.hpp"
#include "scree/run/exit_status.hpp"
#include "scree/run/problem_collection.hpp"
#include "solve_report.hpp"

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

using Outputs = std::vector<std::pair<const char*, fs::path>>;  // option and file

/// Throws InputError if a file to write is a problem, is written twice, is a directory, or if its
/// temporary file exists.
void check_outputs(const Outputs& outputs, const std::vector<ProblemPlace>& problems) {
  std::error_code error;
  std::map<fs::path, const char*> taken;  // targets of links; null: a problem
  for (const ProblemPlace& problem : problems)
    taken.emplace(fs::weakly_canonical(fs::absolute(problem.path), error), nullptr);
  for (const auto& [option, path] : outputs) {
    const auto [other, is_new] =
        taken.emplace(fs::weakly_canonical(fs::absolute(path), error), option);
    if (!is_new && other->second == nullptr)
      throw InputError(fmt::format("{} would replace the problem in {}; choose another file",
                                   option, path.string()));
    if (!is_new)
      throw InputError(fmt::format("{} and {} would both write {}; choose a file for each",
                                   other->second, option, path.string()));
    if (fs::is_directory(path, error))
      throw InputError(fmt::format("{} {} is a directory; choose a file", option, path.string()));
    if (const auto temporary = written_beside(path);
        !temporary.empty() && fs::exists(fs::symlink_status(temporary, error)))
      throw InputError(fmt::format(
          "{} exists, but scree needs this name for a temporary file of {}; move it away, or "
          "choose another file",
          temporary.string(), option));
  }
}

/// Throws InputError if a file's directory is missing: before a long solve rather than after it.
void check_directories(const Outputs& outputs) {
  std::error_code error;
  for (const auto& [option, path] : outputs)
    if (const fs::path directory = fs::absolute(path).parent_path();
        !fs::is_directory(directory, error))
      throw InputError(fmt::format("{} {}: there is no directory {}; create it", option,
                                   path.string(), directory.string()));
}

/// Labels of a file of whole numbers, separated by white space.
std::vector<int> labels_of(const fs::path& path) {
  std::vector<int> labels;
  if (path.empty()) return labels;
  std::istringstream text(read_file(path));
  for (std::string word; text >> word;) {
    int& label = labels.emplace_back();
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), label);
    if (error != std::errc() || end != word.data() + word.size())
      throw InputError(fmt::format("{}: '{}' is no whole number; write one for each contact",
                                   path.string(), word));
  }
  if (labels.empty()) throw InputError(fmt::format("{} has no numbers", path.string()));
  return labels;
}

ProblemSettings settings_of(const SolveCommandOptions& options) {
  ProblemSettings settings;
  settings.law = law_named(options.law).value();
  settings.facets = options.facets.value_or(settings.facets);
  settings.choice = choice_named(options.policy).value_or(settings.choice);
  SolverSettings& solver = settings.solver;
  solver.tolerance = options.tolerance;
  solver.max_sweeps = options.max_iterations.value_or(solver.max_sweeps);
  solver.acceleration = options.acceleration == "anderson"   ? Acceleration::anderson
                        : options.acceleration == "nesterov" ? Acceleration::nesterov
                                                             : Acceleration::none;
  solver.relaxation = options.relaxation.value_or(solver.relaxation);
  solver.facets = options.facets.value_or(solver.facets);
  solver.minimum_norm = options.minimum_norm;
  settings.subdomains = labels_of(options.subdomains);
  settings.max_seconds = options.max_seconds;
  settings.threads = options.threads.value_or(1);
  return settings;
}

std::vector<SolverKind> solvers_of(const SolveCommandOptions& options) {
  std::vector<SolverKind> solvers;
  for (const std::string& name : options.solvers) solvers.push_back(solver_named(name).value());
  return solvers;
}

void write_tables(const Problem& problem, const Solution& solution,
                  const SolveCommandOptions& options) {
  if (!options.history.empty()) write_file(options.history, history_table(solution));
  if (!options.contacts.empty()) write_file(options.contacts, contacts_table(problem, solution));
}

int solve_single(const ProblemPlace& source, const SolveCommandOptions& options) {
  Outputs outputs;
  for (const auto& output :
       {std::pair("--out", options.out), std::pair("--history", options.history),
        std::pair("--contacts", options.contacts)})
    if (!output.second.empty()) outputs.emplace_back(output);
  check_outputs(outputs, {source});
  check_directories(outputs);

  const ProblemSettings settings = settings_of(options);
  const Problem problem = read_problem(source.name, source.path, settings);
  if (problem.is_asymmetric())
    say(stderr, "scree: warning: {}: {}\n", source.path.string(), asymmetry_in_words(problem));
  const SolvedProblem solved =
      solve_one(problem, solvers_of(options).front(), settings, is_interrupted);
  const bool suited = solved.is_suited();
  if (suited) {
    write_tables(problem, solved.solution, options);
    if (!options.out.empty())
      write_fclib_solution(problem.file, solved.solution.r, solved.solution.u, options.out);
  }
  if (options.json) {
    std::fputs(as_text(json_of(problem, solved, settings)).c_str(), stdout);
  } else if (suited) {
    say(stdout, "{}", report_of(problem, solved, settings));
    for (const auto& [option, path] : outputs) say(stdout, "{:<12}{}\n", "written", path.string());
    if (options.out.empty()) std::printf("%-12sadd --out FILE to store r and u\n", "not written");
  }
  if (!suited) {
    say(stderr, "scree: error: {}: {}; nothing was written\n", source.path.string(),
        unsuited(settings.law, solved.solver));
  } else if (solved.exit_status() == kInterrupted) {
    std::fprintf(stderr, "Interrupted; the impulses are the best until then.\n");
  } else if (solved.exit_status() == kToleranceMissed) {
    say(stderr, "scree: warning: {}: {}; the impulses are the best found\n", source.path.string(),
        solved.solution.status == SolveStatus::infeasible ? "there is no solution"
                                                          : "the tolerance was missed");
  }
  return solved.exit_status();
}

/// Directory for the results of several problems; empty if they are not written.
fs::path directory_of(const SolveCommandOptions& options) {
  if (!options.out.empty() || options.problems.size() > 1 ||
      !fs::is_directory(options.problems.front()))
    return options.out;
  return fs::path("out") / ("solve_" + fs::canonical(options.problems.front()).filename().string());
}

}  // namespace

int solve_problems(const SolveCommandOptions& options) {
  check(options);
  const std::vector<ProblemPlace> problems = find_problems(options.problems);
  catch_interrupts();
  const bool single = options.problems.size() == 1 && options.solvers.size() == 1 &&
                      !fs::is_directory(options.problems.front());
  if (single) return solve_single(problems.front(), options);

  for (const auto& [option, path] :
       {std::pair("--history", options.history), std::pair("--contacts", options.contacts),
        std::pair("--subdomains", options.subdomains)})
    if (!path.empty())
      throw InputError(fmt::format(
          "{} needs one file and one solver; leave it out, or give one of each", option));
  const fs::path out = directory_of(options);
  Outputs outputs;
  if (!out.empty())
    for (const ProblemPlace& problem : problems)
      outputs.emplace_back("--out", solution_path(out, problem));
  check_outputs(outputs, problems);
  CollectionReporter reporter(problems, options, out);
  const CollectionResult result =
      solve_collection(problems, solvers_of(options), settings_of(options), out, reporter);
  reporter.report_files(result);
  return result.exit_status;
}

}  // namespace scree::cli

/// Solves collections of problem files with several solvers, for `scree solve`.
#include "scree/run/problem_collection.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>

#include "scree/core/csv.hpp"
#include "scree/io/files.hpp"
#include "scree/run/exit_status.hpp"
#include "scree/run/growing_table.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// A cell of a CSV file.
std::string csv_cell_of(const Json& value) {
  if (value.is_string()) return csv_cell(value.get<std::string>());
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  return value.is_null() ? "" : value.dump();
}

/// Column of a table of results; "classes/sliding" is a nested field.
constexpr std::array kCsvFields{"problem",
                                "file",
                                "contacts",
                                "joints",
                                "law",
                                "solver",
                                "tolerance",
                                "status",
                                "iterations",
                                "seconds",
                                "residual_scaled",
                                "residual_fclib",
                                "classes/separating",
                                "classes/sticking",
                                "classes/sliding",
                                "dissipation",
                                "message"};

std::string csv_header() {
  std::string header;
  for (const std::string_view field : kCsvFields)
    header += (header.empty() ? "" : ",") + std::string(field.substr(field.find('/') + 1));
  return header;
}

std::string csv_row(const Json& result) {
  std::string row;
  for (const std::string field : kCsvFields) {
    if (field != kCsvFields.front()) row += ',';
    row += csv_cell_of(result.value(Json::json_pointer("/" + field), Json()));
  }
  return row;
}

/// Empty for a solver that does not accept the problem.
std::string figure(const Json& result, const char* key, fmt::format_string<double> format) {
  return result.contains(key) ? fmt::format(format, result[key].get<double>()) : "-";
}

/// A row of table.md.
std::string marked(const ResultCells& cells) {
  std::string line = "|";
  for (std::string cell : cells) {
    for (std::size_t at = 0; (at = cell.find_first_of("|\n", at)) != std::string::npos; at += 2)
      cell.replace(at, 1, cell[at] == '|' ? "\\|" : "  ");  // a cell may not end here
    line += " " + cell + " |";
  }
  return line + "\n";
}

/// Result of an unusable file, with the reason.
ResultCells markdown_cells(const Json& result) {
  if (is_solved(result)) return cells_of(result);
  const std::string status = result["status"], message = result["message"];
  return {result["problem"], "", "", "", status + ": " + message, "", "", ""};
}

std::string markdown_of(const std::vector<Json>& results) {
  std::string markdown = marked(kResultHeader) + "|---|--:|---|---|---|--:|--:|--:|\n";
  for (const Json& result : results) markdown += marked(markdown_cells(result));
  return markdown;
}

/// Results of one solver on all problems.
struct ProblemTally {
  std::map<std::string, int> statuses;
  int converged = 0;
  double sum_of_logarithms = 0;  ///< of the seconds of converged problems

  void add(const Solution& solution) {
    ++statuses[std::string(name(solution.status))];
    if (solution.status != SolveStatus::converged) return;
    ++converged;
    sum_of_logarithms += std::log(std::max(solution.seconds, 1e-9));
  }
  std::optional<double> geometric_mean() const {
    if (converged == 0) return {};
    return std::exp(sum_of_logarithms / converged);
  }
};

/// Solves all problems, and writes the results.
class Collection {
 public:
  Collection(const std::vector<SolverKind>& solvers, const ProblemSettings& settings,
             const fs::path& out, CollectionObserver& observer)
      : solvers_(solvers), settings_(settings), out_(out), observer_(observer) {}

  CollectionResult run(const std::vector<ProblemPlace>& problems) {
    for (const ProblemPlace& source : problems)
      if (!observer_.stop_requested()) solve(source);
    CollectionResult result{.results = results_,
                            .problems = problems.size(),
                            .interrupted = observer_.stop_requested()};
    for (const auto& [solver, tally] : tallies_)
      result.solvers.push_back({solver, tally.statuses, tally.geometric_mean()});
    result.exit_status = result.interrupted ? kInterrupted : worst_ending();
    return result;
  }

 private:
  void tell(const Json& result) {
    observer_.result(result);
    results_.push_back(result);
    if (out_.empty()) return;
    table_.add(csv_row(result));
    table_.write(out_);
  }

  /// Records an unusable file; the others continue.
  void report_failure(const ProblemPlace& source, const char* status, int exit_status,
                      const std::string& message) {
    tell({{"problem", source.name},
          {"file", source.path.string()},
          {"status", status},
          {"exit_status", exit_status},
          {"message", message}});
    ++endings_[exit_status];
  }

  std::optional<Problem> read(const ProblemPlace& source) {
    try {
      return read_problem(source.name, source.path, settings_);
    } catch (const InputError& error) {
      report_failure(source, "bad_input", kBadInput, error.what());
    } catch (const OutputError& error) {
      report_failure(source, "unreadable", kInputOutputFailure, error.what());
    }
    return std::nullopt;
  }

  void solve(const ProblemPlace& source) {
    if (!out_.empty()) remove_table(solution_path(out_, source));  // an earlier answer
    const std::optional<Problem> problem = read(source);
    if (!problem) return;
    if (problem->is_asymmetric())
      observer_.warn(fmt::format("{}: {}", source.path.string(), asymmetry_in_words(*problem)));
    std::optional<SolvedProblem> best;
    for (const SolverKind solver : solvers_) {
      SolvedProblem solved =
          solve_one(*problem, solver, settings_, [this] { return observer_.stop_requested(); });
      // its figures would not be comparable
      if (solved.solution.status == SolveStatus::stopped) break;
      tell(json_of(*problem, solved, settings_));
      tallies_[std::string(name(solver))].add(solved.solution);
      const bool best_suited = best && best->is_suited();
      if (!best || (solved.is_suited() &&
                    (!best_suited || solved.solution.residual < best->solution.residual)))
        best = std::move(solved);
      if (observer_.stop_requested()) break;
    }
    if (!best) return;
    ++endings_[best->exit_status()];
    if (!out_.empty() && best->is_suited())
      write_fclib_solution(problem->file, best->solution.r, best->solution.u,
                           solution_path(out_, source));
  }

  int worst_ending() const {
    for (const int status : {kInputOutputFailure, kBadInput, kToleranceMissed})
      if (endings_.contains(status)) return status;
    return kDone;
  }

  const std::vector<SolverKind>& solvers_;
  const ProblemSettings& settings_;
  const fs::path& out_;
  CollectionObserver& observer_;
  GrowingTable table_{{"results.csv", csv_header()}};
  std::vector<Json> results_;
  std::map<std::string, ProblemTally> tallies_;
  std::map<int, int> endings_;  ///< number of problems by exit status of their best solver
};

}  // namespace

ResultCells cells_of(const Json& result) {
  return {result["problem"],
          result["contacts"].dump(),
          result["law"],
          result["solver"],
          result["status"],
          figure(result, "residual_scaled", "{:.2e}"),
          figure(result, "iterations", "{:.0f}"),
          figure(result, "seconds", "{:.3g}")};
}

std::size_t CollectionResult::not_usable() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(results, [](const Json& result) { return !is_solved(result); }));
}

Json CollectionResult::json() const {
  Json by_solver = Json::object();
  for (const SolverSummary& solver : solvers)
    by_solver[solver.name] = {
        {"status", solver.statuses},
        {"geometric_mean_seconds", solver.mean_seconds ? Json(*solver.mean_seconds) : Json()}};
  return {
      {"status", interrupted ? "interrupted" : "done"},
      {"exit_status", exit_status},
      {"results", results},
      {"summary", {{"problems", problems}, {"not_usable", not_usable()}, {"solvers", by_solver}}}};
}

CollectionResult solve_collection(const std::vector<ProblemPlace>& problems,
                                  const std::vector<SolverKind>& solvers,
                                  const ProblemSettings& settings, const fs::path& out,
                                  CollectionObserver& observer) {
  if (!out.empty()) {
    make_directories(out / "solutions");
    for (const char* file : {"results.csv", "results.json", "table.md", "performance_profile.png"})
      remove_table(out / file);
  }
  observer.begin();
  CollectionResult result = Collection(solvers, settings, out, observer).run(problems);
  observer.end(result);
  if (!out.empty()) {
    write_file(out / "results.json", as_text(result.json()));
    write_file(out / "table.md", markdown_of(result.results));
  }
  return result;
}

fs::path solution_path(const fs::path& out, const ProblemPlace& problem) {
  return out / "solutions" / (problem.name + ".hdf5");
}

std::vector<ProblemPlace> find_problems(const std::vector<fs::path>& files_and_directories) {
  std::vector<ProblemPlace> found;
  std::set<std::string> taken;
  const auto add = [&](const fs::path& path) {
    const std::string stem = path.stem().string();
    std::string name = stem;
    for (int count = 2; !taken.insert(name).second; ++count)
      name = fmt::format("{}_{}", stem, count);
    found.push_back({name, path});
  };
  for (const fs::path& path : files_and_directories) {
    std::vector<fs::path> files;
    if (!fs::is_directory(path)) {
      files = {path};
    } else {
      for (const fs::directory_entry& entry : fs::directory_iterator(path))
        if (entry.path().extension() == ".hdf5" || entry.path().extension() == ".h5")
          files.push_back(entry.path());
      std::ranges::sort(files);
      if (files.empty())
        throw InputError(fmt::format(
            "{} contains no problem files, *.hdf5 or *.h5; give the directory that contains them",
            path.string()));
    }
    for (const fs::path& file : files) add(file);
  }
  return found;
}

}  // namespace scree

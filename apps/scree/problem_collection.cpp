#include "problem_collection.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>

#include "interrupt.hpp"
#include "pictures.hpp"
#include "say.hpp"
#include "scree/io/files.hpp"
#include "scree/io/json_text.hpp"
#include "scree/run/exit_status.hpp"
#include "scree/run/growing_table.hpp"
#include "solved_problem.hpp"

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

/// A cell of a CSV file, in quotes if it must be.
std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string csv_cell(const Json& value) {
  if (value.is_string()) return csv_cell(value.get<std::string>());
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  return value.is_null() ? "" : value.dump();
}

/// What a table has of a result; "classes/sliding" is a field of a field.
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
    row += csv_cell(result.value(Json::json_pointer("/" + field), Json()));
  }
  return row;
}

/// The table for people, on the screen and in table.md.
class Rows {
 public:
  explicit Rows(const std::vector<ProblemPlace>& problems, const SolveCommandOptions& options) {
    std::size_t problem = 7, solver = 6, law = options.law.size();
    for (const ProblemPlace& place : problems) problem = std::max(problem, place.name.size());
    for (const std::string& name : options.solvers) solver = std::max(solver, name.size());
    width_ = {problem, 8, std::max<std::size_t>(law, 3), solver, 10, 9, 10, 9};
  }

  std::string header() {
    const Cells cells{"problem", "contacts", "law",        "solver",
                      "status",  "E_s",      "iterations", "seconds"};
    markdown_ = marked(cells) + "|---|--:|---|---|---|--:|--:|--:|\n";
    return aligned(cells);
  }
  std::string add(const Json& result) {
    if (!result.contains("solver")) {
      const std::string status = result["status"], message = result["message"],
                        problem = result["problem"];
      markdown_ += marked({problem, "", "", "", status + ": " + message, "", "", ""});
      return fmt::format("{:<{}}  {}: {}\n", problem, width_[0], status, message);
    }
    const Cells cells{result["problem"],
                      result["contacts"].dump(),
                      result["law"],
                      result["solver"],
                      result["status"],
                      figure(result, "residual_scaled", "{:.2e}"),
                      figure(result, "iterations", "{:.0f}"),
                      figure(result, "seconds", "{:.3g}")};
    markdown_ += marked(cells);
    return aligned(cells);
  }
  const std::string& markdown() const { return markdown_; }

 private:
  using Cells = std::array<std::string, 8>;

  /// A solver that does not suit the problem has none.
  static std::string figure(const Json& result, const char* key,
                            fmt::format_string<double> format) {
    return result.contains(key) ? fmt::format(format, result[key].get<double>()) : "-";
  }

  std::string aligned(const Cells& cells) const {
    std::string line;
    for (std::size_t k = 0; k < cells.size(); ++k) {
      const bool is_number = k == 1 || k >= 5;
      line += is_number ? fmt::format("{:>{}}", cells[k], width_[k])
                        : fmt::format("{:<{}}", cells[k], width_[k]);
      line += k + 1 < cells.size() ? "  " : "\n";
    }
    return line;
  }
  static std::string marked(const Cells& cells) {
    std::string line = "|";
    for (std::string cell : cells) {
      for (std::size_t at = 0; (at = cell.find_first_of("|\n", at)) != std::string::npos; at += 2)
        cell.replace(at, 1, cell[at] == '|' ? "\\|" : "  ");  // neither may end the cell
      line += " " + cell + " |";
    }
    return line + "\n";
  }

  std::array<std::size_t, 8> width_{};
  std::string markdown_;
};

/// What one solver did on all problems.
struct Tally {
  std::map<std::string, int> statuses;
  int converged = 0;
  double sum_of_logarithms = 0;  ///< of the seconds of those that converged

  void add(const Solution& solution) {
    ++statuses[std::string(scree::name(solution.status))];
    if (solution.status != SolveStatus::converged) return;
    ++converged;
    sum_of_logarithms += std::log(std::max(solution.seconds, 1e-9));
  }
  Json geometric_mean() const {
    return converged > 0 ? Json(std::exp(sum_of_logarithms / converged)) : Json();
  }
};

/// A run through all problems, and what it writes.
class Collection {
 public:
  Collection(const std::vector<ProblemPlace>& problems, const SolveCommandOptions& options,
             fs::path out)
      : problems_(problems), options_(options), out_(std::move(out)), rows_(problems, options) {}

  int run() {
    if (!out_.empty()) {
      make_directories(out_ / "solutions");
      for (const char* file :
           {"results.csv", "results.json", "table.md", "performance_profile.png"})
        remove_table(out_ / file);
    }
    print(rows_.header());
    for (const ProblemPlace& place : problems_)
      if (!is_interrupted()) solve(place);
    finish();
    return status();
  }

 private:
  void print(const std::string& line) const {
    if (options_.json) return;
    say(stdout, "{}", line);
    std::fflush(stdout);
  }

  void tell(const Json& result) {
    print(rows_.add(result));
    results_.push_back(result);
    if (out_.empty()) return;
    table_.add(csv_row(result));
    table_.write(out_);
  }

  /// A file that cannot be used; the others go on.
  void tell_failure(const ProblemPlace& place, const char* status, int exit_status,
                    const std::string& message) {
    tell({{"problem", place.name},
          {"file", place.path.string()},
          {"status", status},
          {"exit_status", exit_status},
          {"message", message}});
    ++endings_[exit_status];
  }

  std::optional<Problem> read(const ProblemPlace& place) {
    try {
      return read_problem(place.name, place.path, options_);
    } catch (const InputError& error) {
      tell_failure(place, "bad_input", kBadInput, error.what());
    } catch (const OutputError& error) {
      tell_failure(place, "unreadable", kInputOutputFailure, error.what());
    }
    return std::nullopt;
  }

  void solve(const ProblemPlace& place) {
    if (!out_.empty()) remove_table(solution_path(out_, place));  // an earlier answer
    const std::optional<Problem> problem = read(place);
    if (!problem) return;
    if (problem->is_asymmetric())
      scree::cli::say(stderr, "scree: warning: {}: {}\n", place.path.string(),
                      asymmetry_in_words(*problem));
    std::optional<SolvedProblem> best;
    for (const std::string& solver : options_.solvers) {
      SolvedProblem solved = solve_one(*problem, solver_named(solver).value(), options_);
      // its figures would not compare with others
      if (solved.solution.status == SolveStatus::stopped) break;
      tell(json_of(*problem, solved, options_));
      tallies_[solver].add(solved.solution);
      const bool suited = solved.solution.status != SolveStatus::unsuited;
      const bool best_suited = best && best->solution.status != SolveStatus::unsuited;
      if (!best || (suited && (!best_suited || solved.solution.residual < best->solution.residual)))
        best = std::move(solved);
      if (is_interrupted()) break;
    }
    if (!best) return;
    ++endings_[best->exit_status()];
    if (!out_.empty() && best->solution.status != SolveStatus::unsuited)
      write_fclib_solution(problem->file, best->solution.r, best->solution.u,
                           solution_path(out_, place));
  }

  int status() const {
    if (is_interrupted()) return kInterrupted;
    for (const int status : {kInputOutputFailure, kBadInput, kToleranceMissed})
      if (endings_.contains(status)) return status;
    return kDone;
  }

  Json summary() const {
    Json json{
        {"problems", problems_.size()}, {"not_usable", not_usable()}, {"solvers", Json::object()}};
    for (const auto& [solver, tally] : tallies_)
      json["solvers"][solver] = {{"status", tally.statuses},
                                 {"geometric_mean_seconds", tally.geometric_mean()}};
    return json;
  }
  std::size_t not_usable() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        results_, [](const Json& result) { return !result.contains("solver"); }));
  }

  std::string summary_in_words() const {
    std::string text;
    for (const auto& [solver, tally] : tallies_) {
      text += solver + ":";
      for (const auto& [status, count] : tally.statuses)
        text += fmt::format(" {} {},", count, status);
      text.back() = '.';
      if (tally.converged > 0)
        text += fmt::format(" Geometric mean of the time where it converged: {:.3g} s.",
                            tally.geometric_mean().get<double>());
      text += '\n';
    }
    if (not_usable() > 0)
      text += fmt::format("Not usable: {} of {} files.\n", not_usable(), problems_.size());
    return text;
  }

  void finish() const {
    const Json json{{"status", is_interrupted() ? "interrupted" : "done"},
                    {"exit_status", status()},
                    {"results", results_},
                    {"summary", summary()}};
    const std::string text = as_text(json);
    if (options_.json) std::fputs(text.c_str(), stdout);
    print("\n" + summary_in_words());
    if (is_interrupted()) std::fprintf(stderr, "Interrupted; what had been solved is told.\n");
    if (out_.empty()) return print("Not written: --out DIR keeps tables and solutions.\n");
    write_file(out_ / "results.json", text);
    write_file(out_ / "table.md", rows_.markdown());
    print(fmt::format("Written: {}\n", out_.string()));
    if (options_.pictures && !is_interrupted() && !tallies_.empty())
      draw_performance_profile(out_, [&](bool is_warning, const std::string& line) {
        if (is_warning) say(stderr, "warning: {}\n", line);
      });
  }

  const std::vector<ProblemPlace>& problems_;
  const SolveCommandOptions& options_;
  fs::path out_;
  Rows rows_;
  GrowingTable table_{"results.csv", csv_header()};
  std::vector<Json> results_;
  std::map<std::string, Tally> tallies_;
  std::map<int, int> endings_;  ///< problems by exit status, each by its best solver
};

}  // namespace

int solve_collection(const std::vector<ProblemPlace>& problems, const SolveCommandOptions& options,
                     const fs::path& out) {
  return Collection(problems, options, out).run();
}

fs::path solution_path(const fs::path& out, const ProblemPlace& problem) {
  return out / "solutions" / (problem.name + ".hdf5");
}

std::vector<ProblemPlace> find_problems(const std::vector<fs::path>& files_and_directories) {
  std::vector<ProblemPlace> places;
  std::set<std::string> taken;
  const auto add = [&](const fs::path& path) {
    const std::string stem = path.stem().string();
    std::string name = stem;
    for (int count = 2; !taken.insert(name).second; ++count)
      name = fmt::format("{}_{}", stem, count);
    places.push_back({name, path});
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
            "{} has no problem files in it, *.hdf5 or *.h5; name the directory that has",
            path.string()));
    }
    for (const fs::path& file : files) add(file);
  }
  return places;
}

}  // namespace scree::cli

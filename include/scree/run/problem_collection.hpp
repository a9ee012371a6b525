/// Several problems, or several solvers: a table, and a directory of results.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scree/run/solved_problem.hpp"

namespace scree {

struct ProblemPlace {
  std::string name;  ///< no two of a collection have the same
  std::filesystem::path path;
};

/// The files themselves, and those *.hdf5 and *.h5 in directories, by name. Throws InputError if
/// there are none in one.
std::vector<ProblemPlace> find_problems(
    const std::vector<std::filesystem::path>& files_and_directories);

/// What one solver did on all problems.
struct SolverSummary {
  std::string name;
  std::map<std::string, int> statuses;  ///< how many problems ended so
  std::optional<double> mean_seconds;   ///< geometric, where it converged [s]; none if nowhere
};

struct CollectionResult {
  /// One of each problem and solver: the fields of json_of(), or of a file that cannot be used the
  /// reason
  std::vector<Json> results;
  std::size_t problems = 0;
  std::vector<SolverSummary> solvers;  ///< by name
  bool interrupted = false;
  /// Of what is worst among the problems, each by its best solver
  int exit_status = 0;

  std::size_t not_usable() const;  ///< files
  Json json() const;               ///< the content of results.json
};

/// Whether a result is of a problem that could be read.
inline bool is_solved(const Json& result) { return result.contains("solver"); }

/// Such a result as a row of a table for people, and the head of that table.
using ResultCells = std::array<std::string, 8>;
inline const ResultCells kResultHeader{"problem", "contacts", "law",        "solver",
                                       "status",  "E_s",      "iterations", "seconds"};
ResultCells cells_of(const Json& result);

/// Hears how a collection goes on, and may stop it.
class CollectionObserver {
 public:
  virtual ~CollectionObserver() = default;

  virtual void begin() {}  ///< the directory is there, results of earlier are gone
  virtual void warn(const std::string& /*message*/) {}
  virtual void result(const Json& /*result*/) {}  ///< as soon as it is there
  /// True ends the collection in good order; it stays true. See StopRequested.
  virtual bool stop_requested() { return false; }
  virtual void end(const CollectionResult& /*result*/) {}  ///< before the last files are written
};

/// Solves each problem by each solver. If `out` is not empty writes there
///   results.csv             row by row
///   results.json, table.md  at the end, also if the observer was the end
///   solutions/NAME.hdf5     the answer of the least residual
/// Throws OutputError if `out` cannot be written.
CollectionResult solve_collection(const std::vector<ProblemPlace>& problems,
                                  const std::vector<SolverKind>& solvers,
                                  const ProblemSettings& settings, const std::filesystem::path& out,
                                  CollectionObserver& observer);

/// Where solve_collection puts the solution of a problem.
std::filesystem::path solution_path(const std::filesystem::path& out, const ProblemPlace& problem);

}  // namespace scree

/// Collections of problems and solvers: a table, and a directory of results.
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

/// Lists the given files, and *.hdf5 and *.h5 in the given directories, by name. Throws InputError
/// if a directory has none.
std::vector<ProblemPlace> find_problems(
    const std::vector<std::filesystem::path>& files_and_directories);

/// Results of one solver on all problems.
struct SolverSummary {
  std::string name;
  std::map<std::string, int> statuses;  ///< number of problems with this status
  /// geometric, of converged problems [s]; none if none converged
  std::optional<double> mean_seconds;
};

struct CollectionResult {
  /// One for each problem and solver: the fields of json_of(), or the reason why a file is unusable
  std::vector<Json> results;
  std::size_t problems = 0;
  std::vector<SolverSummary> solvers;  ///< by name
  bool interrupted = false;
  /// The worst of all problems, each by its best solver
  int exit_status = 0;

  std::size_t not_usable() const;  ///< files
  Json json() const;               ///< the content of results.json
};

/// True if the problem of a result was read.
inline bool is_solved(const Json& result) { return result.contains("solver"); }

/// Such a result as a row of a printed table, and the header of this table.
using ResultCells = std::array<std::string, 8>;
inline const ResultCells kResultHeader{"problem", "contacts", "law",        "solver",
                                       "status",  "E_s",      "iterations", "seconds"};
ResultCells cells_of(const Json& result);

/// Receives the progress of a collection, and may stop it.
class CollectionObserver {
 public:
  virtual ~CollectionObserver() = default;

  virtual void begin() {}  ///< the directory exists, older results are removed
  virtual void warn(const std::string& /*message*/) {}
  virtual void result(const Json& /*result*/) {}  ///< as soon as it is known
  /// True ends the collection regularly; it must stay true. See StopRequested.
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

/// File to which solve_collection() writes the solution of a problem.
std::filesystem::path solution_path(const std::filesystem::path& out, const ProblemPlace& problem);

}  // namespace scree

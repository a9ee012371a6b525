/// Several problems, or several solvers: a table, and a directory of results.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "commands.hpp"

namespace scree::cli {

struct ProblemPlace {
  std::string name;  ///< no two of a collection have the same
  std::filesystem::path path;
};

/// The files themselves, and those *.hdf5 and *.h5 in directories, by name. Throws InputError if
/// there are none in one.
std::vector<ProblemPlace> find_problems(
    const std::vector<std::filesystem::path>& files_and_directories);

/// Solves each problem by each solver, and prints a row each. If `out` is not empty writes
///   results.csv             row by row
///   results.json, table.md  at the end, also if a signal was the end
///   solutions/NAME.hdf5     the answer of the least residual
///   performance_profile.png
/// The exit status: of what is worst among the problems, each by its best solver. Throws
/// OutputError if `out` cannot be written.
int solve_collection(const std::vector<ProblemPlace>& problems, const SolveCommandOptions& options,
                     const std::filesystem::path& out);

/// Where solve_collection puts the solution of a problem.
std::filesystem::path solution_path(const std::filesystem::path& out, const ProblemPlace& problem);

}  // namespace scree::cli

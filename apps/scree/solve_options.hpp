/// The command line of scree solve.
#pragma once

#include "commands.hpp"

namespace CLI {
class App;
}

namespace scree::cli {

/// Adds options and help to a subcommand; they fill `options` when the command line is read.
void add_solve_options(CLI::App& solve, SolveCommandOptions& options);

/// Throws InputError for what cannot be done as it was asked for, or would say nothing; before anything is read.
void check(const SolveCommandOptions& options);

}  // namespace scree::cli

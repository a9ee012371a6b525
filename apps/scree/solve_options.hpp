/// The command line of scree solve.
#pragma once

#include <string>

#include "commands.hpp"

namespace CLI {
class App;
}

namespace scree::cli {

/// Adds options and help to a subcommand; they fill `options` when the command line is read.
void add_solve_options(CLI::App& solve, SolveCommandOptions& options);

/// What is wrong with the value of an option that needs one; empty if nothing is.
std::string not_empty(const std::string& text);

/// Throws InputError for what cannot be done as it was asked for, or would say nothing; before
/// anything is read.
void check(const SolveCommandOptions& options);

}  // namespace scree::cli

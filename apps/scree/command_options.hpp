/// The command lines of scree analyse, batch, contact, export, import, movie, pair, picture and
/// solve.
#pragma once

#include <string>
#include <vector>

#include "commands.hpp"

namespace CLI {
class App;
}

namespace scree::cli {

/// Add options and help to a subcommand; they fill `options` when the command line is read.
void add_analyse_options(CLI::App& analyse, AnalyseOptions& options);
void add_batch_options(CLI::App& batch, BatchCommandOptions& options);
void add_contact_options(CLI::App& contact, ContactOptions& options);
void add_export_options(CLI::App& app, ExportOptions& options);
void add_import_options(CLI::App& importer, ImportOptions& options);
void add_movie_options(CLI::App& movie, MovieOptions& options);
void add_pair_options(CLI::App& pair, PairOptions& options);
void add_picture_options(CLI::App& picture, PictureOptions& options);
void add_solve_options(CLI::App& solve, SolveCommandOptions& options);

/// Options that several subcommands have.
void add_overrides(CLI::App& command, std::vector<std::string>& overrides);  ///< --set
void add_threads(CLI::App& command, int& threads);
void add_json(CLI::App& command, bool& json);

/// Complaint about an empty value of an option; empty if the value is good.
std::string not_empty(const std::string& text);

/// Throws InputError for options that contradict each other or have no effect. Reads no problem.
void check(const SolveCommandOptions& options);

}  // namespace scree::cli

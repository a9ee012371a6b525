/// The log of a run: console, log.txt and log.jsonl.
#pragma once

#include <filesystem>
#include <memory>
#include <spdlog/logger.h>

namespace scree::cli {

class Progress;

/// What goes to standard error.
enum class Console { all, warnings, nothing };

/// Logs to standard error, as far as that is asked for.
std::shared_ptr<spdlog::logger> make_log(Console console, Progress& progress);

/// Logs to RUN/log.txt and RUN/log.jsonl as well, everything; behind what is there if `append`.
/// Throws OutputError if they cannot be made, and so does the log from then on if they cannot be
/// written.
void log_to_files(spdlog::logger& log, const std::filesystem::path& run_directory, bool append);

}  // namespace scree::cli

/// The log of a run: console, log.txt and log.jsonl.
#pragma once

#include <filesystem>
#include <memory>
#include <spdlog/logger.h>

namespace scree::cli {

class Progress;

/// Messages that standard error shows.
enum class Console { all, warnings, nothing };

/// A log to standard error, of the messages that `console` selects.
std::shared_ptr<spdlog::logger> make_log(Console console, Progress& progress);

/// Adds RUN/log.txt and RUN/log.jsonl, which get all messages; `append` keeps their old lines.
/// Throws OutputError if they cannot be opened; later the log throws it if they cannot be written.
void log_to_files(spdlog::logger& log, const std::filesystem::path& run_directory, bool append);

}  // namespace scree::cli

/// statistics.csv: one row per sample of a run, for pandas, gnuplot and spreadsheets. Columns and
/// units: docs/guide/output.md.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "scree/io/checksum.hpp"
#include "scree/sim/report.hpp"

namespace scree {

inline constexpr const char* kStatisticsFile = "statistics.csv";

/// Steps since the last row.
struct StepsSinceRow {
  std::uint64_t steps = 0;
  Tallies tallies;
  std::int64_t sweeps = 0;
  int sweeps_max = 0;
  std::array<double, kStageNames.size()> stage_seconds{};
};

/// Columns of the file, separated by commas.
std::string statistics_columns();

/// Collects the reports of every step and writes a row per sample. All functions throw OutputError.
class StatisticsFile {
 public:
  /// Starts the file with its header line; replaces an existing file.
  explicit StatisticsFile(std::filesystem::path path);
  /// Continues from mark(): later rows are cut off. Throws InputError if the file is shorter than
  /// at the mark, or changed.
  StatisticsFile(std::filesystem::path path, const nlohmann::json& mark);

  /// Length of the file, and the counts for its next row.
  nlohmann::json mark() const;

  /// Adds a step to the next row, which write_row() writes.
  void add(const Report& report);
  /// Writes a row for the steps since the last row, and flushes it to the operating system.
  void write_row(std::uint64_t state_hash);
  /// Closes the file; throws errors that the destructor would ignore.
  void close();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void write(std::string_view text);

  std::filesystem::path path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t bytes_ = 0;  ///< written
  Checksum checksum_;        ///< of them
  Report last_;
  StepsSinceRow since_row_;
};

/// Reads time, step and the energies of each row; other fields of the reports stay 0. An incomplete
/// last row is left out. Throws OutputError if the file cannot be read, InputError if a column is
/// missing or has a value that is not a number.
std::vector<Report> read_energies(const std::filesystem::path& path);

}  // namespace scree

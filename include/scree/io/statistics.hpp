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
  /// Counts, sums and maxima since the last row.
  struct SinceRow {
    std::uint64_t steps = 0, steps_not_converged = 0;
    std::size_t bodies_added = 0, bodies_removed = 0, bodies_skipped = 0, local_failures = 0;
    std::uint64_t contacts = 0, contacts_over_tolerance = 0, contacts_left_out = 0;
    std::uint64_t contacts_growing_penetration = 0;
    double max_penetration = 0, residual = 0, worst_residual = 0, energy_created = 0;
    std::int64_t sweeps = 0;
    int sweeps_max = 0;
    std::array<double, kStageNames.size()> stage_seconds{};

    template <class Self, class F>
    static void for_each(Self& s, F&& f) {
      f("steps", s.steps), f("steps_not_converged", s.steps_not_converged),
          f("bodies_added", s.bodies_added);
      f("bodies_removed", s.bodies_removed), f("bodies_skipped", s.bodies_skipped);
      f("local_failures", s.local_failures), f("max_penetration", s.max_penetration),
          f("residual", s.residual);
      f("contacts", s.contacts), f("contacts_over_tolerance", s.contacts_over_tolerance);
      f("contacts_left_out", s.contacts_left_out),
          f("contacts_growing_penetration", s.contacts_growing_penetration),
          f("energy_created", s.energy_created);
      f("worst_residual", s.worst_residual), f("sweeps", s.sweeps), f("sweeps_max", s.sweeps_max);
      f("stage_seconds", s.stage_seconds);
    }
  };
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void write(std::string_view text);

  std::filesystem::path path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t bytes_ = 0;  ///< written
  Checksum checksum_;        ///< of them
  Report last_;
  SinceRow since_row_;
};

/// Reads time, step and the energies of each row; other fields of the reports stay 0. An incomplete
/// last row is left out. Throws OutputError if the file cannot be read, InputError if a column is
/// missing or has a value that is not a number.
std::vector<Report> read_energies(const std::filesystem::path& path);

}  // namespace scree

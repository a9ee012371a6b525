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

/// Its columns, with commas between.
std::string statistics_columns();

/// Gathers the reports of every step and writes a row of them now and then. Everything throws
/// OutputError.
class StatisticsFile {
 public:
  /// Starts the file with its header line; replaces one that is there.
  explicit StatisticsFile(std::filesystem::path path);
  /// Goes on where mark() was called: rows that came later are cut off. Throws InputError if the
  /// file is shorter than that, or changed.
  StatisticsFile(std::filesystem::path path, const nlohmann::json& mark);

  /// How far the file is, and what is counted for its next row.
  nlohmann::json mark() const;

  /// Takes a step into account; the row itself comes with write_row().
  void add(const Report& report);
  /// Writes a row on the steps added since the last one, and flushes it to the operating system.
  void write_row(std::uint64_t state_hash);
  /// Closes the file; tells of errors that the destructor would have to swallow.
  void close();

 private:
  /// What is counted, summed up or the largest since the last row.
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

/// Of each row time, step and the energies; other fields of the reports are left at 0. A last row
/// that is not complete yet is left out. Throws OutputError if the file cannot be read, InputError
/// if a column is missing or holds no number.
std::vector<Report> read_energies(const std::filesystem::path& path);

}  // namespace scree

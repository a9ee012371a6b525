/// The tables of an analysis: one row per frame, per bin or per cell. Columns and units:
/// docs/guide/analysis.md.
///
/// The same for frames that are read and for a simulation that runs.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scree/analysis/bed.hpp"
#include "scree/analysis/coarse_fields.hpp"
#include "scree/analysis/contact_statistics.hpp"
#include "scree/analysis/contact_stress.hpp"
#include "scree/analysis/force_network.hpp"
#include "scree/analysis/pair_distribution.hpp"
#include "scree/analysis/velocity_profile.hpp"
#include "scree/io/frames.hpp"
#include "scree/run/analysis_settings.hpp"
#include "scree/run/growing_table.hpp"
#include "scree/run/measures.hpp"
#include "scree/sim/report.hpp"

namespace scree {

/// Where a run writes the tables of the analysis of this name.
std::filesystem::path analysis_directory(const std::filesystem::path& run, const std::string& name);

/// The tables of an analysis, those with them that it may have nothing to write into.
std::span<const TableHeader> analysis_tables();

/// How far the radial distribution function reaches if nobody says otherwise, in mean diameters.
inline constexpr double kDiametersOfPairs = 5;

/// Mean diameter [m]; exact where all are equal. 0 if there are none.
double mean_diameter_of(std::span<const double> radius);

/// A frame in a few numbers.
struct FrameFigures {
  double time = 0;  ///< [s]
  std::uint64_t step = 0;
  std::size_t bodies = 0;     ///< with their centre in the region
  double solid_fraction = 0;  ///< [-]
  std::optional<Bed> bed;
  std::optional<ContactStatistics> contacts;  ///< of these bodies
  double pressure = 0;                        ///< [Pa]; if there are contacts
};

class AnalysisTables {
 public:
  /// Of files in a directory, which write() makes. Throws InputError where the settings leave
  /// nothing to count.
  AnalysisTables(const AnalysisSettings& settings, std::filesystem::path directory);

  /// Takes a frame into account; `contacts` is null where there are none to be known. Force chains
  /// are written at once.
  void add(const GrainsFrame& grains, const std::vector<ContactRecord>* contacts);

  /// Brings all tables up to date, those about contacts only if some frame had them; the names of
  /// the files. Throws OutputError.
  std::vector<std::string> write();
  /// As write(), while more frames come: what is of all frames together lags behind by a sixteenth
  /// of them at most, so that what a frame costs does not grow with their number.
  void write_on_the_way();

  /// All that add() did; call it after write() or write_on_the_way().
  nlohmann::json mark() const;
  /// Throws InputError, with nothing changed, if files that mark() counted on are missing or not
  /// what they were.
  static void require_files(const std::filesystem::path& directory, const nlohmann::json& mark);
  /// Goes on where mark() was called; the files are as if written then. Throws InputError if a
  /// file is missing or changed.
  void restore(const nlohmann::json& mark);

  /// What analysis.json has, with all keys that it may have.
  Json keys() const;
  const AnalysisSettings& settings() const { return settings_; }
  std::size_t frames() const { return profile_.frames(); }
  const FrameFigures& last() const { return last_; }  ///< of the frame added last
  const Measures& measures() const { return measures_; }
  const std::optional<CoarseFields>& fields() const { return fields_; }

 private:
  void add_bed(const GrainsFrame& grains, const std::string& when);
  void add_contacts(const GrainsFrame& grains, const Bodies& images,
                    const std::vector<ContactRecord>& contacts, const std::string& when);
  void write_force_chains(const GrainsFrame& grains, const ForceNetwork& network);
  /// Tables with a row for each frame, and those of all frames together; the names of the files.
  std::vector<std::string> write_rows();
  std::vector<std::string> write_sums();
  void remove_sums() const;
  Json description() const;
  /// Calls f with each table that grows.
  template <class Self, class F>
  static void for_each_table(Self& self, F&& f) {
    f(self.solid_fraction_), f(self.bed_), f(self.coordination_), f(self.stress_),
        f(self.force_chains_);
    Measures::for_each_table(self.measures_, f);
  }

  AnalysisSettings settings_;
  std::filesystem::path directory_;
  VelocityProfile profile_;
  PairDistribution pairs_;
  ForceDistribution forces_;
  Measures measures_;
  std::optional<CoarseFields> fields_;
  FrameFigures last_;
  double first_time_ = 0;           ///< of the first frame [s]
  std::size_t frames_in_sums_ = 0;  ///< frames that write_sums() has written
  GrowingTable solid_fraction_, bed_, coordination_, stress_, force_chains_;
  FrameSeries chain_frames_;
};

/// What became of energy since the first row of the statistics, as a table (CSV).
std::string energy_table(const std::vector<Report>& rows);

}  // namespace scree

/// Tables of an analysis: one row per frame, per bin or per cell. Columns and units:
/// docs/guide/analysis.md.
///
/// They are the same for frames of a run and for a running simulation.
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

/// Directory for the tables of the analysis of this name.
std::filesystem::path analysis_directory(const std::filesystem::path& run, const std::string& name);

/// All tables of an analysis, also those that may have no rows.
std::span<const TableHeader> analysis_tables();

/// Default range of the radial distribution function, in mean diameters.
inline constexpr double kDiametersOfPairs = 5;

/// Mean diameter [m]; exact if all are equal. 0 without bodies.
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
  /// Tables in a directory, which write() makes. Throws InputError if the settings leave nothing to
  /// measure.
  AnalysisTables(const AnalysisSettings& settings, std::filesystem::path directory);

  /// Adds a frame; `contacts` is null if they are unknown. Writes force chains at once.
  void add(const GrainsFrame& grains, const std::vector<ContactRecord>* contacts);

  /// Writes all tables; those of contacts only if a frame had contacts. Gives the names of the
  /// files. Throws OutputError.
  std::vector<std::string> write();
  /// Writes tables between frames. Sums over all frames lag behind by at most a sixteenth of the
  /// frames, so that the cost of a frame does not grow with their number.
  void write_on_the_way();

  /// State for restore(); call it after write() or write_on_the_way().
  nlohmann::json mark() const;
  /// Throws InputError, with nothing changed, if files of mark() are missing or changed.
  static void require_files(const std::filesystem::path& directory, const nlohmann::json& mark);
  /// Continues from mark(): the files get the content they had then. Throws InputError if a file is
  /// missing or changed.
  void restore(const nlohmann::json& mark);

  /// Content of analysis.json with all keys that may occur.
  Json keys() const;
  const AnalysisSettings& settings() const { return settings_; }
  std::size_t frames() const { return profile_.frames(); }
  const FrameFigures& last() const { return last_; }  ///< of the last frame
  const Measures& measures() const { return measures_; }
  const std::optional<CoarseFields>& fields() const { return fields_; }

 private:
  void add_bed(const GrainsFrame& grains, const std::vector<ContactRecord>* contacts,
               const std::string& when);
  void add_contacts(const GrainsFrame& grains, const Bodies& images,
                    const std::vector<ContactRecord>& contacts, const std::string& when);
  void write_force_chains(const GrainsFrame& grains, const ForceNetwork& network);
  /// Write tables with a row for each frame, and tables over all frames; give the names of the
  /// files.
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

/// Energy budget since the first row of the statistics, as a table (CSV).
std::string energy_table(const std::vector<Report>& rows);

}  // namespace scree

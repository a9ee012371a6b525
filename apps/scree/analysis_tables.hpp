/// The tables that scree analyse writes: one row per frame, per bin or per cell. Columns and units: docs/guide/analysis.md.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scree/analysis/contact_statistics.hpp"
#include "scree/analysis/contact_stress.hpp"
#include "scree/analysis/pair_distribution.hpp"
#include "scree/analysis/velocity_profile.hpp"
#include "scree/io/frames.hpp"

namespace scree::cli {

struct AnalysisSettings {
  Region region;
  std::size_t bins = 0;                                   ///< of distances and forces
  std::array<std::uint32_t, 3> cells{1, 1, 1};            ///< of the velocity profile
  std::size_t least_contacts = kLeastContactsOfBackbone;  ///< of a body that is no rattler
  double r_max = 0;                                       ///< of the radial distribution function [m]
};

/// A frame in a few numbers.
struct FrameFigures {
  double time = 0;  ///< [s]
  std::uint64_t step = 0;
  std::size_t bodies = 0;                     ///< with their centre in the region
  double solid_fraction = 0;                  ///< [-]
  std::optional<ContactStatistics> contacts;  ///< of these bodies
  double pressure = 0;                        ///< [Pa]; if there are contacts
};

class AnalysisTables {
 public:
  /// Throws InputError where the settings leave nothing to count.
  explicit AnalysisTables(const AnalysisSettings& settings);

  /// Takes a frame into account; `contacts` is null where there are none to be known.
  void add(const GrainsFrame& grains, const std::vector<ContactRecord>* contacts);

  /// Makes the directory and writes the tables, those about contacts only if some frame had them; the names of the files.
  /// Throws OutputError.
  std::vector<std::string> write(const std::filesystem::path& directory) const;

  const AnalysisSettings& settings() const { return settings_; }
  std::size_t frames() const { return profile_.frames(); }
  const FrameFigures& last() const { return last_; }  ///< of the frame added last

 private:
  void add_contacts(const GrainsFrame& grains, const std::vector<ContactRecord>& contacts);

  AnalysisSettings settings_;
  VelocityProfile profile_;
  PairDistribution pairs_;
  ForceDistribution forces_;
  FrameFigures last_;
  std::string solid_fraction_rows_, coordination_rows_, stress_rows_;
};

}  // namespace scree::cli

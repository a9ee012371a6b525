/// Measures of an analysis that have a table each and a few figures: the mixing of materials, the
/// angles of a heap and in a drum, residence times, the discharge with its plateau. Columns and
/// units: docs/guide/analysis.md.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scree/analysis/heap.hpp"
#include "scree/analysis/mixing.hpp"
#include "scree/analysis/plateau.hpp"
#include "scree/analysis/residence.hpp"
#include "scree/analysis/series.hpp"
#include "scree/io/frames.hpp"
#include "scree/io/json_text.hpp"
#include "scree/run/analysis_settings.hpp"
#include "scree/run/growing_table.hpp"

namespace scree {

class Measures {
 public:
  /// Tables of all measures, with or without rows.
  static std::vector<TableHeader> tables();

  explicit Measures(const AnalysisSettings& settings);

  /// Adds a frame. Throws InputError if a requested measure is undefined in the cell of the frame.
  void add(const GrainsFrame& grains, const AnalysisSettings& settings);

  const std::optional<Discharge>& discharge() const { return discharge_; }
  std::optional<Plateau> plateau() const { return plateau_of(passed_); }
  std::optional<StaySummary> stays() const;
  Series drum() const { return series_of(angles_); }         ///< of the angles of the frames [rad]
  const std::optional<Heap>& heap() const { return heap_; }  ///< of the last frame that has one
  /// Height of the bodies in the last frame without a heap [mean diameters].
  double height_without_heap() const { return height_without_heap_; }

  /// Figures by name; null if there is no value.
  Json figures() const;
  /// The same with all keys that may occur.
  Json keys() const;

  nlohmann::json mark() const;  ///< of all but the tables
  void restore(const nlohmann::json& mark);

  /// Calls f with each table.
  template <class Self, class F>
  static void for_each_table(Self& self, F&& f) {
    f(self.discharge_rows_);
    f(self.mixing_rows_);
    f(self.heap_rows_);
    f(self.drum_rows_);
    f(self.residence_rows_);
  }

 private:
  void add_discharge(const GrainsFrame& grains, const Plane& plane, const std::string& when);
  void add_mixing(const GrainsFrame& grains, const Grid& grid, const std::string& when);
  void add_surfaces(const GrainsFrame& grains, const AnalysisSettings& settings,
                    const std::string& when);
  void add_residence(const GrainsFrame& grains);

  std::optional<Discharge> discharge_;
  std::optional<ResidenceTimes> residence_;
  Curve passed_;  ///< mass through the plane [kg]
  bool looks_for_heap_ = false, looks_in_drum_ = false;
  std::vector<double> angles_;  ///< in the drum [rad]
  std::optional<Heap> heap_;
  double height_without_heap_ = 0;
  std::optional<double> mixing_index_;  ///< of the last frame that has one
  GrowingTable discharge_rows_, mixing_rows_, heap_rows_, drum_rows_, residence_rows_;
};

}  // namespace scree

/// Settings of an analysis, for frames of a run and for a running simulation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scree/analysis/bed.hpp"
#include "scree/analysis/contact_statistics.hpp"
#include "scree/analysis/discharge.hpp"
#include "scree/analysis/region.hpp"

namespace scree {

/// Settings of coarse-grained fields, see CoarseFields.
struct FieldSettings {
  Grid grid;
  double width = 0;  ///< of the kernel [m] > 0
};

struct AnalysisSettings {
  std::string title;  ///< of pictures
  Region region;
  Region bed_region;                                  ///< footprint of the bed
  std::optional<Upward> up;                           ///< needed for bed, heap and drum
  std::size_t bins = 0;                               ///< of distances and forces
  std::array<std::uint32_t, 3> cells{1, 1, 1};        ///< of the velocity profile
  std::size_t min_contacts = kMinContactsOfBackbone;  ///< of a body that is not a rattler
  double mean_diameter = 0;                           ///< [m] > 0
  /// Range of the radial distribution function [m]
  double r_max = 0;
  std::optional<Plane> plane;  ///< of the discharge
  OpenEnds ends;
  bool heap = false;          ///< measure the angle of a heap
  std::optional<int> drum;    ///< measure the angle in a drum along this axis, 0, 1 or 2
  bool residence = false;     ///< measure residence times in the region
  bool force_chains = false;  ///< write them for ParaView
  std::optional<FieldSettings> fields;
  /// Names of round walls that the region reaches beyond: its corners there hold no body
  std::vector<std::string> corners_beyond;
};

}  // namespace scree

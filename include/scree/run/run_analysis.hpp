/// The analysis of a run from its frames: tables in a directory.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scree/io/json_text.hpp"
#include "scree/run/analysis_tables.hpp"
#include "scree/run/run_frames.hpp"

namespace scree {

/// Requested coarse-grained fields.
struct FieldsRequest {
  std::array<std::uint32_t, 3> cells{1, 1, 1};
  std::optional<double> width;  ///< of the kernel [m]; none: half a mean diameter
};

struct RunAnalysisRequest {
  std::filesystem::path out;     ///< empty: `analysis` in the run directory
  std::optional<Region> region;  ///< none: the bounding box of the centres
  std::array<std::uint32_t, 3> cells{1, 1, 20};
  std::optional<Plane> plane;      ///< normal of any length
  std::optional<double> r_max;     ///< of the radial distribution function [m]
  std::size_t frames = 0;          ///< number of last frames; 0: all
  std::optional<double> from, to;  ///< only frames and samples within these times [s]
  std::size_t bins = 100;
  std::size_t min_contacts = kMinContactsOfBackbone;  ///< of a body that is not a rattler
  bool heap = false;                                  ///< measure the angle of a heap
  /// Measures the angle of the surface in a drum whose axis is x, y or z (0, 1, 2)
  std::optional<int> drum;
  bool residence = false;     ///< measure residence times in the region
  bool force_chains = false;  ///< write them for ParaView
  std::optional<FieldsRequest> fields;
  bool even_so = false;  ///< analyse the sound part of an unsound run
};

struct RunAnalysis {
  std::filesystem::path run, directory;
  AnalysisTables tables;
  Complaints complaints;
  std::vector<std::string> files;     ///< tables in the directory
  std::vector<std::string> pictures;  ///< of these tables; the drawing code adds their names
};

/// Reads the frames of a run and writes their tables. Throws InputError, with nothing written, if
/// the run or the request is unusable; OutputError if a file cannot be read or written.
RunAnalysis analyse_run(const std::filesystem::path& run, const RunAnalysisRequest& request,
                        const Warn& warn);

/// The result of an analysis, for programs.
Json analysis_json(const RunAnalysis& analysis);

}  // namespace scree

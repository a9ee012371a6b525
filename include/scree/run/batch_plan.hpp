/// Batches: a scene with every combination of some of its values, planned and checked before the
/// first of them runs.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace scree {

/// A value of the scene that differs between runs.
struct BatchParameter {
  std::string path;                 ///< as in --set
  std::vector<std::string> values;  ///< YAML, as in --set; at least one
  /// Name in tables and in names of runs: the last key of the path, with more keys if it is
  /// ambiguous. plan_batch() sets it.
  std::string label{};
};

/// Parses "default_law.friction=0.1:0.8:8" (n numbers from a to b, at equal distances or, with
/// :log, at equal ratios), "step.h=1us,2us,5us" (a list) or "bodies[0].random.seed=1..3" (whole
/// numbers). Throws InputError.
BatchParameter batch_parameter(const std::string& text);

/// A value of each run for the table: the last row of a column of one of its tables (CSV), or the
/// value at a JSON pointer in one of its JSON files.
struct BatchColumn {
  std::string name;
  std::string file;  ///< in the directory of the run
  std::string key;   ///< a column, or a pointer such as /obstacles/0/mean_power
};

/// Parses "statistics.csv:kinetic_energy" or "power=verdict.json:/obstacles/0/mean_power". Throws
/// InputError.
BatchColumn batch_column(const std::string& text);

struct BatchRequest {
  std::filesystem::path scene_file;
  /// of a scene without a file; scene_file is then its name
  std::optional<std::string> scene_text;
  std::vector<std::string> overrides;  ///< of all runs, as in load_scene()
  std::vector<BatchParameter> parameters;
  std::vector<BatchColumn> columns;
};

struct BatchRun {
  std::string name;                    ///< of its directory: friction=0.3_seed=2
  std::vector<std::string> overrides;  ///< of all runs, and of this run
  std::vector<std::string> values;     ///< of the parameters, in SI units
  std::string checksum;                ///< SHA-256 of its scene and of the files named there
};

struct BatchPlan {
  std::filesystem::path scene_file;
  std::string scene_text;
  std::vector<std::string> overrides;  ///< of all runs
  std::vector<BatchParameter> parameters;
  std::vector<BatchColumn> columns;
  std::vector<BatchRun> runs;           ///< the last parameter changes fastest
  double memory = 0, memory_dense = 0;  ///< of the largest run, see RunNeeds [byte]
};

/// Reads the scene of every combination and checks its first step. Throws InputError for an invalid
/// batch, such as a path that the scene does not have, and the exceptions of load_scene() for an
/// invalid scene.
BatchPlan plan_batch(const BatchRequest& request);

}  // namespace scree

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
  std::string path;                 ///< as --set has it
  std::vector<std::string> values;  ///< YAML, as --set takes it; at least one
  /// What tables and names of runs call it: the last key of the path, with more of it where that
  /// would not be clear. plan_batch() sets it.
  std::string label{};
};

/// "default_law.friction=0.1:0.8:8", "step.h=1us,2us,5us", "bodies[0].random.seed=1..3": numbers
/// from a to b, n of them, at equal distances or, with :log, at equal ratios; values one by one;
/// whole numbers. Throws InputError.
BatchParameter batch_parameter(const std::string& text);

/// A figure of each run for the table: the last row of a column of one of its tables (CSV), or what
/// stands at a JSON pointer of one of its JSON files.
struct BatchColumn {
  std::string name;
  std::string file;   ///< in the directory of the run
  std::string place;  ///< a column, or a pointer such as /obstacles/0/mean_power
};

/// "statistics.csv:kinetic_energy", "power=verdict.json:/obstacles/0/mean_power". Throws
/// InputError.
BatchColumn batch_column(const std::string& text);

struct BatchRequest {
  std::filesystem::path scene_file;
  std::optional<std::string> scene_text;  ///< where no file has it; scene_file is its name then
  std::vector<std::string> overrides;     ///< of all runs, as load_scene() takes them
  std::vector<BatchParameter> parameters;
  std::vector<BatchColumn> columns;
};

struct BatchRun {
  std::string name;                    ///< of its directory: friction=0.3_seed=2
  std::vector<std::string> overrides;  ///< of all runs, and its own
  std::vector<std::string> values;     ///< of the parameters, in SI units
  std::string checksum;                ///< SHA-256 of its scene and of the files it names
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

/// Reads the scene of every combination and looks at its first step. Throws InputError for what
/// makes no batch, as a path that the scene does not have, and what load_scene() throws for a
/// combination that makes no scene.
BatchPlan plan_batch(const BatchRequest& request);

}  // namespace scree

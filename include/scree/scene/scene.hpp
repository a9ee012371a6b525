/// Scenes: reads one YAML file into a model, a state and output settings.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scree/core/error.hpp"
#include "scree/sim/end_condition.hpp"
#include "scree/sim/model.hpp"
#include "scree/sim/rest.hpp"
#include "scree/sim/sensor.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// Picture drawn at the end of a run.
struct Picture {
  enum class Kind { velocity_map, energy, residual, grains, movie };
  Kind kind;
  std::string file;  ///< name inside the run directory, without the extension
  /// Further settings of the picture from the scene, in SI units
  std::string options_json;
};

/// Analysis made during a run. docs/guide/analysis.md describes its tables.
struct AnalysisRequest {
  struct Plane {
    Vec3 point;   ///< [m]
    Vec3 normal;  ///< unit vector
  };
  /// Coarse-grained fields in the region
  struct Fields {
    std::array<std::uint32_t, 3> cells{1, 1, 1};
    std::optional<double> width;  ///< kernel width [m]; unset: half a mean diameter
  };
  std::string name;  ///< directory in RUN/analysis
  Vec3 min, max;     ///< corners of the region [m]
  std::optional<double>
      /// Simulated time between samples [s]; 0: the first and the last; unset: with each frame
      interval;
  std::array<std::uint32_t, 3> cells{1, 1, 20};  ///< cells of the velocity profile
  std::size_t bins = 100;                        ///< bins of distances and forces
  std::size_t min_contacts = 4;                  ///< bodies with fewer contacts are rattlers
  std::optional<double> r_max;                   ///< range of the radial distribution function [m]
  /// First and last time of samples, inclusive [s]
  std::optional<double> from, to;
  std::optional<Plane> plane;  ///< plane of the discharge
  bool heap = false;           ///< measure the angle of a heap
  std::optional<int> drum;     ///< axis of a drum whose surface angle is measured
  bool residence = false;      ///< measure residence times in the region
  std::optional<Fields> fields;
  bool force_chains = false;  ///< write force chains for ParaView
};

struct OutputSettings {
  /// Simulated time between frames [s]; 0: only the first and the last
  double frame_interval = 0;
  /// Simulated time between rows of statistics.csv [s]; 0: every step
  double statistics_interval = 0;
  /// Simulated time between checkpoints [s]; 0: off
  double checkpoint_interval = 0;
  double checkpoint_wall_interval = 300;  ///< wall-clock time between checkpoints [s]; 0: off
  bool contacts = true;                   ///< write the contacts of each frame
  bool obstacles = true;                  ///< write obstacles with each frame, and obstacles.csv
  std::vector<AnalysisRequest> analyses;
  std::vector<Picture> pictures;
};

/// Error or warning at one position of a scene file.
struct SceneProblem {
  std::string file;          ///< the scene, a file it names, or "--set path=value"
  int line = 0, column = 0;  ///< from 1; 0 if unknown
  std::string path;          ///< path of the key, as in bodies[2].sphere.radius
  std::string message;       ///< finding, allowed values, remedy
};

/// Motion of an obstacle from the start of a stage: a twist, or a rigid displacement from its pose
/// at that start. Both are functions of the time since the stage began [s].
struct StageMotion {
  std::uint32_t obstacle;                                      ///< index into Model::obstacles
  std::function<Twist(double t, const Wrench& load)> twist{};  ///< as Obstacle::servo
  std::function<Pose(double t)> displacement{};
  /// Reference point of torques on the obstacle at the start of the stage [m]; unset: the origin of
  /// its frame
  std::optional<Vec3> pivot{};
};

/// Stage of a run, with its own settings.
struct RunStage {
  std::string name;
  double until = 0;                       ///< maximum duration [s]
  std::optional<RestCriterion> rest;      ///< ends the stage earlier, if set
  std::optional<EndCondition> condition;  ///< likewise; never set with rest
  Model model;                            ///< model of the stage, without motions of obstacles
  std::vector<std::uint32_t> removed, stopped;  ///< obstacles removed and stopped at its start
  std::vector<StageMotion> moved;
  double frame_interval = 0, statistics_interval = 0;  ///< as in OutputSettings
};

/// Body with a name in its scene.
struct NamedBody {
  BodyId id;
  std::string name;
};

struct Scene {
  std::string name;
  std::string description;
  double until = 0;  ///< simulated time at the end [s]
  /// Ends the run earlier, if set
  std::optional<RestCriterion> rest;
  std::optional<EndCondition> condition;  ///< likewise; never set with rest
  /// True if the run misses its verdict when an inflow finds no room for a body
  bool strict_inflow = false;
  Model model;
  State state;
  std::vector<NamedBody> named_bodies;  ///< by rising id
  std::vector<Sensor> sensors;
  std::vector<RunStage> stages;  ///< in order; empty: a run without stages
  OutputSettings output;
  std::string source;  ///< the file as read
  /// YAML with every default filled in and every number in SI units; loads to the same scene
  std::string resolved;
  std::vector<std::uint64_t> seeds;  ///< seeds of all random streams, in the order of the file
  /// Other files that were read, such as those with bodies
  std::vector<std::filesystem::path> inputs;
  std::string step_choice;  ///< choice of step.h: auto with its reason; empty if h was given
  std::vector<SceneProblem> warnings;  ///< valid, but often a mistake

  /// Body of this name. Throws InputError, which lists similar names.
  BodyId body(std::string_view body_name) const;
};

/// All errors of a scene file at once; what() has a line for each: FILE:LINE:COLUMN: PATH: MESSAGE.
struct SceneError : InputError {
  explicit SceneError(std::vector<SceneProblem> all);
  std::vector<SceneProblem> problems;
};

/// Reads a scene. Each override is "path=value" with path as in SceneProblem and value as YAML, as
/// in "step.h=5 us". Throws SceneError for all errors, including a missing or unreadable file.
Scene load_scene(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});

/// Text of a scene file. Throws SceneError if it is missing or cannot be read.
std::string scene_text(const std::filesystem::path& file);

/// Reads a scene from its text. Messages call it `file`; file names in the scene are relative to
/// it.
Scene load_scene_text(std::string text, const std::filesystem::path& file,
                      const std::vector<std::string>& overrides = {});

/// JSON Schema (draft-07) that scenes are validated against.
std::string_view scene_schema();

}  // namespace scree

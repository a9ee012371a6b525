/// Scenes: one YAML file becomes a model, a state, and what to write.
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
#include "scree/sim/state.hpp"

namespace scree {

/// A picture to draw at the end of a run.
struct Picture {
  enum class Kind { velocity_map, energy, residual, grains };
  Kind kind;
  std::string file;  ///< name inside the run directory, without the extension
  /// Further settings of the picture, as the scene has them, in SI units
  std::string options_json;
};

/// An analysis to make while the run goes on. docs/guide/analysis.md says what its tables hold.
struct AnalysisRequest {
  struct Plane {
    Vec3 point;   ///< [m]
    Vec3 normal;  ///< unit vector
  };
  /// Coarse-grained, in the region
  struct Fields {
    std::array<std::uint32_t, 3> cells{1, 1, 1};
    std::optional<double> width;  ///< of the kernel [m]; unset: half a mean diameter
  };
  std::string name;  ///< of its directory in RUN/analysis
  Vec3 min, max;     ///< corners of the region [m]
  std::optional<double>
      /// Simulated time between samples [s]; 0: the first and the last; unset: with each frame
      interval;
  std::array<std::uint32_t, 3> cells{1, 1, 20};  ///< of the velocity profile
  std::size_t bins = 100;                        ///< of distances and forces
  std::size_t min_contacts = 4;                  ///< of a body that is no rattler
  std::optional<double> r_max;                   ///< of the radial distribution function [m]
  /// No samples but from and to these times, both among them [s]
  std::optional<double> from, to;
  std::optional<Plane> plane;  ///< for the discharge
  bool heap = false;           ///< look for the angle of a heap
  std::optional<int> drum;     ///< … of the surface in a drum along this axis
  bool residence = false;      ///< measure how long bodies stay in the region
  std::optional<Fields> fields;
  bool force_chains = false;  ///< write them for ParaView
};

struct OutputSettings {
  /// Simulated time between frames [s]; 0: none but the first and the last
  double frame_interval = 0;
  /// Simulated time between rows of statistics.csv [s]; 0: every step
  double statistics_interval = 0;
  /// Simulated time between checkpoints [s]; 0: none by it
  double checkpoint_interval = 0;
  double checkpoint_wall_interval = 300;  ///< time of day between checkpoints [s]; 0: none by it
  bool contacts = true;                   ///< write the contacts of each frame, too
  bool obstacles = true;                  ///< write obstacles with each frame, and obstacles.csv
  std::vector<AnalysisRequest> analyses;
  std::vector<Picture> pictures;
};

/// One thing that is wrong in a scene file, or doubtful.
struct SceneProblem {
  std::string file;          ///< the scene, a file it names, or "--set path=value"
  int line = 0, column = 0;  ///< from 1; 0 where no place can be named
  std::string path;          ///< of the key, as in bodies[2].sphere.radius
  std::string message;       ///< what was found, what is allowed, what to do
};

/// How an obstacle moves from the start of a stage on: by a twist, or carried from where it then
/// stands by a motion of space. Both are functions of the time since the stage began [s].
struct StageMotion {
  std::uint32_t obstacle;                                      ///< of Model::obstacles
  std::function<Twist(double t, const Wrench& load)> twist{};  ///< as Obstacle::servo
  std::function<Pose(double t)> displacement{};
  /// What torques on the obstacle are about, as it stands then [m]; unset: the origin of its frame
  std::optional<Vec3> pivot{};
};

/// A part of a run with settings of its own.
struct RunStage {
  std::string name;
  double until = 0;                             ///< how long it lasts at most [s]
  std::optional<RestCriterion> rest;            ///< ends it before that, if it is there
  std::optional<EndCondition> condition;        ///< the same; never both
  Model model;                                  ///< in it, but for what its obstacles do
  std::vector<std::uint32_t> removed, stopped;  ///< obstacles, when it begins
  std::vector<StageMotion> moved;
  double frame_interval = 0, statistics_interval = 0;  ///< as in OutputSettings
};

/// A body that has a name in its scene.
struct NamedBody {
  BodyId id;
  std::string name;
};

struct Scene {
  std::string name;
  std::string description;
  double until = 0;  ///< simulated time at the end [s]
  /// Ends a run before that, if it is there
  std::optional<RestCriterion> rest;
  std::optional<EndCondition> condition;  ///< the same; never both
  /// A body that an inflow finds no room for makes the run miss its verdict
  bool strict_inflow = false;
  Model model;
  State state;
  std::vector<NamedBody> named_bodies;  ///< in rising order of ids
  std::vector<RunStage> stages;         ///< in their order; none: the run is of one piece
  OutputSettings output;
  std::string source;  ///< the file as read
  /// YAML with every default filled in and every number in SI units; loads to the same scene
  std::string resolved;
  std::vector<std::uint64_t> seeds;  ///< of all random numbers, in the order of the file
  /// Other files that were read, such as those with bodies
  std::vector<std::filesystem::path> inputs;
  std::string step_choice;             ///< what step.h: auto chose, and why; empty if it was given
  std::vector<SceneProblem> warnings;  ///< what may be meant, but is often a mistake
};

/// Everything that is wrong in a scene file, in one go; what() has a line for each problem:
/// FILE:LINE:COLUMN: PATH: MESSAGE.
struct SceneError : InputError {
  explicit SceneError(std::vector<SceneProblem> all);
  std::vector<SceneProblem> problems;
};

/// Reads a scene. Each override is "path=value" with path as in SceneProblem and value as YAML, as
/// in "step.h=5 us". Throws SceneError for anything that is wrong, a file that is missing or cannot
/// be read included.
Scene load_scene(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});

/// The text of a scene file. Throws SceneError if it is missing or cannot be read.
std::string scene_text(const std::filesystem::path& file);

/// The same from the text of a scene; `file` is what messages call it, and where the names of files
/// in it begin.
Scene load_scene_text(std::string text, const std::filesystem::path& file,
                      const std::vector<std::string>& overrides = {});

/// The JSON Schema (draft-07) that scenes are validated against.
std::string_view scene_schema();

}  // namespace scree

/// Output of a run on its obstacles: a table of loads, and frames.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "scree/io/frames.hpp"
#include "scree/io/obstacle_frames.hpp"
#include "scree/run/growing_table.hpp"
#include "scree/sim/simulation.hpp"

namespace scree {

/// Mean loads of obstacles since the last call.
class LoadMeter {
 public:
  explicit LoadMeter(const State& state) : time_(state.time), before_(state.obstacle_loads) {}
  /// Restores the state of mark().
  explicit LoadMeter(const nlohmann::json& mark);
  nlohmann::json mark() const;
  /// Throws UnfitProgress unless it has a load for each obstacle.
  void require_loads(std::size_t obstacles) const;

  /// Mean loads of all obstacles, and starts the next mean; zero if no time has passed.
  std::vector<MeanLoad> take(const State& state);

 private:
  double time_;  ///< [s]
  std::vector<ObstacleLoad> before_;
};

/// obstacles.csv, and frames/obstacles_000000.hdf … with their series. Writes nothing for a run
/// without obstacles or without this output.
class ObstacleRecord {
 public:
  ObstacleRecord(const std::filesystem::path& directory, const Simulation& simulation, bool wanted);
  /// Continues from mark().
  ObstacleRecord(const std::filesystem::path& directory, const Simulation& simulation, bool wanted,
                 const nlohmann::json& mark);
  /// Throws InputError or UnfitProgress, with nothing changed, as Recorder::require_files() does.
  static void require_files(const std::filesystem::path& directory, const nlohmann::json& mark,
                            std::size_t obstacles);
  nlohmann::json mark() const;

  void write_rows(const Simulation& simulation);
  void write_frame(const Simulation& simulation);
  void close() { frames_.list_all(); }

 private:
  void make_surfaces(const Simulation& simulation);

  std::filesystem::path directory_;
  bool wanted_;
  PlanePatch patch_;
  std::vector<ObstacleSurface> surfaces_;
  FrameSeries frames_;
  GrowingTable table_;
  LoadMeter since_row_, since_frame_;
};

}  // namespace scree

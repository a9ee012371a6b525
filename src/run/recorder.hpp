/// Everything that a run writes while it goes on: frames, statistics, obstacles, analyses.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "run/obstacle_record.hpp"
#include "run/sampling.hpp"
#include "run/scheduled_analysis.hpp"
#include "scree/io/frames.hpp"
#include "scree/io/statistics.hpp"
#include "scree/run/growing_table.hpp"
#include "scree/scene/scene.hpp"
#include "scree/sim/simulation.hpp"

namespace scree {

class Recorder {
 public:
  /// Begins with the initial state.
  Recorder(const std::filesystem::path& directory, const Scene& scene,
           const Simulation& simulation);
  /// Goes on where mark() was called; what was written later is removed.
  Recorder(const std::filesystem::path& directory, const Scene& scene, const Simulation& simulation,
           const nlohmann::json& mark);
  /// Throws InputError, with nothing changed, if files that mark() counted on are missing or not
  /// what they were.
  static void require_files(const std::filesystem::path& directory, const nlohmann::json& mark);

  /// From now on; in simulated time [s].
  void change_intervals(double frames, double rows, const Simulation& simulation);
  /// After a step: what is due.
  void step(const Simulation& simulation);
  /// A frame of this step beyond those that are due.
  void frame(const Simulation& simulation);
  /// How far the files are, without what finish() adds.
  nlohmann::json mark() const;
  /// After the last step, whether that was planned or not: a row, a frame and a sample of each
  /// analysis, unless they were due.
  void finish(const Simulation& simulation);
  /// After the last step that was done, where the next one failed: no row or frame that a run which
  /// goes on could not write again.
  void close(const Simulation& simulation);

  std::size_t frames() const { return grains_.size(); }

 private:
  void write_row(const Simulation& simulation);
  /// Whether a frame is due, and each analysis.
  struct Due {
    bool frame;
    std::vector<bool> analyses;
  };
  void write_samples(const Simulation& simulation, const Due& due);
  void write_frame(const Simulation& simulation);
  void write_joint_rows(const Simulation& simulation);
  void write_body_rows(const Simulation& simulation);
  void write_cell(const Simulation& simulation);
  void write_obstacles(const Simulation& simulation) const;

  std::filesystem::path directory_;
  FrameSeries grains_, contacts_, joint_frames_;
  ObstacleRecord obstacles_;
  StatisticsFile statistics_;
  GrowingTable cell_;    ///< of a cell that is strained, a row whenever one of statistics is due
  GrowingTable joints_;  ///< a row for each joint, whenever a row of statistics is due
  GrowingTable bodies_;  ///< likewise for each body that has a name
  std::vector<NamedBody> named_;
  OutputSettings output_;
  Sampling frames_due_, rows_due_;
  std::vector<ScheduledAnalysis> analyses_;
  std::uint64_t last_frame_ = 0, last_row_ = 0;  ///< steps
};

}  // namespace scree

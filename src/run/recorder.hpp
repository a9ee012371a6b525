/// All output during a run: frames, statistics, obstacles, analyses.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "run/obstacle_record.hpp"
#include "run/sampling.hpp"
#include "run/scheduled_analysis.hpp"
#include "run/sensor_record.hpp"
#include "scree/io/frames.hpp"
#include "scree/io/statistics.hpp"
#include "scree/run/growing_table.hpp"
#include "scree/scene/scene.hpp"
#include "scree/sim/simulation.hpp"

namespace scree {

class Recorder {
 public:
  /// Starts from the initial state.
  Recorder(const std::filesystem::path& directory, const Scene& scene, Simulation& simulation);
  /// Continues from mark(); later output is removed.
  Recorder(const std::filesystem::path& directory, const Scene& scene, Simulation& simulation,
           const nlohmann::json& mark);
  /// Throws InputError, with nothing changed, if files of mark() are missing or changed;
  /// UnfitProgress if it is a mark of another model.
  static void require_files(const std::filesystem::path& directory, const nlohmann::json& mark,
                            const Model& model);

  /// Sets new intervals of simulated time [s].
  void change_intervals(double frames, double rows, const Simulation& simulation);
  /// Writes the due output after a step.
  void step(Simulation& simulation);
  /// Writes an additional frame of this step.
  void frame(const Simulation& simulation);
  /// Positions in the files, without the output of finish().
  nlohmann::json mark() const;
  /// Writes a row, a frame and a sample of each analysis after the last step, planned or not,
  /// unless they were written already.
  void finish(const Simulation& simulation);
  /// Closes the files after the last step if the next one failed: writes no row or frame that a
  /// resumed run could not write again.
  void close(const Simulation& simulation);

  std::size_t frames() const { return grains_.size(); }

 private:
  void write_row(const Simulation& simulation);
  /// Schedules of frames and analyses.
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
  GrowingTable cell_;    ///< of a strained cell, a row with each row of statistics
  GrowingTable joints_;  ///< a row for each joint with each row of statistics
  GrowingTable bodies_;  ///< the same for each named body
  SensorRecord sensors_;
  std::vector<NamedBody> named_;
  OutputSettings output_;
  Sampling frames_due_, rows_due_;
  std::vector<ScheduledAnalysis> analyses_;
  std::uint64_t last_frame_ = 0, last_row_ = 0;  ///< steps
};

}  // namespace scree

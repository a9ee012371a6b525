/// An analysis requested by a scene, made during the run.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "run/sampling.hpp"
#include "scree/run/analysis_tables.hpp"
#include "scree/scene/scene.hpp"
#include "scree/sim/simulation.hpp"

namespace scree {

/// Content of analysis.json of this analysis, with all keys that may occur.
Json analysis_keys(const Scene& scene, const AnalysisRequest& request);

class ScheduledAnalysis {
 public:
  /// Starts from the simulation's initial state; nothing is written before sample().
  ScheduledAnalysis(const std::filesystem::path& run, const Scene& scene,
                    const AnalysisRequest& request, const Simulation& simulation);
  /// Continues from mark(); later output is removed.
  ScheduledAnalysis(const std::filesystem::path& run, const Scene& scene,
                    const AnalysisRequest& request, const Simulation& simulation,
                    const nlohmann::json& mark);

  const std::string& name() const { return name_; }
  /// Changes the interval of an analysis that samples with the frames.
  void change_frame_interval(const OutputSettings& output, const Simulation& simulation);
  /// Call in order of steps.
  bool is_due(std::uint64_t step, double time) { return due_.is_due(step) && looks_at(time); }
  /// True if the time [s] is in the window of the analysis.
  bool looks_at(double time) const { return from_ <= time && time <= to_; }
  /// Adds the current state; the tables lag behind by at most a sixteenth of the samples.
  void sample(const GrainsFrame& grains, const std::vector<ContactRecord>& contacts);
  void close();                                                    ///< writes all tables
  std::uint64_t last_step() const { return tables_.last().step; }  ///< of the last sample
  nlohmann::json mark() const;

 private:
  ScheduledAnalysis(const std::filesystem::path& run, const Scene& scene,
                    const AnalysisRequest& request, const Simulation& simulation,
                    double mean_diameter);

  std::string name_;
  std::optional<double> interval_;  ///< [s]; unset: with each frame
  double from_, to_;                ///< [s]
  AnalysisTables tables_;
  Sampling due_;
};

}  // namespace scree

/// An analysis that a scene asks for, made while the run goes on.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "run/sampling.hpp"
#include "scree/run/analysis_tables.hpp"
#include "scree/scene/scene.hpp"
#include "scree/sim/simulation.hpp"

namespace scree {

/// What analysis.json of this analysis holds, with all keys that it may have.
Json analysis_keys(const Scene& scene, const AnalysisRequest& request);

class ScheduledAnalysis {
 public:
  /// Begins with the simulation's initial state; nothing is written before sample().
  ScheduledAnalysis(const std::filesystem::path& run, const Scene& scene,
                    const AnalysisRequest& request, const Simulation& simulation);
  /// Goes on where mark() was called; what was written later is removed.
  ScheduledAnalysis(const std::filesystem::path& run, const Scene& scene,
                    const AnalysisRequest& request, const Simulation& simulation,
                    const nlohmann::json& mark);

  const std::string& name() const { return name_; }
  /// Of one whose samples go with the frames.
  void change_frame_interval(const OutputSettings& output, const Simulation& simulation);
  /// Ask in the order of steps.
  bool is_due(std::uint64_t step, double time) { return due_.is_due(step) && looks_at(time); }
  /// Whether the time [s] is in the window of the analysis.
  bool looks_at(double time) const { return from_ <= time && time <= to_; }
  /// Takes this time into account; the tables lag behind by a sixteenth of the samples at most.
  void sample(const GrainsFrame& grains, const std::vector<ContactRecord>& contacts);
  void close();                                                    ///< brings the tables up to date
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

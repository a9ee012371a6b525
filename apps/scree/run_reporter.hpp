/// Reports of a run to the terminal and its logs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <spdlog/logger.h>
#include <string>
#include <vector>

#include "log.hpp"
#include "progress.hpp"
#include "scree/run/run.hpp"

namespace scree::cli {

struct ReporterOptions {
  std::filesystem::path scene;
  Console console = Console::all;
  bool pictures = true;
  bool resume = false;                        ///< the user asked to resume the run
  std::string no_run_to_resume{};             ///< warning if there is none; empty if there is one
  std::vector<std::uint64_t> dumped_steps{};  ///< see RunOptions
};

/// Reports a run on the terminal and in its logs, ends it at a signal, and draws its pictures.
class RunReporter : public RunObserver {
 public:
  RunReporter(ReporterOptions options, std::filesystem::path directory)
      : options_(std::move(options)), directory_(std::move(directory)) {}

  void begin(const Scene& scene, const Simulation& simulation, bool resumed) override;
  void stage(const Scene& scene, std::size_t index, const Simulation& simulation) override;
  void rest(const RestWatch& watch) override;
  void step(const Simulation& simulation) override;
  void warn(const std::string& message) override { log_->warn("{}", message); }
  bool stop_requested() override;
  void end(const Scene& scene, const RunResult& result) override;

 private:
  void update_end(const Scene& scene, std::size_t stage, const Simulation& simulation);
  void draw(const OutputSettings& output);
  bool has_samples(const AnalysisRequest& request) const;

  ReporterOptions options_;
  std::filesystem::path directory_;
  std::optional<Progress> progress_;    ///< exists from begin() on, as does the log
  bool resumed_ = false;                ///< true until a stage begins
  std::optional<double> share_moving_;  ///< moving fraction of the mass in a run until rest [-]
  std::shared_ptr<spdlog::logger> log_;
};

}  // namespace scree::cli

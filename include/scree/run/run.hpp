/// A run: steps a scene to its end, records it in a directory, and gives a verdict.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scree/io/run_directory.hpp"
#include "scree/run/run_result.hpp"
#include "scree/scene/scene.hpp"
#include "scree/sim/simulation.hpp"

namespace scree {

class Leader;

struct RunOptions {
  std::filesystem::path scene_file;       ///< the scene was loaded from it
  std::vector<std::string> overrides;     ///< of the scene when it was loaded
  std::vector<std::string> command_line;  ///< for the manifest
  int threads = 0;  ///< 0: all cores of this rank; results do not depend on it
  /// go_on resumes from the last checkpoint, or starts again without one
  OldRun old_run = OldRun::refuse;
  /// contact problems of these are written as FCLIB files
  std::vector<std::uint64_t> dumped_steps;
  /// Time by which the run is to end, as if by RunObserver::stop_requested(), so early that its
  /// files are complete; see kEndMargin in run.cpp
  std::chrono::steady_clock::time_point end_by = std::chrono::steady_clock::time_point::max();
  /// Of the ranks that compute the run together; null: this process alone
  Leader* leader = nullptr;
};

/// Receives the progress of a run, and may stop it. An exception from its functions ends the run as
/// failed.
class RunObserver {
 public:
  virtual ~RunObserver() = default;

  /// Called before the first step; the directory exists. The state of the scene has been moved into
  /// the simulation. `resumed`: the state comes from a checkpoint.
  virtual void begin(const Scene& /*scene*/, const Simulation& /*simulation*/, bool /*resumed*/) {}
  /// Called when a stage of the run begins or is resumed, after begin().
  virtual void stage(const Scene& /*scene*/, std::size_t /*index*/,
                     const Simulation& /*simulation*/) {}
  /// Called right before step(), if the run ends at rest.
  virtual void rest(const RestWatch& /*watch*/) {}
  /// Called after each step, when its output is written.
  virtual void step(const Simulation& /*simulation*/) {}
  /// Warning during the run; the verdict contains it, too.
  virtual void warn(const std::string& /*message*/) {}
  /// Called after step(); true ends the run regularly, so that it can be resumed.
  virtual bool stop_requested() { return false; }
  /// Called after the last step, before verdict.json and the checksums in the manifest are written;
  /// pictures are made here.
  virtual void end(const Scene& /*scene*/, const RunResult& /*result*/) {}
};

/// Runs a scene and writes it to a directory (docs/guide/output.md), or continues the run in it, to
/// the same bits, whatever stopped it. Throws InputError, with nothing written, if the scene or the
/// directory is unusable; OutputError if a file cannot be read or written.
RunResult run(Scene scene, const std::filesystem::path& directory, const RunOptions& options,
              RunObserver& observer);

/// File with the contact problem of a step, if RunOptions::dumped_steps contains the step.
std::filesystem::path problem_file(const std::filesystem::path& run, std::uint64_t step);

}  // namespace scree

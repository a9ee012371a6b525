/// A run: a scene stepped to its end, recorded in a directory, and judged.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scree/io/run_directory.hpp"
#include "scree/run/run_result.hpp"
#include "scree/scene/scene.hpp"
#include "scree/sim/simulation.hpp"

namespace scree {

struct RunOptions {
  std::filesystem::path scene_file;       ///< the scene was loaded from it
  std::vector<std::string> overrides;     ///< that it was loaded with
  std::vector<std::string> command_line;  ///< for the manifest
  int threads = 0;                        ///< 0: all cores; results do not depend on it
  /// Go_on: from the last checkpoint, or anew without one
  OldRun old_run = OldRun::refuse;
  std::vector<std::uint64_t> dumped_steps;  ///< whose contact problems are written as FCLIB files
};

/// Hears how a run goes on, and may stop it. An exception of its functions ends the run as failed.
class RunObserver {
 public:
  virtual ~RunObserver() = default;

  /// Before the first step; the directory is there. The scene's state is the simulation's by now.
  /// `resumed`: it is that of a checkpoint.
  virtual void begin(const Scene& /*scene*/, const Simulation& /*simulation*/, bool /*resumed*/) {}
  /// When one of the scene's stages begins, or is gone on with, after begin().
  virtual void stage(const Scene& /*scene*/, std::size_t /*index*/,
                     const Simulation& /*simulation*/) {}
  /// Right before step(), of a run that ends at rest.
  virtual void rest(const RestWatch& /*watch*/) {}
  /// After each step, when what is due of it is written.
  virtual void step(const Simulation& /*simulation*/) {}
  /// What is to be known while the run goes on; the verdict has it, too.
  virtual void warn(const std::string& /*message*/) {}
  /// Asked after step(); true ends the run there, in good order: it can be resumed.
  virtual bool stop_requested() { return false; }
  /// After the last step, before verdict.json and the checksums in the manifest are written: the
  /// time to add pictures.
  virtual void end(const Scene& /*scene*/, const RunResult& /*result*/) {}
};

/// Runs a scene and writes it to a directory (docs/guide/output.md), or goes on with the run that
/// is there: to the same bits, whatever stopped it. Throws InputError, with nothing written, if the
/// scene or the directory cannot be used; OutputError if a file cannot be read or written.
RunResult run(Scene scene, const std::filesystem::path& directory, const RunOptions& options,
              RunObserver& observer);

/// Where the contact problem of a step is written, if RunOptions::dumped_steps has it.
std::filesystem::path problem_file(const std::filesystem::path& run, std::uint64_t step);

}  // namespace scree

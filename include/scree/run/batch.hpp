/// A batch: the runs of a plan in one directory, several at a time, and a table of their results.
/// However it was stopped, the same plan in the same directory continues it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "scree/run/batch_plan.hpp"
#include "scree/run/run.hpp"

namespace scree {

struct BatchOptions {
  int jobs = 0;     ///< runs at a time; 0: number of cores
  int threads = 0;  ///< of each run; 0: cores over jobs. Results do not depend on it
};

/// End of a run of a batch.
struct BatchEnd {
  enum class Status {
    missing,      ///< it has not begun
    interrupted,  ///< or killed: it can be resumed
    failed,       ///< it stopped early; `message` has the reason
    done
  };
  Status status = Status::missing;
  int exit_status = 0;  ///< of `scree run`; of ended runs
  std::string message;  ///< reason of a failure, or the first line of the verdict

  /// True if nothing is left to do: the run is done, or its numbers failed and would fail again.
  bool is_final() const;
};
const char* name(BatchEnd::Status status);

struct BatchProgress {
  std::size_t runs = 0, ended = 0, running = 0;
  double share = 0, share_at_start = 0;  ///< fraction of all steps: done now, and done before [-]
  bool at_most = false;                  ///< a run may end before its last step
};

/// Receives the progress of a batch, and may stop it.
class BatchObserver {
 public:
  virtual ~BatchObserver() = default;

  /// Called before the first run; the directory exists. `ends` are the ends of earlier runs.
  virtual void begin(const BatchPlan& /*plan*/, const std::vector<BatchEnd>& /*ends*/) {}
  /// Observer of a run; null: none. Called by the thread of the run.
  virtual std::unique_ptr<RunObserver> observer_of(const BatchRun& /*run*/,
                                                   const std::filesystem::path& /*directory*/) {
    return nullptr;
  }
  /// Called by the thread of the run, one at a time.
  virtual void ended(const BatchRun& /*run*/, const BatchEnd& /*end*/) {}
  virtual void warn(const std::string& /*message*/) {}
  /// Called some twenty times a second by the thread that called run_batch().
  virtual void look(const BatchProgress& /*progress*/) {}
  /// Called often by all threads; true ends the runs regularly and starts no other.
  virtual bool stop_requested() { return false; }
};

struct BatchResult {
  std::vector<BatchEnd> ends;  ///< of BatchPlan::runs
  bool interrupted = false;
  int exit_status = 0;  ///< of the batch: see docs/guide/batch.md
};

/// Runs the missing runs of a plan, each in a directory of its name, resumes interrupted ones, and
/// keeps table.csv up to date. Throws InputError, with nothing written, if the directory holds
/// another batch or something else; OutputError if the table cannot be written. A failed run is
/// reported in the result; the others continue.
BatchResult run_batch(const BatchPlan& plan, const std::filesystem::path& directory,
                      const BatchOptions& options, BatchObserver& observer);

/// States of the runs of a plan in this directory; throws as run_batch() would.
std::vector<BatchEnd> batch_ends(const BatchPlan& plan, const std::filesystem::path& directory);

}  // namespace scree

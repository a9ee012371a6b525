/// A batch: the runs of a plan in one directory, several at a time, and a table of what came of
/// them. Whatever stops it, the same plan in the same directory goes on with it.
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
  int jobs = 0;     ///< runs at a time; 0: as many as there are cores
  int threads = 0;  ///< of each run; 0: the cores, shared out. Results do not depend on it
};

/// How a run of a batch ended.
struct BatchEnd {
  enum class Status {
    missing,      ///< it has not begun
    interrupted,  ///< or was killed: it can be gone on with
    failed,       ///< it stopped before its time; `message` says why
    done
  };
  Status status = Status::missing;
  int exit_status = 0;  ///< as of `scree run`; of runs that ended
  std::string message;  ///< why it failed, or the first line of its verdict

  /// Nothing is left to do: done, or stopped because its numbers went wrong, as they would again.
  bool is_final() const;
};
const char* name(BatchEnd::Status status);

struct BatchProgress {
  std::size_t runs = 0, ended = 0, running = 0;
  double share = 0, share_at_start = 0;  ///< of all steps, done and done before [-]
  bool at_most = false;                  ///< a run may end before its last step
};

/// Hears how a batch goes on, and may stop it.
class BatchObserver {
 public:
  virtual ~BatchObserver() = default;

  /// Before the first run; the directory is there. `ends` says what was done before.
  virtual void begin(const BatchPlan& /*plan*/, const std::vector<BatchEnd>& /*ends*/) {}
  /// Who hears of a run; none if null. Called by the thread that will run it.
  virtual std::unique_ptr<RunObserver> observer_of(const BatchRun& /*run*/,
                                                   const std::filesystem::path& /*directory*/) {
    return nullptr;
  }
  /// By the thread that ran it, one at a time.
  virtual void ended(const BatchRun& /*run*/, const BatchEnd& /*end*/) {}
  virtual void warn(const std::string& /*message*/) {}
  /// Some twenty times a second, by the thread that called run_batch().
  virtual void look(const BatchProgress& /*progress*/) {}
  /// Asked all the time by all threads; true ends the runs in good order, and begins no other.
  virtual bool stop_requested() { return false; }
};

struct BatchResult {
  std::vector<BatchEnd> ends;  ///< of BatchPlan::runs
  bool interrupted = false;
  int exit_status = 0;  ///< of the whole: see docs/guide/batch.md
};

/// Runs what is missing of a plan, each run in a directory of its name, goes on with what was in
/// flight, and keeps table.csv up to date. Throws InputError, with nothing written, if the
/// directory holds another batch or something else; OutputError if the table cannot be written. A
/// run that fails is told in the result, and the others run on.
BatchResult run_batch(const BatchPlan& plan, const std::filesystem::path& directory,
                      const BatchOptions& options, BatchObserver& observer);

/// How the runs of a plan in this directory stand; throws as run_batch() does if it would.
std::vector<BatchEnd> batch_ends(const BatchPlan& plan, const std::filesystem::path& directory);

}  // namespace scree

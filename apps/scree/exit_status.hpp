/// Exit statuses, the same for every subcommand; documented in docs/guide/output.md and problem_files.md.
#pragma once

namespace scree::cli {

enum ExitStatus : int {
  kDone = 0,           ///< finished, every step within the tolerance, no energy made by contacts
  kInternalError = 1,  ///< our bug
  kBadInput = 2,       ///< command line or scene; nothing was written
  kToleranceMissed =
      3,  ///< finished with steps or solves over the tolerance or steps that made energy, or stopped because numbers were not finite
  kInputOutputFailure = 4,  ///< a file could not be read or written
  kInterrupted = 130,       ///< by SIGINT or SIGTERM, as shells say it
};

}  // namespace scree::cli

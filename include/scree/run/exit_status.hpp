/// How a run or a subcommand ended, as a number: in manifests, in verdicts, and as the program's
/// exit status. Documented in docs/guide/output.md and problem_files.md.
#pragma once

#include <exception>

namespace scree {

enum ExitStatus : int {
  kDone = 0,           ///< finished, every step within the tolerance, no energy made by contacts
  kInternalError = 1,  ///< our bug
  kBadInput = 2,       ///< command line, file or scene; nothing was run
  /// Finished with steps or solves over the tolerance or steps that made energy, or stopped because
  /// numbers were not finite.
  kToleranceMissed = 3,
  kInputOutputFailure = 4,  ///< a file could not be read or written
  kInterrupted = 130,       ///< by SIGINT or SIGTERM, as shells say it
};

/// Of a run that an exception ended.
ExitStatus exit_status_of(const std::exception& error);

}  // namespace scree

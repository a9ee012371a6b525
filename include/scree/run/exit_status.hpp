/// Exit status of a run or a subcommand: in manifests, in verdicts, and of the program. Documented
/// in docs/guide/output.md and problem_files.md.
#pragma once

#include <exception>

namespace scree {

enum ExitStatus : int {
  kDone = 0,           ///< finished, every step within the tolerance, no energy created by contacts
  kInternalError = 1,  ///< our bug
  kBadInput = 2,       ///< command line, file or scene; nothing was run
  /// Finished with steps or solves over the tolerance or steps that created energy, or stopped
  /// because numbers were not finite.
  kToleranceMissed = 3,
  kInputOutputFailure = 4,  ///< a file could not be read or written
  kInterrupted = 130,       ///< by SIGINT or SIGTERM, as in shells
};

/// Status of a run that ended by an exception.
ExitStatus exit_status_of(const std::exception& error);

}  // namespace scree

/// Signals that are to end a run in good order: SIGINT, SIGTERM, and SIGHUP when a terminal goes
/// away.
#pragma once

namespace scree::cli {

/// From now on the first of these signals is only noted, to be seen between two steps; a second one
/// ends the program at once, also where this is called again. Those that are ignored, as SIGHUP is
/// under nohup, stay so.
void catch_interrupts();
bool is_interrupted();

/// Writing to a pipe that nobody reads, or beyond a limit on file sizes, is an error like any other
/// from now on, not the end.
void ignore_broken_pipes();

}  // namespace scree::cli

/// SIGINT and SIGTERM, to be noticed between two steps.
#pragma once

namespace scree::cli {

/// From now on the first of the two signals is only noted; a second one ends the program at once.
void catch_interrupts();
bool is_interrupted();

}  // namespace scree::cli

/// Exceptions at the edge of the library. Inside a step nothing throws: numerical outcomes are
/// values in the Report.
#pragma once

#include <stdexcept>

namespace scree {

/// The user's input cannot be used. The message says where, what was found, and what to do (exit
/// status 2).
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A file could not be read or written: permission, full disk, truncated file (exit status 4).
struct OutputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace scree

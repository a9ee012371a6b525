/// Errors of the Python interface; each becomes a Python exception of the same name.
#pragma once

#include <stdexcept>

namespace scree::python {

/// Use of a view after its rows have moved.
struct StaleError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Use of a simulation that another thread steps.
struct BusyError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A step that was not done, or whose state cannot be trusted.
struct StepError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace scree::python

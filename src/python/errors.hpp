/// What only Python can be told: each becomes an exception of the same name.
#pragma once

#include <stdexcept>

namespace scree::python {

/// A view of rows that have changed places since.
struct StaleError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A simulation that another thread steps.
struct BusyError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A step that was not done, or left a state that is not to be trusted.
struct StepError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace scree::python

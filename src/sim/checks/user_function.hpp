/// Calls functions of time by users: their exceptions must not leave a step.
#pragma once

#include <exception>
#include <string>

namespace scree {

/// Fault of a result, in words; empty: it is valid. `ask` calls the function and returns the fault
/// of its result.
template <class F>
std::string fault_of_asking(F&& ask) {
  try {
    return ask();
  } catch (const std::exception& error) {
    return *error.what() != '\0' ? error.what() : "it threw an exception without a message";
  } catch (...) {
    return "it threw an object that is no std::exception";
  }
}

}  // namespace scree

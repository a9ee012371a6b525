/// Functions of time that users give: what they throw must not get out of a step.
#pragma once

#include <exception>
#include <string>

namespace scree {

/// Why an answer cannot be used, in words; empty: it can. `ask` calls the function and returns what
/// is wrong with its answer.
template <class F>
std::string fault_of_asking(F&& ask) {
  try {
    return ask();
  } catch (const std::exception& error) {
    return *error.what() != '\0' ? error.what() : "it threw an exception without a message";
  } catch (...) {
    return "it threw what is no std::exception";
  }
}

}  // namespace scree

/// Arguments that name one of several values.
#pragma once

#include <string>

#include "scree/core/error.hpp"
#include "scree/laws/coulomb.hpp"

namespace scree::python {

inline Coulomb::Choice choice_of(const std::string& name) {
  if (const auto choice = choice_named(name)) return *choice;
  throw InputError("choice is '" + name + "'; it must be dissipation, continuity or min_impulse");
}

}  // namespace scree::python

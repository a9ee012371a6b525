/// Numbers of bodies by name, to colour them by.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scree/io/json_text.hpp"
#include "view/frame_cache.hpp"

namespace scree::view {

/// Names of the values, with their units and whether they need contacts.
Json list_of_values();

/// True if a value comes from contacts. Throws InputError if there is no such value.
bool needs_contacts(const std::string& name);

/// A value of each body, in the order of the message. `contacts` is needed for some, see above;
/// `step` is the length of a step [s], for forces.
std::vector<double> values_of(const std::string& name, const LoadedFrame& frame,
                              const LoadedContacts* contacts, double step);

}  // namespace scree::view

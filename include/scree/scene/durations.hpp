/// Durations that people write outside of scenes.
#pragma once

#include <string>

namespace scree {

/// Seconds of a text such as "23h" or "90 min". Throws InputError, which names `option`, if it is
/// no duration above 0.
double seconds_of(const std::string& text, const std::string& option);

}  // namespace scree

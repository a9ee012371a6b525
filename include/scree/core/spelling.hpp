/// Guesses what a misspelt name was meant to be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace scree {

/// Insertions, deletions, replacements and swaps of neighbours that turn a into b.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// "; did you mean 'radius'?" or, if nothing is near, "; allowed are a, b, c".
std::string suggestion(std::string_view word, const std::vector<std::string>& allowed);

/// "a, b, c"
std::string joined(const std::vector<std::string>& words);

}  // namespace scree

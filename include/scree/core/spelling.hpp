/// Suggestions for misspelt names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace scree {

/// Number of insertions, deletions, replacements and swaps of neighbours that change a into b.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The names that are closest to a word, if any is close: at most three, all as close as each
/// other.
std::vector<std::string> nearest(std::string_view word, const std::vector<std::string>& allowed);

/// Hint for a message: "; did you mean 'radius'?" or, if no name is close, "; allowed are a, b, c".
std::string suggestion(std::string_view word, const std::vector<std::string>& allowed);

/// Words joined by commas: "a, b, c".
std::string joined(const std::vector<std::string>& words);

}  // namespace scree

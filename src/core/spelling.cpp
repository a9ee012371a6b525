#include "scree/core/spelling.hpp"

#include <algorithm>

namespace scree {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Optimal string alignment over three rows of the table.
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] =
          std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ", ";
    text += word;
  }
  return text;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& allowed) {
  constexpr std::size_t kLongest = 100;  // cost is the product of the lengths
  if (word.size() <= kLongest) {
    std::size_t best = word.size() / 3 + 2;
    const std::string* guess = nullptr;
    for (const std::string& candidate : allowed)
      if (const std::size_t d = edit_distance(word, candidate); d < best)
        best = d, guess = &candidate;
    if (guess) return "; did you mean '" + *guess + "'?";
  }
  if (allowed.empty()) return "";
  return "; allowed are " + joined(allowed);
}

}  // namespace scree

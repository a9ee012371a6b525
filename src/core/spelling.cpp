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

std::vector<std::string> nearest(std::string_view word, const std::vector<std::string>& allowed) {
  constexpr std::size_t kLongest = 100;  // cost is the product of the lengths
  constexpr std::size_t kMaxWords = 3;
  std::vector<std::string> words;
  if (word.size() > kLongest) return words;
  std::size_t best = word.size() / 3 + 1;
  for (const std::string& candidate : allowed) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance > best) continue;
    if (distance < best) words.clear();
    best = distance;
    if (words.size() < kMaxWords) words.push_back(candidate);
  }
  return words;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& allowed) {
  const std::vector<std::string> words = nearest(word, allowed);
  if (words.empty()) return allowed.empty() ? "" : "; allowed are " + joined(allowed);
  std::string text = "; did you mean '" + words.front();
  for (std::size_t k = 1; k < words.size(); ++k)
    text += (k + 1 < words.size() ? "', '" : "' or '") + words[k];
  return text + "'?";
}

}  // namespace scree

#include "scene/mesh_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

#include "scree/core/csv.hpp"
#include "scree/core/error.hpp"

namespace scree::scene {
namespace {

constexpr std::string_view kSpace = " \t\r\v\f\n";

/// Words of a text, and the lines that they stand in, from 1 on.
class Words {
 public:
  explicit Words(std::string_view text, std::size_t line = 1) : text_(text), line_(line) {}

  /// The next one; empty at the end.
  std::string_view next() {
    std::size_t begin = 0;
    for (; begin < text_.size() && kSpace.find(text_[begin]) != std::string_view::npos; ++begin)
      if (text_[begin] == '\n') ++line_;
    text_.remove_prefix(begin);
    const std::string_view word = text_.substr(0, text_.find_first_of(kSpace));
    text_.remove_prefix(word.size());
    return word;
  }
  void skip_line() { text_.remove_prefix(std::min(text_.find('\n'), text_.size())); }
  std::size_t line() const { return line_; }  ///< of the last word

 private:
  std::string_view text_;
  std::size_t line_;
};

/// What follows the word `vertex`.
std::array<double, 3> three_numbers(std::string_view vertex, Words& words) {
  std::array<double, 3> v{};
  const std::size_t line = words.line();
  for (double& x : v) {
    const std::string_view word = words.next();
    const auto read = read_number(word);
    if (!read || !std::isfinite(*read))
      throw InputError(
          fmt::format("has no vertex in line {}: found '{}' where a number belongs "
                      "('{} 0.5 0 1')",
                      line, word, vertex));
    x = *read;
  }
  return v;
}

std::string lower(std::string_view word) {
  std::string text(word);
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

std::string plain_obj(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t line = 1; !text.empty();) {
    // A backslash at its end joins a line to the next.
    std::string joined;
    const std::size_t first = line;
    for (bool goes_on = true; goes_on && !text.empty(); ++line) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string_view part = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      if (part.ends_with('\r')) part.remove_suffix(1);
      goes_on = part.ends_with('\\');
      if (goes_on) part.remove_suffix(1);
      joined.append(part);
      if (goes_on) joined.push_back(' ');
    }
    Words words(std::string_view(joined).substr(0, joined.find('#')), first);
    if (words.next() == "v") {
      const auto [x, y, z] = three_numbers("v", words);
      fmt::format_to(std::back_inserter(plain), "v {} {} {}\n", x, y, z);
    } else {
      plain.append(joined);
      plain.push_back('\n');
    }
  }
  return plain;
}

void check_ascii_stl(std::string_view text) {
  int vertices = 0;
  Words words(text);
  for (std::string word = lower(words.next()); !word.empty(); word = lower(words.next())) {
    if (word == "solid" || word == "endsolid") words.skip_line();  // a name
    if (word == "facet") vertices = 0;
    if (word == "vertex") {
      three_numbers("vertex", words);
      ++vertices;
    }
    if (word == "endfacet" && vertices != 3)
      throw InputError(
          fmt::format("has a facet of {} vertices that ends in line {}; those of STL files have 3",
                      vertices, words.line()));
  }
}

}  // namespace scree::scene

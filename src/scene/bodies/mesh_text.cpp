/// Normalises the text of OBJ and STL files before a library parses it.
#include "scene/bodies/mesh_text.hpp"

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

/// Words of a text with their line numbers, from 1.
class Words {
 public:
  explicit Words(std::string_view text, std::size_t line = 1) : text_(text), line_(line) {}

  /// Next word; empty at the end.
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
  std::size_t line() const { return line_; }  ///< line of the last word

 private:
  std::string_view text_;
  std::size_t line_;
};

/// Reads the three numbers after the word `vertex`.
std::array<double, 3> three_numbers(std::string_view vertex, Words& words) {
  std::array<double, 3> v{};
  const std::size_t line = words.line();
  for (double& x : v) {
    const std::string_view word = words.next();
    const auto read = read_number(word);
    if (!read || !std::isfinite(*read))
      throw InputError(fmt::format(
          "has an invalid vertex in line {}: found '{}', expected a number, as in '{} 0.5 0 1'",
          line, word, vertex));
    x = *read;
  }
  return v;
}

}  // namespace

std::string lower(std::string_view written) {
  std::string text(written);
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string plain_obj(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t line = 1; !text.empty();) {
    // A backslash at the end joins a line to the next
    std::string joined;
    const std::size_t first = line;
    for (bool continues = true; continues && !text.empty(); ++line) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string_view piece = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      if (piece.ends_with('\r')) piece.remove_suffix(1);
      continues = piece.ends_with('\\') && piece.find('#') == std::string_view::npos;
      if (continues) piece.remove_suffix(1);
      joined.append(piece);
      if (continues) joined.push_back(' ');
    }
    const std::string_view content = std::string_view(joined).substr(0, joined.find('#'));
    Words words(content, first);
    const std::string_view word = words.next();
    if (word == "v" || word == "V") {
      const auto [x, y, z] = three_numbers("v", words);
      fmt::format_to(std::back_inserter(plain), "v {} {} {}\n", x, y, z);
    } else if (word == "f" || word == "F") {
      const auto begin = static_cast<std::size_t>(word.data() - content.data()) + word.size();
      plain.append("f").append(content.substr(begin)).append("\n");
    } else {
      plain.append(content).append("\n");
    }
  }
  return plain;
}

std::string plain_stl(std::string_view text) {
  std::string plain = "solid\n";
  int vertices = 0;
  Words words(text);
  for (std::string word = lower(words.next()); !word.empty(); word = lower(words.next())) {
    if (word == "solid" || word == "endsolid") words.skip_line();  // a name
    if (word == "facet") {
      vertices = 0;
      plain.append("facet normal 0 0 0\nouter loop\n");
    }
    if (word == "vertex") {
      const auto [x, y, z] = three_numbers("vertex", words);
      fmt::format_to(std::back_inserter(plain), "vertex {} {} {}\n", x, y, z);
      ++vertices;
    }
    if (word != "endfacet") continue;
    if (vertices != 3)
      throw InputError(fmt::format(
          "has a facet with {} vertices that ends in line {}; facets of STL files have 3", vertices,
          words.line()));
    plain.append("endloop\nendfacet\n");
  }
  plain.append("endsolid\n");
  return plain;
}

}  // namespace scree::scene

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

constexpr std::string_view kSpace = " \t\r\v\f";

/// The first word of a line, which is taken off it; empty if there is none.
std::string_view take_word(std::string_view& line) {
  const std::size_t begin = std::min(line.find_first_not_of(kSpace), line.size());
  line.remove_prefix(begin);
  const std::string_view word = line.substr(0, line.find_first_of(kSpace));
  line.remove_prefix(word.size());
  return word;
}

/// Calls f(number of the line, line).
template <class F>
void for_each_line(std::string_view text, F&& f) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    f(number, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// What follows the word `vertex` of a line.
std::array<double, 3> three_numbers(std::size_t number, std::string_view vertex,
                                    std::string_view& rest) {
  std::array<double, 3> v{};
  for (double& x : v) {
    const std::string_view word = take_word(rest);
    const auto read = read_number(word);
    if (!read || !std::isfinite(*read))
      throw InputError(
          fmt::format("has no vertex in line {}: found '{}' where a number belongs "
                      "('{} 0.5 0 1')",
                      number, word, vertex));
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
  for_each_line(text, [&](std::size_t number, std::string_view line) {
    std::string_view rest = line;
    if (take_word(rest) == "v") {
      const auto [x, y, z] = three_numbers(number, "v", rest);
      fmt::format_to(std::back_inserter(plain), "v {} {} {}\n", x, y, z);
    } else {
      plain.append(line);
      plain.push_back('\n');
    }
  });
  return plain;
}

void check_ascii_stl(std::string_view text) {
  int vertices = 0;
  for_each_line(text, [&](std::size_t number, std::string_view line) {
    std::string_view rest = line;
    for (std::string word = lower(take_word(rest)); !word.empty(); word = lower(take_word(rest))) {
      if (word == "solid" || word == "endsolid") return;  // a name follows
      if (word == "facet") vertices = 0;
      if (word == "vertex") {
        three_numbers(number, "vertex", rest);
        ++vertices;
      }
      if (word == "endfacet" && vertices != 3)
        throw InputError(
            fmt::format("has a facet of {} vertices that ends in line {}; those of STL "
                        "files have 3",
                        vertices, number));
    }
  });
}

}  // namespace scree::scene

/// Parses JSON from users.
#pragma once

#include <cstddef>
#include <string_view>

#include "scree/io/json_text.hpp"

namespace scree {

/// True if lists and maps in a JSON text are nested deeper than `max_depth` levels.
inline bool nests_deeper(std::string_view json, int max_depth) {
  int depth = 0;
  bool in_text = false;
  for (std::size_t k = 0; k < json.size(); ++k) {
    const char c = json[k];
    if (in_text && c == '\\')
      ++k;  // the next character does not end the text
    else if (c == '"')
      in_text = !in_text;
    else if (!in_text && (c == '[' || c == '{') && ++depth > max_depth)
      return true;
    else if (!in_text && (c == ']' || c == '}'))
      --depth;
  }
  return false;
}

/// Parsed value of a text; a discarded one if the text is not JSON, or nested deeper than any file
/// of scree: copying a value recurses as deep.
template <class AnyJson = Json>
AnyJson parsed_json(std::string_view text) {
  constexpr int kDeepest = 100;
  if (nests_deeper(text, kDeepest)) return AnyJson(AnyJson::value_t::discarded);
  return AnyJson::parse(text, nullptr, false);
}

}  // namespace scree

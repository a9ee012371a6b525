/// JSON that users carry in.
#pragma once

#include <cstddef>
#include <string_view>

#include "scree/io/json_text.hpp"

namespace scree {

/// Whether lists and maps of a JSON text stand in each other deeper than so.
inline bool nests_deeper(std::string_view json, int most) {
  int depth = 0;
  bool in_text = false;
  for (std::size_t k = 0; k < json.size(); ++k) {
    const char c = json[k];
    if (in_text && c == '\\')
      ++k;  // what comes next ends no text
    else if (c == '"')
      in_text = !in_text;
    else if (!in_text && (c == '[' || c == '{') && ++depth > most)
      return true;
    else if (!in_text && (c == ']' || c == '}'))
      --depth;
  }
  return false;
}

/// The value in a text; a discarded one if that is no JSON, or if values stand in each other deeper
/// than in any file of ours: whoever copies a value goes as deep in the stack.
template <class AnyJson = Json>
AnyJson parsed_json(std::string_view text) {
  constexpr int kDeepest = 100;
  if (nests_deeper(text, kDeepest)) return AnyJson(AnyJson::value_t::discarded);
  return AnyJson::parse(text, nullptr, false);
}

}  // namespace scree

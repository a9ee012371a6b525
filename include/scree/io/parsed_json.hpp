/// JSON that users carry in.
#pragma once

#include <string_view>

#include "scree/io/json_text.hpp"

namespace scree {

/// The value in a text; a discarded one if that is no JSON, or if values stand in each other deeper
/// than in any file of ours: whoever copies a value goes as deep in the stack.
template <class AnyJson = Json>
AnyJson parsed_json(std::string_view text) {
  constexpr int kDeepest = 100;
  bool too_deep = false;
  const auto look = [&](int depth, typename AnyJson::parse_event_t, AnyJson&) {
    too_deep = too_deep || depth > kDeepest;
    return !too_deep;
  };
  AnyJson json = AnyJson::parse(text, look, false);
  if (too_deep) json = AnyJson(AnyJson::value_t::discarded);
  return json;
}

}  // namespace scree

/// Words for the errors of the YAML library.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "scene/yaml/node.hpp"

namespace scree::scene {

/// A '[' or '{' that is not closed yet.
struct OpenBracket {
  char bracket = '[';
  SourcePosition position;
};

struct YamlFault {
  SourcePosition position;  ///< of the text to change
  std::string message;
};

/// Says what to change in the text. `message` and `noticed` are the error of yaml-cpp and the
/// position where it noticed it; `open` is the innermost bracket that is open there.
YamlFault yaml_fault(std::string_view message, const SourcePosition& noticed,
                     const std::optional<OpenBracket>& open);

}  // namespace scree::scene

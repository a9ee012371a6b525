/// Converts YAML text to a tree and back.
#pragma once

#include <optional>
#include <string>

#include "scene/yaml/node.hpp"
#include "scene/yaml/problems.hpp"

namespace scree::scene {

/// Reads one YAML document. Reports duplicate keys, keys that are not scalars, aliases that grow
/// without bound, a second document, and text that is not YAML. None if the text cannot be read at
/// all.
std::optional<Node> parse_document(const std::string& text, int origin, Problems& problems);

/// Tree as YAML; numbers with 17 significant digits, strings in double quotes.
std::string emit_document(const Node& root);

}  // namespace scree::scene

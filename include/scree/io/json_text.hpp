/// JSON as scree writes it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "scree/math/vec3.hpp"

namespace scree {

using Json = nlohmann::ordered_json;

/// Indented text with a line break at the end. Bytes that are not UTF-8 become replacement
/// characters, so that a message is never lost.
std::string as_text(const Json& json);

Json as_json(const Vec3& v);  ///< [x, y, z]

}  // namespace scree

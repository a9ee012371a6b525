/// Text of scenes: numbers, vectors and names in YAML.
#pragma once

#include <cmath>
#include <fmt/format.h>
#include <string>

#include "scree/math/quaternion.hpp"
#include "scree/math/vec3.hpp"

namespace scree::robots {

inline std::string yaml_of(const Vec3& v) { return fmt::format("[{}, {}, {}]", v.x, v.y, v.z); }
inline std::string yaml_of(const Quaternion& q) {
  return fmt::format("[{}, {}, {}, {}]", q.w, q.x, q.y, q.z);
}
inline std::string yaml_of(double value) {
  return std::isinf(value) ? (value < 0 ? "-.inf" : ".inf") : fmt::format("{}", value);
}
/// Text in quotes, valid in JSON and YAML.
inline std::string yaml_text(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

}  // namespace scree::robots

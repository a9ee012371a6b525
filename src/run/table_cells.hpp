/// Cells of the tables that analyses write.
#pragma once

#include <fmt/format.h>
#include <string>

#include "scree/math/vec3.hpp"

namespace scree {

inline std::string comma_separated(const Vec3& v) { return fmt::format("{},{},{}", v.x, v.y, v.z); }

inline std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// part / whole, or 0 if whole is 0.
inline double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

}  // namespace scree

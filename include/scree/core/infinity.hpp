/// Short name for infinity as a double.
#pragma once

#include <limits>

namespace scree {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace scree

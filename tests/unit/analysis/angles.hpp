/// Numbers of angles.
#pragma once

#include <numbers>

namespace scree::test {

inline constexpr double kPi = std::numbers::pi;
inline constexpr double kDegree = kPi / 180;

}  // namespace scree::test

/// Limits of the tables that a scene names.
#pragma once

namespace scree::scene {

inline constexpr int kMaxBadRows = 20;  ///< reported one by one
inline constexpr double kLargestNumber =
    1e9;  ///< largest number in a file, as for lengths in the schema

}  // namespace scree::scene

/// Identities of bodies, materials and contacts. Ids are global and stable; indices are positions
/// in the current arrays.
#pragma once

#include <compare>
#include <cstdint>

namespace scree {

/// Global, stable identity of a free body or an obstacle. Never reused within a run.
struct BodyId {
  std::uint64_t value = 0;
  auto operator<=>(const BodyId&) const = default;
};

/// Ids of obstacles lie above those of all free bodies, so body B of a contact is the obstacle.
inline constexpr std::uint64_t kFirstObstacleId = std::uint64_t{1} << 62;
inline constexpr BodyId obstacle_id(std::uint32_t index) { return {kFirstObstacleId + index}; }
inline constexpr bool is_obstacle(BodyId id) { return id.value >= kFirstObstacleId; }

using BodyIndex = std::uint32_t;    ///< position in the body arrays of one process
using MaterialId = std::uint16_t;   ///< position in Model::materials
using PrototypeId = std::uint16_t;  ///< position in Model::prototypes

/// Stable name of a contact: the two bodies, lower id first, and the feature (0 if the pair has
/// only one point).
struct ContactKey {
  BodyId a, b;
  std::uint32_t feature = 0;
  auto operator<=>(const ContactKey&) const = default;
};

}  // namespace scree

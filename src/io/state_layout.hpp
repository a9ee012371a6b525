/// Numbers of which the fields of a state consist.
#pragma once

#include <cstdint>
#include <type_traits>

#include "scree/sim/state.hpp"

namespace scree {

/// Version of the fields of a state, in checkpoints and in state_bytes().
inline constexpr std::uint64_t kStateVersion = 23;

/// Type of the numbers of which a struct of the state consists.
template <class T>
struct Layout {
  using Number = T;
};
// clang-format off
template <> struct Layout<bool> { using Number = std::uint8_t; };
template <> struct Layout<BodyId> { using Number = std::uint64_t; };
template <> struct Layout<BodyPair> { using Number = BodyIndex; };
template <> struct Layout<Vec3> { using Number = double; };
template <> struct Layout<Quaternion> { using Number = double; };
template <> struct Layout<ObstacleApproach> { using Number = double; };
template <> struct Layout<ObstacleState> { using Number = double; };
template <> struct Layout<JointState> { using Number = double; };
template <> struct Layout<CellState> { using Number = double; };
template <> struct Layout<Wrench> { using Number = double; };
template <> struct Layout<ObstacleLoad> { using Number = double; };
template <> struct Layout<Wear> { using Number = double; };
template <> struct Layout<ForceMemory> { using Number = double; };
template <> struct Layout<ForceHeld> { using Number = double; };
template <> struct Layout<ForceBooks> { using Number = double; };
// the bits of a double, then whole numbers
template <> struct Layout<InflowState> { using Number = std::uint64_t; };
template <> struct Layout<FillingState> { using Number = std::uint64_t; };
template <> struct Layout<ChangedMotor> { using Number = std::uint64_t; };
template <> struct Layout<SleepingContact> { using Number = std::uint64_t; };
// clang-format on

template <class T>
constexpr std::size_t columns_of() {
  constexpr std::size_t size = sizeof(T), number = sizeof(typename Layout<T>::Number);
  static_assert(std::is_trivially_copyable_v<T> && size % number == 0);
  return size / number;
}

}  // namespace scree

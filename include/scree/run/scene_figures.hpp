/// A scene in a few numbers, and what a run of it will take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "scree/run/forecast.hpp"
#include "scree/scene/scene.hpp"

namespace scree {

/// A body should cross no more than this part of its radius in a step, or contacts are found late
/// and deep [-]. At 0.3 the deepest penetration in scenes/channel_quick.yaml is 2 % of a diameter.
inline constexpr double kAdvisedTravel = 0.3;

/// Nor should a step be longer than this part of √(d/g), d the diameter of the smallest body [-]:
/// with the default accuracy the answers of docs/guide/accuracy.md stay within some 5 % up to here.
inline constexpr double kAdvisedFall = 0.04;

/// Where boxes are stacked, this part of √(d/g), d their shortest edge [-], as
/// docs/guide/accuracy.md has measured it.
inline constexpr double kStackFall = 0.01;

/// What makes SceneFigures::largest_travel.
enum class FastestMotion : std::uint8_t {
  none,      ///< nothing that is known as the scene starts
  velocity,  ///< of a body, or what gravity gives one over a radius
  fall,      ///< of a body
  obstacle,  ///< that moves as prescribed
  strain,    ///< of the cell: neighbours pass each other
};

/// The box of a mesh or a height map, as the scene starts.
struct MeshExtent {
  std::string name;
  Vec3 low, high;  ///< [m]
};

struct SceneFigures {
  std::size_t bodies = 0, obstacles = 0, inflows = 0, fillings = 0;
  double mass = 0;                                 ///< [kg]
  double smallest_radius = 0, largest_radius = 0;  ///< [m]
  double fastest = 0;                              ///< of bodies and obstacles at the start [m/s]
  double largest_travel = 0;                       ///< of a body in a step, over its radius [-]
  FastestMotion fastest_motion = FastestMotion::none;
  /// That the body of largest_travel may fall: from where it is at first, or the top of where it
  /// enters, to the nearest floor below, else to the lowest body or obstacle [m]
  double drop = 0;
  /// Step.h over √(d/g) of the smallest body, g the largest of all stages; 0 without gravity [-]
  double fall_of_step = 0;
  double advised_step = 0;  ///< by both rules [s]; 0: nothing moves, nothing to advise
  double stack_step = 0;    ///< by kStackFall [s]; 0: there are no free boxes, or no gravity
  bool has_fields = false;  ///< in any stage: no speed here counts what they do
  std::uint64_t steps = 0;
  std::vector<MeshExtent> meshes;
  Forecast forecast;
};

/// Throws InputError as forecast() does.
SceneFigures figures_of(const Scene& scene);

}  // namespace scree

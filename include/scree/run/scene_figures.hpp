/// A scene in a few numbers, and a forecast of its run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "scree/run/forecast.hpp"
#include "scree/scene/scene.hpp"

namespace scree {

/// Largest advised displacement of a body in a step, as a fraction of its radius [-]; beyond it
/// contacts are found late and deep. At 0.3 the deepest penetration in scenes/channel_quick.yaml is
/// 2 % of a diameter.
inline constexpr double kAdvisedTravel = 0.3;

/// Longest advised step as a fraction of √(d/g), d the diameter of the smallest body [-]: up to it,
/// the answers of docs/guide/accuracy.md stay within some 5 % with the default accuracy.
inline constexpr double kAdvisedFall = 0.04;

/// The same for stacked boxes, d their shortest edge [-], as measured in docs/guide/accuracy.md.
inline constexpr double kStackFall = 0.01;

/// Motion that determines SceneFigures::largest_travel.
enum class FastestMotion : std::uint8_t {
  none,      ///< no motion is known at the start
  velocity,  ///< of a body, or from gravity over a radius
  fall,      ///< of a body
  obstacle,  ///< with a prescribed motion
  strain,    ///< of the cell: neighbours pass each other
};

/// Bounding box of a mesh or a height map at the start.
struct MeshExtent {
  std::string name;
  Vec3 low, high;  ///< [m]
};

struct SceneFigures {
  std::size_t bodies = 0, obstacles = 0, inflows = 0, fillings = 0;
  double mass = 0;                                 ///< [kg]
  double smallest_radius = 0, largest_radius = 0;  ///< [m]
  double fastest = 0;                              ///< of bodies and obstacles at the start [m/s]
  double largest_travel = 0;  ///< displacement of a body in a step over its radius [-]
  FastestMotion fastest_motion = FastestMotion::none;
  /// Height that the body of largest_travel may fall: from its initial position, or the top of its
  /// entry, to the nearest floor below, else to the lowest body or obstacle [m]
  double drop = 0;
  /// Step.h over √(d/g) of the smallest body, g the largest of all stages; 0 without gravity [-]
  double fall_of_step = 0;
  double advised_step = 0;  ///< by both rules [s]; 0: nothing moves
  double stack_step = 0;    ///< by kStackFall [s]; 0 without free boxes or gravity
  bool has_fields = false;  ///< in any stage; their effect is in no speed here
  std::uint64_t steps = 0;
  std::vector<MeshExtent> meshes;
  Forecast forecast;
};

/// Throws InputError as forecast() does.
SceneFigures figures_of(const Scene& scene);

}  // namespace scree

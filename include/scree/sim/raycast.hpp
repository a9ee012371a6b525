/// Rays against the bodies and obstacles of a simulation.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "scree/geometry/ray.hpp"
#include "scree/sim/simulation.hpp"

namespace scree {

struct RayLimits {
  double within = std::numeric_limits<double>::infinity();  ///< range of the rays [m] > 0
  std::vector<BodyId> unseen{};  ///< bodies and obstacles that rays pass through
};

/// Hit of a ray, and the body or obstacle that it meets; kWorld if there is none.
struct SeenBody : RayHit {
  BodyId id = kWorld;
};

/// First hit of each ray, in the present poses. Rays pass through bodies of materials that touch
/// nothing, as links without collision have. A call for many rays takes O(n log n) of n bodies, and
/// each ray about O(log n); one for a few rays O(n) each. Throws InputError in a periodic cell, for
/// a direction of length 0, and for numbers that are not finite; directions may have any other
/// length.
std::vector<SeenBody> raycast(const Simulation& simulation, std::span<const Ray> rays,
                              const RayLimits& limits = {});

}  // namespace scree

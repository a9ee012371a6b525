/// Motion of a body.
#pragma once

#include "scree/math/vec3.hpp"

namespace scree {

struct Motion {
  Vec3 velocity, angular_velocity;  ///< [m/s], [rad/s]
};

}  // namespace scree

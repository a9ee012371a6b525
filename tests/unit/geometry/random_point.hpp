/// Points at random.
#pragma once

#include "scree/math/random.hpp"
#include "scree/math/vec3.hpp"

namespace scree::test {

/// In the cube of this half width around the origin.
inline Vec3 random_point(RandomStream& random, double half_width) {
  return {random.uniform(-half_width, half_width), random.uniform(-half_width, half_width),
          random.uniform(-half_width, half_width)};
}

}  // namespace scree::test

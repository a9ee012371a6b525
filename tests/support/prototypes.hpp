/// Shapes of bodies that tests share.
#pragma once

#include <vector>

#include "scree/sim/model.hpp"

namespace scree {

inline const std::vector<Prototype> kSpheres{Prototype{}};

/// A sphere and a box with edges in these proportions.
inline std::vector<Prototype> spheres_and_boxes(const Vec3& size) {
  const Box box{size / norm(size)};
  const VolumeProperties properties = volume_properties(box);
  return {Prototype{}, {box, properties.inertia / properties.volume}};
}

}  // namespace scree

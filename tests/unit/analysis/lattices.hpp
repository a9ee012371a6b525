/// Packings whose answers are known.
#pragma once

#include <vector>

#include "scree/math/vec3.hpp"

namespace scree {

/// n³ points of a simple cubic lattice of this spacing [m], the first at `origin` [m], the last coordinate running fastest.
inline std::vector<Vec3> simple_cubic(int n, double spacing, const Vec3& origin) {
  std::vector<Vec3> points;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) points.push_back(origin + spacing * Vec3{double(i), double(j), double(k)});
    }
  }
  return points;
}

/// 4 n³ points of a face-centred cubic lattice whose cubic cells have this side [m].
inline std::vector<Vec3> face_centred_cubic(int n, double side, const Vec3& origin) {
  std::vector<Vec3> points;
  for (const Vec3& corner : simple_cubic(n, side, origin)) {
    for (const Vec3& shift : {Vec3{0, 0, 0}, Vec3{0, 0.5, 0.5}, Vec3{0.5, 0, 0.5}, Vec3{0.5, 0.5, 0}}) {
      points.push_back(corner + side * shift);
    }
  }
  return points;
}

}  // namespace scree

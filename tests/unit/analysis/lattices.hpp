/// Packings whose answers are known.
#pragma once

#include <vector>

#include "scree/math/vec3.hpp"
#include "scree/sim/report.hpp"
#include "scree/sim/state.hpp"
#include "support/prototypes.hpp"

namespace scree {

/// n³ points of a simple cubic lattice of this spacing [m], the first at `origin` [m], the last
/// coordinate running fastest.
inline std::vector<Vec3> simple_cubic(int n, double spacing, const Vec3& origin) {
  std::vector<Vec3> points;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k)
        points.push_back(origin + spacing * Vec3{double(i), double(j), double(k)});
    }
  }
  return points;
}

/// 4 n³ points of a face-centred cubic lattice whose cubic cells have this side [m].
inline std::vector<Vec3> face_centred_cubic(int n, double side, const Vec3& origin) {
  std::vector<Vec3> points;
  for (const Vec3& corner : simple_cubic(n, side, origin)) {
    for (const Vec3& shift :
         {Vec3{0, 0, 0}, Vec3{0, 0.5, 0.5}, Vec3{0.5, 0, 0.5}, Vec3{0.5, 0.5, 0}}) {
      points.push_back(corner + side * shift);
    }
  }
  return points;
}

/// Boxes with these edges [m] about these points, for the prototypes of spheres_and_boxes(size).
inline Bodies boxes_at(const std::vector<Vec3>& points, const Vec3& size,
                       const Quaternion& orientation = {}) {
  Bodies bodies;
  for (const Vec3& point : points)
    bodies.push_back({.id = {bodies.size()},
                      .position = point,
                      .orientation = orientation,
                      .radius = norm(size) / 2,
                      .mass = 1,
                      .prototype = 1});
  return bodies;
}

/// Adds a sphere of 1 kg whose id is its index.
inline void add_sphere(Bodies& bodies, const Vec3& position, double radius) {
  Body body;
  body.id = {bodies.size()};
  body.position = position;
  body.radius = radius;
  body.mass = 1;
  bodies.push_back(body);
}

/// Spheres of one size about these points, with ids in their order.
inline Bodies spheres_at(const std::vector<Vec3>& points, double radius) {
  Bodies bodies;
  for (const Vec3& point : points) add_sphere(bodies, point, radius);
  return bodies;
}

enum class Walls { none, all };

/// The contacts of spheres that touch at the points of simple_cubic(n, 1, {}), each with this
/// impulse along each axis [N s]; with a wall beyond each face, if requested.
inline std::vector<ContactRecord> contacts_of_cube(int n, Walls walls,
                                                   const Vec3& impulse = {1, 1, 1}) {
  std::vector<ContactRecord> contacts;
  const auto points = simple_cubic(n, 1, {});
  const int stride[3] = {n * n, n, 1};
  const auto add = [&](BodyId a, BodyId b, const Vec3& from, int axis, double sign) {
    Vec3 normal;
    normal[axis] = sign;
    contacts.push_back(
        {a, b, from + 0.5 * normal, normal, impulse[axis] * normal, 0, 0, ContactClass::sticking});
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      const bool first = points[i][axis] == 0, last = points[i][axis] == n - 1;
      if (!last) add({i}, {i + static_cast<std::size_t>(stride[axis])}, points[i], axis, 1);
      if (last && walls == Walls::all) add({i}, obstacle_id(0), points[i], axis, 1);
      if (first && walls == Walls::all) add({i}, obstacle_id(1), points[i], axis, -1);
    }
  }
  return contacts;
}

}  // namespace scree

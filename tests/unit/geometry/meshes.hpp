/// Surfaces of triangles to test with.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "scree/geometry/mesh_repair.hpp"

namespace scree::test {

/// A box, each face cut into n × n squares of two triangles.
inline TriangleSoup box_soup(const Vec3& half, std::uint32_t n = 1) {
  TriangleSoup soup;
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      const auto first = static_cast<std::uint32_t>(soup.vertices.size());
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      for (std::uint32_t i = 0; i <= n; ++i)
        for (std::uint32_t j = 0; j <= n; ++j) {
          Vec3 p;
          p[axis] = side * half[axis];
          p[u] = half[u] * (2.0 * i / n - 1);
          p[v] = half[v] * (2.0 * j / n - 1);
          soup.vertices.push_back(p);
        }
      for (std::uint32_t i = 0; i < n; ++i)
        for (std::uint32_t j = 0; j < n; ++j) {
          const std::uint32_t a = first + i * (n + 1) + j, b = a + n + 1, c = b + 1, d = a + 1;
          if (side > 0) {
            soup.triangles.push_back({a, b, c});
            soup.triangles.push_back({a, c, d});
          } else {
            soup.triangles.push_back({a, c, b});
            soup.triangles.push_back({a, d, c});
          }
        }
    }
  return soup;
}

/// The square |x|, |y| ≤ half at z = 0, facing up, cut into n × n squares.
inline TriangleSoup square_soup(double half, std::uint32_t n) {
  TriangleSoup soup;
  for (std::uint32_t i = 0; i <= n; ++i)
    for (std::uint32_t j = 0; j <= n; ++j)
      soup.vertices.push_back({half * (2.0 * i / n - 1), half * (2.0 * j / n - 1), 0});
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < n; ++j) {
      const std::uint32_t a = i * (n + 1) + j, b = a + n + 1, c = b + 1, d = a + 1;
      soup.triangles.push_back({a, b, c});
      soup.triangles.push_back({a, c, d});
    }
  return soup;
}

/// The side of a cylinder of n facets about the z axis, cut into m rings; normals outward.
inline TriangleSoup tube_soup(double radius, double half_length, std::uint32_t n, std::uint32_t m) {
  TriangleSoup soup;
  for (std::uint32_t i = 0; i <= m; ++i)
    for (std::uint32_t j = 0; j < n; ++j) {
      const double angle = 2 * std::numbers::pi * j / n;
      soup.vertices.push_back(
          {radius * std::cos(angle), radius * std::sin(angle), half_length * (2.0 * i / m - 1)});
    }
  for (std::uint32_t i = 0; i < m; ++i)
    for (std::uint32_t j = 0; j < n; ++j) {
      const std::uint32_t a = i * n + j, b = i * n + (j + 1) % n, c = b + n, d = a + n;
      soup.triangles.push_back({a, b, c});
      soup.triangles.push_back({a, c, d});
    }
  return soup;
}

inline TriangleMesh mesh_of(const TriangleSoup& soup, Sides sides) {
  const RepairedMesh repaired = repair(soup);
  return {repaired.vertices, repaired.triangles, sides};
}

}  // namespace scree::test

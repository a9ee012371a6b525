/// What a file says of a surface, put in order before it is used.
#pragma once

#include <cstddef>
#include <vector>

#include "scree/geometry/triangle_mesh.hpp"

namespace scree {

/// Triangles as a file has them.
struct TriangleSoup {
  std::vector<Vec3> vertices;  ///< [m]
  std::vector<TriangleMesh::Corners> triangles;
};

/// What was found, and what was done about it. Places are the first of their kind [m].
struct MeshFindings {
  struct Finding {
    std::size_t count = 0;
    Vec3 place;
    void add(const Vec3& at) {
      if (count++ == 0) place = at;
    }
  };
  Finding without_area;     ///< triangles left out: flat to kFlat
  Finding twice;            ///< triangles left out: their corners are those of another
  Finding turned;           ///< triangles turned over: they faced against their neighbours
  Finding open_edges;       ///< of one triangle alone
  Finding branching_edges;  ///< shared by more than two
  Finding one_sided;        ///< edges where no turning over helps, as in a Möbius strip
  bool inside_out = false;  ///< closed, with all normals inward: all were turned over
  bool is_closed() const { return open_edges.count == 0 && branching_edges.count == 0; }
};

struct RepairedMesh {
  std::vector<Vec3> vertices;
  std::vector<TriangleMesh::Corners> triangles;
  MeshFindings findings;
};

/// Of the longest diagonal of the mesh: vertices closer than that are one. Files with numbers of
/// single precision have errors of 1e-7 of it.
inline constexpr double kWeld = 1e-6;
/// Of its longest edge: the height of a triangle that counts as flat.
inline constexpr double kFlat = 1e-8;

/// Welds vertices, leaves out triangles without area and those that are there twice, turns
/// neighbours the same way round, and closed surfaces outward. Vertices have to be finite.
RepairedMesh repair(const TriangleSoup& soup);

}  // namespace scree

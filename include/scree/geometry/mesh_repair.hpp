/// Repair of triangle meshes read from files.
#pragma once

#include <cstddef>
#include <vector>

#include "scree/geometry/triangle_mesh.hpp"

namespace scree {

/// Triangles as read from a file.
struct TriangleSoup {
  std::vector<Vec3> vertices;  ///< [m]
  std::vector<TriangleMesh::Corners> triangles;
};

/// Defects found, and their repairs. `place` is the position of the first defect of its kind [m].
struct MeshFindings {
  struct Finding {
    std::size_t count = 0;
    Vec3 place;
    void add(const Vec3& at) {
      if (count++ == 0) place = at;
    }
  };
  Finding without_area;     ///< triangles removed: flatter than kFlat
  Finding twice;            ///< triangles removed: duplicates, with the corners of another
  Finding turned;           ///< triangles flipped: they faced against their neighbours
  Finding open_edges;       ///< edges of a single triangle
  Finding branching_edges;  ///< edges shared by more than two triangles
  Finding one_sided;        ///< edges that no flipping can fix, as in a Möbius strip
  bool inside_out = false;  ///< closed, with all normals inward: all triangles were flipped
  bool is_closed() const { return open_edges.count == 0 && branching_edges.count == 0; }
};

struct RepairedMesh {
  std::vector<Vec3> vertices;
  std::vector<TriangleMesh::Corners> triangles;
  MeshFindings findings;
};

/// Distance below which vertices are merged, as a fraction of the mesh's longest diagonal [-].
/// Coordinates in single precision have errors of 1e-7 of it.
inline constexpr double kWeld = 1e-6;
/// Height below which a triangle counts as flat, as a fraction of its longest edge [-].
inline constexpr double kFlat = 1e-8;

/// Merges vertices, removes flat and duplicate triangles, orients neighbours consistently, and
/// closed surfaces outward. Vertices must be finite.
RepairedMesh repair(const TriangleSoup& soup);

}  // namespace scree

/// Tessellates shapes into polygons, ring by ring for bodies of revolution.
#include "geometry/tessellation.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "geometry/superellipsoid.hpp"
#include "scree/geometry/clump.hpp"
#include "scree/geometry/convex_hull.hpp"

namespace scree {
namespace {

using std::numbers::pi;
using Index = std::uint32_t;

/// Builds a body about the z axis ring by ring, from bottom to top; a ring without radius is a
/// point.
class Rings {
 public:
  explicit Rings(int around) : around_(static_cast<Index>(around)) {}

  /// Adds a ring with corners `corner(k)`, or a single point.
  template <class Corner>
  void add(bool is_point, const Corner& corner) {
    const Index first = static_cast<Index>(result_.corners.size());
    for (Index k = 0; k < (is_point ? 1 : around_); ++k) result_.corners.push_back(corner(k));
    if (first == 0) {
      if (!is_point) close(first, false);
    } else {
      join(last_first_, last_is_point_, first, is_point);
    }
    last_first_ = first;
    last_is_point_ = is_point;
  }
  void add(double radius, double z) {
    add(radius == 0, [&](Index k) { return Vec3{radius * cosine(k), radius * sine(k), z}; });
  }
  double cosine(Index k) const { return std::cos(2 * pi * k / around_); }
  double sine(Index k) const { return std::sin(2 * pi * k / around_); }

  Tessellation finish() {
    if (!last_is_point_) close(last_first_, true);
    return std::move(result_);
  }

 private:
  void close(Index first, bool at_top) {
    std::vector<Index> loop;
    for (Index k = 0; k < around_; ++k) loop.push_back(first + (at_top ? k : around_ - 1 - k));
    result_.faces.push_back(std::move(loop));
  }
  void join(Index below, bool below_is_point, Index above, bool above_is_point) {
    for (Index k = 0; k < around_; ++k) {
      const Index next = (k + 1) % around_;
      if (below_is_point)
        result_.faces.push_back({below, above + next, above + k});
      else if (above_is_point)
        result_.faces.push_back({below + k, below + next, above});
      else
        result_.faces.push_back({below + k, below + next, above + next, above + k});
    }
  }

  Index around_;
  Tessellation result_;
  Index last_first_ = 0;
  bool last_is_point_ = true;
};

struct Tessellate {
  int around;

  Tessellation operator()(const Sphere& s) const { return (*this)(Capsule{s.radius, 0}); }
  Tessellation operator()(const Box& b) const {
    const Vec3& h = b.half_extent;
    Tessellation box;
    for (int v = 0; v < 8; ++v)
      box.corners.push_back({v & 1 ? h.x : -h.x, v & 2 ? h.y : -h.y, v & 4 ? h.z : -h.z});
    box.faces = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                 {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    return box;
  }
  Tessellation operator()(const Cylinder& c) const {
    return (*this)(Frustum{c.radius, c.radius, -c.half_length, c.half_length});
  }
  Tessellation operator()(const Frustum& f) const {
    Rings rings(around);
    rings.add(f.bottom_radius, f.bottom);
    rings.add(f.top_radius, f.top);
    return rings.finish();
  }
  Tessellation operator()(const Capsule& c) const {
    const int quarter = around / 4;
    Rings rings(around);
    for (int k = -quarter; k <= quarter; ++k) {
      const double angle = 2 * pi * k / around;
      const double radius = std::abs(k) == quarter ? 0 : c.radius * std::cos(angle);
      const double z = c.radius * (std::abs(k) == quarter ? (k > 0 ? 1 : -1) : std::sin(angle));
      if (k <= 0) rings.add(radius, z - c.half_length);
      if (k > 0 || (k == 0 && c.half_length > 0)) rings.add(radius, z + c.half_length);
    }
    return rings.finish();
  }
  /// Cuts quadrangles in two, since their corners may not lie in one plane.
  Tessellation operator()(const Superellipsoid& s) const {
    const int quarter = around / 4;
    Rings rings(around);
    for (int k = -quarter; k <= quarter; ++k) {
      const double angle = 2 * pi * k / around;
      const bool is_pole = std::abs(k) == quarter;
      rings.add(is_pole, [&](Index j) {
        if (is_pole) return Vec3{0, 0, std::copysign(s.semi_axes.z, angle)};
        return surface_point(s, {std::cos(angle) * rings.cosine(j), std::cos(angle) * rings.sine(j),
                                 std::sin(angle)})
            .point;
      });
    }
    Tessellation all = rings.finish();
    std::vector<std::vector<Index>> triangles;
    for (const auto& face : all.faces)
      for (std::size_t k = 1; k + 1 < face.size(); ++k)
        triangles.push_back({face[0], face[k], face[k + 1]});
    all.faces = std::move(triangles);
    return all;
  }
  Tessellation operator()(const Polyhedron& p) const {
    Tessellation result;
    for (const Vec3& v : p.hull->vertices()) result.corners.push_back(p.scale * v);
    for (const auto& loop : p.hull->face_loops())
      result.faces.emplace_back(loop.begin(), loop.end());
    return result;
  }
  Tessellation operator()(const Clump& c) const {
    Tessellation result;
    for (const ClumpPart& part : c.parts->parts()) {
      const Tessellation of_part = tessellation(part.shape, around);
      const auto first = static_cast<Index>(result.corners.size());
      for (const Vec3& corner : of_part.corners)
        result.corners.push_back(c.scale *
                                 (part.pose.position + rotate(part.pose.orientation, corner)));
      for (std::vector<Index> face : of_part.faces) {
        for (Index& corner : face) corner += first;
        result.faces.push_back(std::move(face));
      }
    }
    return result;
  }
  Tessellation operator()(const auto& /*surface*/) const {
    throw std::domain_error("only bodies of finite volume have a closed surface");
  }
};

}  // namespace

Tessellation tessellation(const Shape& shape, int around) {
  return std::visit(Tessellate{around}, shape);
}

}  // namespace scree

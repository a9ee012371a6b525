/// Convex hulls by qhull, with their faces, edges and mass properties.
#include "scree/geometry/convex_hull.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <string>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

#include "geometry/kernels/farthest.hpp"
#include "geometry/principal_axes.hpp"

namespace scree {
namespace {

struct Polygons {
  std::vector<Vec3> vertices;
  std::vector<std::vector<std::uint16_t>> loops;  ///< counter-clockwise seen from outside
};

/// Twice the area of a loop, as a vector along its normal.
Vec3 area_of(std::span<const Vec3> vertices, const std::vector<std::uint16_t>& loop) {
  const Vec3& origin = vertices[loop[0]];
  Vec3 area;
  for (std::size_t k = 1; k + 1 < loop.size(); ++k)
    area += cross(vertices[loop[k]] - origin, vertices[loop[k + 1]] - origin);
  return area;
}

/// Wrapper of qhull.
class Qhull {
 public:
  Qhull() : log_(std::fopen("/dev/null", "w")) { qh_zero(&qh_, log_); }
  ~Qhull() {
    qh_freeqhull(&qh_, !qh_ALL);
    int bytes = 0, blocks = 0;
    qh_memfreeshort(&qh_, &bytes, &blocks);
    if (log_) std::fclose(log_);
  }
  Qhull(const Qhull&) = delete;
  Qhull& operator=(const Qhull&) = delete;

  Polygons hull(std::vector<Vec3> points) {
    static_assert(sizeof(Vec3) == 3 * sizeof(coordT));
    std::string command = "qhull Pp";
    auto* coordinates = reinterpret_cast<coordT*>(points.data());
    if (points.size() < 4 || qh_new_qhull(&qh_, 3, static_cast<int>(points.size()), coordinates,
                                          False, command.data(), nullptr, log_) != 0)
      throw std::invalid_argument("the points lie in a plane, or nearly so");
    Polygons result;
    std::vector<std::size_t> slot(points.size(), points.size());
    for (facetT* facet = qh_.facet_list; facet && facet->next; facet = facet->next) {
      auto& loop = result.loops.emplace_back();
      setT* corners = qh_facet3vertex(&qh_, facet);
      for (int k = 0; k < qh_setsize(&qh_, corners); ++k) {
        const auto* corner = static_cast<const vertexT*>(corners->e[k].p);
        const auto id = static_cast<std::size_t>(qh_pointid(&qh_, corner->point));
        if (slot[id] == points.size()) {
          slot[id] = result.vertices.size();
          result.vertices.push_back(points[id]);
        }
        loop.push_back(static_cast<std::uint16_t>(slot[id]));
      }
      qh_settempfree(&qh_, &corners);
      const Vec3 outward{facet->normal[0], facet->normal[1], facet->normal[2]};
      if (dot(area_of(result.vertices, loop), outward) < 0) std::ranges::reverse(loop);
    }
    if (result.vertices.size() > kMaxHullVertices)
      throw std::invalid_argument("the hull has " + std::to_string(result.vertices.size()) +
                                  " vertices; up to " + std::to_string(kMaxHullVertices) +
                                  " can be simulated");
    return result;
  }

 private:
  std::FILE* log_;  ///< discards qhull's messages; errors are reported here
  qhT qh_;
};

MassMoments moments_of(std::span<const Vec3> vertices,
                       std::span<const std::vector<std::uint16_t>> loops) {
  MassMoments sum;
  for (const auto& loop : loops)
    for (std::size_t k = 1; k + 1 < loop.size(); ++k)
      sum += tetrahedron_moments(vertices[loop[0]], vertices[loop[k]], vertices[loop[k + 1]]);
  return sum;
}

/// Frame and scale that normalise the points: the middle of their bounding box, and half its
/// longest side.
Pose middle_of(std::span<const Vec3> points, double& scale) {
  Vec3 low = points[0], high = points[0];
  for (const Vec3& p : points)
    for (int k = 0; k < 3; ++k) {
      if (!std::isfinite(p[k])) throw std::invalid_argument("a coordinate is not finite");
      low[k] = std::min(low[k], p[k]);
      high[k] = std::max(high[k], p[k]);
    }
  const Vec3 half = 0.5 * (high - low);
  scale = std::max({half.x, half.y, half.z});
  return {0.5 * (low + high), {}};
}

std::uint32_t farthest_along(const std::vector<double>& columns, const Vec3& direction) {
  static const kernels::Farthest kFarthest = kernels::farthest_of(widest_instruction_set());
  return kFarthest(columns, direction);
}

}  // namespace

PlacedHull convex_hull(std::span<const Vec3> points) {
  if (points.size() < 4) throw std::invalid_argument("a body needs at least four points");
  double scale = 1;
  const Pose middle = middle_of(points, scale);
  if (!(scale > 0 && std::isfinite(scale)))
    throw std::invalid_argument("the points coincide, or are too far apart");
  std::vector<Vec3> about_middle(points.begin(), points.end());
  for (Vec3& p : about_middle) p = (p - middle.position) / scale;
  Polygons body = Qhull().hull(std::move(about_middle));

  const PrincipalFrame frame = principal_frame(moments_of(body.vertices, body.loops));
  double radius = 0;
  for (Vec3& v : body.vertices) {
    v = rotate_back(frame.pose.orientation, v - frame.pose.position);
    radius = std::max(radius, norm(v));
  }
  for (Vec3& v : body.vertices) v = v / radius;

  auto hull = std::make_shared<ConvexHull>();
  hull->vertices_ = std::move(body.vertices);
  hull->add_faces(body.loops);
  const double r3 = radius * radius * radius;
  hull->volume_ = frame.volume / r3;
  hull->inertia_ = frame.inertia / (r3 * radius * radius);
  return {hull,
          radius * scale,
          {middle.position + scale * frame.pose.position, frame.pose.orientation}};
}

void ConvexHull::add_faces(std::span<const std::vector<std::uint16_t>> loops) {
  for (const auto& loop : loops) {
    const Vec3 area = area_of(vertices_, loop);
    const Vec3 normal = area / norm(area);
    double offset = 0;
    for (const std::uint16_t v : loop) offset = std::max(offset, dot(normal, vertices_[v]));
    faces_.push_back({normal, offset, static_cast<std::uint32_t>(loops_.size()),
                      static_cast<std::uint32_t>(loop.size())});
    loops_.insert(loops_.end(), loop.begin(), loop.end());
    max_corners_ = std::max(max_corners_, static_cast<std::uint32_t>(loop.size()));
  }
  std::vector<Vec3> normals;
  for (const Face& face : faces_) normals.push_back(face.normal);
  vertex_columns_ = kernels::columns_of(vertices_);
  normal_columns_ = kernels::columns_of(normals);
  offset_column_.assign(normal_columns_.size() / 3, std::numeric_limits<double>::infinity());
  for (std::size_t f = 0; f < faces_.size(); ++f) offset_column_[f] = faces_[f].offset;
  add_edges();
}

void ConvexHull::add_edges() {
  struct Side {
    std::uint16_t from, to;  ///< from < to
    std::uint32_t face, slot;
  };
  std::vector<Side> sides;
  inscribed_radius_ = std::numeric_limits<double>::infinity();
  for (std::uint32_t f = 0; f < faces_.size(); ++f) {
    inscribed_radius_ = std::min(inscribed_radius_, faces_[f].offset);
    const auto corners = loop(faces_[f]);
    for (std::uint32_t k = 0; k < corners.size(); ++k) {
      const auto [from, to] = std::minmax(corners[k], corners[(k + 1) % corners.size()]);
      sides.push_back({from, to, f, faces_[f].first + k});
    }
  }
  std::stable_sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return std::pair(a.from, a.to) < std::pair(b.from, b.to);
  });
  face_edges_.resize(loops_.size());
  for (std::size_t k = 0; k + 1 < sides.size(); k += 2) {
    const Side &a = sides[k], &b = sides[k + 1];
    face_edges_[a.slot] = face_edges_[b.slot] = static_cast<std::uint32_t>(edges_.size());
    const double cosine = dot(faces_[a.face].normal, faces_[b.face].normal);
    edges_.push_back({{a.from, a.to}, {a.face, b.face}, cosine});
    sharpness_ = std::max(sharpness_, std::sqrt(2 / (1 + cosine)));
  }
}

std::vector<std::vector<std::uint16_t>> ConvexHull::face_loops() const {
  std::vector<std::vector<std::uint16_t>> loops;
  for (const Face& face : faces_) loops.emplace_back(loop(face).begin(), loop(face).end());
  return loops;
}

std::shared_ptr<const ConvexHull> hull_of_faces(std::vector<Vec3> vertices,
                                                std::span<const std::vector<std::uint16_t>> faces) {
  const auto require = [](bool good) {
    if (!good) throw std::invalid_argument("the vertices and faces are not those of a hull");
  };
  constexpr double kUnitRounding = 1e-12;
  require(vertices.size() >= 4 && vertices.size() <= kMaxHullVertices && faces.size() >= 4);
  for (const Vec3& v : vertices) require(is_finite(v) && norm(v) <= 1 + kUnitRounding);
  for (const auto& face : faces) {
    require(face.size() >= 3 && *std::ranges::max_element(face) < vertices.size());
    require(norm(area_of(vertices, face)) > 0);
  }
  auto hull = std::make_shared<ConvexHull>();
  hull->vertices_ = std::move(vertices);
  hull->add_faces(faces);
  for (const ConvexHull::Face& face : hull->faces_) {
    require(face.offset > 0);
    for (const Vec3& v : hull->vertices_)
      require(dot(face.normal, v) <= face.offset + kUnitRounding);
  }
  const MassMoments moments = moments_of(hull->vertices_, faces);
  require(moments.volume > 0);
  const double sum = moments.square.x + moments.square.y + moments.square.z;
  hull->volume_ = moments.volume;
  hull->inertia_ = {sum - moments.square.x, sum - moments.square.y, sum - moments.square.z};
  return hull;
}

std::uint32_t ConvexHull::farthest(const Vec3& direction) const {
  return farthest_along(vertex_columns_, direction);
}

std::uint32_t ConvexHull::facing(const Vec3& direction) const {
  return farthest_along(normal_columns_, direction);
}

std::uint32_t ConvexHull::heights_above_faces(const Vec3& point, double scale,
                                              std::span<double> heights) const {
  static const kernels::Heights kHeights = kernels::heights_of(widest_instruction_set());
  return kHeights(normal_columns_, offset_column_, point, scale, heights);
}

SurfaceDistance ConvexHull::signed_distance(const Vec3& point) const {
  std::uint32_t nearest = 0;
  double deepest = -std::numeric_limits<double>::infinity();
  for (std::uint32_t f = 0; f < faces_.size(); ++f)
    if (const double above = dot(faces_[f].normal, point) - faces_[f].offset; above > deepest) {
      deepest = above;
      nearest = f;
    }
  if (deepest <= 0) return {deepest, faces_[nearest].normal};
  // Outside: find the nearest point of the faces below the point.
  double min_squared = std::numeric_limits<double>::infinity();
  Vec3 displacement;
  bool in_face = false;
  for (const Face& face : faces_) {
    const double above = dot(face.normal, point) - face.offset;
    if (above <= 0) continue;
    const auto corners = loop(face);
    bool inside = true;
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const Vec3 &from = vertices_[corners[k]], &to = vertices_[corners[(k + 1) % corners.size()]];
      const Vec3 edge = to - from, apart = point - from;
      if (dot(cross(face.normal, edge), apart) >= 0) continue;
      inside = false;
      const double along = std::clamp(dot(apart, edge) / squared_norm(edge), 0.0, 1.0);
      const Vec3 to_edge = apart - along * edge;
      if (const double d2 = squared_norm(to_edge); d2 < min_squared) {
        min_squared = d2;
        displacement = to_edge;
        in_face = false;
      }
    }
    if (inside && above * above <= min_squared) {
      min_squared = above * above;
      displacement = face.normal;
      in_face = true;
    }
  }
  const double distance = std::sqrt(min_squared);
  return {distance, in_face ? displacement : displacement / distance};
}

}  // namespace scree

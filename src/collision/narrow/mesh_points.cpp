/// Contact points of a convex body and a mesh.
///
/// The distance of the two is smallest at a corner of the body over a facet, at a crossing of two
/// edges, or at a corner of the mesh. There the displacement from the mesh to the body must not
/// approach it along any adjacent facet. So facets, edges and corners are searched in this order,
/// and an edge or corner counts only if the condition is true for all facets there. It is never
/// true in a groove, nor inside a flat patch.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "collision/narrow/body_on_surface.hpp"
#include "collision/narrow/pairs.hpp"
#include "collision/narrow/refine_distance.hpp"
#include "scree/geometry/triangle_mesh.hpp"

namespace scree {
namespace {

/// fraction of the size: points outside a facet by less still lie over it
constexpr double kMeshSlack = 1e-9;
constexpr double kMeshShallow = 1e-5;  ///< fraction of the size: overlaps that may be on any side

/// Facet within reach of the body.
struct NearFacetOfBody {
  std::uint32_t facet, patch;
  std::array<Vec3, 3> corner;  ///< [m]
  Vec3 front;                  ///< normal of the facet itself
  Vec3 normal;                 ///< normal towards the admissible side
  bool repels;                 ///< true: the body's middle is on that side
  double lowest;               ///< height of the body's lowest point above its plane [m]
  std::array<bool, 3> is_rim;  ///< for each edge: true if the edge bounds the flat patch
  struct Groove {
    bool is_one = false;  ///< true: the surface beyond the edge rises on the side of the body
    std::uint32_t patch = 0;
    Vec3 normal, corner;  ///< normal of the facet there, and one of its points
  };
  std::array<Groove, 3> groove;

  double height(const Vec3& p) const { return dot(normal, p - corner[0]); }
  /// Distance of a point beyond an edge [m].
  double beyond(int k, const Vec3& p) const {
    const Vec3 outward = cross(corner[(k + 1) % 3] - corner[k], front);
    return dot(outward, p - corner[k]) / norm(outward);
  }
  bool is_over(const Vec3& p, double slack) const {
    return beyond(0, p) <= slack && beyond(1, p) <= slack && beyond(2, p) <= slack;
  }
};

/// Flat patch with which a side of the body is flush, and the minimum gap there [m].
struct Flush {
  std::uint32_t patch;
  Vec3 normal;
  double gap;
};

/// Workspace of a thread.
struct MeshBuffers {
  /// facet indices in the lower bits, their patches in the upper
  std::vector<std::uint64_t> found;
  std::vector<NearFacetOfBody> near;
  std::vector<Flush> flush;
  std::vector<std::uint32_t> corners;
};
MeshBuffers& mesh_buffers() {
  thread_local MeshBuffers all;
  return all;
}

class MeshPoints {
 public:
  MeshPoints(const BodyOnSurface& body, const Mesh& mesh, double margin)
      : body_(body),
        mesh_(*mesh.mesh),
        scale_(mesh.scale),
        margin_(margin),
        slack_(kMeshSlack * body.size),
        near_(mesh_buffers().near),
        flush_(mesh_buffers().flush),
        points_(body, margin) {
    flush_.clear();
    find_facets();
  }

  SurfacePoints all() {
    if (near_.empty()) return points_.finish();
    if (mesh_.sides() == Sides::one && is_inside()) return points_.finish();
    for (std::size_t k = 0; k < near_.size();) k = over_patch(k);
    edges();
    corners();
    return points_.finish();
  }

 private:
  std::array<Vec3, 3> corners_of(std::uint32_t f) const {
    const auto& c = mesh_.facets()[f].corner;
    return {scale_ * c[0], scale_ * c[1], scale_ * c[2]};
  }

  /// Finds the facets whose boxes meet that of the body, patch by patch.
  void find_facets() {
    const Vec3 half = reach(body_.shape, body_.pose.orientation) + margin_ * Vec3{1, 1, 1};
    const Vec3 low = body_.pose.position - half, high = body_.pose.position + half;
    std::vector<std::uint64_t>& found = mesh_buffers().found;
    found.clear();
    mesh_.for_each_in_box(low / scale_, high / scale_, [&](std::uint32_t f) {
      const std::array<Vec3, 3> corner = corners_of(f);
      for (int k = 0; k < 3; ++k)
        if (std::max({corner[0][k], corner[1][k], corner[2][k]}) < low[k] ||
            std::min({corner[0][k], corner[1][k], corner[2][k]}) > high[k])
          return;
      found.push_back(std::uint64_t{mesh_.patch(f)} << 32 | f);
    });
    std::ranges::sort(found);
    near_.clear();
    for (const std::uint64_t key : found) add_facet(static_cast<std::uint32_t>(key));
  }

  void add_facet(std::uint32_t f) {
    const Vec3& front = mesh_.facets()[f].normal;
    const std::array<Vec3, 3> corner = corners_of(f);
    const double above = dot(front, body_.middle - corner[0]);
    const bool flipped = above < 0 && mesh_.sides() == Sides::two;
    NearFacetOfBody near{.facet = f,
                         .patch = mesh_.patch(f),
                         .corner = corner,
                         .front = front,
                         .normal = flipped ? -front : front,
                         .repels = flipped || above >= 0,
                         .lowest = 0,
                         .is_rim = {},
                         .groove = {}};
    near.lowest = -body_.farthest(-near.normal) - dot(near.normal, corner[0]);
    if (!(near.lowest < margin_)) return;
    classify_edges(near);
    near_.push_back(near);
  }

  void classify_edges(NearFacetOfBody& near) const {
    const TriangleMesh::Facet& facet = mesh_.facets()[near.facet];
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t beyond = facet.across[k];
      near.is_rim[k] = beyond == TriangleMesh::kNone || mesh_.patch(beyond) != near.patch;
      if (near.is_rim[k] && beyond != TriangleMesh::kNone) near.groove[k] = groove_to(near, beyond);
    }
  }
  /// Groove between two facets that share an edge and rise towards each other, on the side of the
  /// body.
  NearFacetOfBody::Groove groove_to(const NearFacetOfBody& near, std::uint32_t beyond) const {
    const TriangleMesh::Facet& other = mesh_.facets()[beyond];
    const std::array<Vec3, 3> corner = corners_of(beyond);
    const bool flipped =
        mesh_.sides() == Sides::two && dot(other.normal, body_.middle - corner[0]) < 0;
    const Vec3 normal = flipped ? -other.normal : other.normal;
    double rise = 0, back = 0;
    for (int k = 0; k < 3; ++k) {
      rise = std::max(rise, near.height(corner[k]));
      back = std::max(back, dot(normal, near.corner[k] - corner[0]));
    }
    return {rise > slack_ && back > slack_, mesh_.patch(beyond), normal, corner[0]};
  }

  /// True if a point of the body is over a facet, or over the continuation of its plane inside the
  /// material beyond a groove: points that slide along one wall, or have sunk into it, are found
  /// there.
  bool is_over(const NearFacetOfBody& near, const Vec3& p) const {
    const double sunk = 0.01 * body_.size;
    for (int k = 0; k < 3; ++k) {
      const double beyond = near.beyond(k, p);
      if (beyond <= slack_) continue;
      const NearFacetOfBody::Groove& groove = near.groove[k];
      if (!groove.is_one || beyond > std::max(margin_, sunk)) return false;
      const bool behind = beyond <= sunk && (near.height(p) <= slack_ ||
                                             dot(groove.normal, p - groove.corner) <= slack_);
      if (!behind && !is_over_patch(groove.patch, p)) return false;
    }
    return true;
  }
  bool is_over_patch(std::uint32_t patch, const Vec3& p) const {
    return std::ranges::any_of(near_, [&](const NearFacetOfBody& near) {
      return near.patch == patch && near.repels && near.is_over(p, slack_);
    });
  }

  /// If the middle of the body is behind a one-sided surface, adds the shortest way out
  /// and returns true.
  bool is_inside() {
    const TriangleMesh::SurfacePoint position =
        mesh_.closest(body_.middle / scale_, (body_.size + margin_) / scale_);
    if (position.facet == TriangleMesh::kNone) return false;
    const Vec3 displacement = scale_ * position.point - body_.middle;
    Vec3 normal = mesh_.normal(position);
    if (dot(displacement, normal) <= 0) return false;
    if (position.region != TriangleMesh::kFace) normal = displacement / norm(displacement);
    for (const auto& [part, p] : body_.facing(-normal)) {
      const double height = dot(normal, p - scale_ * position.point);
      points_.add(surface_feature(SurfacePart::patch, mesh_.patch(position.facet), 0, part),
                  p - height * normal, normal, height - body_.core.radius());
    }
    return true;
  }

  /// Adds the points over the facets of the patch that begins at index `first`; returns the index
  /// where the next patch begins.
  std::size_t over_patch(std::size_t first) {
    std::size_t end = first;
    while (end < near_.size() && near_[end].patch == near_[first].patch) ++end;
    const std::span<const NearFacetOfBody> facets(&near_[first], end - first);
    const auto repels = std::ranges::find_if(facets, &NearFacetOfBody::repels);
    if (repels == facets.end()) return end;
    for (const auto& [part, p] : body_.facing(-repels->normal))
      for (const NearFacetOfBody& near : facets)
        if (near.repels && is_over(near, p))
          add_over(near, surface_feature(SurfacePart::patch, near.patch, 0, part), p);
    if (is_flush(body_.core.facing(-repels->normal), repels->normal)) {
      add_flush(facets, repels->normal);
      flush_.push_back({repels->patch, repels->normal, points_.min_gap_of_group()});
    }
    points_.end_group();
    return end;
  }

  /// Adds a point of the core above a facet.
  void add_over(const NearFacetOfBody& near, std::uint32_t feature, const Vec3& p) {
    const double height = near.height(p), gap = height - body_.core.radius();
    if (!(gap < margin_)) return;
    if (gap < -kMeshShallow * body_.size &&
        !came_through(near, p - body_.core.radius() * near.normal, gap))
      return;
    points_.add(feature, p - height * near.normal, near.normal, gap);
  }

  static bool is_flush(const SupportFeature& feature, const Vec3& normal) {
    if (feature.count == 1) return false;
    if (feature.count > 2) return dot(feature.normal, -normal) >= kFlush;
    const Vec3 edge = feature.corner[1] - feature.corner[0];
    const double rise = dot(edge, normal);
    return rise * rise <= (1 - kFlush * kFlush) * squared_norm(edge);
  }

  /// For a flat patch flush with a side of the body: adds the patch's corners under the side, and
  /// the crossings of its edges with those of the side.
  void add_flush(std::span<const NearFacetOfBody> facets, const Vec3& normal) {
    const SupportFeature feature = body_.core.facing(-normal);
    const auto next = [&](int k) { return (k + 1) % feature.count; };
    const int edges_of_body = feature.count == 2 ? 1 : feature.count;
    for (const NearFacetOfBody& near : facets) {
      if (!near.repels) continue;
      for (int k = 0; k < 3; ++k) {
        if (!near.is_rim[k] || near.groove[k].is_one) continue;
        for (int l = 0; l < edges_of_body; ++l)
          add_crossing(near, k, feature.corner[l], feature.corner[next(l)],
                       crossing_part(feature.feature[l], feature.feature[next(l)]));
        if (feature.count > 2)
          for (const int c : {k, (k + 1) % 3}) add_under(near, c, feature);
      }
    }
  }

  std::uint32_t vertex(const NearFacetOfBody& near, int k) const {
    return mesh_.facets()[near.facet].vertex[k % 3];
  }
  std::uint32_t edge_feature(const NearFacetOfBody& near, int k, std::uint32_t part) const {
    const auto [low, high] = std::minmax({vertex(near, k), vertex(near, k + 1)});
    return surface_feature(SurfacePart::edge, low, high, part);
  }

  void add_crossing(const NearFacetOfBody& near, int k, const Vec3& from, const Vec3& to,
                    std::uint32_t part) {
    constexpr double kParallel = 1e-6;  // their ends are found as corners over the other
    const Vec3 &p = near.corner[k], e = to - from, f = near.corner[(k + 1) % 3] - p, r = p - from;
    const double sine = dot(near.normal, cross(e, f));
    if (std::abs(sine) < kParallel * norm(e) * norm(f)) return;
    const double s = dot(near.normal, cross(r, f)) / sine, t = dot(near.normal, cross(r, e)) / sine;
    if (s < 0 || s > 1 || t < 0 || t > 1) return;
    add_over(near, edge_feature(near, k, part), from + s * e);
  }

  /// Adds a corner of the mesh under a flat side of the body.
  void add_under(const NearFacetOfBody& near, int k, const SupportFeature& feature) {
    const Vec3& p = near.corner[k];
    for (int l = 0; l < feature.count; ++l) {
      const Vec3 edge = feature.corner[(l + 1) % feature.count] - feature.corner[l];
      const Vec3 outward = cross(edge, feature.normal);
      if (dot(outward, p - feature.corner[l]) > slack_ * norm(outward)) return;
    }
    const double height =
        dot(feature.corner[0] - p, feature.normal) / dot(near.normal, feature.normal);
    add_over(near, surface_feature(SurfacePart::corner, vertex(near, k), 0, kInside),
             p + height * near.normal);
  }

  /// True if a point of the body behind a facet, by `gap` < 0, came there through the surface and
  /// not around it, and the facet is the one to leave by.
  bool came_through(const NearFacetOfBody& facet, const Vec3& p, double gap) const {
    const double little = 1e-6 * body_.size, shallow = 0.01 * body_.size;
    // A point sunk a little at an edge may seem to come from beside it.
    const bool sunk = gap > -shallow && is_on_near_side(facet);
    const double slack = sunk ? std::max(little, -4 * gap) : little;
    bool through = false;
    for (const NearFacetOfBody& near : near_) {
      const double to = near.height(p), from = near.height(body_.middle);
      if (to < 0 && from >= 0 && !through)
        through = near.is_over(body_.middle + from / (from - to) * (p - body_.middle), slack);
      // If the point is behind two facets that separate the bodies, the one with the smaller depth
      // counts.
      if (near.patch != facet.patch && near.repels && to < 0 &&
          near.lowest > facet.lowest + little && near.is_over(p, slack_))
        return false;
    }
    return through;
  }
  /// True if the middle of the body is on the same side of its nearest surface point and of a
  /// facet's plane. Otherwise the facet is hidden behind a ridge or a fold.
  bool is_on_near_side(const NearFacetOfBody& facet) const {
    const TriangleMesh::SurfacePoint position = mesh_.closest(body_.middle / scale_);
    const double side = dot(body_.middle - scale_ * position.point, mesh_.normal(position));
    return (side >= 0) == (dot(facet.front, facet.normal) > 0);
  }

  /// True if the displacement d to the body approaches it along no facet at a point of the mesh; at
  /// a corner it must point away from all.
  bool stands_out(const Vec3& position, const Vec3& d, bool at_corner) const {
    constexpr double kAngle = 1e-7;
    for (const NearFacetOfBody& near : near_) {
      if (std::abs(dot(near.front, position - near.corner[0])) > slack_ ||
          norm(scale_ * mesh_.closest_on(near.facet, position / scale_).point - position) > slack_)
        continue;
      for (const Vec3& corner : near.corner) {
        const Vec3 displacement = corner - position;
        const double length = norm(displacement);
        if (length > slack_ && dot(d, displacement) > (at_corner ? -kAngle : kAngle) * length)
          return false;
      }
    }
    return true;
  }

  void edges() {
    for (const NearFacetOfBody& near : near_)
      for (int k = 0; k < 3; ++k) {
        const std::uint32_t beyond = mesh_.facets()[near.facet].across[k];
        const bool mine = beyond == TriangleMesh::kNone || near.facet < beyond;
        if (near.is_rim[k] && !near.groove[k].is_one && mine) try_edge(near, k);
      }
  }

  void try_edge(const NearFacetOfBody& near, int k) {
    constexpr double kOffEndCosine = 1e-6;
    const Vec3 &p = near.corner[k], &q = near.corner[(k + 1) % 3];
    const Vec3 edge = q - p, from_p = body_.pose.position - p;
    const double length = norm(edge),
                 along = std::clamp(dot(from_p, edge) / (length * length), 0.0, 1.0);
    const double reach = body_.size + margin_, radius = body_.core.radius();
    if (squared_norm(from_p - along * edge) > reach * reach) return;
    const Pose pose{0.5 * (p + q), rotation_between({0, 0, 1}, edge / length)};
    const ConvexCore segment(Capsule{0, 0.5 * length}, pose);
    CoreSeparation displacement = refine_distance(body_.core, segment, margin_ + radius);
    // Out of an overlap the shortest displacement may lead off the end of the edge, where the next
    // edge continues.
    const bool off_the_end = displacement.distance < 0 &&
                             std::abs(dot(displacement.normal, edge)) > kOffEndCosine * length &&
                             !stands_out(displacement.on_b, -displacement.normal, false);
    if (off_the_end)
      displacement =
          refine_distance(body_.core, ConvexCore(Capsule{0, 0.5 * length + 2 * body_.size}, pose),
                          margin_ + radius);
    const double gap = displacement.distance - radius;
    if (!(gap < margin_)) return;
    const Vec3 normal = -displacement.normal;
    const Candidates found = points_along(body_.core, segment, displacement.normal, gap, margin_);
    if (off_the_end && found.is_empty()) return;
    Vec3 position = displacement.on_b;
    if (off_the_end) {
      const auto all = found.all();
      const Candidate& nearest = *std::ranges::min_element(all, {}, &Candidate::gap);
      position = nearest.point - 0.5 * nearest.gap * normal;
    }
    if (!is_in_front(near, k, normal) || !stands_out(position, normal, false)) return;
    // A side flush with the adjacent flat patch has its points there already.
    for (const std::uint32_t adjacent : {near.facet, mesh_.facets()[near.facet].across[k]})
      if (adjacent != TriangleMesh::kNone)
        for (const Flush& flush : flush_)
          if (flush.patch == mesh_.patch(adjacent) && dot(flush.normal, normal) > kFlush &&
              gap > flush.gap - slack_)
            return;
    const auto add = [&](std::uint32_t feature, const Vec3& point, double gap_there) {
      const std::uint32_t part = feature < kCrossingPart ? feature : crossing_part(feature, 0);
      points_.add(edge_feature(near, k, part), point - 0.5 * gap_there * normal, normal, gap_there);
    };
    for (const Candidate& c : found.all()) add(c.feature, c.point, c.gap);
    if (!off_the_end && found.min_gap() > gap + kMeshSlack * 1e-3 * body_.size)
      add(SupportPoints::kFarthest, displacement.on_b + 0.5 * gap * normal, gap);
    points_.end_group();
  }

  /// True if direction d points out of the material at an edge of a one-sided surface.
  bool is_in_front(const NearFacetOfBody& near, int k, const Vec3& d) const {
    if (mesh_.sides() == Sides::two) return true;
    const auto region = static_cast<std::uint8_t>(TriangleMesh::kEdge + k);
    return dot(d, mesh_.normal(near.facet, region)) >= 0;
  }

  void corners() {
    std::vector<std::uint32_t>& seen = mesh_buffers().corners;
    seen.clear();
    for (const NearFacetOfBody& near : near_)
      for (int k = 0; k < 3; ++k) {
        // No corner stands out inside a flat patch.
        if (!near.is_rim[k] && !near.is_rim[(k + 2) % 3]) continue;
        const double reach = body_.size + margin_;
        if (squared_norm(near.corner[k] - body_.pose.position) > reach * reach) continue;
        const std::uint32_t v = vertex(near, k);
        if (std::ranges::find(seen, v) != seen.end()) continue;
        seen.push_back(v);
        try_corner(near, k);
      }
  }

  void try_corner(const NearFacetOfBody& near, int k) {
    const Vec3& p = near.corner[k];
    const auto [gap, outward] = signed_distance(body_.shape, body_.pose, p);
    if (!(gap < margin_)) return;
    const auto region = static_cast<std::uint8_t>(TriangleMesh::kCorner + k);
    if (mesh_.sides() == Sides::one && dot(-outward, mesh_.normal(near.facet, region)) < 0) return;
    const std::uint32_t v = vertex(near, k);
    if (!stands_out(p, -outward, true)) return;
    points_.add(surface_feature(SurfacePart::corner, v, 0, kInside), p, -outward, gap);
    points_.end_group();
  }

  const BodyOnSurface& body_;
  const TriangleMesh& mesh_;
  double scale_, margin_, slack_;
  std::vector<NearFacetOfBody>& near_;
  std::vector<Flush>& flush_;
  PointCollector points_;
};

}  // namespace

SurfacePoints points_on_mesh(const BodyOnSurface& body, const Mesh& mesh, double margin) {
  return MeshPoints(body, mesh, margin).all();
}

}  // namespace scree

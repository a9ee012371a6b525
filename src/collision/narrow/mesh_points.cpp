/// Points of a convex body and a mesh.
///
/// The distance of the two is least at a corner of the body over a facet, where two edges cross, or
/// at a corner of the mesh; and there the way from the mesh to the body leads nowhere nearer along
/// any of the facets that meet. So facets, edges and corners are looked at one after the other, and
/// an edge or a corner counts only if that holds for all facets at the place. It never does in a
/// groove, nor inside a flat piece.
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

constexpr double kSlack = 1e-9;    ///< of the size: beside a facet by less is over it
constexpr double kShallow = 1e-5;  ///< of the size: overlaps that may be on any side

/// A facet within reach of the body.
struct Near {
  std::uint32_t facet, patch;
  std::array<Vec3, 3> corner;  ///< [m]
  Vec3 front;                  ///< its own normal
  Vec3 normal;                 ///< to the side where the body has to be
  bool repels;                 ///< the body's middle is on that side
  double lowest;               ///< point of the body above its plane [m]
  std::array<bool, 3> is_rim;  ///< each edge: it stands out of the flat piece, or ends it
  struct Groove {
    bool is_one = false;  ///< beyond the edge the surface rises on the side of the body
    std::uint32_t patch = 0;
    Vec3 normal, corner;  ///< of the facet there, and a point of it
  };
  std::array<Groove, 3> groove;

  double height(const Vec3& p) const { return dot(normal, p - corner[0]); }
  /// How far a point lies beyond an edge [m].
  double beyond(int k, const Vec3& p) const {
    const Vec3 outward = cross(corner[(k + 1) % 3] - corner[k], front);
    return dot(outward, p - corner[k]) / norm(outward);
  }
  bool is_over(const Vec3& p, double slack) const {
    return beyond(0, p) <= slack && beyond(1, p) <= slack && beyond(2, p) <= slack;
  }
};

/// A flat piece with which a side of the body lies flush, and the least gap there [m].
struct Flush {
  std::uint32_t patch;
  Vec3 normal;
  double gap;
};

/// What each thread works with.
struct Buffers {
  std::vector<std::uint64_t> found;  ///< facets, behind their flat pieces
  std::vector<Near> near;
  std::vector<Flush> flush;
  std::vector<std::uint32_t> corners;
};
Buffers& buffers() {
  thread_local Buffers all;
  return all;
}

class MeshPoints {
 public:
  MeshPoints(const BodyOnSurface& body, const Mesh& mesh, double margin)
      : body_(body),
        mesh_(*mesh.mesh),
        scale_(mesh.scale),
        margin_(margin),
        slack_(kSlack * body.size),
        near_(buffers().near),
        flush_(buffers().flush),
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

  /// Those whose boxes meet that of the body, flat piece by flat piece.
  void find_facets() {
    const Vec3 half = reach(body_.shape, body_.pose.orientation) + margin_ * Vec3{1, 1, 1};
    const Vec3 low = body_.pose.position - half, high = body_.pose.position + half;
    std::vector<std::uint64_t>& found = buffers().found;
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
    const bool turned = above < 0 && mesh_.sides() == Sides::two;
    Near near{.facet = f,
              .patch = mesh_.patch(f),
              .corner = corner,
              .front = front,
              .normal = turned ? -front : front,
              .repels = turned || above >= 0,
              .lowest = 0,
              .is_rim = {},
              .groove = {}};
    near.lowest = -body_.farthest(-near.normal) - dot(near.normal, corner[0]);
    if (!(near.lowest < margin_)) return;
    look_at_edges(near);
    near_.push_back(near);
  }

  void look_at_edges(Near& near) const {
    const TriangleMesh::Facet& facet = mesh_.facets()[near.facet];
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t beyond = facet.across[k];
      near.is_rim[k] = beyond == TriangleMesh::kNone || mesh_.patch(beyond) != near.patch;
      if (near.is_rim[k] && beyond != TriangleMesh::kNone) near.groove[k] = groove_to(near, beyond);
    }
  }
  /// Whether two facets that share an edge rise towards each other, on the side of the body.
  Near::Groove groove_to(const Near& near, std::uint32_t beyond) const {
    const TriangleMesh::Facet& other = mesh_.facets()[beyond];
    const std::array<Vec3, 3> corner = corners_of(beyond);
    const bool turned =
        mesh_.sides() == Sides::two && dot(other.normal, body_.middle - corner[0]) < 0;
    const Vec3 normal = turned ? -other.normal : other.normal;
    double rise = 0, back = 0;
    for (int k = 0; k < 3; ++k) {
      rise = std::max(rise, near.height(corner[k]));
      back = std::max(back, dot(normal, near.corner[k] - corner[0]));
    }
    return {rise > slack_ && back > slack_, mesh_.patch(beyond), normal, corner[0]};
  }

  /// Whether a point of the body is over a facet, or over where its plane goes on inside the
  /// material beyond a groove: what comes along, or has sunk into one of the walls, finds it there.
  bool is_over(const Near& near, const Vec3& p) const {
    const double sunk = 0.01 * body_.size;
    for (int k = 0; k < 3; ++k) {
      const double beyond = near.beyond(k, p);
      if (beyond <= slack_) continue;
      const Near::Groove& groove = near.groove[k];
      if (!groove.is_one || beyond > std::max(margin_, sunk)) return false;
      const bool behind = beyond <= sunk && (near.height(p) <= slack_ ||
                                             dot(groove.normal, p - groove.corner) <= slack_);
      if (!behind && !is_over_patch(groove.patch, p)) return false;
    }
    return true;
  }
  bool is_over_patch(std::uint32_t patch, const Vec3& p) const {
    return std::ranges::any_of(near_, [&](const Near& near) {
      return near.patch == patch && near.repels && near.is_over(p, slack_);
    });
  }

  /// The middle of the body is behind a surface with one side: the shortest way out.
  bool is_inside() {
    const TriangleMesh::Place place =
        mesh_.closest(body_.middle / scale_, (body_.size + margin_) / scale_);
    if (place.facet == TriangleMesh::kNone) return false;
    const Vec3 way = scale_ * place.point - body_.middle;
    Vec3 normal = mesh_.normal(place);
    if (dot(way, normal) <= 0) return false;
    if (place.region != TriangleMesh::kFace) normal = way / norm(way);
    for (const auto& [part, p] : body_.facing(-normal)) {
      const double height = dot(normal, p - scale_ * place.point);
      points_.add(surface_feature(SurfacePart::patch, mesh_.patch(place.facet), 0, part),
                  p - height * normal, normal, height - body_.core.radius());
    }
    return true;
  }

  /// Over the facets of a flat piece that begin at k; where those of the next do.
  std::size_t over_patch(std::size_t first) {
    std::size_t end = first;
    while (end < near_.size() && near_[end].patch == near_[first].patch) ++end;
    const std::span<const Near> facets(&near_[first], end - first);
    const auto repels = std::ranges::find_if(facets, &Near::repels);
    if (repels == facets.end()) return end;
    for (const auto& [part, p] : body_.facing(-repels->normal))
      for (const Near& near : facets)
        if (near.repels && is_over(near, p))
          add_over(near, surface_feature(SurfacePart::patch, near.patch, 0, part), p);
    if (is_flush(body_.core.facing(-repels->normal), repels->normal)) {
      add_flush(facets, repels->normal);
      flush_.push_back({repels->patch, repels->normal, points_.min_gap_of_group()});
    }
    points_.end_group();
    return end;
  }

  /// A point of the core above a facet.
  void add_over(const Near& near, std::uint32_t feature, const Vec3& p) {
    const double height = near.height(p), gap = height - body_.core.radius();
    if (!(gap < margin_)) return;
    if (gap < -kShallow * body_.size &&
        !came_through(near, p - body_.core.radius() * near.normal, gap))
      return;
    points_.add(feature, p - height * near.normal, near.normal, gap);
  }

  static bool is_flush(const SupportFeature& piece, const Vec3& normal) {
    if (piece.count == 1) return false;
    if (piece.count > 2) return dot(piece.normal, -normal) >= kFlush;
    const Vec3 edge = piece.corner[1] - piece.corner[0];
    const double rise = dot(edge, normal);
    return rise * rise <= (1 - kFlush * kFlush) * squared_norm(edge);
  }

  /// Of a flat piece with which a side of the body lies flush: its corners under the side, and its
  /// edges across those of the side.
  void add_flush(std::span<const Near> facets, const Vec3& normal) {
    const SupportFeature piece = body_.core.facing(-normal);
    const auto next = [&](int k) { return (k + 1) % piece.count; };
    const int edges_of_body = piece.count == 2 ? 1 : piece.count;
    for (const Near& near : facets) {
      if (!near.repels) continue;
      for (int k = 0; k < 3; ++k) {
        if (!near.is_rim[k] || near.groove[k].is_one) continue;
        for (int l = 0; l < edges_of_body; ++l)
          add_crossing(near, k, piece.corner[l], piece.corner[next(l)],
                       crossing_part(piece.feature[l], piece.feature[next(l)]));
        if (piece.count > 2)
          for (const int c : {k, (k + 1) % 3}) add_under(near, c, piece);
      }
    }
  }

  std::uint32_t vertex(const Near& near, int k) const {
    return mesh_.facets()[near.facet].vertex[k % 3];
  }
  std::uint32_t edge_feature(const Near& near, int k, std::uint32_t part) const {
    const auto [low, high] = std::minmax({vertex(near, k), vertex(near, k + 1)});
    return surface_feature(SurfacePart::edge, low, high, part);
  }

  void add_crossing(const Near& near, int k, const Vec3& from, const Vec3& to, std::uint32_t part) {
    constexpr double kParallel = 1e-6;  // their ends are corners over the other
    const Vec3 &p = near.corner[k], e = to - from, f = near.corner[(k + 1) % 3] - p, r = p - from;
    const double sine = dot(near.normal, cross(e, f));
    if (std::abs(sine) < kParallel * norm(e) * norm(f)) return;
    const double s = dot(near.normal, cross(r, f)) / sine, t = dot(near.normal, cross(r, e)) / sine;
    if (s < 0 || s > 1 || t < 0 || t > 1) return;
    add_over(near, edge_feature(near, k, part), from + s * e);
  }

  /// A corner of the mesh under a flat side of the body.
  void add_under(const Near& near, int k, const SupportFeature& piece) {
    const Vec3& p = near.corner[k];
    for (int l = 0; l < piece.count; ++l) {
      const Vec3 edge = piece.corner[(l + 1) % piece.count] - piece.corner[l];
      const Vec3 outward = cross(edge, piece.normal);
      if (dot(outward, p - piece.corner[l]) > slack_ * norm(outward)) return;
    }
    const double height = dot(piece.corner[0] - p, piece.normal) / dot(near.normal, piece.normal);
    add_over(near, surface_feature(SurfacePart::corner, vertex(near, k), 0, kInside),
             p + height * near.normal);
  }

  /// Whether a point of the body that is behind a facet, by `gap` < 0, has come there through the
  /// surface, and not round it, and the facet is the one that lets it out.
  bool came_through(const Near& facet, const Vec3& p, double gap) const {
    const double little = 1e-6 * body_.size, shallow = 0.01 * body_.size;
    // What has sunk in at an edge by a little may seem to come from beside it.
    const bool sunk = gap > -shallow && is_on_near_side(facet);
    const double slack = sunk ? std::max(little, -4 * gap) : little;
    bool through = false;
    for (const Near& near : near_) {
      const double to = near.height(p), from = near.height(body_.middle);
      if (to < 0 && from >= 0 && !through)
        through = near.is_over(body_.middle + from / (from - to) * (p - body_.middle), slack);
      // Two facets that it is behind part it from the body: the one that it is less deep behind.
      if (near.patch != facet.patch && near.repels && to < 0 &&
          near.lowest > facet.lowest + little && near.is_over(p, slack_))
        return false;
    }
    return through;
  }
  /// Whether the middle of the body is on the same side of the surface where it is nearest and of a
  /// facet's plane: else the facet is hidden from it behind a ridge, or a fold.
  bool is_on_near_side(const Near& facet) const {
    const TriangleMesh::Place place = mesh_.closest(body_.middle / scale_);
    const double side = dot(body_.middle - scale_ * place.point, mesh_.normal(place));
    return (side >= 0) == (dot(facet.front, facet.normal) > 0);
  }

  /// Whether the way to the body along d leads nearer to it along no facet at a place of the mesh;
  /// at a corner it has to lead away from all.
  bool stands_out(const Vec3& place, const Vec3& d, bool at_corner) const {
    constexpr double kAngle = 1e-7;
    for (const Near& near : near_) {
      if (std::abs(dot(near.front, place - near.corner[0])) > slack_ ||
          norm(scale_ * mesh_.closest_on(near.facet, place / scale_).point - place) > slack_)
        continue;
      for (const Vec3& corner : near.corner) {
        const Vec3 way = corner - place;
        const double length = norm(way);
        if (length > slack_ && dot(d, way) > (at_corner ? -kAngle : kAngle) * length) return false;
      }
    }
    return true;
  }

  void edges() {
    for (const Near& near : near_)
      for (int k = 0; k < 3; ++k) {
        const std::uint32_t beyond = mesh_.facets()[near.facet].across[k];
        const bool mine = beyond == TriangleMesh::kNone || near.facet < beyond;
        if (near.is_rim[k] && !near.groove[k].is_one && mine) try_edge(near, k);
      }
  }

  void try_edge(const Near& near, int k) {
    constexpr double kAlongEdge = 1e-6;
    const Vec3 &p = near.corner[k], &q = near.corner[(k + 1) % 3];
    const Vec3 edge = q - p, from_p = body_.pose.position - p;
    const double length = norm(edge),
                 along = std::clamp(dot(from_p, edge) / (length * length), 0.0, 1.0);
    const double reach = body_.size + margin_, radius = body_.core.radius();
    if (squared_norm(from_p - along * edge) > reach * reach) return;
    const Pose pose{0.5 * (p + q), rotation_between({0, 0, 1}, edge / length)};
    const ConvexCore segment(Capsule{0, 0.5 * length}, pose);
    CoreSeparation way = refine_distance(body_.core, segment, margin_ + radius);
    // Out of an overlap the shortest way may lead off the end of the edge, where the next goes on.
    const bool off_the_end = way.distance < 0 &&
                             std::abs(dot(way.normal, edge)) > kAlongEdge * length &&
                             !stands_out(way.on_b, -way.normal, false);
    if (off_the_end)
      way = refine_distance(body_.core, ConvexCore(Capsule{0, 0.5 * length + 2 * body_.size}, pose),
                            margin_ + radius);
    const double gap = way.distance - radius;
    if (!(gap < margin_)) return;
    const Vec3 normal = -way.normal;
    const Candidates found = points_along(body_.core, segment, way.normal, gap, margin_);
    if (off_the_end && found.is_empty()) return;
    Vec3 place = way.on_b;
    if (off_the_end) {
      const auto all = found.all();
      const Candidate& nearest = *std::ranges::min_element(all, {}, &Candidate::gap);
      place = nearest.point - 0.5 * nearest.gap * normal;
    }
    if (!is_in_front(near, k, normal) || !stands_out(place, normal, false)) return;
    // A side that lies flush with the flat piece beside the edge has its points there.
    for (const std::uint32_t beside : {near.facet, mesh_.facets()[near.facet].across[k]})
      if (beside != TriangleMesh::kNone)
        for (const Flush& flush : flush_)
          if (flush.patch == mesh_.patch(beside) && dot(flush.normal, normal) > kFlush &&
              gap > flush.gap - slack_)
            return;
    const auto add = [&](std::uint32_t feature, const Vec3& point, double gap_there) {
      const std::uint32_t part = feature < kCrossingPart ? feature : crossing_part(feature, 0);
      points_.add(edge_feature(near, k, part), point - 0.5 * gap_there * normal, normal, gap_there);
    };
    for (const Candidate& c : found.all()) add(c.feature, c.point, c.gap);
    if (!off_the_end && found.min_gap() > gap + kSlack * 1e-3 * body_.size)
      add(SupportPoints::kFarthest, way.on_b + 0.5 * gap * normal, gap);
    points_.end_group();
  }

  /// Of a surface with one side a direction out of the material, at an edge.
  bool is_in_front(const Near& near, int k, const Vec3& d) const {
    if (mesh_.sides() == Sides::two) return true;
    const auto region = static_cast<std::uint8_t>(TriangleMesh::kEdge + k);
    return dot(d, mesh_.normal(near.facet, region)) >= 0;
  }

  void corners() {
    std::vector<std::uint32_t>& seen = buffers().corners;
    seen.clear();
    for (const Near& near : near_)
      for (int k = 0; k < 3; ++k) {
        // Inside a flat piece none stands out.
        if (!near.is_rim[k] && !near.is_rim[(k + 2) % 3]) continue;
        const double reach = body_.size + margin_;
        if (squared_norm(near.corner[k] - body_.pose.position) > reach * reach) continue;
        const std::uint32_t v = vertex(near, k);
        if (std::ranges::find(seen, v) != seen.end()) continue;
        seen.push_back(v);
        try_corner(near, k);
      }
  }

  void try_corner(const Near& near, int k) {
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
  std::vector<Near>& near_;
  std::vector<Flush>& flush_;
  PointCollector points_;
};

}  // namespace

SurfacePoints points_on_mesh(const BodyOnSurface& body, const Mesh& mesh, double margin) {
  return MeshPoints(body, mesh, margin).all();
}

}  // namespace scree

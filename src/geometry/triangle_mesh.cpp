/// Builds the tree, the adjacency, the flat patches and the vertex normals of a triangle mesh, and
/// answers closest-point queries.
#include "scree/geometry/triangle_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace scree {
namespace {

void widen(Vec3& low, Vec3& high, const Vec3& p) {
  for (int k = 0; k < 3; ++k) {
    low[k] = std::min(low[k], p[k]);
    high[k] = std::max(high[k], p[k]);
  }
}

int longest_axis(const Vec3& extent) {
  int axis = 0;
  for (int k = 1; k < 3; ++k)
    if (extent[k] > extent[axis]) axis = k;
  return axis;
}

/// Largest float not above x.
float rounded_down(double x) {
  constexpr float kMax = std::numeric_limits<float>::max(),
                  kMin = -std::numeric_limits<float>::infinity();
  if (x > double{kMax}) return kMax;
  if (x < -double{kMax}) return kMin;
  const auto rounded = static_cast<float>(x);
  return double{rounded} > x ? std::nextafter(rounded, kMin) : rounded;
}

}  // namespace

/// Triangle to be sorted into the tree.
struct TriangleMesh::Item {
  Vec3 middle;
  std::uint32_t triangle;
};

TriangleMesh::TriangleMesh(std::span<const Vec3> vertices, std::span<const Corners> triangles,
                           Sides sides)
    : vertices_(vertices.begin(), vertices.end()), sides_(sides) {
  if (triangles.empty()) throw std::invalid_argument("the mesh has no triangles");
  if (triangles.size() > kMaxFacets) throw std::invalid_argument("the mesh has too many triangles");
  std::vector<Item> items;
  items.reserve(triangles.size());
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    Vec3 middle;
    for (const std::uint32_t v : triangles[t]) {
      if (v >= vertices.size())
        throw std::invalid_argument("a triangle refers to a vertex that does not exist");
      middle += vertices[v] / 3;
    }
    items.push_back({middle, t});
  }
  facets_.resize(triangles.size());
  for (std::size_t k = 0; k < triangles.size(); ++k) {
    Facet& facet = facets_[k];
    facet.vertex = triangles[k];
    for (int c = 0; c < 3; ++c) facet.corner[c] = vertices_[facet.vertex[c]];
    const Vec3 area = cross(facet.corner[1] - facet.corner[0], facet.corner[2] - facet.corner[0]);
    facet.normal = area / norm(area);
  }
  sort_by_halves(items);
  AlignedVector<Facet> in_order;
  in_order.reserve(facets_.size());
  for (const Item& item : items) in_order.push_back(facets_[item.triangle]);
  facets_.swap(in_order);
  const auto all = static_cast<std::uint32_t>(facets_.size());
  make_node(0, all);
  const Bounds box = bounds_of(0, all);
  low_ = box.low;
  high_ = box.high;
  join_facets();
  weigh_corners();
  for (const Facet& facet : facets_)
    for (const Vec3& corner : facet.corner) radius_ = std::max(radius_, norm(corner));
  find_patches();
}

/// Sorts recursively by halves, along the longest side of the box of the middles.
void TriangleMesh::sort_by_halves(std::span<Item> items) const {
  if (items.size() <= kMaxInLeaf) return;
  Vec3 low = items[0].middle, high = low;
  for (const Item& item : items) widen(low, high, item.middle);
  const int axis = longest_axis(high - low);
  const std::size_t half = items.size() / 2;
  std::ranges::nth_element(items, items.begin() + static_cast<std::ptrdiff_t>(half),
                           [axis](const Item& a, const Item& b) {
                             if (a.middle[axis] != b.middle[axis])
                               return a.middle[axis] < b.middle[axis];
                             return a.triangle < b.triangle;
                           });
  sort_by_halves(items.first(half));
  sort_by_halves(items.subspan(half));
}

TriangleMesh::Bounds TriangleMesh::bounds_of(std::uint32_t begin, std::uint32_t count) const {
  Bounds box{facets_[begin].corner[0], facets_[begin].corner[0]};
  for (std::uint32_t facet = begin; facet < begin + count; ++facet)
    for (const Vec3& corner : facets_[facet].corner) widen(box.low, box.high, corner);
  return box;
}

/// Builds the node of these facets and its descendants, depth first. Its children are quarters of
/// the facets, or halves where that fills the leaves.
std::uint32_t TriangleMesh::make_node(std::uint32_t begin, std::uint32_t count) {
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  nodes_.emplace_back();
  Node node{};
  const auto add = [&](std::uint32_t inside, std::uint32_t from, std::uint32_t facets) {
    const Bounds box = bounds_of(from, facets);
    for (int k = 0; k < 3; ++k) {
      node.low[k][node.count] = rounded_down(box.low[k]);
      node.high[k][node.count] = -rounded_down(-box.high[k]);
    }
    node.inside[node.count++] = inside;
  };
  const auto add_node = [&](std::uint32_t from, std::uint32_t facets) {
    add(make_node(from, facets), from, facets);
  };
  int halvings = 0;
  while (((count - 1) >> halvings) + 1 > kMaxInLeaf) ++halvings;
  if (halvings == 0) {
    for (std::uint32_t facet = begin; facet < begin + count; ++facet) add(kFacet | facet, facet, 1);
  } else {
    for (const auto& [from, facets] :
         {std::pair{begin, count / 2}, std::pair{begin + count / 2, count - count / 2}}) {
      if (halvings % 2 == 1 || facets <= kMaxInLeaf) {
        add_node(from, facets);
      } else {
        add_node(from, facets / 2);
        add_node(from + facets / 2, facets - facets / 2);
      }
    }
  }
  nodes_[index] = node;
  return index;
}

/// Links the facets on the two sides of each edge; edges of more than two facets get no link.
void TriangleMesh::join_facets() {
  struct Side {
    std::uint32_t low, high, facet, edge;
  };
  std::vector<Side> edges;
  edges.reserve(3 * facets_.size());
  for (std::uint32_t f = 0; f < facets_.size(); ++f)
    for (std::uint32_t e = 0; e < 3; ++e) {
      const auto [low, high] = std::minmax(facets_[f].vertex[e], facets_[f].vertex[(e + 1) % 3]);
      edges.push_back({low, high, f, e});
      facets_[f].across[e] = kNone;
    }
  std::ranges::sort(edges, [](const Side& a, const Side& b) {
    return std::tie(a.low, a.high, a.facet) < std::tie(b.low, b.high, b.facet);
  });
  is_closed_ = true;
  for (std::size_t k = 0; k < edges.size();) {
    std::size_t end = k + 1;
    while (end < edges.size() && edges[end].low == edges[k].low && edges[end].high == edges[k].high)
      ++end;
    if (end - k == 2) {
      facets_[edges[k].facet].across[edges[k].edge] = edges[k + 1].facet;
      facets_[edges[k + 1].facet].across[edges[k + 1].edge] = edges[k].facet;
    }
    is_closed_ = is_closed_ && (end - k) % 2 == 0;
    k = end;
  }
}

/// Finds flat patches: grows each from a seed facet over neighbours that lie in the seed's plane,
/// so that many small angles do not add up.
void TriangleMesh::find_patches() {
  constexpr double kFlatPatch = 2e-7;  // fraction of the mesh's radius
  constexpr double kAlong = 1 - 5e-5;  // cosine; normals of small facets are less exact
  patch_.assign(facets_.size(), kNone);
  std::vector<std::uint32_t> open;
  for (std::uint32_t seed = 0; seed < facets_.size(); ++seed) {
    if (patch_[seed] != kNone) continue;
    const Facet& first = facets_[seed];
    const auto is_in_plane = [&](const Facet& facet) {
      return dot(facet.normal, first.normal) > kAlong &&
             std::ranges::all_of(facet.corner, [&](const Vec3& p) {
               return std::abs(dot(first.normal, p - first.corner[0])) <= kFlatPatch * radius_;
             });
    };
    patch_[seed] = seed;
    open.assign(1, seed);
    while (!open.empty()) {
      const Facet& facet = facets_[open.back()];
      open.pop_back();
      for (const std::uint32_t neighbour : facet.across) {
        if (neighbour == kNone || patch_[neighbour] != kNone || !is_in_plane(facets_[neighbour]))
          continue;
        patch_[neighbour] = seed;
        open.push_back(neighbour);
      }
    }
  }
}

void TriangleMesh::weigh_corners() {
  vertex_normal_.assign(vertices_.size(), {});
  for (const Facet& facet : facets_)
    for (int k = 0; k < 3; ++k) {
      const Vec3 to_next = facet.corner[(k + 1) % 3] - facet.corner[k],
                 to_last = facet.corner[(k + 2) % 3] - facet.corner[k];
      const double angle = std::atan2(norm(cross(to_next, to_last)), dot(to_next, to_last));
      vertex_normal_[facet.vertex[k]] += angle * facet.normal;
    }
  for (Vec3& n : vertex_normal_)
    if (const double length = norm(n); length > 0) n = n / length;
}

// C. Ericson, Real-Time Collision Detection, 2005, §5.1.5.
TriangleMesh::SurfacePoint TriangleMesh::closest_on(std::uint32_t f, const Vec3& p) const {
  const Facet& facet = facets_[f];
  const auto& [a, b, c] = facet.corner;
  const auto corner = [&](int k) {
    return SurfacePoint{f, static_cast<std::uint8_t>(kCorner + k), facet.corner[k]};
  };
  const auto edge = [&](int k, const Vec3& point) {
    return SurfacePoint{f, static_cast<std::uint8_t>(kEdge + k), point};
  };
  const Vec3 ab = b - a, ac = c - a, ap = p - a;
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return corner(0);
  const Vec3 bp = p - b;
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return corner(1);
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return edge(0, a + d1 / (d1 - d3) * ab);
  const Vec3 cp = p - c;
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return corner(2);
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return edge(2, a + d2 / (d2 - d6) * ac);
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 >= d3 && d5 >= d6)
    return edge(1, b + (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (c - b));
  return {f, kFace, p - dot(facet.normal, ap) * facet.normal};
}

TriangleMesh::SurfacePoint TriangleMesh::closest(const Vec3& p, double within) const {
  struct Open {
    double squared_distance;
    std::uint32_t node;
  };
  std::array<Open, kMaxOpen> open;
  int waiting = 0;
  SurfacePoint best;
  double best2 = within * within;
  open[waiting++] = {0, 0};
  while (waiting > 0) {
    const auto [distance2, next] = open[--waiting];
    if (!(distance2 < best2)) continue;
    const Node& node = nodes_[next];
    const std::array<double, kBoxes> squared = squared_distances(node, p);
    const int known = waiting;
    for (int c = 0; c < node.count; ++c) {
      if (!(squared[c] < best2)) continue;
      if (node.inside[c] & kFacet) {
        const SurfacePoint place = closest_on(node.inside[c] & ~kFacet, p);
        if (const double d2 = squared_norm(p - place.point); d2 < best2) {
          best2 = d2;
          best = place;
        }
        continue;
      }
      // Visit the nearest next; among equals, the first.
      int at = waiting++;
      for (; at > known && open[at - 1].squared_distance <= squared[c]; --at)
        open[at] = open[at - 1];
      open[at] = {squared[c], node.inside[c]};
    }
  }
  return best;
}

Vec3 TriangleMesh::normal(std::uint32_t f, std::uint8_t region) const {
  const Facet& facet = facets_[f];
  if (region == kFace) return facet.normal;
  if (region >= kCorner) return vertex_normal_[facet.vertex[region - kCorner]];
  const std::uint32_t beyond = facet.across[region - kEdge];
  if (beyond == kNone) return facet.normal;
  const Vec3 sum = facet.normal + facets_[beyond].normal;
  const double length = norm(sum);
  return length > 0 ? sum / length : facet.normal;
}

SurfaceDistance TriangleMesh::signed_distance(const Vec3& p) const {
  const SurfacePoint place = closest(p);
  const Vec3 outward = normal(place), displacement = p - place.point;
  const double distance = norm(displacement);
  if (distance == 0) return {0, outward};
  const bool behind = dot(displacement, outward) < 0;
  if (place.region == kFace) {
    const bool flipped = behind && sides_ == Sides::two;
    return {behind && !flipped ? -distance : distance, flipped ? -outward : outward};
  }
  if (behind && sides_ == Sides::one) return {-distance, displacement / -distance};
  return {distance, displacement / distance};
}

double TriangleMesh::support(const Vec3& direction) const {
  double reach = -std::numeric_limits<double>::infinity();
  for (const Vec3& v : vertices_) reach = std::max(reach, dot(direction, v));
  return reach;
}

}  // namespace scree

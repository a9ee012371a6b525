/// Repairs triangle meshes: merges vertices, removes flat and duplicate triangles, and orients the
/// rest.
#include "scree/geometry/mesh_repair.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

#include "scree/math/random.hpp"

namespace scree {
namespace {

using Corners = TriangleMesh::Corners;

/// Merges vertices: maps each vertex to the first one within a distance.
class Welder {
 public:
  Welder(std::span<const Vec3> vertices, double distance)
      : distance_(distance), cell_(distance > 0 ? 4 * distance : 1) {
    int bits = 4;
    while ((std::size_t{1} << bits) < 2 * vertices.size()) ++bits;
    bits_ = bits;
    first_.assign(std::size_t{1} << bits, kNone);
    next_.assign(vertices.size(), kNone);
    for (std::uint32_t v = 0; v < vertices.size(); ++v) {
      const std::uint32_t known = find(vertices[v]);
      kept_.push_back(known == kNone ? static_cast<std::uint32_t>(vertices_.size()) : known);
      if (known == kNone) add(vertices[v]);
    }
  }

  std::span<const std::uint32_t> representative() const { return kept_; }
  std::vector<Vec3> vertices() && { return std::move(vertices_); }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;

  std::int64_t cell_of(double x) const { return std::llround(std::floor(x / cell_)); }
  std::size_t bucket(std::int64_t x, std::int64_t y, std::int64_t z) const {
    const std::uint64_t key = mix_bits(static_cast<std::uint64_t>(x)) ^
                              mix_bits(static_cast<std::uint64_t>(y) + 0x9e3779b97f4a7c15) ^
                              mix_bits(static_cast<std::uint64_t>(z) + 0xbf58476d1ce4e5b9);
    return mix_bits(key) >> (64 - bits_);
  }

  void add(const Vec3& p) {
    const std::size_t b = bucket(cell_of(p.x), cell_of(p.y), cell_of(p.z));
    next_[vertices_.size()] = first_[b];
    first_[b] = static_cast<std::uint32_t>(vertices_.size());
    vertices_.push_back(p);
  }

  /// Lowest index of a merged vertex within the distance, from the cells that a box about the point
  /// meets.
  std::uint32_t find(const Vec3& p) const {
    std::uint32_t found = kNone;
    for (std::int64_t x = cell_of(p.x - distance_); x <= cell_of(p.x + distance_); ++x)
      for (std::int64_t y = cell_of(p.y - distance_); y <= cell_of(p.y + distance_); ++y)
        for (std::int64_t z = cell_of(p.z - distance_); z <= cell_of(p.z + distance_); ++z)
          for (std::uint32_t v = first_[bucket(x, y, z)]; v != kNone; v = next_[v])
            if (v < found && squared_norm(vertices_[v] - p) <= distance_ * distance_) found = v;
    return found;
  }

  double distance_, cell_;
  int bits_;
  std::vector<std::uint32_t> first_, next_, kept_;
  std::vector<Vec3> vertices_;
};

double diagonal(std::span<const Vec3> vertices) {
  if (vertices.empty()) return 0;
  Vec3 low = vertices[0], high = vertices[0];
  for (const Vec3& v : vertices)
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], v[k]);
      high[k] = std::max(high[k], v[k]);
    }
  return norm(high - low);
}

bool is_flat(const std::array<Vec3, 3>& p) {
  const double area2 = norm(cross(p[1] - p[0], p[2] - p[0]));
  const double longest2 =
      std::max({squared_norm(p[1] - p[0]), squared_norm(p[2] - p[1]), squared_norm(p[0] - p[2])});
  return !(area2 > kFlat * longest2);
}

/// Side of a triangle, from its lower vertex to the higher or back.
struct Side {
  std::uint32_t low, high, triangle;
  bool forward;
};

class Repair {
 public:
  explicit Repair(const TriangleSoup& soup) {
    Welder welder(soup.vertices, kWeld * diagonal(soup.vertices));
    add_triangles(soup, welder.representative());
    mesh_.vertices = std::move(welder).vertices();
  }

  RepairedMesh run() {
    if (mesh_.triangles.empty()) return std::move(mesh_);
    remove_duplicates();
    sort_sides();
    orient_consistently();
    orient_outward();
    return std::move(mesh_);
  }

 private:
  MeshFindings& findings() { return mesh_.findings; }
  Vec3 middle(const Side& side) const {
    return 0.5 * (mesh_.vertices[side.low] + mesh_.vertices[side.high]);
  }

  void add_triangles(const TriangleSoup& soup, std::span<const std::uint32_t> representative) {
    for (const Corners& corners : soup.triangles) {
      const Corners t{representative[corners[0]], representative[corners[1]],
                      representative[corners[2]]};
      const std::array<Vec3, 3> corner{soup.vertices[corners[0]], soup.vertices[corners[1]],
                                       soup.vertices[corners[2]]};
      if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0] || is_flat(corner))
        findings().without_area.add(corner[0]);
      else
        mesh_.triangles.push_back(t);
    }
  }

  void remove_duplicates() {
    const auto sorted = [&](std::uint32_t t) {
      Corners c = mesh_.triangles[t];
      std::ranges::sort(c);
      return c;
    };
    std::vector<std::uint32_t> order(mesh_.triangles.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(sorted(a), a) < std::pair(sorted(b), b);
    });
    std::vector<std::uint8_t> is_duplicate(order.size(), 0);
    for (std::size_t k = 1; k < order.size(); ++k)
      is_duplicate[order[k]] = sorted(order[k]) == sorted(order[k - 1]) ? 1 : 0;
    std::size_t representative = 0;
    for (std::size_t t = 0; t < order.size(); ++t) {
      if (is_duplicate[t])
        findings().twice.add(mesh_.vertices[mesh_.triangles[t][0]]);
      else
        mesh_.triangles[representative++] = mesh_.triangles[t];
    }
    mesh_.triangles.resize(representative);
  }

  void sort_sides() {
    for (std::uint32_t t = 0; t < mesh_.triangles.size(); ++t)
      for (int e = 0; e < 3; ++e) {
        const std::uint32_t from = mesh_.triangles[t][e], to = mesh_.triangles[t][(e + 1) % 3];
        sides_.push_back({std::min(from, to), std::max(from, to), t, from < to});
      }
    std::ranges::sort(sides_, [](const Side& a, const Side& b) {
      return std::tie(a.low, a.high, a.triangle) < std::tie(b.low, b.high, b.triangle);
    });
  }

  /// Calls f(first, count) for the sides of each edge.
  template <class F>
  void for_each_edge(F f) {
    for (std::size_t k = 0; k < sides_.size();) {
      std::size_t end = k + 1;
      while (end < sides_.size() && sides_[end].low == sides_[k].low &&
             sides_[end].high == sides_[k].high)
        ++end;
      f(&sides_[k], end - k);
      k = end;
    }
  }

  /// Orients neighbours across edges of two triangles consistently: in each connected component,
  /// the minority is flipped.
  void orient_consistently() {
    struct Link {
      std::uint32_t other;
      bool agrees;
    };
    const std::size_t n = mesh_.triangles.size();
    std::vector<std::array<Link, 3>> links(n, {Link{kNone, true}, {kNone, true}, {kNone, true}});
    const auto link = [&](std::uint32_t from, Link to) {
      for (Link& l : links[from])
        if (l.other == kNone) {
          l = to;
          return;
        }
    };
    for_each_edge([&](const Side* side, std::size_t count) {
      if (count == 1) findings().open_edges.add(middle(side[0]));
      if (count > 2) findings().branching_edges.add(middle(side[0]));
      if (count != 2) return;
      const bool agrees = side[0].forward != side[1].forward;
      link(side[0].triangle, {side[1].triangle, agrees});
      link(side[1].triangle, {side[0].triangle, agrees});
    });
    // 1 if oriented like the first of its component, −1 if opposite
    std::vector<std::int8_t> orientation(n, 0);
    std::vector<std::uint32_t> component;
    for (std::uint32_t start = 0; start < n; ++start) {
      if (orientation[start] != 0) continue;
      component.assign(1, start);
      orientation[start] = 1;
      std::size_t agreeing = 0;
      for (std::size_t k = 0; k < component.size(); ++k) {
        agreeing += orientation[component[k]] > 0 ? 1 : 0;
        for (const auto& [other, agrees] : links[component[k]]) {
          if (other == kNone) continue;
          const auto expected = static_cast<std::int8_t>(agrees ? orientation[component[k]]
                                                                : -orientation[component[k]]);
          if (orientation[other] == 0) {
            orientation[other] = expected;
            component.push_back(other);
          } else if (orientation[other] != expected) {
            findings().one_sided.add(mesh_.vertices[mesh_.triangles[other][0]]);
          }
        }
      }
      const std::int8_t to_flip = 2 * agreeing >= component.size() ? -1 : 1;
      std::ranges::sort(component);
      for (const std::uint32_t t : component) {
        if (orientation[t] != to_flip) continue;
        findings().turned.add(mesh_.vertices[mesh_.triangles[t][0]]);
        std::swap(mesh_.triangles[t][1], mesh_.triangles[t][2]);
      }
    }
  }

  void orient_outward() {
    if (!findings().is_closed() || findings().one_sided.count > 0) return;
    double volume = 0;
    const Vec3& origin = mesh_.vertices[0];
    for (const Corners& t : mesh_.triangles)
      volume += dot(mesh_.vertices[t[0]] - origin,
                    cross(mesh_.vertices[t[1]] - origin, mesh_.vertices[t[2]] - origin));
    if (volume >= 0) return;
    findings().inside_out = true;
    for (Corners& t : mesh_.triangles) std::swap(t[1], t[2]);
  }

  static constexpr std::uint32_t kNone = TriangleMesh::kNone;
  RepairedMesh mesh_;
  std::vector<Side> sides_;
};

}  // namespace

RepairedMesh repair(const TriangleSoup& soup) { return Repair(soup).run(); }

}  // namespace scree

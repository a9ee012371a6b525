/// Triangulates the surfaces of obstacles, for frames.
#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>

#include "scree/geometry/clump.hpp"
#include "scree/geometry/convex_hull.hpp"
#include "scree/io/obstacle_frames.hpp"

namespace scree {
namespace {

/// Corners around an axis: they are within 0.3 % of the radius.
constexpr std::uint32_t kCornersOfRevolution = 48;
/// Segments from one pole of a ball to the other.
constexpr std::uint32_t kSegmentsAlong = 24;

/// A point of a profile that is rotated about the z axis.
struct ProfilePoint {
  double radius, z;  ///< [m]
};

/// Surface of revolution of a profile; outside is to the right of a rising profile.
ObstacleSurface revolved(std::span<const ProfilePoint> profile) {
  ObstacleSurface surface;
  for (const auto& [radius, z] : profile)
    for (std::uint32_t k = 0; k < kCornersOfRevolution; ++k) {
      const double angle = 2 * std::numbers::pi * k / kCornersOfRevolution;
      surface.points.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
    }
  for (std::uint32_t ring = 0; ring + 1 < profile.size(); ++ring)
    for (std::uint32_t k = 0; k < kCornersOfRevolution; ++k) {
      const std::uint32_t next = (k + 1) % kCornersOfRevolution,
                          a = ring * kCornersOfRevolution + k,
                          b = ring * kCornersOfRevolution + next, c = b + kCornersOfRevolution,
                          d = a + kCornersOfRevolution;
      // On the axis a ring is a point.
      if (profile[ring].radius > 0) surface.triangles.push_back({a, b, c});
      if (profile[ring + 1].radius > 0) surface.triangles.push_back({a, c, d});
    }
  return surface;
}

ObstacleSurface quads(std::vector<Vec3> points,
                      std::span<const std::array<std::uint32_t, 4>> faces) {
  ObstacleSurface surface{std::move(points), {}};
  for (const auto& [a, b, c, d] : faces) {
    surface.triangles.push_back({a, b, c});
    surface.triangles.push_back({a, c, d});
  }
  return surface;
}

/// Signed power, for a superellipsoid parametrised by angles.
double power(double x, double exponent) {
  return std::copysign(std::pow(std::abs(x), exponent), x);
}

struct Surface {
  const Obstacle& obstacle;
  const PlanePatch& patch;

  ObstacleSurface operator()(const Sphere& s) const { return ball({s.radius, s.radius, s.radius}); }
  ObstacleSurface operator()(const HalfSpace&) const {
    const Pose& pose = obstacle.pose;
    Vec3 foot = rotate_back(pose.orientation, patch.middle - pose.position);
    foot.z = 0;
    const double r = patch.size;
    const std::array<std::uint32_t, 4> face[] = {{0, 1, 2, 3}};
    return quads({foot + Vec3{-r, -r, 0}, foot + Vec3{r, -r, 0}, foot + Vec3{r, r, 0},
                  foot + Vec3{-r, r, 0}},
                 face);
  }
  ObstacleSurface operator()(const Box& s) const {
    std::vector<Vec3> corners;
    const auto& [x, y, z] = s.half_extent;
    for (const double level : {-z, z})
      corners.insert(corners.end(),
                     {{-x, -y, level}, {x, -y, level}, {x, y, level}, {-x, y, level}});
    const std::array<std::uint32_t, 4> faces[] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                                  {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
    return quads(std::move(corners), faces);
  }
  ObstacleSurface operator()(const Cylinder& s) const {
    return revolved(std::array<ProfilePoint, 4>{{{0, -s.half_length},
                                                 {s.radius, -s.half_length},
                                                 {s.radius, s.half_length},
                                                 {0, s.half_length}}});
  }
  ObstacleSurface operator()(const Capsule& s) const {
    std::vector<ProfilePoint> profile;
    for (std::uint32_t k = 0; k <= kSegmentsAlong; ++k) {
      const double angle = std::numbers::pi * (static_cast<double>(k) / kSegmentsAlong - 0.5);
      const double along = s.half_length + s.radius * std::abs(std::sin(angle));
      const bool pole = k == 0 || k == kSegmentsAlong;
      const double radius = pole ? 0 : s.radius * std::cos(angle);
      if (2 * k <= kSegmentsAlong) profile.push_back({radius, -along});
      if (2 * k > kSegmentsAlong || (2 * k == kSegmentsAlong && s.half_length > 0))
        profile.push_back({radius, along});
    }
    return revolved(profile);
  }
  ObstacleSurface operator()(const Frustum& s) const {
    return revolved(std::array<ProfilePoint, 4>{
        {{0, s.bottom}, {s.bottom_radius, s.bottom}, {s.top_radius, s.top}, {0, s.top}}});
  }
  ObstacleSurface operator()(const Hollow& s) const {
    std::vector<ProfilePoint> profile;
    if (s.closed_bottom) profile.push_back({0, s.bottom});
    profile.push_back({s.bottom_radius, s.bottom});
    profile.push_back({s.top_radius, s.top});
    if (s.closed_top) profile.push_back({0, s.top});
    return revolved(profile);
  }
  ObstacleSurface operator()(const Superellipsoid& s) const {
    ObstacleSurface surface = ball({1, 1, 1});
    for (Vec3& p : surface.points) {
      const double across = std::hypot(p.x, p.y);
      const double cosine = across > 0 ? p.x / across : 1, sine = across > 0 ? p.y / across : 0;
      const double ring = power(across, 2 / s.vertical);
      p = {s.semi_axes.x * ring * power(cosine, 2 / s.lateral),
           s.semi_axes.y * ring * power(sine, 2 / s.lateral),
           s.semi_axes.z * power(p.z, 2 / s.vertical)};
    }
    return surface;
  }
  ObstacleSurface operator()(const Polyhedron& s) const {
    ObstacleSurface surface;
    for (const Vec3& vertex : s.hull->vertices()) surface.points.push_back(s.scale * vertex);
    for (const ConvexHull::Face& face : s.hull->faces()) {
      const auto loop = s.hull->loop(face);
      for (std::size_t k = 2; k < loop.size(); ++k)
        surface.triangles.push_back({loop[0], loop[k - 1], loop[k]});
    }
    return surface;
  }
  /// Surfaces of all parts, including hidden ones.
  ObstacleSurface operator()(const Clump& s) const {
    ObstacleSurface surface;
    for (const ClumpPart& part : s.parts->parts()) {
      const ObstacleSurface own = std::visit(*this, scaled(part.shape, s.scale));
      const auto first = static_cast<std::uint32_t>(surface.points.size());
      for (const Vec3& p : own.points)
        surface.points.push_back(s.scale * part.pose.position + rotate(part.pose.orientation, p));
      for (const auto& [a, b, c] : own.triangles)
        surface.triangles.push_back({first + a, first + b, first + c});
    }
    return surface;
  }
  ObstacleSurface operator()(const Mesh& s) const {
    ObstacleSurface surface;
    for (const Vec3& vertex : s.mesh->vertices()) surface.points.push_back(s.scale * vertex);
    for (const TriangleMesh::Facet& facet : s.mesh->facets())
      surface.triangles.push_back(facet.vertex);
    return surface;
  }

  static ObstacleSurface ball(const Vec3& radii) {
    std::vector<ProfilePoint> profile;
    for (std::uint32_t k = 0; k <= kSegmentsAlong; ++k) {
      const double angle = std::numbers::pi * (static_cast<double>(k) / kSegmentsAlong - 0.5);
      const bool pole = k == 0 || k == kSegmentsAlong;
      profile.push_back({pole ? 0 : radii.x * std::cos(angle), radii.z * std::sin(angle)});
    }
    return revolved(profile);
  }
};

}  // namespace

PlanePatch plane_patch(const Model& model, const State& state) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  Vec3 low{kInfinite, kInfinite, kInfinite}, high = -low;
  const auto take = [&](const Vec3& middle, const Vec3& half) {
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], middle[k] - half[k]);
      high[k] = std::max(high[k], middle[k] + half[k]);
    }
  };
  const Bodies& bodies = state.bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    take(bodies.position[i], bodies.radius[i] * Vec3{1, 1, 1});
  for (const Inflow& inflow : model.inflows)
    for (const Vec3& centre : inflow.layer) take(centre, inflow.radius * Vec3{1, 1, 1});
  for (const Filling& filling : model.fillings) {
    take(filling.min, {});
    take(filling.max, {});
  }
  for (const Obstacle& obstacle : model.obstacles)
    if (const double radius = bounding_radius(obstacle.shape); std::isfinite(radius))
      take(obstacle.pose.position, reach(obstacle.shape, obstacle.pose.orientation));
  if (!(low.x <= high.x)) return {};
  return {0.5 * (low + high), std::max(0.6 * norm(high - low), 1e-12)};
}

nlohmann::json as_json(const PlanePatch& patch) {
  return {patch.middle.x, patch.middle.y, patch.middle.z, patch.size};
}

PlanePatch plane_patch_from(const nlohmann::json& json) {
  return {{json.at(0), json.at(1), json.at(2)}, json.at(3)};
}

ObstacleSurface surface_of(const Obstacle& obstacle, const PlanePatch& patch) {
  return std::visit(Surface{obstacle, patch}, obstacle.shape);
}

}  // namespace scree

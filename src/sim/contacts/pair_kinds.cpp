/// Properties of pairs that follow from their shapes: the number of points, and which new point
/// continues an old one.
#include <algorithm>

#include "scree/collision/clump_contacts.hpp"
#include "scree/collision/overlap_points.hpp"
#include "scree/collision/surface_contacts.hpp"
#include "sim/contacts/narrow_phase.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

/// Shape of a body, or of an obstacle by its flag.
const Shape& shape_of(const Model& model, const Bodies& bodies, BodyIndex i) {
  return i & Neighbours::kObstacle ? model.obstacles[i & ~Neighbours::kObstacle].shape
                                   : model.prototypes[bodies.prototype[i]].shape;
}

/// True for shapes without flat or straight parts: they touch any convex shape at one point.
bool touches_in_one_point(const Shape& shape) {
  return std::holds_alternative<Sphere>(shape) || std::holds_alternative<Superellipsoid>(shape);
}

}  // namespace

const Shape* surface_of(const Model& model, const Neighbours::Pair& pair) {
  if (!(pair.other & Neighbours::kObstacle)) return nullptr;
  const Shape& shape = model.obstacles[pair.other & ~Neighbours::kObstacle].shape;
  return is_surface(shape) ? &shape : nullptr;
}

bool has_clump(const Model& model, const Bodies& bodies, const Neighbours::Pair& pair) {
  return is_clump(shape_of(model, bodies, pair.owner)) ||
         is_clump(shape_of(model, bodies, pair.other));
}

bool has_many_points(const Model& model) {
  return !std::ranges::all_of(model.prototypes, &Prototype::is_sphere) || has_surfaces(model) ||
         std::ranges::any_of(model.obstacles, [](const Obstacle& o) { return is_clump(o.shape); });
}

bool has_ends(const Model& model) {
  const auto ends = [](const Shape& shape) {
    return std::holds_alternative<Capsule>(shape) || std::holds_alternative<Cylinder>(shape) ||
           std::holds_alternative<Frustum>(shape);
  };
  return std::ranges::any_of(model.obstacles, [&](const Obstacle& obstacle) {
    const auto* clump = std::get_if<Clump>(&obstacle.shape);
    if (!clump) return ends(obstacle.shape);
    return std::ranges::any_of(clump->parts->parts(),
                               [&](const ClumpPart& part) { return ends(part.shape); });
  });
}

bool has_spheres_points(const StepContext& c, const Neighbours::Pair& pair) {
  return c.scratch.kinds[c.state.bodies.prototype[pair.owner]].sphere ||
         max_manifold_points(c.model, c.state.bodies, pair) == 1;
}

double share_of_point(const Model& model, const Bodies& bodies, const Neighbours::Pair& pair) {
  // A round shape touches a surface at one point, or at a few that are far apart.
  const Prototype& prototype = model.prototypes[bodies.prototype[pair.owner]];
  const bool round =
      prototype.is_sphere() || std::holds_alternative<Superellipsoid>(prototype.shape);
  if (round || max_manifold_points(model, bodies, pair) == 1) return 1;
  return 1.0 / Neighbours::kMaxManifoldPoints;
}

void transfer_warm_start(StepContext& c, std::size_t pair, const PairPoints& points) {
  Neighbours& list = c.state.neighbours;
  const Shape* surface = surface_of(c.model, list.pairs[pair]);
  if (!surface) return;
  const bool is_sphere = c.scratch.kinds[c.state.bodies.prototype[list.pairs[pair].owner]].sphere;
  // Similarity of a known feature and a new one: for a sphere by their normals, for other bodies by
  // whether the same part of the body touches there.
  const auto likeness = [&](std::uint32_t known, std::uint32_t feature) {
    if (is_sphere) return cosine_between(*surface, known, feature);
    return same_part_of_body(known, feature) ? 1.0 : 0.0;
  };
  const auto [begin, end] = list.places(pair);
  const auto is_point = [&](std::uint32_t feature) {
    return std::ranges::any_of(points, [&](const PairPoint& p) { return p.feature == feature; });
  };
  for (const PairPoint& point : points) {
    const std::uint32_t feature = point.feature;
    if (list.place_of(pair, feature) != Neighbours::kNowhere) continue;
    std::size_t from = end;
    double best = kSimilarNormalCosine;
    for (std::size_t slot = begin; slot < end; ++slot) {
      const std::uint32_t known = list.feature[slot];
      if (known == Neighbours::kNoFeature || is_point(known)) continue;
      const double cosine = likeness(known, feature);
      if (!(cosine > best)) continue;
      best = cosine;
      from = slot;
    }
    if (from < end) list.feature[from] = feature;
  }
}

std::uint32_t max_manifold_points(const Model& model, const Bodies& bodies,
                                  const Neighbours::Pair& pair) {
  if (surface_of(model, pair)) return Neighbours::kMaxSurfacePoints;
  const Shape &owner = shape_of(model, bodies, pair.owner),
              &other = shape_of(model, bodies, pair.other);
  if (is_clump(owner) || is_clump(other)) return max_points_of_clump(owner, other);
  const bool one = touches_in_one_point(owner) || touches_in_one_point(other);
  return one ? 1 : max_overlaps(owner, other);
}

}  // namespace scree

/// Search radius: the distance beyond its margin at which a body's neighbours are listed, so that
/// the list lasts; and the obstacles within it.
#pragma once

#include <algorithm>
#include <limits>
#include <variant>
#include <vector>

#include "sim/motion/body_motion.hpp"
#include "sim/neighbours/neighbours.hpp"
#include "sim/step_context.hpp"
#include "solvers/step_settings.hpp"

namespace scree {

/// Distance that body i may move before the next search, its margin included [m], at this local
/// solid fraction. It is the travel of kSkinSteps, unless that adds more candidates than it saves
/// work. It is finite, or the body would seem to have left.
inline double skin_of(const StepContext& c, std::size_t i, double solid_fraction) {
  const double radius = c.state.bodies.radius[i], margin = double{c.scratch.margin[i]};
  const double travel =
      c.model.step.h * norm(c.scratch.problem.bodies[i].velocity - c.state.neighbours.drift) +
      kMaxMarginDistance * c.scratch.strain * radius;
  const double wanted = kSkinSteps * travel;
  double most = kMaxSkinOfRadius * radius;
  const auto candidates = [&](double skin) {
    const double reach = 2 * (1 + (margin + skin) / radius);
    return solid_fraction * reach * reach * reach;
  };
  while (most < wanted && candidates(kSkinGrowth * most) <= kMaxSkinCandidates) most *= kSkinGrowth;
  const double skin =
      std::clamp(wanted, kMinSkinOfRadius * radius, std::max(most, kMinSkinSteps * travel));
  return std::min(margin + skin, std::numeric_limits<double>::max());
}

/// Obstacles within reach of a body.
class ObstacleReach {
 public:
  explicit ObstacleReach(const StepContext& c) : c_(c) {
    const auto& obstacles = c.model.obstacles;
    for (std::size_t k = 0; k < obstacles.size(); ++k) {
      bound_.push_back(bounding_radius(obstacles[k].shape) +
                       c.state.neighbours.obstacle_skin[k].displacement);
      outward_.push_back(rotate(c.state.obstacles[k].pose.orientation, {0, 0, 1}));
    }
  }

  /// Adds the pairs of a body and every obstacle within its search radius [m].
  void add_pairs(BodyIndex i, double reach, std::vector<BodyPair>& pairs) const {
    const auto& obstacles = c_.model.obstacles;
    const Vec3& position = c_.state.bodies.position[i];
    for (std::uint32_t k = 0; k < obstacles.size(); ++k) {
      if (obstacles[k].is_absent) continue;
      const Pose& pose = c_.state.obstacles[k].pose;
      const Vec3 apart = c_.scratch.domain.separation(pose.position, position);
      const double far = bound_[k] + reach;
      if (squared_norm(apart) > far * far) continue;
      // Both move while the list lasts.
      const ObstacleApproach& skin = c_.state.neighbours.obstacle_skin[k];
      const double away = skin.rotation > 0 ? norm(apart) + reach + skin.displacement : 0;
      if (is_near(k, position, apart, reach + skin.at(away)))
        pairs.push_back({i, Neighbours::kObstacle | k});
    }
  }

 private:
  /// True if an obstacle is closer to a position than `distance` [m]; `apart` is the vector from
  /// its frame.
  bool is_near(std::uint32_t k, const Vec3& position, const Vec3& apart, double distance) const {
    const Shape& shape = c_.model.obstacles[k].shape;
    if (std::holds_alternative<HalfSpace>(shape)) return dot(outward_[k], apart) < distance;
    if (const auto* mesh = std::get_if<Mesh>(&shape))
      return mesh->mesh->is_near(
          rotate_back(c_.state.obstacles[k].pose.orientation, apart) / mesh->scale,
          distance / mesh->scale);
    return distance_to_obstacle(c_, k, position) < distance;
  }

  const StepContext& c_;
  std::vector<double> bound_;  ///< [m]
  /// For half-spaces: nearly all bodies test nearly all of them
  std::vector<Vec3> outward_;
};

}  // namespace scree

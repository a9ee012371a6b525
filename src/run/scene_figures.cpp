#include "scree/run/scene_figures.hpp"

#include <algorithm>
#include <cmath>

#include "scree/sim/steps.hpp"

namespace scree {
namespace {

/// Speed that counts for a body of this radius: its own, that of moving obstacles, and what gravity
/// gives it over a radius.
double typical_speed(const Model& model, double speed, double obstacle_speed, double radius) {
  return std::max({speed, obstacle_speed, std::sqrt(2 * norm(model.gravity) * radius)});
}

double fastest_obstacle(const Model& model) {
  double fastest = 0;
  for (const Obstacle& obstacle : model.obstacles) {
    if (!obstacle.is_moved()) continue;
    if (!obstacle.path) {
      fastest = std::max(fastest, norm(obstacle.twist_at(0, {}).linear));
    } else {
      const Twist twist =
          twist_between(obstacle.path(0), obstacle.path(model.step.h), model.step.h);
      fastest = std::max(fastest, norm(twist.linear));
    }
  }
  return fastest;
}

}  // namespace

SceneFigures figures_of(const Scene& scene) {
  const Model& model = scene.model;
  const Bodies& bodies = scene.state.bodies;
  SceneFigures f;
  f.bodies = bodies.size();
  f.obstacles = model.obstacles.size();
  f.inflows = model.inflows.size();
  f.fillings = model.fillings.size();
  const double obstacle_speed = fastest_obstacle(model);
  f.fastest = obstacle_speed;
  double rate = 0;  // largest speed over radius [1/s]
  const auto take = [&](double radius, double speed) {
    const bool first = f.largest_radius == 0;
    f.smallest_radius = first ? radius : std::min(f.smallest_radius, radius);
    f.largest_radius = std::max(f.largest_radius, radius);
    f.fastest = std::max(f.fastest, speed);
    rate = std::max(rate, typical_speed(model, speed, obstacle_speed, radius) / radius);
  };
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    f.mass += bodies.mass[i];
    take(bodies.radius[i], norm(bodies.velocity[i]));
  }
  for (const Inflow& inflow : model.inflows)
    take(inflow.radius, norm(inflow.velocity) + norm(inflow.jitter));
  for (const Filling& filling : model.fillings)
    for (const Filling::Kind& kind : filling.kinds)
      for (const double radius : {kind.low, kind.high})
        take(radius, norm(filling.velocity) + norm(filling.jitter));
  f.largest_travel = rate * model.step.h;
  f.advised_step = rate > 0 ? kAdvisedTravel / rate : 0;
  if (const double g = norm(model.gravity); g > 0 && f.smallest_radius > 0) {
    const double fall = std::sqrt(2 * f.smallest_radius / g);  // [s]
    f.fall_of_step = model.step.h / fall;
    f.advised_step = std::min(f.advised_step, kAdvisedFall * fall);
  }
  f.steps = steps_until(scene.until, model.step.h);
  // Builds what a run builds, and so finds what only that can find.
  f.forecast = forecast(scene);
  return f;
}

}  // namespace scree

/// Figures of a scene before its run: sizes, speeds, advised steps.
#include "scree/run/scene_figures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "scree/sim/steps.hpp"

namespace scree {
namespace {

/// Largest gravity of all stages [m/s²].
Vec3 max_gravity(const Scene& scene) {
  if (scene.stages.empty()) return scene.model.gravity;
  return std::ranges::max_element(scene.stages, {},
                                  [](const RunStage& s) { return norm(s.model.gravity); })
      ->model.gravity;
}

/// True if any stage has fields.
bool has_fields(const Scene& scene) {
  return !scene.model.fields.empty() || std::ranges::any_of(scene.stages, [](const RunStage& s) {
    return !s.model.fields.empty();
  });
}

/// Shortest edge of all free or entering boxes [m]; infinite without boxes.
double shortest_edge(const Scene& scene) {
  const Model& model = scene.model;
  const Bodies& bodies = scene.state.bodies;
  double shortest = std::numeric_limits<double>::infinity();
  const auto take = [&](PrototypeId prototype, double radius) {
    const Prototype& p = model.prototypes[prototype];
    if (std::holds_alternative<Box>(p.shape))
      shortest = std::min(shortest, 2 * radius * p.inscribed_radius());
  };
  for (std::size_t i = 0; i < bodies.size(); ++i) take(bodies.prototype[i], bodies.radius[i]);
  for (const Filling& filling : model.fillings)
    for (const Filling::Kind& kind : filling.kinds) take(kind.prototype, kind.low);
  return shortest;
}

/// Estimate of the height and speed of a fall, from bounding boxes.
class Falls {
 public:
  explicit Falls(const Scene& scene)
      : g_(norm(max_gravity(scene))), until_(scene.until), up_(max_gravity(scene) / -g_) {
    if (!(g_ > 0)) return;
    const Bodies& bodies = scene.state.bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i)
      lowest_ = std::min(lowest_, height_of(bodies.position[i]) - bodies.radius[i]);
    for (std::size_t k = 0; k < scene.model.obstacles.size(); ++k)
      add(scene.model.obstacles[k].shape, scene.state.obstacles[k].pose);
  }

  /// Height of a point above the nearest floor, an upward half-space; otherwise above the lowest
  /// body or obstacle [m].
  double drop_from(const Vec3& start) const {
    if (!(g_ > 0)) return 0;
    double onto = std::numeric_limits<double>::infinity();
    for (const Floor& floor : floors_)
      onto = std::min(onto, dot(start - floor.point, floor.normal) / dot(floor.normal, up_));
    if (std::isfinite(onto)) return std::max(0.0, onto);
    const double height = height_of(start);
    double lowest = lowest_;
    for (const Extent& extent : extents_)
      lowest = std::min(lowest, extent.bears && extent.top <= height ? extent.top : extent.bottom);
    return std::max(0.0, height - lowest);
  }
  /// Speed after a drop, or after the whole run if that is less [m/s].
  double speed_after(double drop) const { return std::min(std::sqrt(2 * g_ * drop), g_ * until_); }

 private:
  struct Floor {
    Vec3 point, normal;
  };
  struct Extent {
    bool bears;          ///< true for convex shapes; a surface may have bodies inside
    double bottom, top;  ///< heights [m]
  };

  double height_of(const Vec3& point) const { return dot(point, up_); }
  void add(const Shape& shape, const Pose& pose) {
    constexpr double kLevel = 1e-3;  // steeper planes are walls
    if (std::holds_alternative<HalfSpace>(shape)) {
      const Vec3 normal = rotate(pose.orientation, {0, 0, 1});
      if (dot(normal, up_) > kLevel) floors_.push_back({pose.position, normal});
      return;
    }
    const double middle = height_of(pose.position);
    extents_.push_back({!is_surface(shape), middle - support(shape, pose, -up_),
                        middle + support(shape, pose, up_)});
  }

  double g_, until_;
  Vec3 up_;
  std::vector<Floor> floors_;
  std::vector<Extent> extents_;
  double lowest_ = std::numeric_limits<double>::infinity();  ///< of bodies [m]
};

/// Largest speed over radius in a scene, and its cause.
class Travels {
 public:
  Travels(const Scene& scene, double obstacle_speed)
      : falls_(scene), obstacle_speed_(obstacle_speed) {}

  /// Adds a body of this radius that starts from `centre` at this speed.
  void take(double radius, double speed, const Vec3& centre) {
    const double falls = falls_.drop_from(centre) - radius;
    const double speed_after_fall = std::hypot(speed, falls_.speed_after(radius));
    take(speed_after_fall / radius, FastestMotion::velocity, 0);
    if (falls > radius)
      take(std::hypot(speed, falls_.speed_after(falls)) / radius, FastestMotion::fall, falls);
    take(obstacle_speed_ / radius, FastestMotion::obstacle, 0);
  }
  /// Rate over a diameter.
  void take_strain(double gradient) { take(2 * gradient, FastestMotion::strain, 0); }

  double rate = 0;  ///< [1/s]
  double drop = 0;  ///< [m]
  FastestMotion motion = FastestMotion::none;

 private:
  void take(double new_rate, FastestMotion new_motion, double new_drop) {
    if (!(new_rate > rate)) return;
    rate = new_rate;
    motion = new_motion;
    drop = new_drop;
  }

  Falls falls_;
  double obstacle_speed_;
};

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

/// Strain rate of the cell, at the start and in stages [1/s].
double fastest_strain(const Scene& scene) {
  double fastest = norm(scene.model.strain.rate);
  for (const RunStage& stage : scene.stages)
    fastest = std::max(fastest, norm(stage.model.strain.rate));
  return fastest;
}

std::vector<Vec3> corners_of(const Filling& filling) {
  std::vector<Vec3> corners;
  for (const double x : {filling.min.x, filling.max.x})
    for (const double y : {filling.min.y, filling.max.y})
      for (const double z : {filling.min.z, filling.max.z}) corners.push_back({x, y, z});
  return corners;
}

std::vector<MeshExtent> extents_of_meshes(const Scene& scene) {
  std::vector<MeshExtent> extents;
  for (std::size_t k = 0; k < scene.model.obstacles.size(); ++k) {
    const Obstacle& obstacle = scene.model.obstacles[k];
    if (!std::holds_alternative<Mesh>(obstacle.shape)) continue;
    const Pose& pose = scene.state.obstacles[k].pose;
    MeshExtent extent{obstacle.name, pose.position, pose.position};
    for (int axis = 0; axis < 3; ++axis) {
      Vec3 along;
      along[axis] = 1;
      extent.low[axis] -= support(obstacle.shape, pose, -along);
      extent.high[axis] += support(obstacle.shape, pose, along);
    }
    extents.push_back(extent);
  }
  return extents;
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
  Travels travels(scene, obstacle_speed);
  const auto take = [&](double radius, double speed, const Vec3& centre) {
    const bool first = f.largest_radius == 0;
    f.smallest_radius = first ? radius : std::min(f.smallest_radius, radius);
    f.largest_radius = std::max(f.largest_radius, radius);
    f.fastest = std::max(f.fastest, speed);
    travels.take(radius, speed, centre);
  };
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    f.mass += bodies.mass[i];
    take(bodies.radius[i], norm(bodies.velocity[i]), bodies.position[i]);
  }
  for (const Inflow& inflow : model.inflows)
    for (const Vec3& centre : inflow.layer)
      take(inflow.radius, norm(inflow.velocity) + norm(inflow.jitter), centre);
  for (const Filling& filling : model.fillings)
    for (const Filling::Kind& kind : filling.kinds)
      for (const double radius : {kind.low, kind.high})
        for (const Vec3& corner : corners_of(filling))
          take(radius, norm(filling.velocity) + norm(filling.jitter), corner);
  if (f.largest_radius > 0) travels.take_strain(fastest_strain(scene));
  f.largest_travel = travels.rate * model.step.h;
  f.fastest_motion = travels.motion;
  f.drop = travels.drop;
  f.advised_step = travels.rate > 0 ? kAdvisedTravel / travels.rate : 0;
  if (const double g = norm(max_gravity(scene)); g > 0 && f.smallest_radius > 0) {
    const double fall = std::sqrt(2 * f.smallest_radius / g);  // [s]
    f.fall_of_step = model.step.h / fall;
    f.advised_step = std::min(f.advised_step, kAdvisedFall * fall);
    if (const double edge = shortest_edge(scene); std::isfinite(edge))
      f.stack_step = kStackFall * std::sqrt(edge / g);
  }
  f.has_fields = has_fields(scene);
  f.meshes = extents_of_meshes(scene);
  f.steps = steps_until(scene.until, model.step.h);
  // Builds the simulation, which finds errors that nothing else finds.
  f.forecast = forecast(scene);
  return f;
}

}  // namespace scree

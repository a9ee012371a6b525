/// Model of each stage of a run, with the motion of its obstacles.
#include "run/run_stages.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "scree/core/decimal.hpp"

namespace scree {
namespace {

/// Rigid motion that takes a pose back to the origin.
Pose inverse(const Pose& pose) {
  return {rotate_back(pose.orientation, -pose.position), conjugate(pose.orientation)};
}

void stand_still(Obstacle& obstacle) {
  obstacle.motion = {};
  obstacle.servo = {};
  obstacle.path = {};
}

/// Motion from a time t0 [s] and a pose.
void move(Obstacle& obstacle, const StageMotion& motion, double t0, const Pose& from) {
  stand_still(obstacle);
  obstacle.pivot =
      motion.pivot ? rotate_back(from.orientation, *motion.pivot - from.position) : Vec3{};
  if (motion.twist) {
    obstacle.servo = [twist = motion.twist, t0](double t, const Wrench& load) {
      return twist(t - t0, load);
    };
    return;
  }
  obstacle.pose = from;
  obstacle.path = [displacement = motion.displacement, t0,
                   drawn = moved(inverse(motion.displacement(0)), from)](double t) {
    return moved(displacement(t - t0), drawn);
  };
}

nlohmann::json as_json(const Pose& pose) {
  const Vec3& x = pose.position;
  const Quaternion& q = pose.orientation;
  return {x.x, x.y, x.z, q.w, q.x, q.y, q.z};
}

}  // namespace

StageBegin begin_of(const RunStage& stage, const State& state) {
  StageBegin begin{state.step, {}};
  for (const StageMotion& motion : stage.moved)
    begin.poses.push_back(state.obstacles[motion.obstacle].pose);
  return begin;
}

nlohmann::json as_json(const StageBegin& begin) {
  nlohmann::json poses = nlohmann::json::array();
  for (const Pose& pose : begin.poses) poses.push_back(as_json(pose));
  return {{"step", begin.step}, {"poses", poses}};
}

StageBegin stage_begin_from(const nlohmann::json& json) {
  StageBegin begin{json.at("step"), {}};
  for (const nlohmann::json& pose : json.at("poses")) {
    const auto x = pose.get<std::array<double, 7>>();
    begin.poses.push_back({{x[0], x[1], x[2]}, {x[3], x[4], x[5], x[6]}});
  }
  return begin;
}

Model model_in_stage(const Scene& scene, std::span<const StageBegin> begun) {
  Model model = scene.model;
  for (std::size_t k = 0; k < begun.size(); ++k) {
    const RunStage& stage = scene.stages[k];
    std::vector<Obstacle> obstacles = std::move(model.obstacles);
    model = stage.model;
    for (const std::uint32_t obstacle : stage.stopped) {
      stand_still(obstacles[obstacle]);
      obstacles[obstacle].surface_velocity = {};
    }
    for (const std::uint32_t obstacle : stage.removed) {
      stand_still(obstacles[obstacle]);
      obstacles[obstacle].is_absent = true;
    }
    const double t0 = decimal_multiple(begun[k].step, model.step.h);
    for (std::size_t m = 0; m < stage.moved.size(); ++m)
      move(obstacles[stage.moved[m].obstacle], stage.moved[m], t0, begun[k].poses[m]);
    model.obstacles = std::move(obstacles);
  }
  return model;
}

}  // namespace scree

#include "scree/io/obstacles.hpp"

#include <nlohmann/json.hpp>

#include "io/shape_json.hpp"
#include "scree/io/json_text.hpp"

namespace scree {
std::string obstacles_json(const Model& model, const State& state) {
  Json all = Json::array();
  for (std::size_t k = 0; k < model.obstacles.size(); ++k) {
    const Obstacle& obstacle = model.obstacles[k];
    const Pose& pose = k < state.obstacles.size() ? state.obstacles[k].pose : obstacle.pose;
    const Quaternion& q = pose.orientation;
    Json entry{{"name", obstacle.name}};
    entry.update(shape_json(obstacle.shape));
    entry["material"] =
        obstacle.material < model.materials.size() ? model.materials[obstacle.material].name : "";
    entry["moving"] = obstacle.is_moved();
    if (obstacle.is_absent) entry["absent"] = true;
    entry["position"] = as_json(pose.position);
    entry["quaternion"] = {q.w, q.x, q.y, q.z};
    all.push_back(entry);
  }
  return Json{{"time", state.time}, {"obstacles", all}}.dump(1) + "\n";
}

}  // namespace scree

/// Stages of a run: the current one, and the motion of obstacles in it.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <vector>

#include "scree/scene/scene.hpp"

namespace scree {

/// Time at which a stage began, and poses of the obstacles that it moves, in the order of
/// RunStage::moved.
struct StageBegin {
  std::uint64_t step = 0;
  std::vector<Pose> poses;
};

StageBegin begin_of(const RunStage& stage, const State& state);

nlohmann::json as_json(const StageBegin& begin);
StageBegin stage_begin_from(const nlohmann::json& json);

/// Model in the current stage, the last of `begun`, which is not empty.
Model model_in_stage(const Scene& scene, std::span<const StageBegin> begun);

}  // namespace scree

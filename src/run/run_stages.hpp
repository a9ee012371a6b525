/// Stages of a run: which one it is in, and what obstacles do in it.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <vector>

#include "scree/scene/scene.hpp"

namespace scree {

/// When a stage began, and where the obstacles that it moves stood: the same order as
/// RunStage::moved.
struct StageBegin {
  std::uint64_t step = 0;
  std::vector<Pose> poses;
};

StageBegin begin_of(const RunStage& stage, const State& state);

nlohmann::json as_json(const StageBegin& begin);
StageBegin stage_begin_from(const nlohmann::json& json);

/// The model in the last of the stages that have begun; `begun` is not empty.
Model model_in_stage(const Scene& scene, std::span<const StageBegin> begun);

}  // namespace scree

/// Data of a step that its stages share.
#pragma once

#include "scree/core/threads.hpp"
#include "scree/sim/model.hpp"
#include "scree/sim/report.hpp"
#include "scree/sim/state.hpp"
#include "sim/scratch.hpp"

namespace scree {

struct StepContext {
  const Model& model;
  State& state;
  Scratch& scratch;
  Report& report;
  ThreadPool& pool;
};

}  // namespace scree

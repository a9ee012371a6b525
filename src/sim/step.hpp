/// One time step: [Preclik18, §3.1], with contacts chosen by a margin.
#pragma once

#include "sim/step_context.hpp"

namespace scree {

void step(StepContext& context);

}  // namespace scree

/// Fields of force: docs/guide/fields.md
#pragma once

#include "sim/step_context.hpp"

namespace scree {

/// Finds the variables that the fields of the model read.
void prepare_fields(const Model& model, Scratch::Fields& fields);
/// Evaluates the fields for each body; false, with the fault in the report, if a force is not
/// finite.
bool evaluate_fields(StepContext& context);

}  // namespace scree

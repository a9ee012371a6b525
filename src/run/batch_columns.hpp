/// Checks that the runs of a batch will have the values for its table.
#pragma once

#include <span>

#include "scree/run/batch_plan.hpp"
#include "scree/scene/scene.hpp"

namespace scree {

/// Throws InputError, with similar names, if runs of the scene do not write this table, this column
/// or this key of the verdict. The content of some other JSON files is unknown before a run.
void require_columns(std::span<const BatchColumn> columns, const Scene& scene);

}  // namespace scree

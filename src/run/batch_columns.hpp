/// Whether the figures that a batch is to tabulate are ones that its runs will have.
#pragma once

#include <span>

#include "scree/run/batch_plan.hpp"
#include "scree/scene/scene.hpp"

namespace scree {

/// Throws InputError, with the names that there are, if a run of the scene writes no such table, or
/// none with this column, or a verdict without this key. What stands in other JSON files of a run
/// is not known before.
void require_columns(std::span<const BatchColumn> columns, const Scene& scene);

}  // namespace scree

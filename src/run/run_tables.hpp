/// What stands in the first lines of the tables that a run writes.
#pragma once

#include <string>
#include <vector>

#include "scree/run/growing_table.hpp"
#include "scree/scene/scene.hpp"

namespace scree {

TableHeader cell_table();
TableHeader joint_table();
TableHeader body_table();
TableHeader obstacle_table();

/// The tables that a run of a scene may write, by their names in its directory: those of its
/// analyses with them.
std::vector<TableHeader> tables_of(const Scene& scene);

}  // namespace scree

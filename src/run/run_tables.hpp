/// First lines of the tables that a run writes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "scree/run/growing_table.hpp"
#include "scree/scene/scene.hpp"

namespace scree {

TableHeader cell_table();
TableHeader joint_table();
TableHeader body_table();
TableHeader obstacle_table();
TableHeader sensor_table(std::span<const Sensor> sensors);

/// Tables that a run of a scene may write, including its analyses, by their names in the directory.
std::vector<TableHeader> tables_of(const Scene& scene);

}  // namespace scree

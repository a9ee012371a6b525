/// Applies the JSON Schema: units, defaults, validation.
#pragma once

#include "scene/yaml/node.hpp"
#include "scene/yaml/problems.hpp"

namespace scree::scene {

/// Fills in defaults and converts every quantity below the root to a number in SI units. Reports
/// wrong units and numbers that are not finite. Links parents.
void resolve(Node& root, Problems& problems);

/// Reports all violations of the schema in a resolved tree, one per node.
void validate(const Node& root, Problems& problems);

}  // namespace scree::scene

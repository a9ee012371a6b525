/// The JSON Schema at work: units, defaults, validation.
#pragma once

#include "scene/node.hpp"
#include "scene/problems.hpp"

namespace scree::scene {

/// Fills in defaults and turns every quantity beneath the root into a number in SI units. Reports
/// units that do not fit and numbers that are not finite. Links parents.
void resolve(Node& root, Problems& problems);

/// Reports everything in which a resolved tree departs from the schema, one problem a node.
void validate(const Node& root, Problems& problems);

}  // namespace scree::scene

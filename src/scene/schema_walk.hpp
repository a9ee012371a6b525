/// Finds the part of the schema that speaks of a value.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scene/node.hpp"

namespace scree::scene {

using Json = nlohmann::ordered_json;

/// The schema as a tree.
const Json& schema_tree();

/// A part of the schema, references followed. What stands beside a reference (description, default)
/// stays with the caller.
const Json& followed(const Json& part);

/// The part for a child of a value that `part` describes, references not followed; null if the
/// schema knows no such child.
const Json* part_of_child(const Json& part, const Node& child);

/// The part for a node anywhere in a linked tree, references followed; null where the schema does
/// not reach.
const Json* part_of(const Node& node);

/// The keys that a map may have; empty if any.
std::vector<std::string> allowed_keys(const Json& part);

/// Whether `type` of the part names the given JSON type.
bool allows_type(const Json& part, std::string_view type);

/// What the schema allows at a value, for messages.
std::string expectation(const Json& part);

}  // namespace scree::scene

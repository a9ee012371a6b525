/// Finds the subschema of a value.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scene/yaml/node.hpp"

namespace scree::scene {

using Json = nlohmann::ordered_json;

/// Schema as a tree.
const Json& schema_tree();

/// Subschema with references followed. Keys next to a reference (description, default) stay with
/// the caller.
const Json& followed(const Json& schema);

/// Subschema of a child of a value that `schema` describes, references not followed; null if the
/// schema has no such child.
const Json* subschema_of_child(const Json& schema, const Node& child);

/// Subschema of any node of a linked tree, references followed; null if the schema has none.
const Json* subschema_of(const Node& node);

/// Keys that a map may have; empty if any are allowed.
std::vector<std::string> allowed_keys(const Json& schema);

/// True if the subschema allows the given JSON type.
bool allows_type(const Json& schema, std::string_view type);

/// Description of the values that the schema allows, for messages.
std::string expectation(const Json& schema);

}  // namespace scree::scene

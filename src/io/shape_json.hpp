/// Shapes as JSON, each in its own frame.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "scree/geometry/shape.hpp"

namespace scree {

/// Shape with its name under "shape" and its lengths [m].
nlohmann::ordered_json shape_json(const Shape& shape);

}  // namespace scree

/// The shapes of the bodies of a frame as text, exact to the bit.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "scree/sim/model.hpp"

namespace scree {

/// Prototypes of solids, and the hulls and clumps of their shapes.
struct ShapeTable {
  std::vector<Prototype> prototypes;
  std::vector<std::shared_ptr<const ConvexHull>> hulls;
  std::vector<std::shared_ptr<const ClumpParts>> clumps;
};

/// JSON list with an entry for each prototype: its shape at bounding radius 1, and the pose of the
/// shape in the users' frame.
std::string shape_table_text(std::span<const Prototype> prototypes);
/// Prototypes of such a text, all solid. Throws std::invalid_argument with the error.
ShapeTable shape_table_of(const std::string& text);

}  // namespace scree

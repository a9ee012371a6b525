/// The shapes of the bodies of a frame, as text that is read back to the bit.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "scree/sim/model.hpp"

namespace scree {

/// Prototypes of solids, and the hulls and clumps that their shapes point to.
struct ShapeTable {
  std::vector<Prototype> prototypes;
  std::vector<std::shared_ptr<const ConvexHull>> hulls;
  std::vector<std::shared_ptr<const ClumpParts>> clumps;
};

/// A list in JSON, an entry for each prototype: its shape at bounding radius 1, and where that
/// stands in the frame that users place it by.
std::string shape_table_text(std::span<const Prototype> prototypes);
/// What such a text describes, all of it solid. Throws std::invalid_argument that says what is
/// wrong.
ShapeTable shape_table_of(const std::string& text);

}  // namespace scree

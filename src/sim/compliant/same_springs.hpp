/// Test whether the memory of a contact's springs is valid for another law.
#pragma once

#include "scree/sim/model.hpp"

namespace scree {

/// Two materials of a model.
struct MaterialPair {
  MaterialId a, b;
};

/// True if the laws of two pairs are both rigid, or compliant with the same springs: friction and
/// damping may differ.
bool have_same_springs(const Model& before, const MaterialPair& then, const Model& now,
                       const MaterialPair& here);

}  // namespace scree

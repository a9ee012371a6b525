/// What makes a scene the one that a run was begun with.
#pragma once

#include <string>

#include "scree/scene/scene.hpp"

namespace scree {

/// The scene with all defaults, and the checksums of the files it names as comments behind it.
/// Throws OutputError if one of them cannot be read.
std::string identity_of(const Scene& scene);

}  // namespace scree

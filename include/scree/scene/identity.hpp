/// Identity of a scene: shows whether it is the one that a run started with.
#pragma once

#include <string>

#include "scree/scene/scene.hpp"

namespace scree {

/// Resolved scene, followed by the checksums of the files it names, as comments. Throws OutputError
/// if one of them cannot be read.
std::string identity_of(const Scene& scene);

}  // namespace scree

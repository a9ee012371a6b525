/// Reader of URDF files (Unified Robot Description Format).
#pragma once

#include <tinyxml2.h>

#include "scene/robots/robot.hpp"

namespace scree::robots {

/// Reads the document of the first file of the findings. Throws InputError if it is no robot.
Robot read_urdf(const tinyxml2::XMLDocument& document, Findings& findings);

}  // namespace scree::robots

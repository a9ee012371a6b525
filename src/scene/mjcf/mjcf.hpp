/// Reader of MJCF files, the format of MuJoCo.
#pragma once

#include <string>
#include <tinyxml2.h>

#include "scene/robots/robot.hpp"

namespace scree::robots {

/// Reads the document of the first file of the findings, with the files that it includes.
/// `keyframe` names the pose at the start; empty: where all joints are at their references. Throws
/// InputError if it is no robot, or has no such keyframe.
Robot read_mjcf(const tinyxml2::XMLElement& root, const std::string& keyframe, Findings& findings);

}  // namespace scree::robots

/// Friction of links and of pairs of them.
#pragma once

#include <string>

#include "scene/robots/robot.hpp"

namespace scree::robots {

/// Surface of a link: that of its collision with the most friction.
Surface surface_of(const Link& link);
/// Law of two surfaces of a robot that touch, as the keys of a map in YAML.
std::string law_of(const Robot& robot, const Surface& a, const Surface& b);

}  // namespace scree::robots

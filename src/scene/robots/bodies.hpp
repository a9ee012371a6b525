/// Entries of scenes for links.
#pragma once

#include <string>

#include "scene/robots/robot.hpp"

namespace scree::robots {

/// Names of the materials of links with and without collisions; the latter is empty if none is.
struct Materials {
  std::string touched, untouched;
  bool is_only = true;  ///< the scene has no other material than `touched`
  /// The key of an entry; empty if there is one material.
  std::string line_of(bool is_touched) const;
};

/// Entry of `bodies`: exactly the inertia of the link, and the shapes of its collisions. A link
/// without collisions is a sphere that nothing touches.
std::string body_of(const Link& link, const std::string& name, const Pose& pose,
                    const Materials& materials);
/// Entry of `obstacles` for one part of a link that does not move.
std::string obstacle_of(const Part& part, const std::string& name, const Pose& pose,
                        const Materials& materials);

}  // namespace scree::robots

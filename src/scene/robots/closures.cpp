/// Joints that close loops of links.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "scene/robots/robot.hpp"

namespace scree::robots {
namespace {

/// Where b is in the frame of a.
Pose relative_pose(const Closure& closure, const std::map<std::string, Pose>& poses) {
  return seen_from(poses.at(closure.a), poses.at(closure.b));
}

}  // namespace

void check_closures(const Robot& robot, Findings& findings) {
  const auto at_start = place(robot), at_zero = place(robot, true);
  for (const Closure& closure : robot.closures) {
    const Pose meant = closure.relative.value_or(relative_pose(closure, at_zero)),
               is = relative_pose(closure, at_start);
    const Vec3 point = seen_from(meant, {closure.at, {}}).position;  // in the frame of b
    const double apart = norm(moved(is, {point, {}}).position - closure.at);
    const double turned =
        closure.is_weld ? norm(rotation_vector(conjugate(meant.orientation) * is.orientation)) : 0;
    constexpr double kApart = 1e-6;
    if (apart <= kApart && turned <= kApart) continue;
    findings.repair(closure.place,
                    fmt::format("the loop '{}' is open by {:.3g} m and {:.3g} rad at the start",
                                closure.name, apart, turned),
                    "it is closed there, as the links are");
  }
}

}  // namespace scree::robots

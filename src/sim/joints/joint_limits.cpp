// Limits that joints pass in a step although they seemed out of reach: docs/theory/joints.md
#include <optional>

#include "sim/joints/joint_places.hpp"
#include "sim/joints/joints.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

using Limit = JointScratch::Limit;

/// Upper bound for the rate of a joint's coordinate with the velocities of the records [m/s] or
/// [rad/s]. Gears are excluded, curvature is neglected. A length changes at most by the relative
/// velocity of its ends, an angle by their relative angular velocity.
double max_rate(const StepContext& c, std::uint32_t joint, const JointFunction& row) {
  const auto motion = [&](BodyIndex end) {
    return is_free_body(end) ? motion_of_record(c, end) : motion_of_wall(c, end);
  };
  const Motion between = motion_between_ends(c, joint, motion);
  return norm(row.axis) * norm(between.velocity) +
         norm(row.angular) * norm(between.angular_velocity);
}

/// Limit that a coordinate may pass in the step without a row that stops it.
template <class F>
void for_each_open_limit(StepContext& c, F&& f) {
  JointScratch& s = c.scratch.joints;
  for (std::uint32_t k = 0; k < s.ends.size(); ++k) {
    const auto& drives = c.model.joints[k].drives;
    for (std::size_t d = 0; s.ends[k].is_there && d < drives.size(); ++d) {
      if (!drives[d].has_limits()) continue;
      const JointFunction& row = s.functions[k].free[d];
      const double reach = kMissedLimitRateFactor * c.model.step.h * max_rate(c, k, row);
      if (s.limits[k][d] != Limit::lower && row.value - drives[d].lower < reach)
        f(k, d, Limit::lower);
      if (s.limits[k][d] != Limit::upper && drives[d].upper - row.value < reach)
        f(k, d, Limit::upper);
    }
  }
}

}  // namespace

bool resolve_missed_limits(StepContext& c) {
  JointScratch& s = c.scratch.joints;
  bool any = false, known = false;
  for_each_open_limit(c, [&](std::uint32_t joint, std::size_t coordinate, Limit limit) {
    const JointDrive& drive = c.model.joints[joint].drives[coordinate];
    if (drive.lower == drive.upper && s.limits[joint][coordinate] != Limit::none) return;
    if (!known)
      find_poses_after(c, s.bodies, [&](BodyIndex end) { return motion_of_record(c, end); });
    known = true;
    const double after = functions_after(c, joint).free[coordinate].value;
    if (limit == Limit::lower ? after >= drive.lower : after <= drive.upper) return;
    s.limits[joint][coordinate] = limit;
    any = true;
  });
  return any;
}

}  // namespace scree

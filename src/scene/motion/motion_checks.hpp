/// Checks motions before a run: values must be finite, and steps must be able to follow them.
#pragma once

#include "scene/build.hpp"

namespace scree::scene {

/// Number as text; "nan" for a NaN, without its meaningless sign.
std::string in_words(double value);

/// Reports an expression that is not finite and below kMaxSpeed at a sampled time; false then. At
/// other times the step that meets such a value ends the run.
bool check_samples(Build& build, const Node& node, const TimeExpression& expression);
/// Reports an angle or a length that is not finite at a sampled time, or an angle that changes too
/// much in a step; false then.
bool check_law(Build& build, const Node& node, const Motion& motion, const TimeLaw& law,
               bool is_angle);

/// Warns of a speed that changes within a step, such as a shaker with a period of a few steps or a
/// short pulse. A step uses the speed at its middle, so the path differs from the expression's.
void warn_of_haste(Build& build, const Node& node, const TimeExpression& expression);
/// Warns of a pose that moves to and fro within a step, which the step misses.
void warn_of_haste(Build& build, const Node& node, const Motion& motion, const TimeLaw& law);
/// Warns of an obstacle that rotates far in a step: its pose is fixed during a step, so it may miss
/// bodies that it should push.
void warn_of_rotation(Build& build, const Node& node, const ObstacleMotion& motion);
/// Warns of obstacles that never stop, which prevents rest, or that move again after rest may have
/// ended the run.
void warn_of_unrest(Build& build, const Node& node, const ObstacleMotion& motion);

}  // namespace scree::scene

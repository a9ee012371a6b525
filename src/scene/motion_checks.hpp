/// What is asked of motions before a run: are they finite, and do steps follow them?
#pragma once

#include "scene/build.hpp"

namespace scree::scene {

/// "nan" for a NaN, whose sign says nothing.
std::string in_words(double value);

/// Reports an expression that is not finite, or absurdly fast, at any of the sampled times; false
/// if it is. A step that finds the motion so at another time ends the run.
bool check_samples(Build& build, const Node& node, const TimeExpression& expression);
/// Reports an angle or a length that is not finite at a sampled time of the run, or an angle that
/// a step turns by too far to follow; false if it is.
bool check_law(Build& build, const Node& node, const Motion& motion, const TimeLaw& law,
               bool is_angle);

/// A step takes the speed at its middle: what changes within steps, such as a shaker of a period
/// of a few steps or a short pulse, takes another way than the expression says, or none.
void warn_of_haste(Build& build, const Node& node, const TimeExpression& expression);
/// Of a pose, what goes to and fro within a step is missed.
void warn_of_haste(Build& build, const Node& node, const Motion& motion, const TimeLaw& law);
/// A wall is taken as it stands over a step; one that turns far in a step passes by what it should
/// push.
void warn_of_rotation(Build& build, const Node& node, const ObstacleMotion& motion);
/// While an obstacle moves nothing is at rest, and rest ends a run before what an obstacle does
/// later.
void warn_of_unrest(Build& build, const Node& node, const ObstacleMotion& motion);

}  // namespace scree::scene

/// Rigid motions of space that carry obstacles: along a direction, about an axis, or as a table
/// says. Each is a function of the time alone, so that an obstacle stands where its motion says,
/// however many steps led there.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "scene/time_expression.hpp"
#include "scree/geometry/shape.hpp"

namespace scree::scene {

/// An angle [rad] or a length [m] at a time [s]. Throws InputError where it is not finite.
using TimeLaw = std::function<double(double t)>;

/// speed · t.
TimeLaw steady(double speed);
/// An expression of t; `key` is what messages call it.
TimeLaw given_by(const TimeExpression& expression, std::string key);
/// The integral of a speed from 0 on, by Gauss' formula with three points in each cell [s] > 0.
/// Goes on from where it was asked last: ask in the order of time.
TimeLaw integral_of(const TimeExpression& speed, double cell, std::string key);
/// amplitude · sin(2π frequency t + phase), frequency in 1/s.
TimeLaw oscillation(double amplitude, double frequency, double phase);

/// Where a pivot stands, and how it is turned, at given times: linear in between, the shortest turn
/// of orientations; before the first time as there, after the last as there.
class PoseTable {
 public:
  struct Row {
    double t;       ///< [s]
    Vec3 position;  ///< [m]
    double angle;   ///< about the axis [rad]
    Quaternion orientation;
  };
  /// `rows` by rising time, one at least. With an axis, a unit vector, angles count; without, the
  /// orientations.
  PoseTable(std::vector<Row> rows, std::optional<Vec3> axis)
      : rows_(std::move(rows)), axis_(axis) {}
  Pose operator()(double t) const;

 private:
  Quaternion orientation(const Row& row) const {
    return axis_ ? rotation(*axis_, row.angle) : row.orientation;
  }
  std::vector<Row> rows_;
  std::optional<Vec3> axis_;
};

/// Where a motion takes points: x to pose(t)(x − pivot). It stands before `from` and after `until`,
/// and its own time is 0 at `from`.
struct Motion {
  Vec3 pivot{};  ///< [m]
  /// Of the pivot, at its own time
  std::function<Pose(double t)> pose;
  double from = 0;                                         ///< [s]
  double until = std::numeric_limits<double>::infinity();  ///< [s]

  double own_time(double t) const;
  /// As a motion of space: of the origin.
  Pose operator()(double t) const;
};

/// Motions of which each carries the ones before it.
using Motions = std::vector<Motion>;
Pose displacement(const Motions& motions, double t);

}  // namespace scree::scene

/// Rigid displacements of obstacles: along a direction, about an axis, or from a table. Each is a
/// function of time alone, so the pose of an obstacle does not depend on the number of steps.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "scene/yaml/time_expression.hpp"
#include "scree/geometry/shape.hpp"

namespace scree::scene {

/// Angle [rad] or length [m] at a time [s]. Throws InputError where it is not finite.
using TimeLaw = std::function<double(double t)>;

/// Law speed · t.
TimeLaw steady(double speed);
/// Law given by an expression of t; messages call it `key`.
TimeLaw given_by(const TimeExpression& expression, std::string key);
/// Integral of a speed from 0, by Gauss' three-point formula in each cell [s] > 0. Continues from
/// the last call, so calls in order of time are cheap.
TimeLaw integral_of(const TimeExpression& speed, double cell, std::string key);
/// Law amplitude · sin(2π frequency t + phase), frequency in 1/s.
TimeLaw oscillation(double amplitude, double frequency, double phase);

/// Poses of a pivot at given times: linear in between, by the shortest rotation for orientations;
/// constant before the first and after the last time.
class PoseTable {
 public:
  struct Row {
    double t;       ///< [s]
    Vec3 position;  ///< [m]
    double angle;   ///< about the axis [rad]
    Quaternion orientation;
  };
  /// `rows` by rising time, at least one. Uses the angles with an axis (a unit vector), else the
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

/// Rigid displacement that takes a point x to pose(t)(x − pivot). It is constant before `from` and
/// after `until`; its own time is 0 at `from`.
struct Motion {
  Vec3 pivot{};  ///< [m]
  /// Pose of the pivot at the motion's own time
  std::function<Pose(double t)> pose;
  double from = 0;                                         ///< [s]
  double until = std::numeric_limits<double>::infinity();  ///< [s]

  double own_time(double t) const;
  /// Displacement as a pose: that of the origin.
  Pose operator()(double t) const;
};

/// Motions; each carries the ones before it.
using Motions = std::vector<Motion>;
Pose displacement(const Motions& motions, double t);

}  // namespace scree::scene

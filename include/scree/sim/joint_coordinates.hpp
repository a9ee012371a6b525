/// Free coordinates of the joints of a simulation: read them, and drive them.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "scree/sim/joint.hpp"
#include "scree/sim/simulation.hpp"

namespace scree {

/// View of all free coordinates, in the order of free_coordinates(): index k below. Gears have
/// none. Lengths are in m, angles in rad, efforts in N or N m. The view is valid until the
/// simulation is destroyed or gets another model.
///
/// A user may set the target of a motor and change its settings. Both act from the next step on,
/// until they are set again, and belong to the state. Functions throw InputError, with the name of
/// the coordinate, for an index out of range and for invalid values; they then change nothing.
class JointCoordinates {
 public:
  explicit JointCoordinates(Simulation& simulation) : internals_(simulation.internals_.get()) {}

  const std::vector<FreeCoordinate>& all() const;
  std::size_t size() const { return all().size(); }
  /// Index of the coordinate of this name. Throws InputError, which lists similar names.
  std::size_t index_of(std::string_view name) const;

  // Values after the last step, copied to arrays of size(). O(joints).

  /// Coordinates; revolutions are counted. NaN if the joint is broken or a body has left.
  void copy_positions(std::span<double> to) const;
  /// Their rates, by the present velocities of the bodies. NaN likewise.
  void copy_velocities(std::span<double> to) const;
  /// Sums of the forces of motor, spring, limits and friction, as JointRecord::effort. 0 before the
  /// first step and after restore().
  void copy_efforts(std::span<double> to) const;

  /// Motor, limits, spring and friction in the model.
  const JointDrive& drive(std::size_t k) const;

  /// Targets that users have set, one per coordinate; NaN: the target of the model holds. Write
  /// into it, or use set_targets(). The span is valid as long as this view. A step reports an
  /// infinite target, or one without a motor, as Report::motion_fault.
  std::span<double> targets();
  /// The same for all coordinates, with checks before anything changes.
  void set_targets(std::span<const double> targets);

  /// Settings of the motor in the next step.
  MotorSettings motor(std::size_t k) const;
  /// Changes the motor of a coordinate, or gives it one. A motor of another kind than that of the
  /// model does nothing until it has a target. The coordinate needs no drive in the model.
  void change_motor(std::size_t k, const MotorSettings& settings);

 private:
  const FreeCoordinate& coordinate(std::size_t k) const;

  Simulation::Internals* internals_;
};

}  // namespace scree

/// Read-only view of the arrays of free bodies between steps.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "scree/sim/state.hpp"

namespace scree {

/// View of all free bodies, one column a field, without a copy. The view becomes stale when a step
/// or a change by hand reorders, adds or removes bodies. It shows values that change in place. It
/// may outlive its simulation: then it is stale, too.
///
/// A body that an outflow has deleted may keep its row for some steps: see has_left().
class BodyColumns {
 public:
  /// `counter` grows whenever bodies change rows; the view stores its value at this call.
  BodyColumns(const State& state, std::shared_ptr<const std::uint64_t> counter)
      : state_(&state), counter_(std::move(counter)), generation_(*counter_) {}

  /// Number of reorderings before the view was made [-]; equal for views of the same rows.
  std::uint64_t generation() const { return generation_; }
  bool is_current() const { return *counter_ == generation_; }

  // Every function below throws std::logic_error if the view is stale.

  std::size_t size() const { return bodies().size(); }
  /// True if the body of a row was removed; it then counts nowhere.
  bool has_left(std::size_t row) const;

  std::span<const BodyId> ids() const { return bodies().id; }
  std::span<const Vec3> positions() const { return bodies().position; }  ///< [m]
  std::span<const Quaternion> orientations() const { return bodies().orientation; }
  std::span<const Vec3> velocities() const { return bodies().velocity; }  ///< [m/s]
  /// Inertial frame [rad/s].
  std::span<const Vec3> angular_velocities() const { return bodies().angular_velocity; }
  std::span<const double> radii() const { return bodies().radius; }  ///< bounding spheres [m]
  std::span<const double> masses() const { return bodies().mass; }   ///< [kg]
  std::span<const PrototypeId> prototypes() const { return bodies().prototype; }
  std::span<const MaterialId> materials() const { return bodies().material; }

 private:
  const Bodies& bodies() const;

  const State* state_;
  std::shared_ptr<const std::uint64_t> counter_;
  std::uint64_t generation_;
};

}  // namespace scree

/// Sensors: what a robot measures, read from a simulation.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scree/sim/simulation.hpp"

namespace scree {

struct Sensor {
  enum class Kind : std::uint8_t {
    force,   ///< of contacts on a body or an obstacle, inertial frame; or of a joint on its body B
    torque,  ///< the same, about the body's centre, the obstacle's pivot, or the joint's place in B
    imu,     ///< acceleration less gravity, and angular velocity, along the axes of the sensor
    joint,   ///< coordinate, rate and effort
    range,   ///< distance along the x axis of the sensor to the first other body or obstacle
  };
  static constexpr std::uint32_t kNoJoint = 0xffffffff;

  std::string name;
  Kind kind = Kind::force;
  BodyId body = kWorld;  ///< body or obstacle that it is on; for a range also kWorld
  /// Of force and torque: index in Model::joints, or kNoJoint. Of kind joint: index in
  /// free_coordinates()
  std::uint32_t joint = kNoJoint;
  Pose frame{};  ///< of an IMU and a range, in the frame of the body's shape
  double max_range = std::numeric_limits<double>::infinity();  ///< [m] > 0
  double rate = 0;  ///< samples in a run [1/s]; 0: each step
};
std::string_view name(Sensor::Kind kind);

/// Names of the numbers of a reading, such as "accelerometer_x".
std::vector<std::string> columns_of(Sensor::Kind kind);

/// Records the accelerations that IMUs need from the next step on.
void prepare(Simulation& simulation, std::span<const Sensor> sensors);
/// A number for each of columns_of() after the last step: NaN if a body has left or a joint is
/// gone, ∞ for a range within which nothing is. Before a step there are no forces and no
/// accelerations.
std::vector<double> read(Simulation& simulation, const Sensor& sensor);

}  // namespace scree

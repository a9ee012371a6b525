/// Sensors: forces, IMUs, joints and ranges.
#include "scree/sim/sensor.hpp"

#include <limits>

#include "scree/sim/joint_coordinates.hpp"
#include "scree/sim/raycast.hpp"
#include "scree/sim/solid_prototype.hpp"

namespace scree {
namespace {

std::vector<double> numbers_of(const Vec3& v) { return {v.x, v.y, v.z}; }

/// Pose of the frame of a sensor.
Pose pose_of_sensor(const Simulation& simulation, const Sensor& sensor) {
  if (sensor.body == kWorld) return sensor.frame;
  if (is_obstacle(sensor.body)) {
    const auto k = static_cast<std::uint32_t>(sensor.body.value - kFirstObstacleId);
    return moved(simulation.obstacle_pose(k), sensor.frame);
  }
  const Body body = simulation.body(sensor.body);
  const Prototype& prototype = simulation.model().prototypes[body.prototype];
  return moved(shape_pose(prototype, body.radius, {body.position, body.orientation}), sensor.frame);
}

Wrench load_on(const Simulation& simulation, const Sensor& sensor) {
  if (sensor.joint != Sensor::kNoJoint) {
    const JointRecord record = simulation.joints()[sensor.joint];
    return {record.force, record.torque};
  }
  if (!is_obstacle(sensor.body)) return simulation.contact_force(sensor.body);
  return simulation.contact_force_on_obstacle(
      static_cast<std::uint32_t>(sensor.body.value - kFirstObstacleId));
}

std::vector<double> imu_of(const Simulation& simulation, const Sensor& sensor) {
  const Body body = simulation.body(sensor.body);
  const Pose pose = pose_of_sensor(simulation, sensor);
  const Twist rate = simulation.acceleration(sensor.body);
  const Vec3 arm = pose.position - body.position, w = body.angular_velocity;
  const Vec3 acceleration = rate.linear + cross(rate.angular, arm) + cross(w, cross(w, arm));
  const Vec3 felt = rotate_back(pose.orientation, acceleration - simulation.model().gravity);
  const Vec3 turn = rotate_back(pose.orientation, w);
  return {felt.x, felt.y, felt.z, turn.x, turn.y, turn.z};
}

std::vector<double> joint_values(Simulation& simulation, std::size_t k) {
  const JointCoordinates joints(simulation);
  std::vector<double> position(joints.size()), velocity(joints.size()), effort(joints.size());
  joints.copy_positions(position);
  joints.copy_velocities(velocity);
  joints.copy_efforts(effort);
  return {position[k], velocity[k], effort[k]};
}

double range_of(const Simulation& simulation, const Sensor& sensor) {
  const Pose pose = pose_of_sensor(simulation, sensor);
  const Ray ray{pose.position, rotate(pose.orientation, {1, 0, 0})};
  return raycast(simulation, {&ray, 1}, {sensor.max_range, {sensor.body}})[0].distance;
}

/// True if what a sensor measures is still there.
bool can_measure(const Simulation& simulation, const Sensor& sensor) {
  const bool of_joint = sensor.kind != Sensor::Kind::joint && sensor.joint != Sensor::kNoJoint;
  if (of_joint) return simulation.joints()[sensor.joint].is_there;
  return sensor.body == kWorld || is_obstacle(sensor.body) || simulation.has_body(sensor.body);
}

}  // namespace

std::string_view name(Sensor::Kind kind) {
  constexpr std::string_view kNames[] = {"force", "torque", "imu", "joint", "range"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::vector<std::string> columns_of(Sensor::Kind kind) {
  switch (kind) {
    case Sensor::Kind::force:
      return {"force_x", "force_y", "force_z"};
    case Sensor::Kind::torque:
      return {"torque_x", "torque_y", "torque_z"};
    case Sensor::Kind::imu:
      return {"accelerometer_x", "accelerometer_y", "accelerometer_z",
              "gyroscope_x",     "gyroscope_y",     "gyroscope_z"};
    case Sensor::Kind::joint:
      return {"position", "velocity", "effort"};
    case Sensor::Kind::range:
      return {"distance"};
  }
  return {};
}

void prepare(Simulation& simulation, std::span<const Sensor> sensors) {
  for (const Sensor& sensor : sensors)
    if (sensor.kind == Sensor::Kind::imu && simulation.has_body(sensor.body))
      simulation.watch(sensor.body);
}

std::vector<double> read(Simulation& simulation, const Sensor& sensor) {
  if (!can_measure(simulation, sensor))
    return std::vector<double>(columns_of(sensor.kind).size(),
                               std::numeric_limits<double>::quiet_NaN());
  switch (sensor.kind) {
    case Sensor::Kind::force:
      return numbers_of(load_on(simulation, sensor).force);
    case Sensor::Kind::torque:
      return numbers_of(load_on(simulation, sensor).torque);
    case Sensor::Kind::imu:
      return imu_of(simulation, sensor);
    case Sensor::Kind::joint:
      return joint_values(simulation, sensor.joint);
    case Sensor::Kind::range:
      return {range_of(simulation, sensor)};
  }
  return {};
}

}  // namespace scree

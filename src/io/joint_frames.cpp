/// Writes frames of joints: pose, force, torque, coordinates of each existing joint.
#include "scree/io/joint_frames.hpp"

#include <algorithm>

#include "io/frame_file.hpp"

namespace scree {
namespace {

using namespace frame_file;

Pose pose_of_body(const State& state, BodyId body) {
  if (body == kWorld) return {};
  if (is_obstacle(body)) return state.obstacles[body.value - kFirstObstacleId].pose;
  const auto at = std::ranges::find(state.bodies.id, body) - state.bodies.id.begin();
  const auto index = static_cast<std::size_t>(at);
  return {state.bodies.position[index], state.bodies.orientation[index]};
}

}  // namespace

Pose joint_pose(const Model& model, const State& state, std::uint32_t joint) {
  const Joint& of = model.joints[joint];
  if (is_gear(of.kind)) return joint_pose(model, state, of.geared[0].joint);
  const Pose a = pose_of_body(state, of.a.body), b = pose_of_body(state, of.b.body);
  return {b.position + rotate(b.orientation, of.b.frame.position),
          a.orientation * of.a.frame.orientation};
}

std::uint64_t write_joints(const std::filesystem::path& path, const Model& model,
                           const State& state, std::span<const JointRecord> records) {
  struct Standing {
    const JointRecord* record;
    Pose pose;
  };
  std::vector<Standing> joints;
  for (const JointRecord& record : records)
    if (record.is_there) joints.push_back({&record, joint_pose(model, state, record.joint)});

  hdf5::Writer file(path);
  write_header(file, "joints", state.time, state.step);
  write_grid(file, joints.size(), joints.size(), [](std::size_t) { return CellType::vertex; });
  write_column(file, kPoints, joints.size(), kPlain,
               [&](std::size_t k) { return joints[k].pose.position; });
  const auto column = [&](const std::string& name, auto value) {
    write_column(file, kPointData + name, joints.size(), kPacked,
                 [&](std::size_t k) { return value(joints[k]); });
  };
  const auto in_space = [&](const std::string& name, auto of_frame) {
    column(name,
           [&](const Standing& j) { return rotate(j.pose.orientation, of_frame(*j.record)); });
  };
  column("joint", [](const Standing& j) { return static_cast<std::int32_t>(j.record->joint); });
  in_space("axis", [](const JointRecord&) { return Vec3{0, 0, 1}; });
  in_space("axis_2", [](const JointRecord&) { return Vec3{1, 0, 0}; });
  in_space("force", [](const JointRecord& record) { return record.force; });
  in_space("torque", [](const JointRecord& record) { return record.torque; });
  for (std::size_t k = 0; k < kMaxCoordinates; ++k) {
    const std::string which = std::to_string(k + 1);
    column("coordinate_" + which, [&](const Standing& j) { return j.record->coordinate[k]; });
    column("effort_" + which, [&](const Standing& j) { return j.record->effort[k]; });
  }
  column("error", [](const Standing& j) { return j.record->error; });

  // Names of all joints of the model, also of those that are gone: the array `joint` is the index.
  file.group("/VTKHDF/FieldData");
  std::vector<std::string> names;
  for (const Joint& joint : model.joints) names.push_back(joint.name);
  file.texts("/VTKHDF/FieldData/joint_name", names);
  return file.finish();
}

JointsFrame read_joints(const std::filesystem::path& path) {
  const FrameReader file(path, "joints", kPoints);
  JointsFrame frame;
  file.header(frame.time, frame.step);
  frame.joints.resize(file.rows());
  const auto column = [&]<class T>(const std::string& name, T, auto&& into) {
    AlignedVector<T> values;
    file.read(name, values);
    for (std::size_t k = 0; k < values.size(); ++k) into(frame.joints[k]) = values[k];
  };
  column(kPoints, Vec3{}, [](FramedJoint& j) -> Vec3& { return j.position; });
  column(kPointData + "axis", Vec3{}, [](FramedJoint& j) -> Vec3& { return j.axis; });
  column(kPointData + "force", Vec3{}, [](FramedJoint& j) -> Vec3& { return j.force; });
  column(kPointData + "torque", Vec3{}, [](FramedJoint& j) -> Vec3& { return j.torque; });
  column(kPointData + "error", 0.0, [](FramedJoint& j) -> double& { return j.error; });
  for (std::size_t k = 0; k < kMaxCoordinates; ++k) {
    column(fmt::format("{}coordinate_{}", kPointData, k + 1), 0.0,
           [k](FramedJoint& j) -> double& { return j.coordinate[k]; });
    column(fmt::format("{}effort_{}", kPointData, k + 1), 0.0,
           [k](FramedJoint& j) -> double& { return j.effort[k]; });
  }
  const std::vector<std::string> names = file.texts("/VTKHDF/FieldData/joint_name");
  file.require(file.rows() == 0 || !names.empty(), "it has no names of joints");
  const auto index = file.numbers<std::int32_t>(kPointData + "joint", names.size() - 1);
  for (std::size_t k = 0; k < index.size(); ++k) {
    frame.joints[k].joint = static_cast<std::uint32_t>(index[k]);
    frame.joints[k].name = names[frame.joints[k].joint];
  }
  return frame;
}

}  // namespace scree

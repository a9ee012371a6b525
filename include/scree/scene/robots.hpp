/// Converts robots from URDF files (Unified Robot Description Format) and MJCF files (MuJoCo) to
/// scenes.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace scree {

/// Fault of a file that was repaired.
struct RobotRepair {
  std::filesystem::path file;  ///< that of the robot, or one that it includes
  int line;                    ///< in the file, from 1
  std::string found, done;     ///< sentences without their full stops
};

/// Element of a file that the scene lacks, or a joint that does not start at 0.
struct RobotRemark {
  std::filesystem::path file;
  int line;
  std::string text;  ///< a sentence without its full stop
};

/// Motors for all joints that have one coordinate and follow no other.
struct RobotMotors {
  enum class Kind { position, velocity, effort };
  Kind kind = Kind::position;
  std::optional<double> stiffness;  ///< [N m/rad, N/m]; none: from the efforts of the file
  std::optional<double> damping;    ///< [N m s/rad, N s/m]; none: from its efforts and velocities
};

struct RobotOptions {
  enum class Base { as_written, fixed, floating };
  std::map<std::string, double> start{};  ///< initial coordinates of joints, by name [rad, m]
  std::string keyframe{};  ///< of an MJCF file, by name or number; `start` overrides it
  Base base = Base::as_written;
  double density = 1000;     ///< of links with a collision but no mass [kg/m³]
  bool collide_all = false;  ///< all links but those of one joint touch each other
  std::map<std::string, std::filesystem::path> packages{};  ///< folders of packages, by name
  std::vector<std::filesystem::path> package_path{};        ///< folders of folders of packages
  std::optional<RobotMotors> motors{};
  bool floor = false;  ///< a floor that the lowest collision touches, if a link is free to fall
};

/// Link that is free to fall and hangs on no joint.
struct RobotBase {
  std::string name;
  std::size_t body;  ///< its place among the bodies of the scene
  double height;     ///< of the robot, from its lowest collision to its highest link [m]
};

struct ImportedRobot {
  std::string scene;                     ///< text of a scene, YAML
  std::vector<RobotRepair> repaired;     ///< by file and line
  std::vector<RobotRemark> not_covered;  ///< the same
  std::vector<RobotBase> bases;
  std::vector<std::string> warnings;  ///< of the scene
  std::vector<std::string> refused;   ///< reasons why the scene would be refused; empty if valid
};

/// Imports a robot. Links become bodies with the mass, centre of mass and moments of inertia of the
/// file; joints keep their limits, friction and damping. A joint starts at its given value, else at
/// 0 or at its limit nearest to 0. Faults of the file are repaired. Throws InputError with file and
/// line if the file is no robot or a joint cannot start at its given value; OutputError if the file
/// cannot be read.
ImportedRobot import_robot(const std::filesystem::path& file, const RobotOptions& options = {});

}  // namespace scree

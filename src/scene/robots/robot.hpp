/// Robot: what a file means, apart from how it is written. A reader makes it, repairs change it, and
/// the writer makes a scene of it.
#pragma once

#include <Eigen/Core>
#include <compare>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scree/geometry/convex_hull.hpp"
#include "scree/geometry/shape.hpp"
#include "scree/scene/robots.hpp"

namespace scree::robots {

/// Line of a file that a robot is read from. Files may include others.
struct Place {
  int file = 0;  ///< index into Findings::files
  int line = 0;  ///< from 1

  Place() = default;
  Place(int line_) : line(line_) {}
  Place(int file_, int line_) : file(file_), line(line_) {}
  auto operator<=>(const Place&) const = default;
};

/// Fault that was repaired, in sentences without their full stops.
struct Repair {
  Place at;
  std::string found, done;
};

/// Element of the file that the scene lacks, or a joint that does not start at 0.
struct Remark {
  Place at;
  std::string text;
};

/// Everything that a user should know about a file, each with its line.
struct Findings {
  std::vector<std::filesystem::path> files;  ///< the first one is the robot's own
  std::vector<Repair> repairs;
  std::vector<Remark> remarks;

  /// Reports a repair: what was found, and what was done. Each is reported once.
  void repair(Place at, const std::string& found, const std::string& done);
  void remark(Place at, const std::string& text);
  void sort();  ///< by place
  const std::filesystem::path& file_of(Place at) const {
    return files[static_cast<std::size_t>(at.file)];
  }
  /// "line 3", or "parts.xml:3" of an included file.
  std::string in_words(Place at) const;
};

/// Mass, centre of mass and moments in the frame of a link; the tensor is about the centre.
struct Inertia {
  double mass = 0;                                   ///< [kg]
  Vec3 centre;                                       ///< [m]
  Eigen::Matrix3d tensor = Eigen::Matrix3d::Zero();  ///< [kg m²]
};

/// Shape of a collision, in the frame of its link.
struct Part {
  enum class Kind { sphere, box, cylinder, capsule, mesh, plane };
  Kind kind = Kind::sphere;
  Place place;
  Pose pose;         ///< a cylinder and a capsule lie along z, a plane faces z
  Vec3 size;         ///< edges of a box; else radius in x and length in z [m]
  std::string file;  ///< of a mesh, as written
  Vec3 scale{1, 1, 1};
  PlacedHull hull{};  ///< of a mesh, once it has been read
};

struct Link {
  std::string name;
  Place place;
  std::optional<Inertia> inertia;
  Place inertia_place;
  std::vector<Part> parts;

  bool has_mass() const { return inertia && inertia->mass > 0; }
};

struct Limits {
  double lower, upper;  ///< [rad, m]
  bool hold(double value) const { return lower <= value && value <= upper; }
};

/// The coordinate follows that of another joint: multiplier times it, plus the offset.
struct Mimic {
  std::string joint;
  double multiplier = 1, offset = 0;
  Place place;
};

/// One free coordinate, that of a hinge or a slider of the file.
struct Coordinate {
  std::string name;  ///< of the joint in the file
  Place place;
  bool turns = true;
  Pose offset;         ///< its frame in that of the coordinate before it, in the same joint
  Vec3 axis{1, 0, 0};  ///< unit vector in its frame
  std::optional<Limits> limits;
  double effort = 0;    ///< largest torque or force of its motor; 0: unknown [N m, N]
  double velocity = 0;  ///< largest speed of its motor; 0: unknown [rad/s, m/s]
  double damping = 0, friction = 0;
  std::optional<Mimic> mimic;
  double start = 0;  ///< its value in the scene at t = 0 [rad, m]
};

struct Joint {
  enum class Kind { fixed, hinge, slider, planar, floating, ball, universal };
  std::string name;
  Place place;
  Kind kind = Kind::fixed;
  std::string parent, child;
  Pose origin;           ///< its frame in that of the parent
  Vec3 normal{1, 0, 0};  ///< of the plane of a planar joint
  std::vector<Coordinate> coordinates;
  Vec3 at;  ///< its point in the frame of the child [m]
};

struct Robot {
  std::string name;
  std::vector<Link> links;
  std::vector<Joint> joints;
  std::vector<std::string> fixed;                           ///< links that do not move
  std::vector<std::pair<std::string, std::string>> ignore;  ///< links that do not touch each other

  Link* find(const std::string& link);
  const Link* find(const std::string& link) const;
  /// Joint that a link hangs on; null for a root.
  const Joint* joint_of(const std::string& child) const;
  Coordinate* coordinate(const std::string& joint);
  bool is_fixed(const std::string& link) const;
};

// --- poses ---

/// Pose expressed in the frame `of`.
Pose seen_from(const Pose& of, const Pose& pose);
/// Frame after a joint moved to the values of its coordinates, seen from its parent.
Pose after(const Joint& joint, bool at_zero = false);
/// Poses of all links in the world, at the start or where all coordinates are 0.
std::map<std::string, Pose> place(const Robot& robot, bool at_zero = false);

// --- shapes ---

Shape shape_of(const Part& part);
/// Pose of its shape's frame in that of its link.
Pose pose_of(const Part& part);

// --- repairs, in the order in which they are made ---

void drop_joints_without_links(Robot& robot, Findings& findings);
void open_loops(Robot& robot, Findings& findings);
void drop_mimics_of_nothing(Robot& robot, Findings& findings);
void straighten_limits(Robot& robot, Findings& findings);
void read_meshes(Robot& robot, const std::filesystem::path& file, const RobotOptions& options,
                 Findings& findings);
/// Sets the starts of all coordinates. Throws InputError if one cannot have the value given.
void set_starts(Robot& robot, const std::filesystem::path& file, const RobotOptions& options,
                Findings& findings);
/// Decides which roots are fixed to the world.
void choose_bases(Robot& robot, RobotOptions::Base base);
void merge_links_on_fixed_joints(Robot& robot);
void fill_masses(Robot& robot, double density, Findings& findings);
void ignore_neighbours_and_overlaps(Robot& robot, Findings& findings);
void correct_moments(Robot& robot, double density, Findings& findings);
void raise_tiny_moments(Robot& robot, Findings& findings);
void fold_links_without_mass(Robot& robot, Findings& findings);
void drop_planes_that_move(Robot& robot, Findings& findings);
void thicken_thin_parts(Robot& robot, Findings& findings);
void drop_parts_too_many(Robot& robot, Findings& findings);

/// Text of a scene, YAML.
std::string scene_of(const Robot& robot, const std::filesystem::path& file,
                     const RobotOptions& options, Findings& findings);
/// Links of the scene that are free to fall and hang on no joint.
std::vector<RobotBase> bases_of(const Robot& robot);

}  // namespace scree::robots

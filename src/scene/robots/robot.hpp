/// Robot: what a file means, apart from how it is written. A reader makes it, repairs change it,
/// and the writer makes a scene of it.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <compare>
#include <map>
#include <optional>
#include <set>
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

/// Friction of a collision. A pair has the numbers of the surface with the higher priority, else
/// the larger of each.
struct Surface {
  double friction = 0.5;
  double spinning = 0, rolling = 0;  ///< lengths [m]
  int dimensions = 3;  ///< of friction: 1 none, 3 sliding, 4 and spinning, 6 and rolling
  int priority = 0;
  std::string part{};  ///< its name, where a pair with it has a friction of its own
  auto operator<=>(const Surface&) const = default;
};

/// Whom a collision may touch: one where a bit of its type is in the affinity of the other, or the
/// other way round.
struct Filter {
  unsigned type = 1, affinity = 1;
};

/// Shape of a collision, in the frame of its link.
struct Part {
  enum class Kind { sphere, box, cylinder, capsule, ellipsoid, mesh, plane };
  Kind kind = Kind::sphere;
  Place place;
  Pose pose;  ///< a cylinder and a capsule lie along z, a plane faces z
  /// Edges of a box, semi-axes of an ellipsoid; else radius in x and length in z [m]
  Vec3 size;
  std::string file;          ///< of a mesh, as written
  std::vector<Vec3> points;  ///< of a mesh without a file [m]
  Vec3 scale{1, 1, 1};
  std::string name,
      link;  ///< its own, where the file gives one, and its link's before links merged
  Filter filter;
  std::optional<Surface> surface;
  PlacedHull hull{};  ///< of a mesh, once it has been read
};

struct Link {
  std::string name;
  Place place;
  std::optional<Inertia> inertia;
  Place inertia_place;
  std::vector<Part> parts;
  bool is_world = false;     ///< the frame of all; its parts are obstacles of their own
  bool is_obstacle = false;  ///< a part of the world
  bool is_between = false;   ///< stands between two joints of one pair of bodies

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

/// Motor that the file gives to a coordinate.
struct FileMotor {
  enum class Kind { position, velocity, force };
  Kind kind = Kind::force;
  double target = 0;  ///< a position counts as `start` does
  double stiffness = 0, damping = 0;
  std::optional<double> max;
};

/// One free coordinate, that of a hinge or a slider of the file.
struct Coordinate {
  std::string name;  ///< of the joint in the file
  Place place;
  bool turns = true;
  Pose offset;           ///< its frame in that of the coordinate before it, in the same joint
  Vec3 axis{1, 0, 0};    ///< unit vector in its frame
  Vec3 anchor;           ///< point of the axis, in its frame [m]
  double reference = 0;  ///< value of the file where all others here count from [rad, m]
  std::optional<Limits> limits;
  double effort = 0;    ///< largest torque or force of its motor; 0: unknown [N m, N]
  double velocity = 0;  ///< largest speed of its motor; 0: unknown [rad/s, m/s]
  double damping = 0, friction = 0;
  double stiffness = 0, rest = 0;  ///< of a spring [N m/rad, N/m], [rad, m]
  double armature = 0;             ///< inertia of a rotor that is geared to it [kg m², kg]
  std::optional<Mimic> mimic;
  std::optional<FileMotor> motor;
  std::optional<double> wanted;  ///< start by a keyframe
  double start = 0;              ///< its value in the scene at t = 0 [rad, m]
};

/// Limit, springs and motors of a ball joint, about the axes of its child at the start.
struct Turns {
  std::optional<double> max_angle;  ///< from the start [rad]
  double damping = 0, friction = 0, stiffness = 0;
  std::array<std::optional<FileMotor>, 3> motors{};

  bool has_motor() const {
    return std::ranges::any_of(motors, [](const auto& motor) { return motor.has_value(); });
  }
};

struct Joint {
  enum class Kind { fixed, hinge, slider, planar, floating, ball, universal, cylindrical };
  std::string name;
  Place place;
  Kind kind = Kind::fixed;
  std::string parent, child;
  Pose origin;           ///< its frame in that of the parent
  Vec3 normal{1, 0, 0};  ///< of the plane of a planar joint
  std::vector<Coordinate> coordinates;
  Turns turns{};  ///< of a ball joint
  Vec3 at;        ///< its point in the frame of the child [m]
};

/// Joint that closes a loop of links: it holds a point, or all of `b`, where it is at the start.
struct Closure {
  std::string name;
  Place place;
  bool is_weld = false;
  std::string a, b;
  Vec3 at;                       ///< in the frame of a [m]
  std::optional<Pose> relative;  ///< of b in the frame of a; none: where all coordinates are 0
};

struct Robot {
  std::string name;
  std::vector<Link> links;
  std::vector<Joint> joints;
  std::vector<std::string> fixed;                           ///< links that do not move
  std::vector<std::pair<std::string, std::string>> ignore;  ///< links that do not touch each other
  std::vector<Closure> closures;
  Vec3 gravity{0, 0, -9.81};  ///< [m/s²]
  /// Links do not touch if at most so many joints join them
  int joints_between_ignored = 2;
  /// Names of parts that touch all the same, and of links that do not, before links merged
  std::set<std::pair<std::string, std::string>> touching, excluded;
  std::map<std::pair<std::string, std::string>, Surface> frictions;  ///< of pairs of parts

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
/// Drops the obstacles of the file that are not part of a body.
void drop_obstacles(Robot& robot);
/// Makes each part of the world a link that does not move.
void part_the_world(Robot& robot);
void fill_masses(Robot& robot, double density, Findings& findings);
/// Raises what is free to fall out of the planes of the world.
void raise_above_planes(Robot& robot, Findings& findings);
void ignore_neighbours_and_overlaps(Robot& robot, Findings& findings);
/// Lists loops that their links do not close at the start.
void check_closures(const Robot& robot, Findings& findings);
void correct_moments(Robot& robot, double density, Findings& findings);
void raise_tiny_moments(Robot& robot, Findings& findings);
void fold_links_without_mass(Robot& robot, Findings& findings);
void drop_planes_that_move(Robot& robot, Findings& findings);
void thicken_thin_parts(Robot& robot, Findings& findings);
void drop_parts_too_many(Robot& robot, Findings& findings);

/// What a scene says of a robot that stands in it.
struct InScene {
  std::string material;  ///< of its collisions
  Pose at;               ///< of the world of its file
};

/// Reads a file of any format, and repairs it; without the obstacles that it puts into the world if
/// it stands in a scene. Throws InputError with file and line if it is not a robot, or a joint
/// cannot start at its given value; OutputError if it cannot be read.
Robot sound_robot(const std::filesystem::path& file, const RobotOptions& options, bool is_in_scene,
                  Findings& findings);
/// Puts a prefix before the names of all links and joints.
void prefix_names(Robot& robot, const std::string& prefix);

/// Text of a scene, YAML.
std::string scene_of(const Robot& robot, const std::filesystem::path& file,
                     const RobotOptions& options, Findings& findings,
                     const std::optional<InScene>& in_scene = {});
/// Links of the scene that are free to fall and hang on no joint.
std::vector<RobotBase> bases_of(const Robot& robot);

}  // namespace scree::robots

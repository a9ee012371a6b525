/// What the readers of the parts of an MJCF file share.
#pragma once

#include <functional>

#include "scene/mjcf/values.hpp"
#include "scree/geometry/triangle_mesh.hpp"

namespace scree::robots {

/// Elements that the importer leaves out or approximates, each kind once.
class LeftOut {
 public:
  void count(Place at, const std::string& kind, const std::string& why = "");
  void report(Findings& findings) const;

 private:
  struct Kind {
    Place first;
    int number = 0;
    std::string why;
  };
  std::map<std::string, Kind> kinds_;
};

struct MeshAsset {
  std::string file;          ///< as the part has it
  std::vector<Vec3> points;  ///< of a mesh without a file, and its triangles if it has any
  std::vector<TriangleMesh::Corners> triangles;
  Vec3 scale{1, 1, 1};
  Pose pose;  ///< of its frame in that of its geom
};

/// Joint of the file, in the order in which keyframes have them.
struct Position {
  std::string joint;
  std::size_t first = 0, count = 1;  ///< of the numbers of a keyframe
};

/// Site or body with a point on it.
struct Mark {
  std::string link;
  Pose pose;
};

struct Tendon {
  std::vector<std::pair<std::string, double>> joints;  ///< and their coefficients
};

struct Mjcf {
  Findings& findings;
  Values values{findings};
  Robot robot;
  LeftOut left_out;
  std::map<std::string, MeshAsset> meshes;
  std::map<std::string, Mark> sites;
  std::map<std::string, std::string> links_of_geoms;
  std::map<std::string, Tendon> tendons;
  std::vector<Position> positions;
  bool has_bits = true, has_pairs = true;  ///< decide which geoms touch
  std::set<std::string> disabled;          ///< flags of the option element
  std::vector<double> controls;            ///< of the keyframe

  std::size_t number_of_positions() const {
    return positions.empty() ? 0 : positions.back().first + positions.back().count;
  }
};

void read_meshes(Mjcf& mjcf, const Tag& asset);
/// Adds a geom, whose parent element has the pose `frame` in the link, to a link. Its mass
/// goes to `mass`, unless that is null.
void read_geom(Mjcf& mjcf, const Tag& geom, const Pose& frame, Link& link, Inertia* mass);
/// Reads all bodies in the world.
void read_bodies(Mjcf& mjcf, const Tag& world);
/// Reads a hinge or a slider of a link.
Coordinate coordinate_of(Mjcf& mjcf, const Tag& joint, const Pose& frame, bool turns);
void read_contacts(Mjcf& mjcf, const Tag& contact);
/// Drops geoms that touch nothing; call when all contacts are read.
void drop_parts_for_pictures(Mjcf& mjcf);
void read_tendons(Mjcf& mjcf, const Tag& tendon);
void read_equalities(Mjcf& mjcf, const Tag& equality);
void read_actuators(Mjcf& mjcf, const Tag& root);
/// Sets starts, and the targets of motors, to those of a keyframe. Throws InputError if there is
/// none of this name.
void apply_keyframe(Mjcf& mjcf, const Tag& root, const std::string& name);
void list_unread(Mjcf& mjcf, const Tag& root);

}  // namespace scree::robots

/// Builds model, state and output settings from the resolved tree. Every function reports errors
/// and continues.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scene/motion/motion_laws.hpp"
#include "scene/yaml/node.hpp"
#include "scene/yaml/problems.hpp"
#include "scree/geometry/mesh_repair.hpp"
#include "scree/math/vec3.hpp"
#include "scree/scene/scene.hpp"
#include "scree/sim/force_times.hpp"
#include "scree/sim/solid_prototype.hpp"

namespace scree::scene {

inline constexpr Vec3 kUp{0, 0, 1};

/// Bodies [first, first + count) of the state came from this entry of the scene.
struct BodyGroup {
  const Node* node;
  std::size_t first, count;
};

/// Run that bodies are taken from, at one of its checkpoints.
struct SourceRun {
  Scene scene;  ///< scene of the run; its state is that at t = 0
  State state;
};

/// Indices of a run's bodies and materials in the scene.
struct TakenRun {
  static constexpr BodyIndex kGone = 0xffffffff;
  std::shared_ptr<const SourceRun> run;
  std::size_t group = 0;                ///< index into Build::groups
  std::vector<BodyIndex> rows{};        ///< for each row of the run; kGone if the body has left it
  std::vector<MaterialId> materials{};  ///< for each material of the run that a body uses
};

/// Motion of an obstacle: a twist, or rigid displacements if that is empty.
struct ObstacleMotion {
  std::function<Twist(double t, const Wrench& load)> twist;  ///< as Obstacle::servo
  Motions motions;
  /// Reference point of torques on the obstacle at t = 0 [m]; unset: the origin of its frame
  std::optional<Vec3> pivot;
  bool answers_to_load = false;
};

/// Entry of `motions` that has been requested.
struct NamedMotion {
  bool is_known = false;                   ///< false while it is being read
  std::optional<ObstacleMotion> motion{};  ///< unset if it has problems
};

/// Body on rails: the joint made from an entry of `drives`.
struct DrivenBody {
  std::size_t joint;      ///< index into Model::joints
  TimeExpression effort;  ///< times factor: force [N] or torque [N m] along or about the axis
  double factor;
  Vec3 mass_along;                    ///< mass times direction [kg]; zero for a hinge
  std::optional<double> max_speed{};  ///< under the effort alone [m/s] or [rad/s]
};

struct Build {
  const Node& root;
  std::filesystem::path directory;  ///< base of file names in the scene
  Scene& scene;
  Problems& problems;
  std::vector<BodyGroup> groups{};
  std::vector<TakenRun> taken{};
  /// Obstacles and plates, outflows and fillings, by name
  std::map<std::string, const Node*> obstacles{}, outflows{}, fillings{};
  std::map<std::string, NamedMotion> motions{};
  std::map<std::string, BodyId> body_names{};  ///< single bodies
  std::vector<DrivenBody> drives{};
};

// --- reading nodes that have passed the schema ---

Vec3 vec3(const Node& list);
/// Entries of a list; empty for another kind of node, which the validation reports.
const std::vector<Node>& entries_of(const Node& list);
/// Orientation of a node. None, and reported, if its quaternion or axis has zero length.
std::optional<Quaternion> orientation(const Node& node, Problems& problems);
std::int64_t integer(const Node& node);
/// Seed of an entry; adds it to the scene's seeds.
std::uint64_t seed_of(Build& build, const Node& entry);
/// Number of a key, or none if the key is missing.
std::optional<double> number_if(const Node& map, std::string_view key);

/// True if max > min along each axis; reports it if not.
bool check_region(const Node& region, Problems& problems);
/// Unit vector along a node's direction; none, and reported, if it has zero length.
std::optional<Vec3> unit_direction(const Node& node, Problems& problems);

/// Replaces robots, in a tree that has passed the schema, by their bodies, obstacles and joints.
/// These come first in their lists.
void build_robots(Node& root, const std::filesystem::path& directory, Problems& problems);

// --- names ---

/// Gives entries without a material the only one, and the scene its name. Call before resolve().
void fill_names(Node& root, const std::string& stem);
/// Replaces `from: RUN` of bodies by the map it stands for. Call before resolve().
void fill_runs(Node& root);
/// Fills missing keys of the solver from its accuracy. Call before resolve().
void fill_solver(Node& root);
/// Adds the key rest to a scene or a stage that runs until rest. Call before resolve().
void fill_rest(Node& map);
/// Gives `step` its law of impacts, which depends on joints. Call before resolve().
void fill_impacts(Node& root);
/// Applies fill_rest and fill_solver to stages, and gives the scene an end. Call before resolve().
void fill_stages(Node& root);
/// Ends a scene with stages, if it gives no end, at the sum of their times. Call after the
/// validation.
void sum_stages(Node& root);
/// Name of an entry, by default its path. Reports a name that is taken, because messages and files
/// identify entries by it.
std::string name_for(Build& build, const Node& node, const std::string& path,
                     std::map<std::string, const Node*>& taken);
/// Material that a key names; none, and reported, if the key is missing or unknown.
std::optional<MaterialId> material_of(Build& build, const Node& map,
                                      std::string_view key = "material");
/// Density of an entry's bodies [kg/m³]; none, and reported, if neither entry nor material has one.
std::optional<double> density_of(Build& build, const Node& map, MaterialId material);

// --- shapes that bodies and obstacles have in common ---

struct PlacedShape {
  Shape shape;  ///< [m]
  Pose pose;    ///< of the frame that users place it by
};
/// The axis of a cylinder, a capsule or a hollow shape [m].
struct PlacedAxis {
  Vec3 centre, direction;
  double half_length;

  /// Of a frame whose z-axis it is.
  Pose pose() const { return {centre, rotation_between(kUp, direction)}; }
};
/// The axis that `from` and `to` give, or `position`, `axis` and `length`; reports other choices,
/// and an axis without direction.
std::optional<PlacedAxis> read_axis(Build& build, const Node& node);
/// The shape of a key `box`, `cylinder` or `capsule`; reports what gives none.
std::optional<PlacedShape> read_placed_shape(Build& build, const Node& node);

// --- shapes of bodies ---

/// Shape described by a key `shape`.
struct SolidShape {
  std::string name, plural;
  Shape shape = Sphere{1};  ///< [m]
  Pose in_shape{};          ///< pose of that shape in the user's frame [m]
  SolidPrototype body{};
  std::shared_ptr<const ConvexHull> hull{};   ///< hull of a polyhedron
  std::shared_ptr<const ClumpParts> clump{};  ///< parts of a clump
};
/// Reads a key `shape`; none, and reported, if no body can be made of it.
std::optional<SolidShape> read_solid_shape(Build& build, const Node& node);
/// The same of a shape that needs no hull and no clump, named by the key of a node.
std::optional<SolidShape> solid_shape_of(Build& build, const Node& node, const Shape& shape);
/// Gives a solid the centre of mass, axes and moments of a key `inertia`; mass in kg. False, and
/// reported, if no body can have them.
bool give_inertia(Build& build, const Node& node, double mass, SolidShape& solid);

/// Common properties of a group's bodies.
struct BodyKind {
  std::string name = "sphere", plural = "spheres";
  PrototypeId prototype = 0;
  Shape shape = Sphere{1};  ///< at bounding radius 1
  /// Radius of the bounding sphere at scale 1 [m]
  double radius = 1;
  /// Orientation of the user's frame; none: random
  std::optional<Quaternion> orientation = Quaternion{};

  bool is_sphere() const { return std::holds_alternative<Sphere>(shape); }
};
/// Prototype with this shape and inertia, added if new; reports too many.
PrototypeId prototype_of(Build& build, const Node& node, const Prototype& wanted);
/// Kind of bodies of a shape that needs no hull and no clump, given by a node; reports one that is
/// too flat or too long.
std::optional<BodyKind> kind_of_shape(Build& build, const Node& node, const Shape& shape);
/// Kind of solids of a key `shape`.
std::optional<BodyKind> solid_kind(Build& build, const Node& shape);
/// Kind of a solid with a given inertia: see give_inertia().
std::optional<BodyKind> solid_kind_of_inertia(Build& build, const Node& shape, const Node& inertia,
                                              double mass);
/// Kind of a group with exactly one of radius, size and shape. Reports other choices, and keys that
/// spheres do not have.
std::optional<BodyKind> read_kind(Build& build, const Node& group);
/// Locks bodies of a kind along and about the axes that the key `locked` names. False, and
/// reported, if their initial velocity there is not 0.
bool lock(Build& build, const Node& node, BodyKind& kind);
/// Body of a kind at the origin; draws its orientation if that is random.
Body body_of(const Build& build, const BodyKind& kind, double radius, RandomStream& random);
/// Moves a body so that its user's frame is at `pose`.
void place(const Build& build, Body& body, const Pose& pose);

inline Pose pose_of(const Body& body) { return {body.position, body.orientation}; }
/// Pose of the body's user's frame.
Pose given_pose(const Build& build, const Body& body);
Shape shape_of(const Build& build, const Body& body);
/// "radius 0.1 m", "size 0.1 x 0.2 x 0.3 m" or "cone of bounding radius 0.1 m", for messages.
std::string description_of(const Build& build, const Body& body);
/// Mass of a solid shape [kg]; none, and reported, if it over- or underflows.
std::optional<double> mass_of(Build& build, const Node& node, const Shape& shape, double density);

/// Overlap of two bodies, or of a body and an obstacle [m]; ≤ 0 if they are apart.
double overlap(const Build& build, const Body& a, const Body& b);
double overlap(const Build& build, const Body& body, const Obstacle& obstacle);
/// True if a body overlaps an obstacle that it does not ignore.
bool hits_obstacle(const Build& build, const Body& body);
/// The first obstacle that a body overlaps.
std::optional<std::uint32_t> obstacle_hit(const Build& build, const Body& body);
/// Advice if a point is in the solid of a half-space, whose normal should point to the bodies; else
/// empty.
std::string advice_on_normal(const Obstacle& obstacle, const Vec3& point);

// --- centres on a lattice ---

struct Lattice {
  Vec3 first, spacing;  ///< first centre and distances [m]
  double count[3];      ///< along each axis; may exceed memory
  double total() const { return count[0] * count[1] * count[2]; }
  Vec3 centre(std::size_t i) const;  ///< z varies fastest
};
/// Reads a map with region and spacing; reports a region smaller than one cell, and bodies that
/// would overlap.
std::optional<Lattice> read_lattice(Build& build, const Node& map, const BodyKind& kind);

/// Unit of a file's numbers, from `unit` and `scale` [m]; none, and reported, if it is not a
/// length.
std::optional<double> read_scale(Build& build, const Node& node);
/// Surface of an obstacle's file; none, and reported, if it cannot be used. Warns of repairs.
std::shared_ptr<const TriangleMesh> read_mesh(Build& build, const Node& node);
/// Upward surface over a grid of heights; none, and reported, if it cannot be made.
std::shared_ptr<const TriangleMesh> read_height_map(Build& build, const Node& node);
/// Hull of a file's triangles; none, and reported, if there is none. Warns of surfaces that are not
/// convex or not closed.
std::optional<PlacedHull> read_mesh_hull(Build& build, const Node& node);
/// All triangles of an STL or OBJ file, in its own units, or of a COLLADA file, in metres with z
/// up. Throws InputError; its text continues a sentence that begins with the file's name.
TriangleSoup read_triangles(const std::filesystem::path& file);

// --- sections of a scene, in the order of building ---

void build_settings(Build& build);
void build_cell(Build& build);
/// Reads the straining of the cell, from the scene or a stage; missing keys stay as they are.
void read_strain(Build& build, const Node& cell, Model& model);
/// Reports bodies and obstacles that could touch more than one image of another.
void check_cell(Build& build);
/// True if an extent from low to high along an axis [m] is as long as the cell, so that it has no
/// ends.
bool spans_period(const Build& build, int axis, double low, double high);
void build_materials(Build& build);
/// Fills the table of laws; `standard` may be null.
void build_laws(Build& build, const Node* standard, const Node& laws);
void build_solver(Build& build, const Node& solver);
/// Node with the duration of a scene or a stage; stores the criterion of rest or the condition in
/// the scene. Null if it is missing or has problems.
const Node* build_end(Build& build, const Node& map);
/// Stores the condition of an `until` in the scene. Its at_most, or null if it has problems.
const Node* read_condition(Build& build, const Node& until);
void build_obstacles(Build& build);
void build_flows(Build& build);
void build_fillings(Build& build);
/// Reads the scene's key `ignore` as far as it is known before bodies exist; build_ignored() reads
/// all of it.
void build_ignored_materials_and_obstacles(Build& build);
void build_bodies(Build& build);
void build_ignored(Build& build);
/// Material, body or obstacle of a name in `ignore` or a field; none, and reported, if the name is
/// unknown or ambiguous.
std::optional<Ignored::Group> group_named(Build& build, const Node& name);
/// Reads the fields of a scene or a stage; bodies must exist.
void read_fields(Build& build, const Node& list, Model& model);
void build_fields(Build& build);
void build_joints(Build& build);
void build_drives(Build& build);
void build_sensors(Build& build);
/// Body, obstacle or world with a name; none, and reported, if there is no such one.
std::optional<BodyId> end_of(Build& build, const Node& name);
/// Sets the efforts of the motors of driven bodies, for the gravity of a model.
void set_efforts(const Build& build, Model& model);
void build_output(Build& build);
/// Text on speed and depth of the impact that determined a step; empty where that does not matter.
std::string impact_of(const ForceTimes& times);
/// True if the step is short enough for stable compliant contacts with these times; reports it if
/// not.
bool check_stability(Build& build, const Node& node, const ForceTimes& times);
/// Checks that the step is short enough for compliant contacts.
void check_step(Build& build);
/// Warns where local damping does not act: it follows from forces, so all contacts of a body must
/// be compliant.
void check_local_damping(Build& build);
/// Reports sleep where more than contacts acts on bodies.
void check_sleep(Build& build);
/// Reads the stages; call last, for a scene without problems.
void build_stages(Build& build);
void check_overlaps(Build& build);
/// Warns of meshes that are probably in mm but read as m: much larger than the bodies and their
/// region.
void check_meshes(Build& build);
/// Warns of numbers that are probably in a wrong unit: friction, lengths of rolling friction,
/// densities.
void check_values(Build& build);

// --- joints ---

/// Values at times, linear in between, constant before the first and after the last.
class ValueTable {
 public:
  struct Row {
    double t;      ///< [s]
    double value;  ///< in the unit of its column
  };
  /// One row or more, t rising.
  explicit ValueTable(std::vector<Row> rows) : rows_(std::move(rows)) {}
  double operator()(double t) const;

 private:
  std::vector<Row> rows_;
};
/// Column of the CSV table that a key names. None, and reported by file and line, if it cannot be
/// used.
std::optional<ValueTable> read_value_table(Build& build, const Node& table,
                                           const std::string& column);

/// True if a joint or the scene's key `ignore` keeps two bodies, or a body and an obstacle, from
/// touching.
bool ignore_each_other(const Build& build, const Body& a, const Body& b);
bool ignore_each_other(const Build& build, const Body& body, std::uint32_t obstacle);

// --- motions of obstacles ---

/// Reads and checks every entry of `motions`.
void build_motions(Build& build);
/// Reads the motion of an obstacle or an entry of `motions`; none, and reported, if it is invalid.
std::optional<ObstacleMotion> read_motion(Build& build, const Node& node);
/// Gives an obstacle a motion and the pose at its start.
void set_motion(const ObstacleMotion& motion, Obstacle& obstacle);
/// Poses of a CSV table [m, rad], with an axis from its angles. None, and reported by file and
/// line, if they cannot be used.
std::optional<PoseTable> read_pose_table(Build& build, const Node& motion,
                                         const std::optional<Vec3>& axis, const Vec3& pivot);
/// Expression of a key: a number, a quantity or an expression of t, and of the load if `sees`
/// allows it. None, and reported, if it is none of these, or if without load it is not finite and
/// below kMaxSpeed at the times of the run.
std::optional<TimeExpression> read_expression(
    Build& build, const Node& node, TimeExpression::Sees sees = TimeExpression::Sees::time);

// --- groups of bodies ---

/// True if n more bodies fit into memory; reports it if not.
bool check_memory(Build& build, const Node& node, double n);
/// Reserves memory for exactly n more bodies. Does nothing for few among many, because each of many
/// groups would copy the arrays.
void reserve_bodies(Build& build, std::size_t n);
/// Adds a body with the next id.
void add_body(Build& build, const Body& body);
void add_random_filling(Build& build, const Node& node, MaterialId material, double density);
void add_csv(Build& build, const Node& node);
/// Adds bodies from a checkpoint of a run.
void add_run(Build& build, const Node& node);
/// Transfers the memory of contacts of such bodies, where bodies, obstacles and springs exist here.
/// Call when all of these are known.
void take_over_contacts(Build& build);

}  // namespace scree::scene

/// Resolved tree → model, state, output settings. Every function reports what is wrong and goes on
/// with the rest.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scene/motion_laws.hpp"
#include "scene/node.hpp"
#include "scene/problems.hpp"
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

/// A run that bodies come from, as one of its checkpoints has it.
struct SourceRun {
  Scene scene;  ///< that it was begun with; its state is the one at t = 0
  State state;
};

/// Where the bodies of a run stand in the scene's state.
struct TakenRun {
  static constexpr BodyIndex kGone = 0xffffffff;
  std::shared_ptr<const SourceRun> run;
  std::size_t group = 0;          ///< of Build::groups
  std::vector<BodyIndex> rows{};  ///< of each row of the run; kGone of a body that has left it
  std::vector<MaterialId> materials{};  ///< of each material of the run that a body is of
};

/// How an obstacle is moved: by its twist, or, where that is empty, by motions of space.
struct ObstacleMotion {
  std::function<Twist(double t, const Wrench& load)> twist;  ///< as Obstacle::servo
  Motions motions;
  /// Where torques on the obstacle are about, at t = 0 [m]; unset: the origin of its frame
  std::optional<Vec3> pivot;
  bool answers_to_load = false;
};

/// An entry of `motions`, once something has asked for it.
struct NamedMotion {
  bool is_known = false;                   ///< false while it is read
  std::optional<ObstacleMotion> motion{};  ///< none: it has problems
};

/// A body on rails, as a joint that was made of an entry of `drives`.
struct DrivenBody {
  std::size_t joint;      ///< of Model::joints
  TimeExpression effort;  ///< times the factor: force [N] or torque [N m] along or about its axis
  double factor;
  Vec3 mass_along;                    ///< mass times the direction [kg]; zero of what turns
  std::optional<double> max_speed{};  ///< under the effort alone [m/s] or [rad/s]
};

struct Build {
  const Node& root;
  std::filesystem::path directory;  ///< that file names in the scene are relative to
  Scene& scene;
  Problems& problems;
  std::vector<BodyGroup> groups{};
  std::vector<TakenRun> taken{};
  /// Obstacles and plates by name, outflows, and fillings
  std::map<std::string, const Node*> obstacles{}, outflows{}, fillings{};
  std::map<std::string, NamedMotion> motions{};
  std::map<std::string, BodyId> body_names{};  ///< of single bodies
  std::vector<DrivenBody> drives{};
};

// --- reading nodes that the schema has found sound ---

Vec3 vec3(const Node& list);
/// The entries of a list; none where something else stands in its place, which the validation
/// reports.
const std::vector<Node>& entries_of(const Node& list);
/// None, and reported, if it is a quaternion or an axis of no length.
std::optional<Quaternion> orientation(const Node& node, Problems& problems);
std::int64_t integer(const Node& node);
/// The seed of an entry, noted among the scene's.
std::uint64_t seed_of(Build& build, const Node& entry);
/// The number of a key, or nothing if the key is not there.
std::optional<double> number_if(const Node& map, std::string_view key);

/// Whether max > min along each axis; reports it if not.
bool check_region(const Node& region, Problems& problems);
/// Unit vector along a node's direction; reports a zero length and gives nothing.
std::optional<Vec3> unit_direction(const Node& node, Problems& problems);

// --- names ---

/// Gives every entry without a material the only one there is, and the scene its name. Before
/// resolve().
void fill_names(Node& root, const std::string& stem);
/// Writes `from: RUN` of bodies as the map it stands for. Before resolve().
void fill_runs(Node& root);
/// Gives the solver what its accuracy says of keys that are left out. Before resolve().
void fill_solver(Node& root);
/// Gives a scene, or a stage, that runs until rest the key that says when that is. Before
/// resolve().
void fill_rest(Node& map);
/// Gives `step` its law of impacts: with joints another than without. Before resolve().
void fill_impacts(Node& root);
/// Gives stages what fill_rest and fill_solver give a scene, and the scene an end. Before
/// resolve().
void fill_stages(Node& root);
/// Gives a scene with stages that does not say when it ends the sum of their times. Behind the
/// validation.
void sum_stages(Node& root);
/// The name of an entry, which by default is its path. No two have the same: messages and files
/// tell them apart by it.
std::string name_for(Build& build, const Node& node, const std::string& path,
                     std::map<std::string, const Node*>& taken);
/// The material a key names; nothing if the key is missing or names none, which is reported.
std::optional<MaterialId> material_of(Build& build, const Node& map,
                                      std::string_view key = "material");
/// Density of the bodies an entry describes [kg/m³]; nothing, and reported, if neither it nor the
/// material has one.
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

/// What a key `shape` describes.
struct SolidShape {
  std::string name, plural;
  Shape shape = Sphere{1};  ///< [m]
  Pose in_shape{};          ///< where that stands in the frame that users place it by [m]
  SolidPrototype body{};
  std::shared_ptr<const ConvexHull> hull{};   ///< of a polyhedron
  std::shared_ptr<const ClumpParts> clump{};  ///< of a clump
};
/// Reports what no body can be made of.
std::optional<SolidShape> read_solid_shape(Build& build, const Node& node);
/// The same of a shape that needs no hull and no clump, named by the key of a node.
std::optional<SolidShape> solid_shape_of(Build& build, const Node& node, const Shape& shape);
/// Gives a solid the centre of mass, axes and moments of a key `inertia`, with its mass [kg].
/// False, and reported, if no body has them.
bool give_inertia(Build& build, const Node& node, double mass, SolidShape& solid);

/// What the bodies of a group have in common.
struct BodyKind {
  std::string name = "sphere", plural = "spheres";
  PrototypeId prototype = 0;
  Shape shape = Sphere{1};  ///< at bounding radius 1
  /// Of the bounding sphere at scale 1 [m]
  double radius = 1;
  /// Of the frame that users place it by; none: random
  std::optional<Quaternion> orientation = Quaternion{};

  bool is_sphere() const { return std::holds_alternative<Sphere>(shape); }
};
/// The prototype with this shape and inertia, a new one if need be; reports too many.
PrototypeId prototype_of(Build& build, const Node& node, const Prototype& wanted);
/// Bodies of a shape that needs no hull and no clump, given by a node; reports one that is too flat
/// or too long.
std::optional<BodyKind> kind_of_shape(Build& build, const Node& node, const Shape& shape);
/// Solids of a key `shape`.
std::optional<BodyKind> solid_kind(Build& build, const Node& shape);
/// With an inertia of its own: see give_inertia().
std::optional<BodyKind> solid_kind_of_inertia(Build& build, const Node& shape, const Node& inertia,
                                              double mass);
/// Of a group with one of radius, size and shape; reports other choices, and keys that are not for
/// spheres.
std::optional<BodyKind> read_kind(Build& build, const Node& group);
/// Locks bodies of a kind along and about the axes that the key `locked` names; reports, and is
/// false, if they begin with a velocity there.
bool lock(Build& build, const Node& node, BodyKind& kind);
/// A body of a kind that is placed at the origin, with its orientation drawn if that is random.
Body body_of(const Build& build, const BodyKind& kind, double radius, RandomStream& random);
/// Puts a body where the frame that users place it by stands at `pose`.
void place(const Build& build, Body& body, const Pose& pose);

inline Pose pose_of(const Body& body) { return {body.position, body.orientation}; }
/// Where the frame stands that users place it by.
Pose given_pose(const Build& build, const Body& body);
Shape shape_of(const Build& build, const Body& body);
/// "radius 0.1 m", "size 0.1 x 0.2 x 0.3 m" or "cone of bounding radius 0.1 m", for messages.
std::string description_of(const Build& build, const Body& body);
/// Mass of a solid shape [kg]; nothing, and reported, if it over- or underflows.
std::optional<double> mass_of(Build& build, const Node& node, const Shape& shape, double density);

/// How deep bodies overlap each other or an obstacle [m]; not above 0 where they are apart.
double overlap(const Build& build, const Body& a, const Body& b);
double overlap(const Build& build, const Body& body, const Obstacle& obstacle);
/// What the body ignores does not count.
bool hits_obstacle(const Build& build, const Body& body);

// --- centres on a lattice ---

struct Lattice {
  Vec3 first, spacing;  ///< first centre and distances [m]
  double count[3];      ///< along each axis; may be too many to make
  double total() const { return count[0] * count[1] * count[2]; }
  Vec3 centre(std::size_t i) const;  ///< z runs fastest
};
/// Of a map with region and spacing; reports a region without room for one cell, and bodies that
/// would overlap.
std::optional<Lattice> read_lattice(Build& build, const Node& map, const BodyKind& kind);

/// Length of the unit of a file's numbers, by `unit` and `scale` [m]; reports what is no length.
std::optional<double> read_scale(Build& build, const Node& node);
/// The surface of an obstacle's file; nothing, and reported, if it cannot be used. What was put in
/// order is warned of.
std::shared_ptr<const TriangleMesh> read_mesh(Build& build, const Node& node);
/// The surface over a grid of heights, which faces up; nothing, and reported, if it cannot be made.
std::shared_ptr<const TriangleMesh> read_height_map(Build& build, const Node& node);
/// The hull of a file's triangles; nothing, and reported, if they have none. What is not convex, or
/// not closed, is warned of.
std::optional<PlacedHull> read_mesh_hull(Build& build, const Node& node);
/// All triangles of an STL or OBJ file, in its own units; throws InputError, whose text follows the
/// file's name.
TriangleSoup read_triangles(const std::filesystem::path& file);

// --- the parts of a scene, in this order ---

void build_settings(Build& build);
void build_cell(Build& build);
/// How the cell is strained, from the scene's cell or that of a stage; what is left out stays.
void read_strain(Build& build, const Node& cell, Model& model);
/// Whether bodies and obstacles meet each other by one image at most.
void check_cell(Build& build);
/// Whether what goes from low to high along an axis [m] is as long as the cell: then it has no
/// ends.
bool spans_period(const Build& build, int axis, double low, double high);
void build_materials(Build& build);
/// Fills the table of laws; `standard` may be null.
void build_laws(Build& build, const Node* standard, const Node& laws);
void build_solver(Build& build, const Node& solver);
/// Where a scene or a stage says how long it lasts; of one until rest, or until a condition holds,
/// its criterion goes into the scene. Null if it is not there, or has problems.
const Node* build_end(Build& build, const Node& map);
/// The condition of an `until` goes into the scene; its at_most, or null if it has problems.
const Node* read_condition(Build& build, const Node& until);
void build_obstacles(Build& build);
void build_flows(Build& build);
void build_fillings(Build& build);
/// Of the scene's key `ignore`: what is known before bodies are there; then all, with single
/// bodies.
void build_ignored_materials_and_obstacles(Build& build);
void build_bodies(Build& build);
void build_ignored(Build& build);
/// The material, body or obstacle of a name of `ignore` or of a field; none, and reported, if it is
/// none, or of several things.
std::optional<Ignored::Group> group_named(Build& build, const Node& name);
/// The fields of a scene, or of a stage, when bodies are there.
void read_fields(Build& build, const Node& list, Model& model);
void build_fields(Build& build);
void build_joints(Build& build);
void build_drives(Build& build);
/// Gives the motors of driven bodies their efforts, with the gravity of a model.
void set_efforts(const Build& build, Model& model);
void build_output(Build& build);
/// How fast and how deep the impact is that a step was chosen by; empty where that does not matter.
std::string impact_of(const ForceTimes& times);
/// Whether the step is short enough for compliant contacts of these times to be stable; reports it
/// if not.
bool check_stability(Build& build, const Node& node, const ForceTimes& times);
/// Steps must be short enough for compliant contacts.
void check_step(Build& build);
/// Local damping acts on bodies whose contacts are all compliant: it follows from their forces.
void check_local_damping(Build& build);
/// Bodies may sleep where nothing but their contacts acts on them.
void check_sleep(Build& build);
/// After all else, of a scene without problems.
void build_stages(Build& build);
void check_overlaps(Build& build);
/// Warns of files in mm that are taken for m: meshes much larger than bodies and where they are.
void check_meshes(Build& build);
/// Warns of numbers that are likely in another unit than was meant: of friction, lengths of what
/// resists turning, and densities.
void check_values(Build& build);

// --- joints ---

/// Values at times, linear in between; before the first and after the last as there.
class ValueTable {
 public:
  struct Row {
    double t;      ///< [s]
    double value;  ///< of whatever it is of
  };
  /// One row or more, t rising.
  explicit ValueTable(std::vector<Row> rows) : rows_(std::move(rows)) {}
  double operator()(double t) const;

 private:
  std::vector<Row> rows_;
};
/// A column of the CSV table that a key names. None, and reported by file and line, if it cannot be
/// used.
std::optional<ValueTable> read_value_table(Build& build, const Node& table,
                                           const std::string& column);

/// Whether a joint, or the scene's key `ignore`, keeps two bodies from touching, or a body and an
/// obstacle.
bool ignore_each_other(const Build& build, const Body& a, const Body& b);
bool ignore_each_other(const Build& build, const Body& body, std::uint32_t obstacle);

// --- motions of obstacles ---

/// Reads and checks every entry of `motions`.
void build_motions(Build& build);
/// Of an obstacle's key, or of an entry of `motions`; none, and reported, if it cannot be followed.
std::optional<ObstacleMotion> read_motion(Build& build, const Node& node);
/// Gives an obstacle a motion, and the place where that begins.
void set_motion(const ObstacleMotion& motion, Obstacle& obstacle);
/// The poses of a CSV table [m, rad]; with an axis by its angles. None, and reported by file and
/// line, if they cannot be used.
std::optional<PoseTable> read_pose_table(Build& build, const Node& motion,
                                         const std::optional<Vec3>& axis, const Vec3& pivot);
/// The expression of a key that is a number, a quantity or an expression of t, and of the load
/// where that is seen; none, and reported, if it is none of these, or without a load not finite and
/// below kMaxSpeed when the run asks for it.
std::optional<TimeExpression> read_expression(
    Build& build, const Node& node, TimeExpression::Sees sees = TimeExpression::Sees::time);

// --- groups of bodies ---

/// Whether n more bodies fit into memory; reports it if not.
bool check_memory(Build& build, const Node& node, double n);
/// Memory for n more bodies and no others; for few among many nothing, because the arrays would be
/// copied for each of many groups.
void make_room(Build& build, std::size_t n);
/// Adds a body with the next id.
void add_body(Build& build, const Body& body);
void add_random_filling(Build& build, const Node& node, MaterialId material, double density);
void add_csv(Build& build, const Node& node);
/// Bodies as a run left them.
void add_run(Build& build, const Node& node);
/// What the contacts of such bodies remember goes on, where bodies, obstacles and springs are
/// there; when all these are known.
void take_over_contacts(Build& build);

}  // namespace scree::scene

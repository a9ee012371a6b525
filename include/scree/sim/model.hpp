/// Model: all data of a simulation that do not change while it runs.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scree/geometry/clump.hpp"
#include "scree/geometry/convex_hull.hpp"
#include "scree/geometry/domain.hpp"
#include "scree/geometry/shape.hpp"
#include "scree/geometry/triangle_mesh.hpp"
#include "scree/laws/pair_law.hpp"
#include "scree/math/axis_set.hpp"
#include "scree/math/wrench.hpp"
#include "scree/sim/accuracy.hpp"
#include "scree/sim/field.hpp"
#include "scree/sim/impact_law.hpp"
#include "scree/sim/joint.hpp"

namespace scree {

struct Material {
  std::string name;
  /// [kg/m³] > 0 for materials of free bodies; 0 for materials of obstacles only
  double density = 0;
  ElasticModuli moduli{};  ///< for hertz_mindlin laws without stiffnesses
};

/// Axes of the world along which a body does not move, and about which it does not rotate: its
/// mass, or its inertia, acts as infinite there. Its velocities have no such components.
struct Locks {
  AxisSet ways = 0, turns = 0;
  bool any() const { return ways != 0 || turns != 0; }
  bool operator==(const Locks&) const = default;
};

/// Kind of free body, at unit bounding radius and unit mass. A body is a prototype scaled to its
/// radius and mass. `solid_prototype` makes prototypes.
struct Prototype {
  /// Convex or a clump; the centre of mass is at the origin, the axes are principal
  Shape shape = Sphere{1};
  /// Principal moments divided by (mass · radius²) [-]; 2/5 for the solid sphere
  Vec3 inertia{0.4, 0.4, 0.4};
  /// Pose of this frame in the frame of the user's shape; lengths divided by the bounding radius
  /// [-]
  Pose in_shape{};
  Locks locked{};

  bool is_isotropic() const { return inertia.x == inertia.y && inertia.y == inertia.z; }
  bool is_sphere() const { return std::holds_alternative<Sphere>(shape); }
  /// Radius of the largest inscribed sphere about the centre, divided by the bounding radius; for a
  /// clump the smallest of its parts' [-].
  double inscribed_radius() const {
    const auto* clump = std::get_if<Clump>(&shape);
    return clump ? clump->parts->inscribed_radius() : -signed_distance(shape, Vec3{}).distance;
  }
};

/// Limit for prescribed motions, by component [m/s] and [rad/s].
inline constexpr double kMaxSpeed = 3e8;

/// Limit for the rotation of a prescribed pose in a step: a larger one could be a rotation in the
/// opposite direction [rad].
inline constexpr double kMaxRotationOfPath = 1;

/// Body of infinite mass: at rest, or moving as prescribed, by its twist or by its pose.
struct Obstacle {
  std::string name;
  Shape shape;
  Pose pose;  ///< pose at t = 0
  MaterialId material = 0;
  /// Twist at time t [s], or empty. Called once a step, from one thread, for the middle of the
  /// step. If it throws, or returns a value that is not finite or faster than kMaxSpeed, the step
  /// is not done: see Report::motion_fault.
  std::function<Twist(double t)> motion{};
  /// Twist that depends on the load, or empty. The load is the mean of the step before, by bodies
  /// and joints: force [N] and torque about the pivot [N m] along the axes of the scene; 0 in the
  /// first step. Called like `motion`; only without `motion` and `path`.
  std::function<Twist(double t, const Wrench& load)> servo{};
  /// Pose at time t [s], or empty; only without `motion` and `servo`. Called once a step for its
  /// end: the obstacle then has exactly this pose, and no error accumulates. During the step it
  /// moves by the twist that leads there. Faults as for `motion`, and a rotation above
  /// kMaxRotationOfPath in a step.
  std::function<Pose(double t)> path{};
  /// Reference point of torques on the obstacle, in its own frame [m].
  Vec3 pivot{};
  /// True if it was removed: it keeps its index, and nothing meets it.
  bool is_absent = false;
  /// Velocity of its surface in its own frame, as of a conveyor belt, in addition to the motion of
  /// the obstacle. At a contact the component in the surface counts [m/s].
  Vec3 surface_velocity{};
  /// True if State::facet_wear has its facets; only for meshes.
  bool records_wear = false;

  bool is_moved() const { return motion || servo || path; }
  /// Twist by `motion` or `servo`, one of which it has; throws their exceptions.
  Twist twist_at(double t, const Wrench& load) const { return servo ? servo(t, load) : motion(t); }
};

/// Material, body or obstacle whose contacts with another are ignored.
struct Ignored {
  struct Group {
    MaterialId material = 0;
    std::optional<BodyId> one{};  ///< id of a body, or obstacle_id(), instead of the material
  };
  Group a, b;
};

/// Overlap that a new body may have, divided by its radius: the penetration that a solver leaves
/// [-].
inline constexpr double kTolerableOverlap = 1e-2;

/// Plate that pushes bodies in. Each time it has advanced by `advance` it moves back, and a new
/// layer appears in front of it [Preclik18, §4.3].
struct Inflow {
  std::string name;
  /// Index of the obstacle that pushes; it moves with `velocity`
  std::uint32_t plate = 0;
  Vec3 velocity;  ///< velocity of the plate and of new bodies [m/s]
  /// Velocities of new bodies are uniform in velocity ± jitter, by component [m/s]
  Vec3 jitter;
  double advance = 0;  ///< stroke of the plate between two layers [m] > 0
  /// Centres of the new bodies with the plate at its start [m], at least a radius in front of it. A
  /// layer is shifted by the plate's distance from its start: up to half a step's travel. Positions
  /// where a body or an obstacle is stay empty.
  std::vector<Vec3> layer;
  double radius = 0;  ///< radius of the new bodies [m]
  MaterialId material = 0;
  PrototypeId prototype = 0;
  std::uint64_t seed = 0;
};

/// Region in which bodies enter at a rate. A body enters when the number, or the mass, that is due
/// by the end of the step has room for it: never early, and less than one body late. If it finds no
/// free position, it and all bodies after it wait until the next step.
struct Filling {
  /// Kind of the bodies that enter.
  struct Kind {
    double share = 1;          ///< its number divided by the sum of all shares [-] > 0
    double low = 0, high = 0;  ///< bounds of the bounding radii, uniform in between [m] > 0
    PrototypeId prototype = 0;
    MaterialId material = 0;
    double density = 0;  ///< [kg/m³] > 0
    /// Empty: uniformly random
    std::optional<Quaternion> orientation = Quaternion{};
  };
  std::string name;
  /// Corners of the box that contains the bounding spheres [m]. Along an axis on which both are
  /// equal, the centres have this coordinate.
  Vec3 min, max;
  /// Exactly one is above 0: bodies [1/s], or mass [kg/s].
  double number_rate = 0, mass_rate = 0;
  double from = 0, until = std::numeric_limits<double>::infinity();  ///< [s], from < until
  std::vector<Kind> kinds;
  Vec3 velocity;  ///< [m/s]
  Vec3 jitter;    ///< as for Inflow [m/s]
  std::uint64_t seed = 0;
};

/// Region that deletes bodies, in the step in which the straight path of a body's centre meets it.
struct Outflow {
  std::string name;
  Vec3 min, max;  ///< corners [m]; ±infinity allowed
};

/// Method that removes overlaps and closes joints.
enum class OverlapCorrection : std::uint8_t {
  /// Pseudo-velocities, after the solve, move the bodies and are forgotten: see PositionCorrection
  positions,
  /// Gap term in the solve [Preclik18, §3.1]: the velocity that it adds stays. For joints the term
  /// of [Negrut18, Eq. 5c], with the whole gap in one step
  velocities,
};

/// Free rotation of bodies with unequal moments of inertia.
enum class FreeRotation : std::uint8_t {
  split,  ///< keeps the angular momentum, see rotate_freely()
  /// Adds −h ω × Iω to the angular momentum before the solve [Preclik18, §3.1]; it drifts
  explicit_term,
};

struct StepSettings {
  double h = 0;  ///< time step [s] > 0
  OverlapCorrection overlap_correction = OverlapCorrection::positions;
  double error_reduction = 0.2;  ///< ε: fraction of an overlap that a step removes [-], in [0, 1]
  /// Limit for the gap term with OverlapCorrection::velocities [m/s]; ∞ allowed. Empty: 1e-4
  /// sqrt(|gravity| r) + 0.01 |u|, with r the smaller radius and u the free relative velocity. In a
  /// deep bed the recoveries of all layers add up: the limit keeps their sum small.
  std::optional<double> recovery_speed;
  double restitution_threshold = 1e-2;    ///< slower impacts have e = 0 [m/s]
  ImpactLaw impacts = ImpactLaw::newton;  ///< scenes with joints have energetic by default
  /// Impacts of small islands of spheres happen one after the other, each at its time in the step.
  bool impacts_in_order = false;
  /// Gap below which a pair is a contact [m]. Empty: 1 % of the two radii, plus the travel of both
  /// bodies in a step.
  std::optional<double> margin;
  /// Fraction λ of Cundall's local damping, with compliant laws, for beds that shall come to rest.
  /// By component, forces that accelerate a body are reduced and forces that slow it are increased
  /// [-], in [0, 1). Bodies with rigid contacts or joints are not damped
  double local_damping = 0;
  FreeRotation free_rotation = FreeRotation::split;
  /// True if islands of bodies at rest sleep: docs/theory/sleep.md
  bool sleep = false;
};

/// Strain of a periodic cell. Bodies move with the flow: their velocities are relative to it. The
/// flow is zero at the origin.
struct CellStrain {
  /// Velocity gradient of the flow [1/s]; along axes with a pressure, its value at the start
  UpperTriangle rate{};
  /// Pressure along x, y, z that a servo holds by straining along this axis, > 0 in compression
  /// [Pa]
  std::array<std::optional<double>, 3> pressure{};
  /// Viscosity of the servo, which strains at (smooth pressure − pressure) / viscosity [Pa s] > 0
  double viscosity = 0;
  double smoothing = 0;                                       ///< time constant of the pressure [s]
  double max_rate = std::numeric_limits<double>::infinity();  ///< limit for the servo [1/s]

  bool has_servo() const {
    return std::ranges::any_of(pressure, [](const auto& p) { return p.has_value(); });
  }
  bool any() const { return rate != UpperTriangle{} || has_servo(); }
};

struct Model {
  std::vector<Material> materials;
  LawTable laws;
  std::vector<Prototype> prototypes{Prototype{}};  ///< index 0 is the solid sphere
  std::vector<Obstacle> obstacles;
  std::vector<std::shared_ptr<const TriangleMesh>> meshes;  ///< meshes of obstacles' shapes
  std::vector<std::shared_ptr<const ConvexHull>> hulls;     ///< hulls of polyhedra
  std::vector<std::shared_ptr<const ClumpParts>> clumps;    ///< clumps of bodies' shapes
  std::vector<Inflow> inflows;
  std::vector<Filling> fillings;
  std::vector<Outflow> outflows;
  std::vector<Ignored> ignored;
  std::vector<Joint> joints;  ///< between bodies of the state, by ids; obstacles; the world
  /// A period is above four radii of the largest body, so that two bodies meet by one image at
  /// most. Half-spaces and outflows continue along periodic axes. An obstacle meets a body by the
  /// image whose frame is nearest: the obstacle is so short that no other image is within reach, or
  /// it is a box or a cylinder that extends beyond the reach of all bodies. Edges as at t = 0.
  Domain domain;
  /// Only without obstacles, joints, inflows, fillings and outflows, and without gravity and fields
  CellStrain strain;
  Vec3 gravity;  ///< [m/s²]
  std::vector<Field> fields;
  StepSettings step;
  SolverSettings solver = solver_settings(Accuracy::engineering);
};

/// True if an obstacle is a surface, which bodies touch at several points.
inline bool has_surfaces(const Model& model) {
  return std::ranges::any_of(model.obstacles,
                             [](const Obstacle& o) { return is_surface(o.shape); });
}

/// Number of facets of an obstacle that records wear; 0 for others.
std::size_t worn_facets(const Obstacle& obstacle);
/// Index in State::facet_wear of an obstacle's first facet, in the order of its mesh; for the
/// number of obstacles: the size.
std::size_t first_worn_facet(const Model& model, std::size_t obstacle);

}  // namespace scree

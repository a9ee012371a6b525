/// Everything about a simulation that does not change while it runs.
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
  /// [kg/m³] > 0 for materials of free bodies; 0 where only obstacles are made of it
  double density = 0;
  ElasticModuli moduli{};  ///< for hertz_mindlin without stiffnesses of its own
};

/// Axes of the world along which a body does not move, and about which it does not turn: as if its
/// mass, or its inertia, were infinite there. Its velocities have no such components.
struct Locks {
  AxisSet ways = 0, turns = 0;
  bool any() const { return ways != 0 || turns != 0; }
  bool operator==(const Locks&) const = default;
};

/// A kind of free body, at unit bounding radius and unit mass: a body is a prototype, scaled to its
/// radius and mass. `solid_prototype` makes them.
struct Prototype {
  /// Convex or a clump, its centre of mass at its origin, its frame along principal axes
  Shape shape = Sphere{1};
  /// Principal moments over (mass · radius²) [-]; 2/5 for the solid sphere
  Vec3 inertia{0.4, 0.4, 0.4};
  /// Of this frame in the one that users place the shape by; lengths over the bounding radius [-]
  Pose in_shape{};
  Locks locked{};

  bool is_isotropic() const { return inertia.x == inertia.y && inertia.y == inertia.z; }
  bool is_sphere() const { return std::holds_alternative<Sphere>(shape); }
  /// Of the largest sphere about its centre that fits inside, over the bounding one; of a clump the
  /// least of its parts' [-].
  double inscribed_radius() const {
    const auto* clump = std::get_if<Clump>(&shape);
    return clump ? clump->parts->inscribed_radius() : -signed_distance(shape, Vec3{}).distance;
  }
};

/// Of prescribed motions, by component [m/s] and [rad/s].
inline constexpr double kMaxSpeed = 3e8;

/// A pose turns by no more than this in a step: beyond, it could be a turn the other way [rad].
inline constexpr double kMaxRotationOfPath = 1;

/// A body of infinite mass: at rest, or moving as prescribed, by its twist or by its pose.
struct Obstacle {
  std::string name;
  Shape shape;
  Pose pose;  ///< at t = 0
  MaterialId material = 0;
  /// Twist at time t [s], or empty. Called once a step, from one thread, for the middle of the
  /// step. If it throws, or gives what is not finite or faster than kMaxSpeed, the step is not
  /// done: see Report::motion_fault.
  std::function<Twist(double t)> motion{};
  /// As `motion`, of an obstacle that answers to its load: what bodies and joints gave it in the
  /// step before, force [N] and torque about its pivot [N m] along the axes of the scene; 0 in the
  /// first. Only without `motion` and `path`.
  std::function<Twist(double t, const Wrench& load)> servo{};
  /// Pose at time t [s], or empty; only without the others. Called once a step for its end, where
  /// the obstacle then stands to the bit: nothing is summed up. In the step it moves by the twist
  /// that takes it there. Faults as of `motion`, and a turn by more than kMaxRotationOfPath in a
  /// step.
  std::function<Pose(double t)> path{};
  /// The point that torques on the obstacle are about, in its own frame [m].
  Vec3 pivot{};
  /// Taken away: it keeps its index, and nothing meets it.
  bool is_absent = false;
  /// How its surface runs along itself, as a conveyor belt does, while the obstacle stands or moves
  /// otherwise: in its own frame; of it counts what lies in the surface where a body touches [m/s].
  Vec3 surface_velocity{};
  /// Whether State::facet_wear has its facets; only of meshes.
  bool records_wear = false;

  bool is_moved() const { return motion || servo || path; }
  /// By its motion or its servo, one of which it has; throws what these throw.
  Twist twist_at(double t, const Wrench& load) const { return servo ? servo(t, load) : motion(t); }
};

/// What ignores each other does not touch: all that is made of a material, or one body or obstacle.
struct Ignored {
  struct Group {
    MaterialId material = 0;
    std::optional<BodyId> one{};  ///< instead of the material: a body's id, or obstacle_id()
  };
  Group a, b;
};

/// A new body may overlap others by what a solver leaves of penetration, over its radius [-].
inline constexpr double kTolerableOverlap = 1e-2;

/// A plate that pushes bodies in; each time it has advanced by `advance` it is put back, and a new
/// layer is laid before it [Preclik18, §4.3].
struct Inflow {
  std::string name;
  /// Index of the pushing obstacle; moves by `velocity` while it pushes
  std::uint32_t plate = 0;
  Vec3 velocity;  ///< of plate and of new bodies [m/s]
  /// New bodies' velocity is uniform in velocity ± jitter, by component [m/s]
  Vec3 jitter;
  double advance = 0;  ///< stroke of the plate between two layers [m] > 0
  /// Centres of the new bodies when the plate stands at its start [m], a radius or more before it.
  /// A layer is laid as far from them as the plate is from its start: up to half a step's travel.
  /// Places where a body or an obstacle stands stay empty.
  std::vector<Vec3> layer;
  double radius = 0;  ///< of the new bodies [m]
  MaterialId material = 0;
  PrototypeId prototype = 0;
  std::uint64_t seed = 0;
};

/// Bodies that enter a region at a rate. A body enters as soon as the number, or the mass, that is
/// due by the end of the step has room for it: never too early, and less than one body late. Where
/// it finds no place it waits, and all that come after it, and is tried again in the next step.
struct Filling {
  /// A kind of the bodies that enter.
  struct Kind {
    double share = 1;          ///< of their number, over the sum of all shares [-] > 0
    double low = 0, high = 0;  ///< bounding radii are uniform in between [m] > 0
    PrototypeId prototype = 0;
    MaterialId material = 0;
    double density = 0;  ///< [kg/m³] > 0
    /// Unset: each as likely as any other
    std::optional<Quaternion> orientation = Quaternion{};
  };
  std::string name;
  /// Corners of the box that holds their bounding spheres [m]; along an axis on which both are
  /// equal, centres are there.
  Vec3 min, max;
  /// One of the two is above 0: bodies [1/s], or mass [kg/s].
  double number_rate = 0, mass_rate = 0;
  double from = 0, until = std::numeric_limits<double>::infinity();  ///< [s], from < until
  std::vector<Kind> kinds;
  Vec3 velocity;  ///< [m/s]
  Vec3 jitter;    ///< as of Inflow [m/s]
  std::uint64_t seed = 0;
};

/// A body is deleted in the step in which the path of its centre, straight over a step, meets the
/// region.
struct Outflow {
  std::string name;
  Vec3 min, max;  ///< corners [m]; ±infinity allowed
};

/// What undoes overlaps, and closes joints.
enum class OverlapCorrection : std::uint8_t {
  /// Pushes of their own, after the solve, that move bodies and are forgotten: see
  /// PositionCorrection
  positions,
  /// A gap term in the solve [Preclik18, §3.1]: what it adds to velocities stays in them. Of joints
  /// that of [Negrut18, Eq. 5c], all of the gap in one step
  velocities,
};

struct StepSettings {
  double h = 0;  ///< time step [s] > 0
  OverlapCorrection overlap_correction = OverlapCorrection::positions;
  double error_reduction = 0.2;  ///< ε: part of an overlap undone per step [-], in [0, 1)
  /// With OverlapCorrection::velocities the gap term never asks for more than this [m/s]; ∞
  /// allowed. Unset: 1e-4 sqrt(|gravity| r) + 0.01 |u|, with r the smaller radius and u the free
  /// relative velocity. In a deep bed the recoveries of all layers add up: this keeps their sum
  /// small.
  std::optional<double> recovery_speed;
  double restitution_threshold = 1e-2;    ///< impacts slower than this have e = 0 [m/s]
  ImpactLaw impacts = ImpactLaw::newton;  ///< scenes with joints have energetic by default
  /// A pair is a contact when its gap is below this [m]. Unset: 1 % of the two radii, plus what
  /// both bodies move in a step.
  std::optional<double> margin;
  /// Part λ by which forces on a body that speed it up are less, and those that slow it down are
  /// more, by component, with compliant laws: Cundall's damping, for what is to come to rest [-],
  /// in [0, 1). Bodies with rigid contacts or joints are not damped
  double local_damping = 0;
  /// Whether bodies that rest sleep, by islands: docs/theory/sleep.md
  bool sleep = false;
};

/// How the cell of a domain that repeats is strained. Bodies flow with it: their velocities are
/// what they have beside the flow, which is zero at the origin.
struct CellStrain {
  /// Gradient of the velocity of the flow; at the start, along axes that a pressure is held [1/s]
  UpperTriangle rate{};
  /// Along x, y, z: the pressure that a servo holds by straining along this axis, > 0 where faces
  /// are pressed [Pa]
  std::array<std::optional<double>, 3> pressure{};
  /// Of the servo, which strains at (smooth pressure − pressure) / viscosity [Pa s] > 0
  double viscosity = 0;
  double smoothing = 0;                                       ///< time constant of the pressure [s]
  double max_rate = std::numeric_limits<double>::infinity();  ///< of the servo [1/s]

  bool has_servo() const {
    return std::ranges::any_of(pressure, [](const auto& p) { return p.has_value(); });
  }
  bool any() const { return rate != UpperTriangle{} || has_servo(); }
};

struct Model {
  std::vector<Material> materials;
  LawTable laws;
  std::vector<Prototype> prototypes{Prototype{}};  ///< 0 is the solid sphere
  std::vector<Obstacle> obstacles;
  std::vector<std::shared_ptr<const TriangleMesh>> meshes;  ///< that obstacles' shapes point to
  std::vector<std::shared_ptr<const ConvexHull>> hulls;     ///< that polyhedra point to
  std::vector<std::shared_ptr<const ClumpParts>> clumps;    ///< that shapes of bodies point to
  std::vector<Inflow> inflows;
  std::vector<Filling> fillings;
  std::vector<Outflow> outflows;
  std::vector<Ignored> ignored;
  std::vector<Joint> joints;  ///< between bodies of the state, by their ids; obstacles; the world
  /// Where it repeats, a period is above four radii of the largest body, so that two bodies meet by
  /// one image at most; half-spaces and outflows run along it without end. An obstacle meets a body
  /// by the image whose frame is nearest: it is short enough that no other is in reach, or a box or
  /// a cylinder that runs along the axis beyond the reach of all bodies. As at t = 0.
  Domain domain;
  /// Without obstacles, joints, inflows, fillings and outflows, and without gravity and fields
  CellStrain strain;
  Vec3 gravity;  ///< [m/s²]
  std::vector<Field> fields;
  StepSettings step;
  SolverSettings solver = solver_settings(Accuracy::engineering);
};

/// Whether an obstacle is a surface, which bodies touch in several places.
inline bool has_surfaces(const Model& model) {
  return std::ranges::any_of(model.obstacles,
                             [](const Obstacle& o) { return is_surface(o.shape); });
}

/// Facets of an obstacle that records wear; 0 of others.
std::size_t worn_facets(const Obstacle& obstacle);
/// Where the facets of an obstacle begin in State::facet_wear, in the order of its mesh; of the
/// number of obstacles: where all end.
std::size_t first_worn_facet(const Model& model, std::size_t obstacle);

}  // namespace scree

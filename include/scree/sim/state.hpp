/// State: all that a restart needs, and all that the state hash covers.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "scree/collision/pair_search.hpp"
#include "scree/core/aligned.hpp"
#include "scree/core/ids.hpp"
#include "scree/geometry/domain.hpp"
#include "scree/geometry/shape.hpp"
#include "scree/laws/force_law.hpp"
#include "scree/math/random.hpp"
#include "scree/math/wrench.hpp"
#include "scree/sim/force_energy.hpp"
#include "scree/sim/sleep.hpp"

namespace scree {

/// Range of masses whose squares and inverse squares stay far from the limits of double precision
/// [kg].
inline constexpr double kMinMass = 1e-70, kMaxMass = 1e70;
inline bool is_usable_mass(double mass) { return mass >= kMinMass && mass <= kMaxMass; }

/// One free body, an entry of Bodies.
struct Body {
  BodyId id;
  Vec3 position;             ///< centre of mass [m]
  Quaternion orientation{};  ///< principal frame to inertial frame
  Vec3 velocity{};           ///< [m/s]
  Vec3 angular_velocity{};   ///< [rad/s], inertial frame
  double radius = 0;         ///< radius of the bounding sphere [m] > 0
  double mass = 0;           ///< [kg] > 0
  PrototypeId prototype = 0;
  MaterialId material = 0;
};

/// Free bodies, one array a field. The order changes while the simulation runs; ids do not. A body
/// that an outflow or a user removed acts on no other body and counts nowhere. Its entries stay
/// constant until the neighbour list is rebuilt: Neighbours::has_left reports it.
struct Bodies {
  AlignedVector<BodyId> id;
  AlignedVector<Vec3> position;  ///< [m]
  AlignedVector<Quaternion> orientation;
  AlignedVector<Vec3> velocity;          ///< [m/s]
  AlignedVector<Vec3> angular_velocity;  ///< [rad/s]
  AlignedVector<double> radius;          ///< [m]
  AlignedVector<double> mass;            ///< [kg]
  AlignedVector<PrototypeId> prototype;
  AlignedVector<MaterialId> material;

  std::size_t size() const { return id.size(); }
  void reserve(std::size_t n);
  void push_back(const Body& body);
  Body operator[](std::size_t i) const;

  static constexpr const char* kFieldNames[] = {"id",       "position",         "orientation",
                                                "velocity", "angular_velocity", "radius",
                                                "mass",     "prototype",        "material"};

  /// Calls f on every field's array, in the order of kFieldNames.
  template <class F>
  void for_each_field(F&& f) {
    f(id), f(position), f(orientation), f(velocity), f(angular_velocity), f(radius), f(mass),
        f(prototype), f(material);
  }
  template <class F>
  void for_each_field(F&& f) const {
    f(id), f(position), f(orientation), f(velocity), f(angular_velocity), f(radius), f(mass),
        f(prototype), f(material);
  }
};

/// Approach of an obstacle to a body: a displacement, and for a half-space a rotation of its
/// normal, whose effect grows with the body's distance from the obstacle's frame.
struct ObstacleApproach {
  double displacement = 0;  ///< [m]
  double rotation = 0;      ///< [rad]

  /// Approach at a distance from the frame [m].
  double at(double distance) const { return displacement + rotation * distance; }
  bool covers(const ObstacleApproach& other) const {
    return other.displacement <= displacement && other.rotation <= rotation;
  }
};
inline ObstacleApproach operator+(const ObstacleApproach& a, const ObstacleApproach& b) {
  return {a.displacement + b.displacement, a.rotation + b.rotation};
}
inline ObstacleApproach operator-(const ObstacleApproach& a, const ObstacleApproach& b) {
  return {a.displacement - b.displacement, a.rotation - b.rotation};
}
inline ObstacleApproach operator*(double factor, const ObstacleApproach& a) {
  return {factor * a.displacement, factor * a.rotation};
}

struct ObstacleState {
  Pose pose;
  Twist twist;  ///< twist in the step that led here, or in the next if moved by hand
};

/// Energy that contacts took [J]; with compliant laws it includes the energy of springs until they
/// return it.
struct Wear {
  double impact = 0;   ///< along normals
  double sliding = 0;  ///< along the surface, and by rolling friction

  Wear& operator+=(const Wear& other) {
    impact += other.impact;
    sliding += other.sliding;
    return *this;
  }
};

/// Load of contacts and joints on an obstacle, summed since the start.
struct ObstacleLoad {
  Vec3 impulse;          ///< on the obstacle [N s]
  Vec3 angular_impulse;  ///< about its pivot at the start of each step [N m s]
  double work = 0;       ///< done on bodies by its motion and that of its surface [J]
  Wear wear;             ///< wear of all its contacts
};

struct InflowState {
  double travelled = 0;      ///< advance of the plate since it last moved back [m]
  std::uint64_t layers = 0;  ///< number laid so far
  RandomStream random;
};

/// Bodies that have entered, and the next one.
struct FillingState {
  std::uint64_t entered = 0;
  double mass = 0;  ///< mass of these bodies [kg]
  RandomStream random;
  std::uint64_t next_kind = 0;  ///< 1 + index of the next kind; 0: not drawn yet
  double next_radius = 0;       ///< bounding radius of the next body [m]
};

/// Memory of a joint from step to step.
struct JointState {
  std::array<double, 6> held{};  ///< impulses of its rows [N s]
  /// Impulses of limit, motor, spring and friction of each coordinate [N s]
  std::array<std::array<double, 4>, 4> driven{};
  std::array<double, 4> coordinate{};  ///< revolutions are counted [m] or [rad]
  double stored = 0;                   ///< energy of its springs, as in the report [J]
  /// Curvature of its rows, then of its coordinates: change of their rate in the last step, with
  /// contacts, that the velocities before it did not predict: docs/theory/joints.md [m/s]
  std::array<double, 10> curvature{};
  double broken_at = -1;    ///< time at which it broke [s]; negative: it is intact
  double detached_at = -1;  ///< time at which it was detached [s]; negative: it is not
  double attached_at = -1;  ///< time at which it was attached [s]; negative: it is as modelled
  Pose frame_b{};  ///< where it was attached: the frame of its end A, in the frame of body B

  bool is_absent() const { return broken_at >= 0 || detached_at >= 0; }
};

/// Settings of a motor that a user has changed, see MotorSettings.
struct ChangedMotor {
  std::uint64_t coordinate = 0;  ///< index in free_coordinates()
  std::uint64_t kind = 0;        ///< Motor::Kind
  double max = 0, stiffness = 0, damping = 0;
};

/// Sums since the start of the run [J].
struct EnergyLedger {
  /// In contacts: −Σ r·(u⁻ + u⁺)/2, reduced by the energy from separating overlapping bodies.
  double dissipated = 0;
  /// Work from outside, on bodies: by moving obstacles, fields, applied forces and changes by hand
  /// between steps, and energy carried in and out by bodies that enter and leave.
  double wall_work = 0;
};

/// Neighbour list: pairs that may touch before the next rebuild, with the impulses of the last
/// step. The body listed first owns the pair. The list belongs to the state because warm start and
/// the order of sums follow it.
///
/// Memories of contacts lie in slots with the key (a, b, feature). Among spheres a pair has one
/// slot. Else it has one for each point of the last step. With a compliant law it has one for each
/// possible point: kMaxManifoldPoints for shapes other than spheres, or more for some polyhedra
/// (see max_overlaps); kMaxSurfacePoints for an obstacle that is a surface, and at most as many for
/// clumps.
struct Neighbours {
  using Pair = BodyPair;  ///< `other` is a free body, or kObstacle | index of an obstacle
  static constexpr BodyIndex kObstacle = BodyIndex{1} << 31;
  static constexpr std::uint32_t kMaxManifoldPoints = 4, kNoFeature = 0xffffffff;
  /// Limit of points between a body and a surface; see kMaxOnSurface
  static constexpr std::uint32_t kMaxSurfacePoints = 12;

  /// Pairs grouped by owner; then the pairs added since for bodies that moved further than others
  AlignedVector<Pair> pairs;
  AlignedVector<std::uint32_t> first;  ///< first grouped pair of each owner; size bodies + 1
  /// First slot of each pair; size pairs + 1, or empty: slot k belongs to pair k
  AlignedVector<std::uint32_t> first_place;
  /// Feature of each slot, kNoFeature where the slot is free; empty where first_place is
  AlignedVector<std::uint32_t> feature;
  /// Repelling impulse of each slot, on B, inertial frame [N s]; zero without a contact
  AlignedVector<Vec3> impulse;
  /// Memory of a compliant law in each slot, and the moment of its springs on B [N m]; empty if no
  /// law, and no law with moments, is compliant
  AlignedVector<ForceMemory> force_memory;
  AlignedVector<Vec3> force_moment;
  /// R* of each slot, where a sphere came to touch an obstacle [m]; empty if no obstacle has more
  /// than one, and if no law needs it
  AlignedVector<double> force_radius;
  /// State of the springs at points, by slot; empty where `feature` is, or without such laws
  AlignedVector<ForceHeld> force_held;
  /// Angular impulse of rolling friction in each slot, on B, inertial frame [N m s]; empty without
  /// such friction
  AlignedVector<Vec3> angular_impulse;
  /// Velocity of most bodies, or zero: only motion relative to it uses up skins [m/s]
  Vec3 drift;
  /// Rest of each body's skin: distance that it may still move before the list is stale [m]
  AlignedVector<double> skin;
  std::vector<ObstacleApproach> obstacle_skin;  ///< rest of the obstacles' skins

  /// True if a pair was added since the list was built; added() counts them.
  bool is_added(std::size_t pair) const { return pair >= first.back(); }
  std::size_t added() const { return first.empty() ? 0 : pairs.size() - first.back(); }
  /// Grouped pair by its owner; null if there is none.
  const Pair* find_owned(BodyIndex owner, BodyIndex other) const {
    if (owner + std::size_t{1} >= first.size()) return nullptr;
    for (std::uint32_t p = first[owner]; p < first[owner + 1]; ++p)
      if (pairs[p].other == other) return &pairs[p];
    return nullptr;
  }

  /// Slots of a pair, as [begin, end).
  struct Places {
    std::size_t begin, end;
    std::size_t count() const { return end - begin; }
  };
  Places places(std::size_t pair) const {
    if (first_place.empty()) return {pair, pair + 1};
    return {first_place[pair], first_place[pair + 1]};
  }
  /// True if springs at points have memories.
  bool holds_points() const { return !feature.empty() && !force_memory.empty(); }
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
  /// Slot of a point of a pair; kNowhere if it has none.
  std::size_t place_of(std::size_t pair, std::uint32_t point_feature) const {
    if (first_place.empty()) return pair;
    for (auto [slot, end] = places(pair); slot < end; ++slot)
      if (feature[slot] == point_feature) return slot;
    return kNowhere;
  }
  /// Impulse of the first point of a pair; zero if it had none.
  Vec3 remembered(std::size_t pair) const {
    const Places own = places(pair);
    return own.count() == 0 ? Vec3{} : impulse[own.begin];
  }
  /// Impulse of a point of a pair; zero if it had none.
  Vec3 remembered(std::size_t pair, std::uint32_t point_feature) const {
    const std::size_t slot = place_of(pair, point_feature);
    return slot == kNowhere ? Vec3{} : impulse[slot];
  }

  /// Value of the skin of a removed body: nothing can use it up.
  static constexpr double kLeft = std::numeric_limits<double>::infinity();
  bool has_left(std::size_t body) const { return body < skin.size() && skin[body] == kLeft; }
  /// True if a body of the pair was removed.
  bool has_left(const Pair& pair) const {
    return has_left(pair.owner) || (!(pair.other & kObstacle) && has_left(pair.other));
  }

  bool valid = false;  ///< false: to be rebuilt before the next solve
};

/// Periodic cell: its edges, flow, stress and work. All is zero without periodic axes.
struct CellState {
  UpperTriangle edges;     ///< see Domain [m]
  UpperTriangle gradient;  ///< velocity gradient of images in the next step [1/s]
  /// Stress on faces across x, y, z, positive in compression [Pa]: by contacts in the last step, by
  /// the velocities of bodies relative to the flow in the last step, and the smoothed sum
  std::array<Vec3, 3> contact_stress{}, kinetic_stress{}, smooth_stress{};
  /// done by the cell on bodies since the start, included in the ledger's wall_work [J]
  double work = 0;
  bool operator==(const CellState&) const = default;
};
inline Domain domain_of(const CellState& cell) { return {cell.edges, cell.gradient}; }

struct State {
  double time = 0;  ///< [s]
  std::uint64_t step = 0;
  std::uint64_t next_id = 0;  ///< id of the next body that enters
  Bodies bodies;
  std::vector<ObstacleState> obstacles;  ///< one per Model::obstacles
  std::vector<InflowState> inflows;      ///< one per Model::inflows
  std::vector<FillingState> fillings;    ///< one per Model::fillings
  std::vector<JointState> joints;        ///< one per Model::joints
  /// Targets of motors that a user has set, one per free_coordinates(); NaN: that of the model
  /// holds. A state that is not of a simulation may have none
  AlignedVector<double> joint_targets;
  std::vector<ChangedMotor> changed_motors;  ///< in rising order of coordinates
  CellState cell;
  Neighbours neighbours;
  EnergyLedger ledger;
  ForceBooks force_total;  ///< sum of all compliant laws
  /// One per law of force_laws_of() if there are two or more, else empty
  std::vector<ForceBooks> force_books;
  /// work of fields since the start, included in the ledger's wall_work [J]
  double field_work = 0;
  AlignedVector<Wrench> applied;  ///< on each body in the next step only; or empty: none
  /// Obstacles whose twist a user has set; in rising order.
  std::vector<std::uint32_t> moved_by_hand;
  std::vector<ObstacleLoad> obstacle_loads;  ///< one per Model::obstacles
  std::vector<Wrench> step_loads;            ///< their means in the last step [N], [N m]
  AlignedVector<Wear> facet_wear;            ///< one per facet, see first_worn_facet()
  Sleep sleep;
};

/// Calls f(name, field) for all fields of a state, in a fixed order: the content of a checkpoint.
/// Fields are numbers, or arrays of numbers or of structs of numbers.
template <class AnyState, class F>
void for_each_field(AnyState& state, F&& f) {
  f("time", state.time), f("step", state.step), f("next_id", state.next_id);
  const char* const* name = Bodies::kFieldNames;
  state.bodies.for_each_field([&](auto& field) { f(*name++, field); });
  f("obstacles", state.obstacles), f("inflows", state.inflows);
  f("fillings", state.fillings);
  f("joints", state.joints);
  f("joint_targets", state.joint_targets), f("changed_motors", state.changed_motors);
  f("cell", state.cell);
  auto& n = state.neighbours;
  f("pairs", n.pairs), f("first_pair", n.first);
  f("first_place", n.first_place), f("feature", n.feature), f("impulse", n.impulse);
  f("force_memory", n.force_memory), f("force_moment", n.force_moment);
  f("force_radius", n.force_radius), f("force_held", n.force_held);
  f("angular_impulse", n.angular_impulse);
  f("drift", n.drift), f("skin", n.skin), f("obstacle_skin", n.obstacle_skin), f("valid", n.valid);
  f("dissipated", state.ledger.dissipated), f("wall_work", state.ledger.wall_work);
  f("force_total", state.force_total);
  f("force_books", state.force_books);
  f("field_work", state.field_work);
  f("applied", state.applied);
  f("moved_by_hand", state.moved_by_hand);
  f("obstacle_loads", state.obstacle_loads), f("step_loads", state.step_loads);
  f("facet_wear", state.facet_wear);
  auto& sleep = state.sleep;
  f("kept_place", sleep.position), f("kept_orientation", sleep.orientation);
  f("calm_steps", sleep.calm_steps), f("island", sleep.island);
  f("sleeping_contacts", sleep.contacts);
}

struct Model;

/// A state at t = 0 for a model: obstacles in place, no free bodies yet.
State initial_state(const Model& model);

/// Throws InputError unless the arrays of a state have sizes, and its pairs name bodies and
/// obstacles, that fit each other. Whatever reads a state relies on that, state_hash() too.
void check_arrays(const State& state);

/// Hash of everything a restart needs, over ids and keys of contacts: equal iff the runs continue
/// bit for bit equal (up to hash collisions of 64 bits), for any order in which bodies and pairs
/// are stored.
std::uint64_t state_hash(const State& state);

/// Hash of the motion: pose, velocities and radius of every body by its id, pose and twist of every
/// obstacle. It is independent of the order of the bodies and of the memories of contacts.
std::uint64_t motion_hash(const State& state);

}  // namespace scree

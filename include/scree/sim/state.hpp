/// What a restart needs, and what the state hash covers.
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

/// Masses that can be computed with: squares of them and of their inverses stay far from the ends
/// of double precision [kg].
inline constexpr double kMinMass = 1e-70, kMaxMass = 1e70;
inline bool is_usable_mass(double mass) { return mass >= kMinMass && mass <= kMaxMass; }

/// One free body, to fill Bodies with.
struct Body {
  BodyId id;
  Vec3 position;             ///< of the centre of mass [m]
  Quaternion orientation{};  ///< principal frame to inertial frame
  Vec3 velocity{};           ///< [m/s]
  Vec3 angular_velocity{};   ///< [rad/s], inertial frame
  double radius = 0;         ///< of the bounding sphere [m] > 0
  double mass = 0;           ///< [kg] > 0
  PrototypeId prototype = 0;
  MaterialId material = 0;
};

/// Free bodies, one array a field. The order changes while the simulation runs; ids do not. A body
/// that was removed, by an outflow or by hand, acts on nobody and counts nowhere; its entries stay,
/// and do not change, until the list of neighbours is made again: Neighbours::has_left tells.
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

/// By how much an obstacle comes nearer to a body: by a way and, of a half-space, by a turn of its
/// normal, the further the body is from where the obstacle's frame stands.
struct ObstacleApproach {
  double way = 0;   ///< [m]
  double turn = 0;  ///< [rad]

  /// At a distance from the frame [m].
  double at(double distance) const { return way + turn * distance; }
  bool covers(const ObstacleApproach& other) const {
    return other.way <= way && other.turn <= turn;
  }
};
inline ObstacleApproach operator+(const ObstacleApproach& a, const ObstacleApproach& b) {
  return {a.way + b.way, a.turn + b.turn};
}
inline ObstacleApproach operator-(const ObstacleApproach& a, const ObstacleApproach& b) {
  return {a.way - b.way, a.turn - b.turn};
}
inline ObstacleApproach operator*(double factor, const ObstacleApproach& a) {
  return {factor * a.way, factor * a.turn};
}

struct ObstacleState {
  Pose pose;
  Twist twist;  ///< during the step that led here, or the next if moved by hand
};

/// Energy that contacts took [J]; with compliant laws springs are in it until they give it back.
struct Wear {
  double impact = 0;   ///< along normals
  double sliding = 0;  ///< along the surface, and by rolling friction

  Wear& operator+=(const Wear& other) {
    impact += other.impact;
    sliding += other.sliding;
    return *this;
  }
};

/// What contacts and joints did to an obstacle, summed up since the start.
struct ObstacleLoad {
  Vec3 impulse;          ///< on the obstacle [N s]
  Vec3 angular_impulse;  ///< about its pivot as it stood when each step began [N m s]
  double work = 0;       ///< that the obstacle did on bodies by its motion and its surface's [J]
  Wear wear;             ///< of all its contacts
};

struct InflowState {
  double travelled = 0;      ///< of the plate since it was last put back [m]
  std::uint64_t layers = 0;  ///< laid so far
  RandomStream random;
};

/// What has entered, and the body that is to come next.
struct FillingState {
  std::uint64_t entered = 0;
  double mass = 0;  ///< of these [kg]
  RandomStream random;
  std::uint64_t next_kind = 0;  ///< 1 + its index; 0: it has not been drawn
  double next_radius = 0;       ///< of its bounding sphere [m]
};

/// What a joint remembers from step to step.
struct JointState {
  std::array<double, 6> held{};  ///< impulses of its rows [N s]
  /// Of each coordinate: of its limit, motor, spring and friction [N s]
  std::array<std::array<double, 4>, 3> driven{};
  std::array<double, 3> coordinate{};  ///< turns are counted [m] or [rad]
  double stored = 0;                   ///< in its springs, as the report has it [J]
  /// Of its rows, then of its coordinates: how much more they bent in the last step, with contacts,
  /// than velocities before it had it: docs/theory/joints.md [m/s]
  std::array<double, 9> curvature{};
  double broken_at = -1;  ///< when it broke [s]; negative: it is whole
};

/// Cumulated since the start of the run [J].
struct EnergyLedger {
  /// In contacts: −Σ r·(u⁻ + u⁺)/2, less what pushing overlapping bodies apart gives them.
  double dissipated = 0;
  /// From outside: done on bodies by moving obstacles, by fields, by applied forces and by what is
  /// changed by hand between steps, and carried in and out by bodies that enter and leave.
  double wall_work = 0;
};

/// Pairs that may touch before the list is made again, with the impulses each carried at the end
/// of the last step. Owned by the body listed first; part of the state because warm start and the
/// order of sums follow it.
///
/// What a contact remembers is kept by (a, b, feature). Among spheres a pair has one place. Else it
/// has one for each point of the last step; or, if a law is compliant, for each that it can have:
/// kMaxManifoldPoints where a shape is no sphere, or more of some polyhedra (see max_overlaps);
/// kMaxSurfacePoints where an obstacle is a surface, of clumps so many at most.
struct Neighbours {
  using Pair = BodyPair;  ///< `other` is a free body, or kObstacle | index of an obstacle
  static constexpr BodyIndex kObstacle = BodyIndex{1} << 31;
  static constexpr std::uint32_t kMaxManifoldPoints = 4, kNoFeature = 0xffffffff;
  /// The same of a body and a surface; see kMaxOnSurface
  static constexpr std::uint32_t kMaxSurfacePoints = 12;

  /// Grouped by owner; then those that were added since, where bodies went further than others
  AlignedVector<Pair> pairs;
  AlignedVector<std::uint32_t> first;  ///< of each owner in the grouped ones; size bodies + 1
  /// Of each pair; size pairs + 1, or empty: pair k has place k alone
  AlignedVector<std::uint32_t> first_place;
  /// Of each place, kNoFeature where it is free; empty where first_place is
  AlignedVector<std::uint32_t> feature;
  /// Of each place: what repels, on B, inertial frame [N s]; zero where there was no contact
  AlignedVector<Vec3> impulse;
  /// Of each place, what a compliant law remembers, and the moment of its springs on B [N m]; empty
  /// if no law, and no law with moments, is compliant
  AlignedVector<ForceMemory> force_memory;
  AlignedVector<Vec3> force_moment;
  /// Of each place: R* where a sphere came to touch an obstacle [m]; empty where no obstacle has
  /// more than one, or no law asks
  AlignedVector<double> force_radius;
  /// Of each place, what springs at points hold; empty where `feature` is, or without such laws
  AlignedVector<ForceHeld> force_held;
  /// Of each place: what resisted turning, on B, inertial frame [N m s]; or empty: nothing does
  AlignedVector<Vec3> angular_impulse;
  /// With which most bodies move, or zero: slack is used up by motion relative to it [m/s]
  Vec3 drift;
  /// By how much each body's reach may still grow before the list is stale [m]
  AlignedVector<double> skin;
  std::vector<ObstacleApproach> obstacle_skin;  ///< the same for obstacles

  /// Whether a pair was added since the list was made; how many were.
  bool is_added(std::size_t pair) const { return pair >= first.back(); }
  std::size_t added() const { return first.empty() ? 0 : pairs.size() - first.back(); }
  /// A grouped pair by its owner; null if there is none.
  const Pair* find_owned(BodyIndex owner, BodyIndex other) const {
    if (owner + std::size_t{1} >= first.size()) return nullptr;
    for (std::uint32_t p = first[owner]; p < first[owner + 1]; ++p)
      if (pairs[p].other == other) return &pairs[p];
    return nullptr;
  }

  /// Where a pair remembers, as [begin, end).
  struct Places {
    std::size_t begin, end;
    std::size_t count() const { return end - begin; }
  };
  Places places(std::size_t pair) const {
    if (first_place.empty()) return {pair, pair + 1};
    return {first_place[pair], first_place[pair + 1]};
  }
  /// Whether springs at points remember what they hold.
  bool holds_points() const { return !feature.empty() && !force_memory.empty(); }
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
  /// Where a point of a pair remembers; kNowhere if it was none.
  std::size_t place_of(std::size_t pair, std::uint32_t point_feature) const {
    if (first_place.empty()) return pair;
    for (auto [place, end] = places(pair); place < end; ++place)
      if (feature[place] == point_feature) return place;
    return kNowhere;
  }
  /// The impulse that the first point of a pair carried; zero if it had none.
  Vec3 remembered(std::size_t pair) const {
    const Places own = places(pair);
    return own.count() == 0 ? Vec3{} : impulse[own.begin];
  }
  /// The impulse that a point of a pair carried; zero if it was none.
  Vec3 remembered(std::size_t pair, std::uint32_t point_feature) const {
    const std::size_t place = place_of(pair, point_feature);
    return place == kNowhere ? Vec3{} : impulse[place];
  }

  /// The slack of a body that was removed: it has no reach that could grow.
  static constexpr double kLeft = std::numeric_limits<double>::infinity();
  bool has_left(std::size_t body) const { return body < skin.size() && skin[body] == kLeft; }
  /// True if a body of the pair was removed.
  bool has_left(const Pair& pair) const {
    return has_left(pair.owner) || (!(pair.other & kObstacle) && has_left(pair.other));
  }

  bool valid = false;  ///< false: to be made again before the next solve
};

/// The cell that repeats, as it stands and flows, and what it did. All is zero where none repeats.
struct CellState {
  UpperTriangle edges;     ///< see Domain [m]
  UpperTriangle gradient;  ///< of the velocity that images have in the next step [1/s]
  /// On faces across x, y, z, positive where they are pressed: of contacts, and of the velocities
  /// that bodies have beside the flow; of the last step, and smoothed [Pa]
  std::array<Vec3, 3> contact_stress{}, kinetic_stress{}, smooth_stress{};
  double work = 0;  ///< of the cell on bodies since the start, part of the ledger's wall_work [J]
  bool operator==(const CellState&) const = default;
};
inline Domain domain_of(const CellState& cell) { return {cell.edges, cell.gradient}; }

struct State {
  double time = 0;  ///< [s]
  std::uint64_t step = 0;
  std::uint64_t next_id = 0;  ///< given to the next body that enters
  Bodies bodies;
  std::vector<ObstacleState> obstacles;  ///< one per Model::obstacles
  std::vector<InflowState> inflows;      ///< one per Model::inflows
  std::vector<FillingState> fillings;    ///< one per Model::fillings
  std::vector<JointState> joints;        ///< one per Model::joints
  CellState cell;
  Neighbours neighbours;
  EnergyLedger ledger;
  ForceBooks force_total;  ///< of all compliant laws
  /// One per law of force_laws_of() if there are two or more, else empty
  std::vector<ForceBooks> force_books;
  double field_work = 0;          ///< of fields since the start, part of the ledger's wall_work [J]
  AlignedVector<Wrench> applied;  ///< to each body in the next step alone; or empty: to none
  /// Obstacles whose twist stays until it is changed; in rising order.
  std::vector<std::uint32_t> moved_by_hand;
  std::vector<ObstacleLoad> obstacle_loads;  ///< one per Model::obstacles
  std::vector<Wrench> step_loads;            ///< of these [N], [N m]: in the last step, in its mean
  AlignedVector<Wear> facet_wear;            ///< of each facet, see first_worn_facet()
  Sleep sleep;
};

/// Calls f(name, field) for all that a state consists of, in a fixed order: what a checkpoint
/// keeps. Fields are numbers, or arrays of numbers or of structs of them.
template <class AnyState, class F>
void for_each_field(AnyState& state, F&& f) {
  f("time", state.time), f("step", state.step), f("next_id", state.next_id);
  const char* const* name = Bodies::kFieldNames;
  state.bodies.for_each_field([&](auto& field) { f(*name++, field); });
  f("obstacles", state.obstacles), f("inflows", state.inflows);
  f("fillings", state.fillings);
  f("joints", state.joints);
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
  f("kept_place", sleep.place), f("kept_orientation", sleep.orientation);
  f("calm_steps", sleep.calm_steps), f("island", sleep.island);
  f("sleeping_contacts", sleep.contacts);
}

struct Model;

/// A state at t = 0 for a model: obstacles in place, no free bodies yet.
State initial_state(const Model& model);

/// Hash of everything a restart needs, over ids and keys of contacts: equal iff the runs go on
/// equal bit by bit (up to hash collisions of 64 bits), in whatever order bodies and pairs are
/// stored.
std::uint64_t state_hash(const State& state);

/// Hash of what moves and how: pose, velocities and radius of every body by its id, pose and twist
/// of every obstacle. Neither the order in which bodies are stored nor what contacts remember
/// enters: where only those change, this hash stays.
std::uint64_t motion_hash(const State& state);

}  // namespace scree

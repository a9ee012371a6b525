/// What a step needs besides the state: made anew each step, in memory that is kept.
#pragma once

#include <array>
#include <optional>

#include "scree/collision/surface_contacts.hpp"
#include "scree/contact/wavefront.hpp"
#include "scree/core/exact_sum.hpp"
#include "scree/core/radix_sort.hpp"
#include "scree/sim/report.hpp"
#include "scree/sim/state.hpp"
#include "scree/solvers/gauss_seidel.hpp"
#include "scree/solvers/position_correction.hpp"
#include "sim/force_scratch.hpp"
#include "sim/joints/joint_scratch.hpp"
#include "sim/pair_points.hpp"
#include "sim/wrench_sum.hpp"

namespace scree {

/// Impacts of a step by phases, compression and expansion: see compress() and expand(). Empty where
/// the law of impacts needs none.
struct ImpactPhases {
  /// Of a contact. Velocities and impulses as its block has them: of spheres in the inertial
  /// frame, else in the contact's.
  struct ImpactContact {
    double restitution;                 ///< e, 0 where no contact is [-]
    double bias;                        ///< b_n of the problem [m/s]
    Vec3 before;                        ///< u before the impact [m/s]
    Vec3 start;                         ///< impulse that the problem is solved from [N s]
    Vec3 solved;                        ///< and that it was solved with [N s]
    Vec3 compression;                   ///< r^C [N s]
    Vec3 expansion;                     ///< r^E [N s]
    Vec3 free;                          ///< u before the problem's impulses [m/s]
    Vec3 rolling_before, rolling_free;  ///< w at the times of `before` and `free` [m/s]
    double work;                        ///< of compression, ≥ 0 but for what others pass on [J]
    double solve_work;                  ///< −r·(u_free + u)/2 of the problem's impulses [J]
    double residual;                    ///< the largest of all phases [m/s]
    double violation;                   ///< of complementarity, of all phases [J]
  };
  AlignedVector<ImpactContact> places;  ///< as ContactIndex counts them

  /// Of a joint of the problem, by row.
  struct JointImpact {
    using Numbers = std::array<double, JointBlock::kMaxRows>;
    JointBlock asked;      ///< as the step asks for it, with its impulses
    Numbers before, free;  ///< rates before the impact, and before the problem's impulses [m/s]
    Numbers compression, expansion;  ///< impulses [N s]
    double work;                     ///< of compression [J]
  };
  std::vector<JointImpact> joints;  ///< as ContactProblem::joints
  /// Works of joints as contacts have them, of the rows that pass impacts on [J].
  struct JointWorks {
    double compression = 0;            ///< −r^C·(u⁻ + u^C)/2
    double solve = 0;                  ///< −r·(u_free + u)/2
    double linear = 0, quadratic = 0;  ///< r^E·u and r^E·W r^E
    double driven = 0;                 ///< r^E times the rate that is kept: from outside
    JointWorks& operator+=(const JointWorks& other) {
      compression += other.compression;
      solve += other.solve;
      linear += other.linear;
      quadratic += other.quadratic;
      driven += other.driven;
      return *this;
    }
  };
  std::vector<JointWorks> joint_works;  ///< of each free body, of the island it is first of
  double driven = 0;                    ///< of all joints, see JointWorks; 0 without an expansion

  bool any = false;  ///< something hits in this step: the rest is of it
  /// Before the impact; then those without it; then those before expansion. By Newton's law, those
  /// before the step
  AlignedVector<BodyRecord> bodies;
  /// With the impulses that the problem starts from; then those that it was solved with
  AlignedVector<RollingBlock> rolling;
  AlignedVector<RollingBlock> given_rolling;  ///< with those of friction of what e gives back
  AlignedVector<std::uint32_t> island;        ///< of each free body: the first body of its island
  AlignedVector<SortItem> order, buffer;      ///< places by island
  AlignedVector<double> share;  ///< of each free body: χ of the island it is first of [-]
  std::vector<ExactSum> sums;   ///< one a chunk of places
  SolveResult worst;            ///< over the phases, see certify()

  bool gives_back(std::size_t place) const {
    return any && places[place].restitution > 0 && places[place].compression != Vec3{};
  }
  double joint_impulse_of_impact(std::size_t joint, std::size_t row) const {
    return any ? joints[joint].compression[row] + joints[joint].expansion[row] : 0;
  }
  /// What the next step has no use for [N s].
  Vec3 impulse_of_impact(std::size_t place) const {
    return any ? places[place].compression + places[place].expansion : Vec3{};
  }
};

struct Scratch {
  static constexpr std::uint32_t kNoContact = 0xffffffff;
  /// A contact of spheres that assemble has yet to place
  static constexpr std::uint32_t kUnplaced = 0xfffffffe;
  /// Flag of a slot: the rest is 8 · block + lane of problem.full
  static constexpr std::uint32_t kFull = 0x80000000;
  /// Flag of a slot without kFull: the rest is 8 · block + lane of forces.blocks, the first point's
  static constexpr std::uint32_t kForce = 0x40000000;
  static bool is_force(std::uint32_t slot) { return (slot & (kFull | kForce)) == kForce; }

  ContactProblem problem;
  GaussSeidel solver;
  SolveResult solved;
  ImpactPhases phases;

  PositionCorrection correction;
  AlignedVector<Vec3> workspace;  ///< to it, where pairs that sleep need what they remember
  /// What its motions are scaled by, so that no body goes too far; 0: there are none [-]
  double pseudo_velocity_scale = 0;
  std::vector<double> scales;  ///< one a chunk of bodies
  JointScratch joints;
  bool has_pseudo_velocities() const {
    return pseudo_velocity_scale > 0 || !joints.pseudo_velocity.empty();
  }
  /// What pushes a body off others and closes its joints, apart from its velocity; as
  /// PositionCorrection has them [m/s].
  Vec3 pseudo_velocity(BodyIndex i) const {
    const Vec3 off =
        pseudo_velocity_scale > 0 ? pseudo_velocity_scale * correction.velocity(i) : Vec3{};
    return joints.pseudo_velocity.empty() ? off : off + joints.pseudo_velocity[i].velocity;
  }
  Vec3 pseudo_spin(BodyIndex i) const {
    const Vec3 off =
        pseudo_velocity_scale > 0 ? pseudo_velocity_scale * correction.spin(i) : Vec3{};
    return joints.pseudo_velocity.empty() ? off : off + joints.pseudo_velocity[i].spin;
  }

  ForceContacts forces;
  /// The leapfrog began in another run: see is_within_leapfrog()
  bool resumed = false;

  int rounds = 0;  ///< of this step: how often pairs were taken up, see resolve_missed_contacts()

  /// What stages ask of a prototype again and again.
  struct BodyTraits {
    bool sphere, isotropic;
    Vec3 spin_scale;          ///< √j_k, see ContactProblem; (1, 1, 1) where isotropic [-]
    double inscribed_radius;  ///< over the bounding one [-]
    Locks locked;
    std::uint32_t balls;  ///< spheres that it is made of, 1 of a sphere; 0 of other shapes
  };
  std::vector<BodyTraits> kinds;  ///< of each prototype
  /// No prototype has another shape, and no obstacle is a surface or a clump
  bool all_spheres = true;
  bool all_sphere_contacts = true;  ///< every contact there can be is one of a SphereContactBlock
  /// In problem.laws, of each pair of materials as in LawTable::all
  std::vector<std::uint32_t> law_index;
  /// Of each of problem.laws: whether its contacts have rolling rows. Two entries there may
  /// differ in this alone.
  std::vector<std::uint8_t> law_resists_rolling;
  bool any_rolling = false;   ///< some contact can have rolling rows
  bool any_cohesion = false;  ///< some law has F_c > 0
  /// What contacts of spheres need of a law.
  struct SphereLaw {
    double friction, restitution;  ///< μ, or 0 without friction, and e [-]
    double cohesion;               ///< F_c [N]
  };
  std::vector<SphereLaw> sphere_laws;  ///< of each pair of materials as in LawTable::all
  /// Of each free body: its part of the gap below which a pair is a contact [m]
  AlignedVector<float> margin;
  /// Of an obstacle that is moved as prescribed, in this step.
  struct Prescribed {
    Twist twist;
    Pose after;  ///< where it stands at the end
  };
  std::vector<Prescribed> prescribed;  ///< of each obstacle
  std::vector<ObstacleApproach> obstacle_margin;

  /// Of each pair: when it is relaxed, as `plan` reads it. Made with the list of pairs.
  AlignedVector<std::uint32_t> turn;
  WavePlan plan;
  /// Groups of the problem are waves.
  std::uint32_t group_of(std::size_t pair) const { return plan.wave_of(turn[pair]); }
  /// Of each pair: 8 · block + lane, or kFull | 8 · block + lane, or kNoContact
  AlignedVector<std::uint32_t> slot;
  AlignedVector<float> gap;      ///< of each slot, for output [m]
  bool any_restitution = false;  ///< some law has e > 0
  /// e of each slot whose pair is apart and gets no rebound in this step, else 0 [-]; empty if
  /// there is no restitution.
  AlignedVector<float> suppressed_restitution;

  /// A pair of a body and an obstacle that is a contact, and one of its points: see
  /// find_tight_contacts().
  struct TightPlace {
    BodyIndex body;
    std::uint32_t obstacle, pair;
  };
  struct TightPoint {
    std::uint32_t obstacle, feature;
    Vec3 normal;  ///< along what the body can move
    TightContact tight;
  };
  /// A joint that holds a free body to what does not move: see forget_what_joints_hold().
  struct Anchor {
    BodyIndex body;
    std::uint32_t joint;  ///< in the problem
  };
  std::vector<TightPlace> tight_places;
  std::vector<TightPoint> tight_points;
  std::vector<Anchor> anchors;

  static constexpr int kBitsOfPlace = 26;  ///< of an index in its chunk of pairs
  static constexpr std::uint32_t kPlace = (1U << kBitsOfPlace) - 1;
  /// A pair with contact blocks that is a contact: its points are `count` from `first` on in its
  /// chunk.
  struct FullPair {
    std::uint32_t pair, law, first, count;
    /// Of a moving obstacle, for the first point, the others' follow; 0 without one, and anything
    /// else until place_stacks gives it.
    std::uint32_t record;
  };
  struct FullChunk {
    AlignedVector<FullPair> pairs;
    FullPoints points;
  };
  std::vector<FullChunk> full_found;  ///< one a chunk of pairs
  /// Of each pair with a shape that is no sphere: a direction along which it was apart when it was
  /// last looked at, or zero. To see without much work that it still is; nothing depends on it.
  AlignedVector<RoughDirection> cached_separating_axis;
  /// Facets that spheres on meshes know, and of each pair where its own are, or kNone; empty where
  /// no obstacle is a mesh. Nothing depends on them, either.
  AlignedVector<KnownFacets> known_facets;
  AlignedVector<std::uint32_t> knows;
  static constexpr std::uint32_t kNone = 0xffffffff;
  /// Up to eight pairs of a group and a law, a lane each: FullPairs `order[first]` to `order[first
  /// + lanes - 1]`.
  struct Stack {
    std::uint32_t block, first, lanes;
    std::uint32_t rolling;  ///< its first block in problem.rolling, or ContactBlock::kNone
  };
  std::vector<Stack> stacks;
  /// Value: chunk of pairs << kBitsOfPlace | index of its pair
  AlignedVector<SortItem> order, order_buffer;
  const FullPair& full_pair(const SortItem& item) const {
    return full_found[item.value >> kBitsOfPlace].pairs[item.value & kPlace];
  }
  const FullPoints& points_with(const SortItem& item) const {
    return full_found[item.value >> kBitsOfPlace].points;
  }
  /// Of each place in problem.full with a contact: chunk of pairs << kBitsOfPlace | index of its
  /// point
  AlignedVector<std::uint32_t> full_points;
  AlignedVector<float>
      full_suppressed_restitution;  ///< of each place in problem.full, as `suppressed_restitution`
  const FullPoints::Point& full_point(std::size_t place) const {
    const std::uint32_t point = full_points[place];
    return full_found[point >> kBitsOfPlace].points[point & kPlace];
  }
  /// Of each slot, and of each place in problem.full: see ContactTerms [m/s]; both empty without
  /// cohesion.
  AlignedVector<double> rounding, full_rounding;

  /// Pairs are cut into kPairChunks runs. Row c: contacts of each group in chunk c, then contacts
  /// with moving obstacles; after the prefix sum: where they go.
  AlignedVector<std::uint32_t> chunk_count;
  Domain domain;  ///< of the step
  /// Of a step in which the cell flows: by how much the flow changes a length at most [-]; or 0
  double strain = 0;
  /// What the cell did in the step by contacts, −Σ r·w over pairs, w the flow between them [J]
  double cell_rigid_work = 0, cell_soft_work = 0;
  ForcePower on_cell;  ///< of compliant forces against that flow [W]
  struct CellSums {
    std::array<std::array<ExactSum, 3>, 3> virial;  ///< Σ way × impulse, of which row the way is
    ExactSum rigid_work, soft_work;                 ///< [J]
    ExactSum elastic, damping, shear;               ///< see ForcePower [W]

    template <class F>
    void for_each_sum(F&& f) {
      for (auto& row : virial)
        for (ExactSum& sum : row) f(sum);
      f(rigid_work), f(soft_work), f(elastic), f(damping), f(shear);
    }
  };
  std::vector<CellSums> cell_sums;
  std::vector<std::uint8_t> layers_due;  ///< of each inflow in this step: 0 or 1

  /// Of each free body: whether it goes further than its margin, see resolve_missed_contacts()
  AlignedVector<std::uint8_t> outrun;

  // Sums that stages make, one a chunk.

  struct MarginCounts {
    std::uint32_t outrun = 0;  ///< bodies that go further than their margin
    std::uint32_t stale = 0;   ///< bodies whose margin the neighbour list does not cover
  };
  std::vector<MarginCounts> margin_counts;
  std::size_t stale = 0;  ///< their sum, until the list is mended

  struct ContactSums {
    ExactSum squared_q, squared_rounding;  ///< see ContactProblem [m²/s²]
    double deepest = 0;                    ///< least gap, if negative [m]
    std::uint32_t contacts = 0;
    std::uint32_t touching = 0;  ///< of them, with gap < 0
    double depth = 0;            ///< largest overlap over the smaller inner radius [-]
    double turn_cosine = 1;      ///< least of all, see SeparatingPlane [-]

    void clear() {
      squared_q.clear();
      squared_rounding.clear();
      deepest = 0;
      contacts = touching = 0;
      depth = 0;
      turn_cosine = 1;
    }
  };
  std::vector<ContactSums> contact_sums;

  /// Contacts with obstacles, and what they did.
  struct ObstacleContacts {
    /// What a contact took at a facet.
    struct WornFacet {
      std::uint32_t facet;
      BodyId body;
      Wear taken;
    };
    /// Some of the contacts of one obstacle: pairs[begin] to pairs[end − 1], and their sums.
    struct Task {
      std::uint32_t obstacle = 0, begin = 0, end = 0;
      WrenchSum wrench;                ///< impulses on it, torques about its pivot
      ExactSum rigid_work, soft_work;  ///< that it did on bodies, by kinds of laws [J]
      ExactSum impact, sliding;        ///< see Wear
      std::vector<WornFacet> worn;

      void clear() {
        wrench.clear();
        for (ExactSum* sum : {&rigid_work, &soft_work, &impact, &sliding}) sum->clear();
        worn.clear();
      }
      Task& operator+=(const Task& other) {
        wrench += other.wrench;
        rigid_work += other.rigid_work;
        soft_work += other.soft_work;
        impact += other.impact;
        sliding += other.sliding;
        return *this;
      }
    };
    static constexpr std::size_t kNotYet = static_cast<std::size_t>(-1);
    /// A pair of the list, of a body and an obstacle.
    struct ObstaclePair {
      std::uint32_t pair;
      BodyIndex body;
      std::uint32_t obstacle;
    };
    std::vector<ObstaclePair> listed;              ///< in the order of the list
    std::size_t looked_at = kNotYet;               ///< pairs of the list
    std::vector<std::vector<ObstaclePair>> found;  ///< contacts among them, one list a chunk
    std::vector<std::uint32_t> end;                ///< of each obstacle in `pairs`
    std::vector<ObstaclePair> pairs;               ///< by obstacle
    std::vector<Task> task;                        ///< the first `tasks` are of this step
    std::size_t tasks = 0;
    std::vector<WornFacet> worn;
    double rigid_work = 0, soft_work = 0;  ///< of all obstacles [J]
  };
  ObstacleContacts obstacle_contacts;

  /// What fields do in this step.
  struct Fields {
    /// What a field's expressions are of, and which of them there are.
    struct Use {
      bool force = false, torque = false;
      bool force_by_velocity = false, torque_by_spin = false;
      bool force_by_place = false;
    };
    std::vector<Use> uses;       ///< of each field
    std::vector<double> volume;  ///< of each prototype, over the cube of the radius [-]
    /// Of each free body, as if constant for the step; empty without fields
    AlignedVector<Wrench> wrench;
    std::vector<FieldLook> looks;  ///< one a chunk of bodies
  };
  Fields fields;

  struct BodySums {
    ExactSum kinetic, potential;  ///< at the end of the step [J]
    /// Of impulses, against the mean of velocities before and after the step [J]
    ExactSum contact_work;
    ExactSum applied_work;  ///< of fields and of applied forces, against the same mean [J]
    ExactSum field_work;    ///< of fields alone [J]
    ExactSum gained;        ///< kinetic energy beyond that of the free velocities [J]
    ExactSum push_work;     ///< energy given by the motions of `correction` [J]
    ExactSum local_work;    ///< of local damping, against the same mean [J]
    ExactSum slowed_work;   ///< of joints, that does not reach bodies by inertia_scaling_of() [J]
    ExactSum start_work;    ///< in a first step, see add_work_of_start() [J]
    double heaviest = 0;    ///< largest mass [kg]
    /// Kinetic and potential energy of bodies that leave in this step [J]
    ExactSum carried_out;
    std::uint32_t not_finite = 0;  ///< bodies
    std::uint32_t leaving = 0;     ///< bodies
    std::size_t bodies = 0;        ///< that are there at the end of the step
  };
  std::vector<BodySums> body_sums;
};

inline constexpr std::size_t kPairChunks = 64;  ///< however many threads there are
inline constexpr std::size_t kBodiesPerChunk = 1024;

}  // namespace scree

/// Data of a step besides the state: rebuilt in each step, in memory that stays.
#pragma once

#include <array>
#include <optional>

#include "scree/collision/surface_contacts.hpp"
#include "scree/core/exact_sum.hpp"
#include "scree/core/radix_sort.hpp"
#include "scree/sim/report.hpp"
#include "scree/sim/state.hpp"
#include "scree/solvers/gauss_seidel.hpp"
#include "scree/solvers/position_correction.hpp"
#include "scree/solvers/wavefront.hpp"
#include "sim/compliant/force_scratch.hpp"
#include "sim/compliant/wrench_sum.hpp"
#include "sim/contacts/pair_points.hpp"
#include "sim/events/impact_events.hpp"
#include "sim/joints/joint_scratch.hpp"
#include "solvers/islands/contact_islands.hpp"
#include "solvers/islands/direct_islands.hpp"
#include "solvers/islands/part_of_problem.hpp"
#include "solvers/step_settings.hpp"

namespace scree {

/// Impacts of a step by phases, compression and expansion: see compress() and expand(). Empty where
/// the law of impacts has no phases.
struct ImpactPhases {
  /// One contact. Velocities and impulses in the frame of its block: of spheres the inertial frame,
  /// else the contact's.
  struct ImpactContact {
    double restitution;                 ///< e, 0 without a contact [-]
    double bias;                        ///< b_n of the problem [m/s]
    Vec3 before;                        ///< u before the impact [m/s]
    Vec3 start;                         ///< impulse from which the solve starts [N s]
    Vec3 solved;                        ///< impulse after the solve [N s]
    Vec3 compression;                   ///< r^C [N s]
    Vec3 expansion;                     ///< r^E [N s]
    Vec3 free;                          ///< u before the solve's impulses [m/s]
    Vec3 rolling_before, rolling_free;  ///< w at the times of `before` and `free` [m/s]
    double work;        ///< work of compression, ≥ 0 except for energy that others pass on [J]
    double solve_work;  ///< −r·(u_free + u)/2 of the solve's impulses [J]
    double residual;    ///< maximum over the phases [m/s]
    double unsolved_impulse;  ///< likewise, see ContactVerdict [N s]
    double violation;         ///< complementarity violation, over all phases [J]
  };
  AlignedVector<ImpactContact> contacts;  ///< in the order of ContactIndex

  /// What the step must undo, while the problem has that of a phase.
  struct Measure {
    AlignedVector<ClosingBlock> closing, contact_closing;
    std::vector<JointMiss> missed;
    ContactProblem::Undone undone;
    double rounding = 0;

    void take(const ContactProblem& from) {
      closing = from.closing;
      contact_closing = from.contact_closing;
      missed = from.missed;
      undone = from.undone;
      rounding = from.rounding;
    }
    void give_back(ContactProblem& to) const {
      to.closing = closing;
      to.contact_closing = contact_closing;
      to.missed = missed;
      to.undone = undone;
      to.rounding = rounding;
    }
  } measure;

  /// One joint of the problem, by row.
  struct JointImpact {
    using Numbers = std::array<double, JointBlock::kMaxRows>;
    JointBlock asked;      ///< block of the step, with its impulses
    Numbers before, free;  ///< rates before the impact, and before the solve's impulses [m/s]
    Numbers compression, expansion;  ///< impulses [N s]
    double work;                     ///< work of compression [J]
  };
  std::vector<JointImpact> joints;  ///< in the order of ContactProblem::joints
  /// Work of joints as for contacts, of the rows that transmit impacts [J].
  struct JointWorks {
    double compression = 0;            ///< −r^C·(u⁻ + u^C)/2
    double solve = 0;                  ///< −r·(u_free + u)/2
    double linear = 0, quadratic = 0;  ///< r^E·u and r^E·W r^E
    double driven = 0;                 ///< r^E times the prescribed rate: from outside
    JointWorks& operator+=(const JointWorks& other) {
      compression += other.compression;
      solve += other.solve;
      linear += other.linear;
      quadratic += other.quadratic;
      driven += other.driven;
      return *this;
    }
  };
  std::vector<JointWorks> joint_works;  ///< one per free body: of the island that begins with it
  double driven = 0;                    ///< sum over joints, see JointWorks; 0 without an expansion

  bool any = false;  ///< true if a pair hits in this step; the data below are then valid
  /// Records before the impact; then those without it; then those before expansion. For Newton's
  /// law, those before the step
  AlignedVector<BodyRecord> bodies;
  /// Impulses from which the solve starts; then those after it
  AlignedVector<RollingBlock> rolling;
  AlignedVector<RollingBlock> given_rolling;  ///< with those of the friction of expansion
  AlignedVector<std::uint32_t> island;        ///< first body of the island of each free body
  AlignedVector<SortItem> order, buffer;      ///< contact indices by island
  AlignedVector<double> share;  ///< χ of the island that begins with each free body [-]
  std::vector<ExactSum> sums;   ///< one per chunk of contacts
  SolveResult worst;            ///< maximum over the phases, see certify()

  bool gives_back(std::size_t contact) const {
    return any && contacts[contact].restitution > 0 && contacts[contact].compression != Vec3{};
  }
  double joint_impulse_of_impact(std::size_t joint, std::size_t row) const {
    return any ? joints[joint].compression[row] + joints[joint].expansion[row] : 0;
  }
  /// Part of the impulse that belongs to the impact, which the next warm start must not use [N s].
  Vec3 impulse_of_impact(std::size_t contact) const {
    return any ? contacts[contact].compression + contacts[contact].expansion : Vec3{};
  }
};

struct Scratch {
  static constexpr std::uint32_t kNoContact = 0xffffffff;
  /// Slot of a contact of spheres that assemble has not placed yet
  static constexpr std::uint32_t kUnplaced = 0xfffffffe;
  /// Flag of a slot: the other bits are 8 · block + lane of problem.contact_blocks
  static constexpr std::uint32_t kFull = 0x80000000;
  /// Flag of a slot without kFull: the other bits are 8 · block + lane of forces.blocks, for the
  /// first point
  static constexpr std::uint32_t kForce = 0x40000000;
  static bool is_force(std::uint32_t slot) { return (slot & (kFull | kForce)) == kForce; }

  ContactProblem problem;
  GaussSeidel solver;
  SolveResult solved;
  /// Islands of the problem, and the solve of those that are left: see solve_contacts().
  struct Islands {
    ContactIslands islands;
    std::vector<std::uint8_t> chosen;  ///< 1 for each island that is solved next
    /// E_s from which on islands that hardly move are solved finely; infinite for all others [-]
    std::vector<double> fine_residual;
    /// Sums over the bodies of an island, see find_still_islands()
    struct Motion {
      double bodies = 0;
      FixedPointSum velocity[3], squared;
    };
    std::vector<Motion> motions;
    std::vector<std::uint8_t> bodies, gave_up;  ///< 1 for each body of a chosen or unsolved island
    /// Number of bodies of the islands that were solved directly in this step, by their first body
    std::vector<std::uint32_t> directly_solved;
    PartOfProblem part;
    DirectIslands direct;
  } islands;
  ImpactPhases phases;
  ImpactEvents events;

  PositionCorrection correction;
  /// buffer for PositionCorrection, where sleeping pairs need their memories
  AlignedVector<Vec3> workspace;
  /// Scale of the pseudo-velocities, so that no body moves too far; 0: there are none [-]
  double pseudo_velocity_scale = 0;
  std::vector<double> scales;  ///< one per chunk of bodies
  JointScratch joints;
  bool has_pseudo_velocities() const {
    return pseudo_velocity_scale > 0 || !joints.pseudo_velocity.empty();
  }
  /// Joints move free bodies alone: the records of obstacles come after these.
  bool joints_move(BodyIndex i) const { return i < joints.pseudo_velocity.size(); }
  /// Velocity that separates a body from others and closes its joints, apart from its own; as
  /// PositionCorrection has it [m/s].
  Vec3 pseudo_velocity(BodyIndex i) const {
    const Vec3 off =
        pseudo_velocity_scale > 0 ? pseudo_velocity_scale * correction.velocity(i) : Vec3{};
    return joints_move(i) ? off + joints.pseudo_velocity[i].velocity : off;
  }
  Vec3 pseudo_spin(BodyIndex i) const {
    const Vec3 off =
        pseudo_velocity_scale > 0 ? pseudo_velocity_scale * correction.spin(i) : Vec3{};
    return joints_move(i) ? off + joints.pseudo_velocity[i].spin : off;
  }

  ForceContacts forces;
  /// The leapfrog began in another run: see is_within_leapfrog()
  bool resumed = false;

  int rounds = 0;  ///< repetitions in this step by resolve_missed_contacts()

  /// Properties of a prototype that stages read often.
  struct BodyTraits {
    bool sphere, isotropic;
    Vec3 spin_scale;          ///< √j_k, see ContactProblem; (1, 1, 1) where isotropic [-]
    double inscribed_radius;  ///< divided by the bounding radius [-]
    Locks locked;
    std::uint32_t balls;  ///< number of its spheres, 1 for a sphere; 0 for other shapes
    bool of_revolution;   ///< see is_of_revolution()
  };
  std::vector<BodyTraits> kinds;  ///< one per prototype
  /// No prototype has another shape, and no obstacle is a surface or a clump
  bool all_spheres = true;
  bool all_sphere_contacts = true;  ///< every possible contact belongs in a SphereContactBlock
  /// Indices in problem.laws: of contacts that collide in the step, and of others. They differ only
  /// for impact_dissipation.
  struct LawIndex {
    std::uint32_t at_impact, otherwise;
  };
  std::vector<LawIndex> law_index;  ///< one per pair of materials; order as in LawTable::all
  /// True for each of problem.laws whose contacts have rolling rows. Two entries there may differ
  /// in this alone.
  std::vector<std::uint8_t> law_resists_rolling;
  bool any_rolling = false;   ///< some contact can have rolling rows
  bool any_cohesion = false;  ///< some law has F_c > 0
  /// Numbers of a law that contacts of spheres need.
  struct SphereLaw {
    double friction, restitution;  ///< μ, or 0 without friction, and e [-]
    double cohesion;               ///< F_c [N]
  };
  std::vector<SphereLaw> sphere_laws;  ///< one per pair of materials; order as in LawTable::all
  /// Contribution of each free body to the gap below which a pair is a contact [m]
  AlignedVector<float> margin;
  /// Prescribed motion of an obstacle in this step.
  struct Prescribed {
    Twist twist;
    Pose after;  ///< pose at the end
  };
  std::vector<Prescribed> prescribed;  ///< one per obstacle
  std::vector<ObstacleApproach> obstacle_margin;

  /// Schedule index of each pair, which `plan` reads. Made with the list of pairs.
  AlignedVector<std::uint32_t> schedule;
  WavePlan plan;
  /// Group in the problem: the wave of the pair.
  std::uint32_t group_of(std::size_t pair) const { return plan.wave_of(schedule[pair]); }
  /// Slot of each pair: 8 · block + lane, or kFull | 8 · block + lane, or kNoContact
  AlignedVector<std::uint32_t> slot;
  AlignedVector<float> gap;      ///< one per slot, for output [m]
  bool any_restitution = false;  ///< some law has e > 0
  /// e of each slot whose pair is apart and gets no rebound in this step, else 0 [-]; empty without
  /// restitution.
  AlignedVector<float> suppressed_restitution;

  /// Point of a contact between a body and an obstacle: see find_tight_contacts().
  struct TightPlace {
    BodyIndex body;
    std::uint32_t obstacle, pair;
  };
  struct TightPoint {
    std::uint32_t obstacle, feature;
    Vec3 normal;  ///< direction in which the body can move
    TightContact tight;
  };
  /// Joint between a free body and something that does not move: see forget_what_joints_hold().
  struct Anchor {
    BodyIndex body;
    std::uint32_t joint;  ///< index in the problem
  };
  std::vector<TightPlace> tight_places;
  std::vector<TightPoint> tight_points;
  std::vector<Anchor> anchors;

  static constexpr int kPairIndexBits = 26;  ///< for an index in its chunk of pairs
  static constexpr std::uint32_t kPairIndexMask = (1U << kPairIndexBits) - 1;
  /// Contact with contact blocks: its `count` points begin at `first` in its chunk.
  struct FullPair {
    std::uint32_t pair, law, first, count;
    /// Record of a moving obstacle for the first point; the records of the others follow. 0 without
    /// one; undefined until place_stacks sets it.
    std::uint32_t record;
  };
  struct FullChunk {
    AlignedVector<FullPair> pairs;
    FullPoints points;
  };
  std::vector<FullChunk> full_found;  ///< one per chunk of pairs
  /// Direction along which each pair with a shape other than spheres was last separated, or zero.
  /// It makes the next test cheap; no result depends on it.
  AlignedVector<RoughDirection> cached_separating_axis;
  /// Facets that spheres on meshes know, and the index of each pair's own, or kNone; empty without
  /// meshes. No result depends on them.
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
  /// Value: chunk of pairs << kPairIndexBits | index of its pair
  AlignedVector<SortItem> order, order_buffer;
  const FullPair& full_pair(const SortItem& item) const {
    return full_found[item.value >> kPairIndexBits].pairs[item.value & kPairIndexMask];
  }
  const FullPoints& points_with(const SortItem& item) const {
    return full_found[item.value >> kPairIndexBits].points;
  }
  /// Point of each lane of problem.contact_blocks with a contact: chunk of pairs << kPairIndexBits
  /// | index of its point
  AlignedVector<std::uint32_t> full_points;
  AlignedVector<float> full_suppressed_restitution;  ///< one per lane of problem.contact_blocks, as
                                                     ///< `suppressed_restitution`
  const FullPoints::Point& full_point(std::size_t index) const {
    const std::uint32_t point = full_points[index];
    return full_found[point >> kPairIndexBits].points[point & kPairIndexMask];
  }

  /// Pairs form kPairChunks runs. Row c: number of contacts of each group in chunk c, then of
  /// contacts with moving obstacles; after the prefix sum: their positions.
  AlignedVector<std::uint32_t> chunk_count;
  Domain domain;  ///< domain in this step
  /// Largest relative change of a length by the flow of the cell in this step [-]; or 0
  double strain = 0;
  /// Work of the cell in the step by contacts, −Σ r·w over pairs, w the flow between them [J]
  double cell_rigid_work = 0, cell_soft_work = 0;
  ForcePower on_cell;  ///< power of compliant forces against that flow [W]
  struct CellSums {
    /// Σ displacement × impulse; rows belong to the displacement
    std::array<std::array<ExactSum, 3>, 3> virial;
    ExactSum rigid_work, soft_work;    ///< [J]
    ExactSum elastic, damping, shear;  ///< see ForcePower [W]

    template <class F>
    void for_each_sum(F&& f) {
      for (auto& row : virial)
        for (ExactSum& sum : row) f(sum);
      f(rigid_work), f(soft_work), f(elastic), f(damping), f(shear);
    }
  };
  std::vector<CellSums> cell_sums;
  std::vector<std::uint8_t> layers_due;  ///< one per inflow in this step: 0 or 1

  /// True for each free body that moves beyond its margin, see resolve_missed_contacts()
  AlignedVector<std::uint8_t> outrun;

  // Sums of stages, one per chunk.

  struct MarginCounts {
    std::uint32_t outrun = 0;  ///< bodies that move beyond their margin
    std::uint32_t stale = 0;   ///< bodies whose margin the neighbour list does not cover
  };
  std::vector<MarginCounts> margin_counts;
  std::size_t stale = 0;  ///< their sum, until the list is updated

  struct ContactSums {
    double deepest = 0;  ///< smallest gap, if negative [m]
    std::uint32_t contacts = 0;
    std::uint32_t touching = 0;  ///< contacts with gap < 0
    std::uint32_t rebounds = 0;  ///< contacts of spheres that meet and rebound, one by one
    double depth = 0;            ///< largest overlap over the smaller inscribed radius [-]
    double turn_cosine = 1;      ///< minimum over contacts, see SeparatingPlane [-]
    double painleve = 0;         ///< largest Painlevé number along the slip [-]
    BodyIndex painleve_body = 0;

    void clear() { *this = {}; }
  };
  std::vector<ContactSums> contact_sums;
  /// Sums of ContactProblem::closing over a chunk of blocks [m²/s²].
  struct ClosingSums {
    ExactSum squared, rounding;

    void clear() {
      squared.clear();
      rounding.clear();
    }
  };
  std::vector<ClosingSums> closing_sums;

  /// Contacts with obstacles, and their effects.
  struct ObstacleContacts {
    /// Wear of a facet by one contact.
    struct WornFacet {
      std::uint32_t facet;
      BodyId body;
      Wear taken;
    };
    /// Some contacts of one obstacle, pairs[begin] to pairs[end − 1], and their sums.
    struct Task {
      std::uint32_t obstacle = 0, begin = 0, end = 0;
      WrenchSum wrench;                ///< impulses on it, torques about its pivot
      ExactSum rigid_work, soft_work;  ///< done on bodies, by kinds of laws [J]
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
    /// Pair of the list, of a body and an obstacle.
    struct ObstaclePair {
      std::uint32_t pair;
      BodyIndex body;
      std::uint32_t obstacle;
    };
    std::vector<ObstaclePair> listed;  ///< in the order of the list
    std::size_t looked_at = kNotYet;   ///< number of pairs of the list that were examined
    std::vector<std::vector<ObstaclePair>> found;  ///< contacts among them, one list per chunk
    std::vector<std::uint32_t> end;                ///< end in `pairs` of each obstacle
    std::vector<ObstaclePair> pairs;               ///< sorted by obstacle
    std::vector<Task> task;                        ///< the first `tasks` belong to this step
    std::size_t tasks = 0;
    std::vector<WornFacet> worn;
    double rigid_work = 0, soft_work = 0;  ///< sum over obstacles [J]
  };
  ObstacleContacts obstacle_contacts;

  /// Fields in this step.
  struct Fields {
    /// Variables that a field's expressions read, and the expressions that exist.
    struct Use {
      bool force = false, torque = false;
      bool force_by_velocity = false, torque_by_spin = false;
      bool force_by_place = false;
    };
    std::vector<Use> uses;       ///< one per field
    std::vector<double> volume;  ///< one per prototype, divided by the cube of the radius [-]
    /// Wrench on each free body, constant over the step; empty without fields
    AlignedVector<Wrench> wrench;
    std::vector<FieldLook> looks;  ///< one per chunk of bodies
  };
  Fields fields;

  struct BodySums {
    ExactSum kinetic, potential;  ///< at the end of the step [J]
    /// Work of impulses, with the mean of velocities before and after the step [J]
    ExactSum contact_work;
    ExactSum applied_work;  ///< work of fields and of applied forces, with the same mean [J]
    ExactSum field_work;    ///< work of fields only [J]
    ExactSum gained;        ///< increase of kinetic energy above that of the free velocities [J]
    ExactSum push_work;     ///< energy from the motions of `correction` [J]
    ExactSum local_work;    ///< work of local damping, with the same mean [J]
    ExactSum slowed_work;   ///< work of joints that inertia_scaling_of() withholds from bodies [J]
    ExactSum start_work;    ///< in a first step, see add_work_of_start() [J]
    double heaviest = 0;    ///< largest mass [kg]
    /// Kinetic and potential energy of bodies that leave in this step [J]
    ExactSum carried_out;
    std::uint32_t not_finite = 0;  ///< number of bodies
    std::uint32_t leaving = 0;     ///< number of bodies
    std::size_t bodies = 0;        ///< present at the end of the step
  };
  std::vector<BodySums> body_sums;
};

}  // namespace scree

/// The contacts and joints of one step, ready for the solver. Contacts are sorted into groups. A
/// group is one colour, or one colour in one slab of space; its contacts share no free body.
///
/// Velocities of a body are (v, s) with s = L ω, L its radius [m]. Both are in m/s, and lever arms
/// have no unit. For a contact of spheres with normal n (from A to B) and impulse r on B:
///
///     u = v_B − v_A − (s_A + s_B) × n + b n
///     Δv = ± r / m,   Δs = − (L²/I) n × r   (both bodies)
///
/// b is the gap term, or the term of restitution [m/s].
///
/// A body with unequal moments of inertia I_k = m L² j_k has s_k = √j_k L ω_k along its principal
/// axes instead, so that its energy is ½ m (|v|² + |s|²). Contacts of any two bodies have rows that
/// define how s enters u:
///
///     u_k = e_k·(v_B − v_A) + α_k·s_A + β_k·s_B + b_k
///     Δv = ± Σ r_k e_k / m,   Δs_A = Σ r_k α_k / m_s,   Δs_B = Σ r_k β_k / m_s
///
/// with e = (n, t1, t2) and 1/m_s = BodyRecord::inverse_inertia.
///
/// A contact with rolling or spinning friction has three more rows, of ω = ω_B − ω_A times its
/// lever L, the smaller radius of the two: see RollingBlock.
///
/// Cohesion is a given impulse −s n on B, s ≥ 0. The free velocities include it. Blocks store, and
/// laws see, the repulsive impulse r + s n.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "scree/core/aligned.hpp"
#include "scree/core/ids.hpp"
#include "scree/laws/pair_law.hpp"
#include "scree/math/axis_set.hpp"
#include "scree/math/sym_mat3.hpp"
#include "scree/solvers/residual_scale.hpp"
#include "scree/solvers/squeeze.hpp"

namespace scree {

/// One cache line, because Gauss–Seidel gathers bodies.
struct alignas(kCacheLine) BodyRecord {
  Vec3 velocity;  ///< [m/s]
  /// s [m/s], in the inertial frame; along the principal axes where moments are unequal
  Vec3 spin;
  double inverse_mass;     ///< [1/kg], 0 for obstacles
  double inverse_inertia;  ///< L²/I [1/kg], or 1/m where moments are unequal; 0 for obstacles
};
static_assert(sizeof(BodyRecord) == kCacheLine);

/// Change of a body's record during a step by forces on this body alone.
struct VelocityIncrement {
  Vec3 velocity;  ///< [m/s]
  Vec3 spin;      ///< change of s, as BodyRecord::spin [m/s]

  VelocityIncrement& operator*=(double factor) {
    velocity *= factor;
    spin *= factor;
    return *this;
  }
};

inline constexpr int kBlock = 8;  ///< contacts of a block: lanes of the widest register

/// Eight contacts of one group between bodies of isotropic inertia whose contact points lie L n
/// from their centres. Their W is diagonal with equal tangential entries, and r is in the inertial
/// frame: no tangents are needed. Empty lanes have both bodies at rest, μ = 0 and r = 0.
struct alignas(kCacheLine) SphereContactBlock {
  double normal[3][kBlock];   ///< from A to B
  double bias[kBlock];        ///< b [m/s]
  double friction[kBlock];    ///< μ; 0 for frictionless
  double impulse[3][kBlock];  ///< r on B, inertial frame [N s]
  BodyIndex a[kBlock], b[kBlock];
};

/// A contact of any two bodies: its rows and its full 3×3 block of W.
struct ContactRows {
  BodyIndex a, b;
  std::uint32_t law;  ///< index into ContactProblem::laws
  Vec3 axis[3];       ///< n, t1, t2: the frame, from A to B
  Vec3 jw_a[3];       ///< α_k [-]
  Vec3 jw_b[3];       ///< β_k [-]
  SymMat3 W;          ///< Delassus block in the frame [1/kg]
  Vec3 bias;          ///< b, in the frame [m/s]
  Vec3 impulse;       ///< in the frame [N s]
  /// World axes along which A and B are locked: the contact gives them no impulse there
  AxisSet locked_a = 0, locked_b = 0;

  Vec3 to_frame(const Vec3& v) const { return {dot(axis[0], v), dot(axis[1], v), dot(axis[2], v)}; }
  Vec3 to_inertial(const Vec3& v) const { return v.x * axis[0] + v.y * axis[1] + v.z * axis[2]; }
};

/// The ContactRows of eight contacts of one group and one law, one per lane. Empty lanes have both
/// bodies at rest and rows of zeros.
///
/// The points of one pair are in the same lane of consecutive blocks, a stack: pairs of a group
/// share no free body, but the points of a pair do.
struct alignas(kCacheLine) ContactBlock {
  double axis[3][3][kBlock];  ///< [row][component]
  double jw_a[3][3][kBlock];  ///< [row][component]
  double jw_b[3][3][kBlock];  ///< [row][component]
  double W[6][kBlock];        ///< xx, xy, xz, yy, yz, zz
  double bias[3][kBlock];
  double impulse[3][kBlock];
  BodyIndex a[kBlock], b[kBlock];
  std::uint32_t law;
  std::uint32_t stack;  ///< blocks from this one to the last of its stack, both counted
  /// Index of its RollingBlock in ContactProblem::rolling, or kNone
  std::uint32_t rolling;
  static constexpr std::uint32_t kNone = 0xffffffff;
  bool any_locked;  ///< True if a body of the block has a locked axis, see ContactRows
  AxisSet locked_a[kBlock], locked_b[kBlock];

  ContactRows contact(int lane) const;
  void set(int lane, const ContactRows& contact);
  /// Empties all lanes; `at_rest` as in ContactProblem.
  void clear(BodyIndex at_rest);
  /// A block of empty lanes.
  static ContactBlock empty(std::uint32_t law, std::uint32_t stack, BodyIndex at_rest);
};

/// Rolling and spinning friction of one contact: rows of w = L ω, about n, t1 and t2, with impulses
/// p = m / L, m the angular impulse on B [N m s],
///
///     w_k = α_k·s_A + β_k·s_B + b_k,     Δs_A = Σ p_k α_k / m_s,   Δs_B = Σ p_k β_k / m_s
///
/// They oppose w after the step as Coulomb's friction opposes slip, each in its own disc:
///
///     |p_n| ≤ (ℓ_s / L) r_n   against w_n,     |p_t| ≤ (ℓ_r / L) r_n   against w_t
struct RollingRows {
  Vec3 jw_a[3];              ///< α_k [-]
  Vec3 jw_b[3];              ///< β_k [-]
  double W_nn;               ///< entry of these rows' diagonal block, about n [1/kg]
  double W_yy, W_yz, W_zz;   ///< the same, about t1 and t2
  Vec3 bias;                 ///< b, the term of restitution [m/s]
  double spinning, rolling;  ///< ℓ_s / L, ℓ_r / L [-]
  double lever;              ///< L [m]
  Vec3 impulse;              ///< p [N s]
};

/// The RollingRows of a ContactBlock, lane by lane.
struct alignas(kCacheLine) RollingBlock {
  double jw_a[3][3][kBlock];  ///< [row][component]
  double jw_b[3][3][kBlock];  ///< [row][component]
  double W[4][kBlock];        ///< nn, yy, yz, zz
  double bias[3][kBlock];
  double spinning[kBlock], rolling[kBlock], lever[kBlock];
  double impulse[3][kBlock];
  BodyIndex a[kBlock], b[kBlock];
  std::uint32_t contacts;  ///< index of the ContactBlock whose r_n limits these rows

  RollingRows rows(int lane) const;
  void set(int lane, BodyIndex body_a, BodyIndex body_b, const RollingRows& rows);
  /// A block of empty lanes; `at_rest` as in ContactProblem.
  static RollingBlock empty(std::uint32_t contacts, BodyIndex at_rest);
};

/// s of the contacts of a block, one per lane [N s] ≥ 0.
struct alignas(kCacheLine) CohesionBlock {
  double impulse[kBlock];
};

/// Speeds that the contacts of a block must undo, and their rounding errors: with them each island
/// is measured by itself. Empty lanes have zeros.
struct alignas(kCacheLine) ClosingBlock {
  /// c: closing_speed() without impulses of contacts, once joints have acted [m/s]
  float speed[kBlock];
  float rounding[kBlock];  ///< [m/s]

  void set(std::size_t lane, double closing, double error) {
    speed[lane] = static_cast<float>(closing);
    rounding[lane] = static_cast<float>(error);
  }
  /// c² of a contact that closes, else 0 [m²/s²].
  double squared(std::size_t lane) const {
    const double c = speed[lane];
    return c > 0 ? c * c : 0;
  }
  /// Squared rounding of a contact that may close, else 0 [m²/s²].
  double squared_rounding(std::size_t lane) const {
    const double error = rounding[lane];
    return speed[lane] > -rounding[lane] ? error * error : 0;
  }
};

/// What the rows of a joint miss without impulses, and its rounding error, squared [m²/s²].
struct JointMiss {
  double squared = 0, squared_rounding = 0;
};

/// A joint, limit, motor, spring or dry friction between two bodies: one to six rows like those of
/// a ContactRows,
///
///     u_k = e_k·(v_B − v_A) + α_k·s_A + β_k·s_B + b_k + c_k r_k,      r_k in [min, max],
///
///     u_k = 0 in between,   u_k ≥ 0 where r_k = min,   u_k ≤ 0 where r_k = max
///
/// Rows of a rigid joint keep u = 0 with any impulse [Negrut18, Eq. 3 and 8]: they have no bounds,
/// and c = 0. A limit has min = 0, a motor or dry friction has both bounds; c is the softness of
/// springs and dampers. An angular row has e_k = 0. Rows may depend on each other, for example in a
/// closed loop.
struct JointBlock {
  static constexpr int kMaxRows = 6;
  static constexpr double kUnbounded = std::numeric_limits<double>::infinity();

  /// held: u = 0 in all rows, with any impulse. driven: each row has bounds and softness, and all
  /// are along one coordinate, with the same e, α and β.
  enum class Kind : std::uint8_t { held, driven };

  BodyIndex a, b;
  int rows;  ///< in [1, 6]
  Kind kind = Kind::held;
  Vec3 axis[kMaxRows];            ///< e_k
  Vec3 jw_a[kMaxRows];            ///< α_k [-]
  Vec3 jw_b[kMaxRows];            ///< β_k [-]
  double bias[kMaxRows] = {};     ///< b [m/s]
  double impulse[kMaxRows] = {};  ///< r [N s]

  // For driven rows alone.
  double softness[kMaxRows] = {};     ///< c ≥ 0 [1/kg]
  double min_impulse[kMaxRows] = {};  ///< min [N s], −∞ allowed
  double max_impulse[kMaxRows] = {};  ///< max [N s], ∞ allowed

  /// World axes along which A and B are locked: rows give them no impulse there
  AxisSet locked_a = 0, locked_b = 0;

  /// A gear between two joints has one row, which includes the bodies C and D of the second joint:
  ///
  ///     u = … + e·(v_D − v_C) + γ·s_C + δ·s_D
  ///
  /// They may be the same as A and B.
  static constexpr BodyIndex kNobody = 0xffffffff;
  struct Second {
    BodyIndex c, d;
    Vec3 axis;        ///< e
    Vec3 jw_c, jw_d;  ///< γ, δ [-]
    AxisSet locked_c, locked_d;
    bool is_there() const { return c != kNobody; }
  };
  Second second{kNobody, kNobody, {}, {}, {}, 0, 0};

  /// Terms of one body in the rows: u_k = Σ sign e_k·v + jw_k·s, over all sides.
  struct Side {
    BodyIndex body;
    double sign;
    const Vec3 *axis, *jw;  ///< one per row
    AxisSet locked;
  };
  template <class F>
  void for_each_side(F&& f) const {
    f(Side{a, -1, axis, jw_a, locked_a});
    f(Side{b, 1, axis, jw_b, locked_b});
    if (!second.is_there()) return;
    f(Side{second.c, -1, &second.axis, &second.jw_c, second.locked_c});
    f(Side{second.d, 1, &second.axis, &second.jw_d, second.locked_d});
  }

  /// Number of rows with their own e, α and β: the first ones.
  int directions() const { return kind == Kind::driven ? 1 : rows; }
  /// The one of a row.
  int direction_of(int row) const { return kind == Kind::driven ? 0 : row; }

  /// Diagonal of W of a driven row, without softness [1/kg].
  double delassus(int row, std::span<const BodyRecord> bodies) const {
    const BodyRecord &of_a = bodies[a], &of_b = bodies[b];
    return of_a.inverse_mass * squared_norm(without(axis[row], locked_a)) +
           of_b.inverse_mass * squared_norm(without(axis[row], locked_b)) +
           of_a.inverse_inertia * squared_norm(jw_a[row]) +
           of_b.inverse_inertia * squared_norm(jw_b[row]);
  }
};

/// True if a lane of a block is not empty.
template <class Block>
bool holds_contact(const Block& block, std::size_t lane, BodyIndex at_rest) {
  return block.a[lane] != at_rest || block.b[lane] != at_rest;
}

/// Consecutive blocks of a group, the unit of work of a thread; sums run over chunks in their
/// order.
struct Chunk {
  std::uint32_t begin, end;
};
/// Sphere blocks of a chunk: few enough that eight threads share a group evenly.
inline constexpr std::uint32_t kBlocksPerChunk = 16;

struct ContactProblem {
  /// Free bodies, then one at rest, then one for each contact with a moving obstacle.
  AlignedVector<BodyRecord> bodies;
  std::uint32_t free_bodies = 0;

  AlignedVector<SphereContactBlock> blocks;          ///< by group
  AlignedVector<Chunk> chunks;                       ///< runs of `blocks`
  AlignedVector<std::uint32_t> first_chunk;          ///< one per group; size groups + 1
  AlignedVector<ContactBlock> contact_blocks;        ///< by group, then by law
  AlignedVector<Chunk> contact_chunks;               ///< runs of `contact_blocks`: whole stacks
  AlignedVector<std::uint32_t> first_contact_chunk;  ///< one per group; size groups + 1
  /// A key for each lane of `contact_blocks`, independent of storage. It distinguishes the contacts
  /// of one body with fixed obstacles, and the contacts of any pair. Empty if there are no joints.
  AlignedVector<std::uint64_t> contact_keys;
  std::vector<AnyLaw> laws;             ///< laws of `contact_blocks`
  AlignedVector<RollingBlock> rolling;  ///< in the order of their contact blocks
  AlignedVector<Chunk> rolling_chunks;  ///< runs of `rolling`
  /// First chunk of each group; size groups + 1
  AlignedVector<std::uint32_t> first_rolling_chunk;
  /// Cohesion in the lanes of `blocks` and of `contact_blocks`; both empty without cohesion
  AlignedVector<CohesionBlock> cohesion, contact_cohesion;
  /// Label of the block of space of each free body, for jacobi; empty without
  /// SolverSettings::blocks
  std::vector<int> body_block;
  TightContacts tight;  ///< candidates for preload: see release_squeeze()
  /// Bodies that obstacles at rest overlap from opposed sides: what presses them is no choice
  std::vector<BodyIndex> jammed;
  /// True (1) for each free body that contacts or joints connect with one of `tight`; empty without
  /// any
  std::vector<std::uint8_t> near_tight;
  AlignedVector<JointBlock> joints;  ///< in any order, the same in every step
  /// Changes whenever rows or masses of joints change; bias, bounds and impulses do not count. 0:
  /// unknown
  std::uint64_t joints_stamp = 0;

  /// In the lanes of `blocks` and of `contact_blocks`, and one per joint
  AlignedVector<ClosingBlock> closing, contact_closing;
  std::vector<JointMiss> missed;

  /// Squared velocities that impulses must undo, of the whole problem [m²/s²].
  struct Undone {
    double closing = 0;  ///< Σ c²
    double missed = 0;   ///< Σ of joints: what their rows miss without impulses
  };
  Undone undone;

  /// Q: rounding error of these velocities, from positions, gaps and velocities [m/s]. Velocities
  /// below it are noise.
  double rounding = 0;

  /// That of contacts; that of joints if no contact closes.
  ResidualScale residual_scale() const {
    return {std::sqrt(closes(undone.closing) ? undone.closing : undone.missed), rounding};
  }
  /// True if any impulse is needed: contacts close, or joints miss, by more than rounding.
  bool anything_closes() const { return closes(undone.closing + undone.missed); }
  bool closes(double squared) const { return squared > rounding * rounding; }

  /// Ids of the free bodies, or empty: an order that is independent of storage
  std::span<const BodyId> body_ids;
  /// Free bodies with contacts, where chunks have only a part of the blocks: see PartOfProblem;
  /// empty for all bodies
  std::vector<BodyIndex> part_bodies;

  Vec3 increment;  ///< gravity's change of the velocity of every free body in this step [m/s]
  /// Further change by forces on single bodies: of each free body, or empty if there are none.
  AlignedVector<VelocityIncrement> own_increment;

  std::uint32_t contacts = 0;  ///< in blocks of both kinds, empty lanes not counted

  void clear_impulses() {
    const auto clear = [](auto& blocks_of_kind) {
      for (auto& block : blocks_of_kind)
        for (auto& component : block.impulse) std::ranges::fill(component, 0.0);
    };
    clear(blocks);
    clear(contact_blocks);
    clear(rolling);
    for (JointBlock& joint : joints) std::ranges::fill(joint.impulse, 0.0);
  }
  /// True if a contact or joint of two bodies belongs to a set with a body of `tight`.
  bool is_near_tight(BodyIndex a, BodyIndex b) const {
    const BodyIndex body = std::min(a, b);
    return body < near_tight.size() && near_tight[body] != 0;
  }
  bool has_cohesion() const { return !cohesion.empty() || !contact_cohesion.empty(); }
  /// True if a joint has rows with bounds or softness; solvers of matrix problems do not take them.
  bool has_drives() const {
    return std::ranges::any_of(
        joints, [](const JointBlock& j) { return j.kind == JointBlock::Kind::driven; });
  }
  bool is_empty() const { return blocks.empty() && contact_blocks.empty() && joints.empty(); }

  std::uint32_t groups() const {
    return first_chunk.empty() ? 0 : static_cast<std::uint32_t>(first_chunk.size() - 1);
  }
  BodyIndex at_rest() const { return free_bodies; }
};

}  // namespace scree

/// Many contacts, ready to be solved: bodies as the solver wants them, contacts by group: those of
/// one colour, or of one colour in one slab of space. Contacts of a group share no free body.
///
/// Velocities of a body are (v, s) with s = L ω, L its radius [m], so that both are in m/s and arms are free of units.
/// For a contact with normal n (from A to B), percussion r on B, and spheres:
///
///     u = v_B − v_A − (s_A + s_B) × n + b n,    Δv = ± r / m,   Δs = − (L²/I) n × r   (both bodies)
///
/// b is the gap term, or what restitution makes of it [m/s].
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "scree/core/aligned.hpp"
#include "scree/core/ids.hpp"
#include "scree/laws/pair_law.hpp"
#include "scree/math/sym_mat3.hpp"

namespace scree {

/// One cache line, because Gauss–Seidel gathers bodies.
struct alignas(kCacheLine) BodyRecord {
  Vec3 velocity;           ///< [m/s]
  Vec3 spin;               ///< L ω [m/s]
  double inverse_mass;     ///< [1/kg], 0 for obstacles
  double inverse_inertia;  ///< L²/I [1/kg] where I is isotropic, else 0: see ContactProblem::inverse_inertia
};
static_assert(sizeof(BodyRecord) == kCacheLine);

inline constexpr int kBlock = 8;  ///< contacts of a block: lanes of the widest register

/// Eight contacts of one group between bodies of isotropic inertia whose contact points lie L n from their centres. Their W is
/// diagonal with equal tangential entries, and r is kept in the inertial frame: no tangents are needed.
/// Places without a contact have both bodies at rest, μ = 0 and r = 0.
struct alignas(kCacheLine) DiagonalBlock {
  double normal[3][kBlock];      ///< from A to B
  double bias[kBlock];           ///< b [m/s]
  double friction[kBlock];       ///< μ; 0 for frictionless
  double percussion[3][kBlock];  ///< r on B, inertial frame [N s]
  BodyIndex a[kBlock], b[kBlock];
};

/// A contact of any two bodies, with a full 3×3 block.
struct GeneralContact {
  BodyIndex a, b;
  std::uint32_t law;  ///< index into ContactProblem::laws
  Vec3 n, t1, t2;     ///< frame, from A to B
  Vec3 arm_a, arm_b;  ///< contact point from the centre, over L [-]
  SymMat3 W;          ///< Delassus block in the frame [1/kg]
  double bias;        ///< b [m/s]
  Vec3 percussion;    ///< in the frame [N s]

  Vec3 to_frame(const Vec3& v) const { return {dot(n, v), dot(t1, v), dot(t2, v)}; }
  Vec3 to_inertial(const Vec3& v) const { return v.x * n + v.y * t1 + v.z * t2; }
};

/// A run of equal work inside a group; sums run over chunks in their order.
struct Chunk {
  std::uint32_t begin, end;
};
inline constexpr std::uint32_t kBlocksPerChunk = 32;

struct ContactProblem {
  AlignedVector<BodyRecord>
      bodies;  ///< free bodies, then one at rest, then one for each contact with a moving obstacle
  std::uint32_t free_bodies = 0;
  AlignedVector<SymMat3>
      inverse_inertia;  ///< L² I⁻¹ in the inertial frame [1/kg], per free body; empty if all are isotropic

  AlignedVector<DiagonalBlock> blocks;         ///< by group
  AlignedVector<Chunk> chunks;                 ///< of blocks
  AlignedVector<std::uint32_t> first_chunk;    ///< of each group; size groups + 1
  AlignedVector<GeneralContact> general;       ///< by group, then by law
  AlignedVector<std::uint32_t> first_general;  ///< of each group; size groups + 1
  std::vector<AnyLaw> laws;                    ///< of general contacts

  /// Σ |q|² over the contacts that r = 0 is no answer for, q = u there with the gap term [m²/s²]: those that close, and for
  /// cone_complementarity those with q_n < μ|q_t|. The others would only add their gap
  /// over h, and the wider the margin, the laxer the tolerance would be: leaving them out makes E_s larger, never smaller.
  double squared_q = 0;

  /// Q: what rounding of positions, gaps and velocities makes of |q|, with the same contacts counted [m/s]. Velocities below it are noise.
  double rounding = 0;

  /// What E_s divides by [m/s].
  double scale() const { return std::max(std::sqrt(squared_q), rounding); }
  /// The largest sqrt(Σ e²) that meets a tolerance on E_s [m/s].
  double allowed(double tolerance) const { return rounding + tolerance * scale(); }
  /// Whether any contact closes by more than rounding. If none does, no percussion is needed.
  bool anything_closes() const { return squared_q > rounding * rounding; }

  Vec3 gain;  ///< what outer forces have added to the velocity of every free body in this step [m/s]

  std::uint32_t contacts = 0;  ///< in blocks and general together, places without a contact not counted

  void clear_percussions() {
    for (DiagonalBlock& block : blocks)
      for (auto& component : block.percussion) std::ranges::fill(component, 0.0);
    for (GeneralContact& contact : general) contact.percussion = {};
  }

  std::uint32_t groups() const { return first_chunk.empty() ? 0 : static_cast<std::uint32_t>(first_chunk.size() - 1); }
  BodyIndex at_rest() const { return free_bodies; }
  /// L² I⁻¹ in the inertial frame [1/kg], of any record.
  SymMat3 scaled_inverse_inertia(BodyIndex body) const {
    const double isotropic = bodies[body].inverse_inertia;
    if (body >= free_bodies || isotropic > 0) return diagonal(isotropic, isotropic, isotropic);
    return inverse_inertia[body];
  }
};

}  // namespace scree

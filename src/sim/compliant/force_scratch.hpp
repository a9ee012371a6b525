/// Data of a step for contacts with compliant laws, besides the state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scree/core/aligned.hpp"
#include "scree/sim/force_laws.hpp"
#include "scree/sim/state.hpp"
#include "sim/kernels/force_contacts.hpp"

namespace scree {

/// Contacts with compliant laws.
///
/// Their pairs are sorted when the list is made, in chunks of bodies, which own the pairs; each
/// chunk is a task. A contact adds its forces to a row of each of its bodies. Bodies of other
/// chunks have a row for each such pair, so that sums do not depend on the number of threads.
struct ForceContacts {
  static constexpr std::uint32_t kRigid = ForceLaws::kRigid;

  /// numbers of each law: 2 · law, and 2 · law + 1 for points
  std::vector<force::Numbers> numbers;
  std::vector<std::uint32_t> law;  ///< index for each pair of materials; order as in LawTable::all
  std::size_t laws() const { return numbers.size() / 2; }
  bool any = false;  ///< true if some law is compliant
  bool any_rigid = true;
  bool moments = false;  ///< true if some of them have rolling or spinning resistance
  /// True if some laws are Hertz', and obstacles have sides and ends of different curvature
  bool radii = false;
  bool clumps = false;  ///< true if some bodies are clumps of spheres

  /// Blocks of contacts that are evaluated together.
  struct Blocks {
    std::uint32_t first = 0;         ///< index in `blocks`
    std::uint32_t max_contacts = 0;  ///< capacity in contacts
    std::uint32_t contacts = 0;      ///< in this step
  };
  /// Pairs of two spheres with one law; the arrays are padded with pairs of bodies at rest.
  struct SpherePairs {
    std::uint32_t law = 0;
    Blocks blocks;
    std::size_t count = 0;
    AlignedVector<BodyIndex> a, b;  ///< A has the lower id
    AlignedVector<std::uint32_t> pair, row_a, row_b;
    /// Bit k % 8 of element k / 8 is set if pair k touches; and if it did before
    AlignedVector<std::uint8_t> touching, touched;
  };
  /// Pairs of any other shapes with one law.
  struct OtherPair {
    std::uint32_t pair, row_a, row_b;
  };
  struct OtherPairs {
    std::uint32_t law = 0;
    AlignedVector<OtherPair> pairs;
    /// Blocks for spheres on obstacles, for two bodies that consist of spheres, and for all others
    Blocks on_surfaces, of_clumps, at_points;
  };
  struct BothPowers {
    ForcePower before, after;  ///< the solve

    BothPowers& operator+=(const BothPowers& other) {
      before += other.before;
      after += other.after;
      return *this;
    }
    BothPowers& operator-=(const BothPowers& other) {
      before -= other.before;
      after -= other.after;
      return *this;
    }
  };
  /// Effects of a law's contacts on their bodies, one row each.
  struct OwnRows {
    std::vector<BodyIndex> body;
    AlignedVector<ForceRow> forces;
    std::vector<TorqueRow> torques;  ///< one per row; or empty: there are none
    /// Flow of the cell from the other body to this one [m/s]; one per row or empty
    std::vector<Vec3> flow;

    void clear() {
      body.clear();
      forces.clear();
      torques.clear();
      flow.clear();
    }
  };
  struct Chunk {
    BodyIndex begin = 0, end = 0;          ///< range of owners
    std::vector<SpherePairs> spheres;      ///< one per law
    std::vector<OtherPairs> others;        ///< one per law
    std::vector<ForceSums> sums;           ///< one per law
    std::vector<BothPowers> on_obstacles;  ///< one per law
    std::vector<OwnRows> own;              ///< one per law except main_law
  };
  std::vector<Chunk> chunks;
  /// Chunk of the pairs that were added to the list since its rebuild; it runs after the others
  Chunk alone;
  std::uint32_t first_block_alone = 0;
  std::size_t listed = 0;  ///< number of pairs of the list that are sorted
  /// Law of most pairs of the list: its energy is the difference of all and the others
  std::uint32_t main_law = 0;
  /// Calls f(chunk) for all chunks.
  template <class F>
  void for_each_chunk(F&& f) const {
    for (const Chunk& chunk : chunks) f(chunk);
    f(alone);
  }

  /// Records of free bodies, then of one at rest, then of the spheres of clumps: those of body i
  /// are first_sphere[i] to first_sphere[i + 1]; empty without clumps
  AlignedVector<ForceBody> bodies;
  std::vector<std::uint32_t> first_sphere;
  AlignedVector<ForceBlock> blocks;
  AlignedVector<MomentBlock> moment_blocks;  ///< empty without moments
  AlignedVector<Vec3> points;                ///< one per lane at a point; empty likewise [m]

  /// Rows of free bodies, then of pairs whose other body is in another chunk than their owner:
  /// those of body i are first_row[i] to first_row[i + 1]
  AlignedVector<ForceRow> rows;
  AlignedVector<TorqueRow> torque_rows;  ///< one per row; or empty: there are none
  AlignedVector<std::uint32_t> first_row;
  bool has_torque_rows() const { return !torque_rows.empty(); }
  TorqueRow torque_row_of(std::size_t row) const {
    return has_torque_rows() ? torque_rows[row] : TorqueRow{};
  }

  std::vector<BothPowers> powers;    ///< one per chunk of bodies, or of their pairs
  std::vector<BothPowers> of_laws;   ///< one per law
  std::vector<std::size_t> fastest;  ///< bodies that rotate too far, one per chunk

  AlignedVector<VelocityIncrement> increment;  ///< one per free body
  bool has_increment = false;                  ///< true if they belong to this step
  AlignedVector<VelocityIncrement> local;  ///< one per free body, by local damping; empty without
  std::vector<std::uint8_t> has_rows;  ///< true for each free body with a rigid contact or a joint
  std::vector<Twist> twist_before;     ///< one per obstacle, in the step before

  /// Memories of pairs before the step, if it may be repeated.
  AlignedVector<ForceMemory> memory_before;
  AlignedVector<Vec3> moment_before;
  AlignedVector<std::uint32_t> feature_before;
  AlignedVector<ForceHeld> held_before;
};

}  // namespace scree

/// What a step needs of contacts with compliant laws besides the state.
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
/// Their pairs are put in order when the list is made: chunks of bodies, which own the pairs, one
/// task each. What a contact does to its bodies it adds to a row of theirs. Bodies of other chunks
/// have a row for each such pair, so that sums are the same for any number of threads.
struct ForceContacts {
  static constexpr std::uint32_t kRigid = ForceLaws::kRigid;

  std::vector<force::Numbers> numbers;  ///< of each law: 2 · law, and 2 · law + 1 for points
  std::vector<std::uint32_t> law;       ///< of each pair of materials as in LawTable::all
  std::size_t laws() const { return numbers.size() / 2; }
  bool any = false;  ///< law that is compliant
  bool any_rigid = true;
  bool moments = false;  ///< some of them have rolling or spinning resistance
  /// Some of them are Hertz', and parts have sides and ends of different curvature
  bool radii = false;
  bool clumps = false;  ///< some bodies are clumps of spheres

  /// Blocks of contacts that are evaluated together.
  struct Blocks {
    std::uint32_t first = 0;     ///< in `blocks`
    std::uint32_t most = 0;      ///< contacts that there is room for
    std::uint32_t contacts = 0;  ///< of the step
  };
  /// Pairs of two spheres with one law; the arrays are filled up with pairs of bodies at rest.
  struct SpherePairs {
    std::uint32_t law = 0;
    Blocks blocks;
    std::size_t count = 0;
    AlignedVector<BodyIndex> a, b;  ///< A has the lower id
    AlignedVector<std::uint32_t> pair, row_a, row_b;
    /// Bit k % 8 of element k / 8: whether pair k touches; and did before
    AlignedVector<std::uint8_t> touching, touched;
  };
  /// Pairs of any other shapes with one law.
  struct OtherPair {
    std::uint32_t pair, row_a, row_b;
  };
  struct OtherPairs {
    std::uint32_t law = 0;
    AlignedVector<OtherPair> pairs;
    /// Of spheres on obstacles, of two bodies that are made of spheres, and of all others
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
  /// What contacts of a law give their bodies, a row each.
  struct OwnRows {
    std::vector<BodyIndex> body;
    AlignedVector<ForceRow> forces;
    std::vector<TorqueRow> torques;  ///< of each row, or empty: there are none
    /// Of the cell, from where the other body is to where this one is [m/s]; likewise
    std::vector<Vec3> flow;

    void clear() {
      body.clear();
      forces.clear();
      torques.clear();
      flow.clear();
    }
  };
  struct Chunk {
    BodyIndex begin = 0, end = 0;          ///< owners
    std::vector<SpherePairs> spheres;      ///< of each law
    std::vector<OtherPairs> others;        ///< of each law
    std::vector<ForceSums> sums;           ///< of each law
    std::vector<BothPowers> on_obstacles;  ///< of each law
    std::vector<OwnRows> own;              ///< of each law but main_law
  };
  std::vector<Chunk> chunks;
  /// Pairs that were added to the list since it was made: this chunk comes when the others are done
  Chunk alone;
  std::uint32_t first_block_alone = 0;
  std::size_t listed = 0;  ///< pairs of the list that were taken up
  /// The one that most pairs of the list have: its books are what the others leave of all
  std::uint32_t main_law = 0;
  /// Calls f(chunk) for all.
  template <class F>
  void for_each_chunk(F&& f) const {
    for (const Chunk& chunk : chunks) f(chunk);
    f(alone);
  }

  /// Free ones, then one at rest, then the spheres that clumps are made of: those of body i are
  /// first_sphere[i] to first_sphere[i + 1]; empty without clumps
  AlignedVector<ForceBody> bodies;
  std::vector<std::uint32_t> first_sphere;
  AlignedVector<ForceBlock> blocks;
  AlignedVector<MomentBlock> moment_blocks;  ///< empty without moments
  AlignedVector<Vec3> points;                ///< of each lane at a point; empty alike [m]

  /// Of each free body, then of pairs whose other body is in another chunk than their owner: those
  /// of body i are first_row[i] to first_row[i + 1]
  AlignedVector<ForceRow> rows;
  AlignedVector<TorqueRow> torque_rows;  ///< of each row; or empty, there are none
  AlignedVector<std::uint32_t> first_row;
  bool has_torque_rows() const { return !torque_rows.empty(); }
  TorqueRow torque_row_of(std::size_t row) const {
    return has_torque_rows() ? torque_rows[row] : TorqueRow{};
  }

  std::vector<BothPowers> powers;    ///< one a chunk of bodies, or of their pairs
  std::vector<BothPowers> of_laws;   ///< of each law
  std::vector<std::size_t> fastest;  ///< bodies that turn too far, likewise

  AlignedVector<VelocityIncrement> increment;  ///< of each free body
  bool has_increment = false;                  ///< they are of this step
  AlignedVector<VelocityIncrement> local;  ///< of each free body, by local damping; empty without
  std::vector<std::uint8_t> has_rows;      ///< of each free body: a rigid contact or a joint
  std::vector<Twist> twist_before;         ///< of each obstacle in the step before

  /// What pairs remembered before the step, if it may be made once more.
  AlignedVector<ForceMemory> memory_before;
  AlignedVector<Vec3> moment_before;
  AlignedVector<std::uint32_t> feature_before;
  AlignedVector<ForceHeld> held_before;
};

}  // namespace scree

/// What a step needs besides the state: made anew each step, in memory that is kept.
#pragma once

#include "scree/sim/state.hpp"
#include "scree/solvers/gauss_seidel.hpp"

namespace scree {

struct Scratch {
  static constexpr std::uint32_t kNoContact = 0xffffffff;
  static constexpr std::uint32_t kGeneral = 0x80000000;  ///< flag of a slot: the rest is an index into problem.general

  ContactProblem problem;
  GaussSeidel solver;
  SolveResult solved;

  bool any_anisotropic = false;
  bool all_diagonal = true;             ///< every contact there can be is one of a DiagonalBlock
  AlignedVector<float> margin;          ///< of each free body: its part of the gap below which a pair is a contact [m]
  std::vector<double> obstacle_margin;  ///< [m]

  AlignedVector<std::uint32_t> slot;  ///< of each pair: 8 · block + lane, or kGeneral | index, or kNoContact
  AlignedVector<float> gap;           ///< of each slot, for output [m]
  AlignedVector<double> general_gap;  ///< of each general contact [m]

  /// Pairs are cut into kPairChunks runs. Row c: contacts of each group in chunk c, then contacts with moving obstacles;
  /// after the prefix sum: where they go.
  AlignedVector<std::uint32_t> chunk_count;
  std::vector<std::uint32_t> general_pairs;

  double free_kinetic_energy = 0;  ///< at the free velocities [J]

  /// Sums that a stage makes, one per chunk, added in order.
  struct Partial {
    double a = 0, b = 0;
    std::uint32_t count = 0;
  };
  std::vector<Partial> partial;
  std::vector<double> kinetic;  ///< after the solve, per chunk of bodies [J]
};

inline constexpr std::size_t kPairChunks = 64;  ///< however many threads there are
inline constexpr std::size_t kBodiesPerChunk = 1024;

/// Resizes without the doubling that push_back would bring: what grows, grows by a 64th.
template <class Vector>
void resize_tightly(Vector& v, std::size_t n) {
  if (n > v.capacity()) v.reserve(n + n / 64);
  v.resize(n);
}

}  // namespace scree

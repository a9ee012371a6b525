/// The one text of the kernels in lanes, compiled per instruction set in a translation unit of its own.
///
/// A table of function pointers per instruction set; the widest that the machine has is taken at start-up.
#pragma once

#include <cstdint>

#include "scree/solvers/contact_problem.hpp"

namespace scree::kernels {

/// Sums over the contacts of a run of blocks, one per lane, so that their order does not depend on the width of registers.
struct CertifySums {
  double squared[kBlock] = {};    ///< Σ e² [m²/s²]
  double largest[kBlock] = {};    ///< max e² [m²/s²]
  double bias_work[kBlock] = {};  ///< −Σ b r_n [J]
  std::uint32_t loaded = 0, sliding = 0;
  std::uint32_t over_tolerance = 0;  ///< contacts with e² > limit
};

struct Kernels {
  const char* instruction_set;

  // Contacts of spheres.

  /// Adds the percussions of blocks [begin, end) to their bodies. `last` is the end of all blocks, to prefetch up to.
  void (*apply)(const DiagonalBlock* begin, const DiagonalBlock* end, const DiagonalBlock* last, BodyRecord* bodies,
                std::uint32_t free_bodies);
  /// Solves each contact of blocks [begin, end) exactly; adds (W_t |Δr|)² to change[kBlock].
  void (*relax)(DiagonalBlock* begin, DiagonalBlock* end, const DiagonalBlock* last, BodyRecord* bodies,
                std::uint32_t free_bodies, double* change);
  /// `limit` on e² of one contact [m²/s²], to count those that are over it.
  void (*certify)(const DiagonalBlock* begin, const DiagonalBlock* end, const BodyRecord* bodies, double limit,
                  CertifySums& sums);

  // Contacts with full blocks.

  /// Adds the percussions of blocks [begin, end) to their bodies.
  void (*apply_full)(const FullBlock* begin, const FullBlock* end, BodyRecord* bodies, std::uint32_t free_bodies);
  /// Solves each contact of blocks [begin, end) by one law exactly, stacks from below; adds (trace W · |Δr|)² to change[kBlock].
  using Relax = void (*)(const void* law, FullBlock* begin, FullBlock* end, BodyRecord* bodies,
                         std::uint32_t free_bodies, double* change);
  const Relax* relax_full;  ///< of each law, in the order of AnyLaw
};

extern const Kernels scalar_kernels;
#if defined(__x86_64__)
extern const Kernels avx2_kernels;
extern const Kernels avx512_kernels;
#endif

}  // namespace scree::kernels

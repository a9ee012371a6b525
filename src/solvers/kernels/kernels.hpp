/// The one text of the kernels in lanes, compiled per instruction set in a translation unit of its
/// own.
///
/// A table of function pointers per instruction set; the widest that the machine has is taken at
/// start-up.
#pragma once

#include <cstddef>
#include <cstdint>

#include "scree/core/instruction_set.hpp"
#include "scree/solvers/position_correction.hpp"

namespace scree::kernels {

/// What the certificate says of the contacts of one block.
struct BlockVerdict {
  double squared[kBlock];    ///< e² [m²/s²]
  double bias_work[kBlock];  ///< −b r_n [J]
  double normal[kBlock];     ///< r_n [N s]
  /// ≥ 0 where r_t lies on the surface of the cone, to within 1e-9; only where r_n > 0
  double beyond[kBlock];
};

/// The same of a contact block, in lanes; what lanes do not know of its law is left out.
struct FullVerdict {
  double u[3][kBlock];  ///< in the frame, bias included [m/s]
  /// ≠ 0 where the contact has a solution of its own law; elsewhere law.solve has to say
  double solved[kBlock];
  bool knows_law;          ///< of the others of these
  double squared[kBlock];  ///< e² without that of rolling rows [m²/s²]
  double beyond[kBlock];   ///< as in BlockVerdict
};

/// What pushes move.
struct PseudoVelocities {
  /// In the first sweep, with the velocities that were solved for: to go from room to b, and p = 0.
  /// Then null.
  const BodyRecord* solved;
  double fraction;  ///< ε [-]
  bool backward;    ///< from the last block to the first
  PseudoVelocity *linear, *angular;
  std::uint32_t free_bodies;

  /// Of the i-th block of a chunk to be solved.
  std::uint32_t place(const Chunk& chunk, std::uint32_t i) const {
    return backward ? chunk.end - 1 - i : chunk.begin + i;
  }
};

/// A row of a panel: of row i the columns from 0 on would begin at panel + starts[i].
struct PanelRow {
  double* panel;
  const std::ptrdiff_t* starts;
  std::size_t first, width;  ///< its columns that may be other than 0
  const double* values;
};

/// A sum of `terms` outer products. Of term k, number i of its column is a[i a_row + k a_term], and
/// number j of its row b[k b_term + j].
struct Product {
  std::size_t terms;
  const double* a;
  std::size_t a_row, a_term;
  const double* b;
  std::size_t b_term;
};

/// What is done with small dense matrices.
struct DenseKernels {
  /// C − Σ a_k b_kᵀ, term after term, of so many rows and columns; rows of C are `stride` apart.
  void (*take_product)(double* C, std::size_t stride, std::size_t rows, std::size_t columns,
                       const Product& of);
  /// Takes parts of a row from others of its panel, that have all of its columns.
  void (*take_row)(const PanelRow& row, const double* parts, const int* places, std::size_t count);
};

/// Of a square C that is symmetric, its upper triangle alone; of the lower one some numbers.
inline void take_upper(const DenseKernels& dense, double* C, std::size_t stride, std::size_t size,
                       const Product& of) {
  constexpr std::size_t kRows = 8;
  if (of.terms == 0) return;  // there may be no numbers to point to
  for (std::size_t i = 0; i < size; i += kRows)
    dense.take_product(C + i * stride + i, stride, std::min(kRows, size - i), size - i,
                       {of.terms, of.a + i * of.a_row, of.a_row, of.a_term, of.b + i, of.b_term});
}

struct Kernels {
  // Contacts of spheres.

  /// Adds the impulses of blocks [begin, end) to their bodies. `last` is the end of all blocks,
  /// to prefetch up to.
  void (*apply)(const SphereContactBlock* begin, const SphereContactBlock* end,
                const SphereContactBlock* last, BodyRecord* bodies, std::uint32_t free_bodies);
  /// Solves each contact of blocks [begin, end) exactly; raises change[kBlock] to (W_t |Δr|)² of
  /// the contacts in each lane.
  void (*relax)(SphereContactBlock* begin, SphereContactBlock* end, const SphereContactBlock* last,
                BodyRecord* bodies, std::uint32_t free_bodies, double* change);
  void (*certify)(const SphereContactBlock& block, const BodyRecord* bodies, BlockVerdict& verdict);

  // Contacts with contact blocks.

  /// Adds the impulses of blocks [begin, end) to their bodies.
  void (*apply_full)(const ContactBlock* begin, const ContactBlock* end, BodyRecord* bodies,
                     std::uint32_t free_bodies);
  /// Solves each contact of blocks [begin, end) by one law exactly, stacks from below; raises
  /// change[kBlock] to (trace W · |Δr|)².
  using Relax = void (*)(const void* law, ContactBlock* begin, ContactBlock* end,
                         BodyRecord* bodies, std::uint32_t free_bodies, double* change);
  const Relax* relax_full;  ///< of each law, in the order of AnyLaw
  using Certify = void (*)(const void* law, const ContactBlock& block, const BodyRecord* bodies,
                           FullVerdict& verdict);
  const Certify* certify_full;  ///< of each law, as relax_full

  // Their rolling rows.

  /// Adds the impulses of blocks [begin, end) to their bodies.
  void (*apply_rolling)(const RollingBlock* begin, const RollingBlock* end, BodyRecord* bodies,
                        std::uint32_t free_bodies);
  /// Makes the rows of blocks [begin, end) resist turning by what the r_n of their contacts, in
  /// `full`, allow; raises change[kBlock] to (trace W · |Δp|)².
  void (*relax_rolling)(const ContactBlock* full, RollingBlock* begin, RollingBlock* end,
                        BodyRecord* bodies, std::uint32_t free_bodies, double* change);

  // See PositionCorrection.

  /// Solves each contact of blocks [chunk.begin, chunk.end) exactly, in this order or backward;
  /// raises change[kBlock] to (W_nn |Δp|)². `last` is the number of all blocks, to prefetch up to.
  void (*correct)(const SphereContactBlock* blocks, CorrectionBlock* corrections,
                  const Chunk& chunk, std::uint32_t last, const PseudoVelocities& bodies,
                  double* change);
  void (*correct_full)(const ContactBlock* blocks, CorrectionBlock* corrections, const Chunk& chunk,
                       const PseudoVelocities& bodies, double* change);

  DenseKernels dense;
};

extern const Kernels scalar_kernels;
#if defined(__x86_64__)
extern const Kernels avx2_kernels;
extern const Kernels avx512_kernels;
#endif

const Kernels& kernels_of(InstructionSet set);

}  // namespace scree::kernels

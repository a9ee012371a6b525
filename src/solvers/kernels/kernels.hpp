/// Tables of the kernels in SIMD lanes, one per instruction set.
///
/// All come from one text, compiled per instruction set in its own translation unit. The widest set
/// that the machine has is chosen at start-up.
#pragma once

#include <cstddef>
#include <cstdint>

#include "scree/core/instruction_set.hpp"
#include "scree/solvers/position_correction.hpp"
#include "solvers/step_settings.hpp"

namespace scree::kernels {

/// Terms of the certificate from the contacts of one block.
struct BlockVerdict {
  double squared[kBlock];    ///< e² [m²/s²]
  double bias_work[kBlock];  ///< −b r_n [J]
  double normal[kBlock];     ///< r_n [N s]
  /// ≥ 0 where r_t lies on the surface of the cone, to within 1e-9; only where r_n > 0
  double beyond[kBlock];
};

/// The same terms from a contact block; without those of laws that have no text in lanes.
struct ContactBlockVerdict {
  double u[3][kBlock];  ///< in the frame, bias included [m/s]
  /// ≠ 0 if lanes found a solution of the contact's law; otherwise law.solve decides
  double solved[kBlock];
  /// ≠ 0 if the law certainly has one solution
  double one_solution[kBlock];
  bool knows_law;          ///< True if `squared` and `beyond` are set
  double squared[kBlock];  ///< e² without rolling rows [m²/s²]
  double beyond[kBlock];   ///< see BlockVerdict
};

/// Pseudo-velocities of bodies, for a sweep of position correction.
struct PseudoVelocities {
  /// Solved velocities in the first sweep, which computes b from the admissible approach and sets p
  /// = 0; null in later sweeps
  const BodyRecord* solved;
  double fraction;  ///< ε [-]
  bool backward;    ///< from the last block to the first
  PseudoVelocity *linear, *angular;
  std::uint32_t free_bodies;

  /// Index of the i-th block of a chunk in the order of the sweep.
  std::uint32_t block_at(const Chunk& chunk, std::uint32_t i) const {
    return backward ? chunk.end - 1 - i : chunk.begin + i;
  }
};

/// A row of a panel. Column 0 of row i would be at panel + starts[i].
struct PanelRow {
  double* panel;
  const std::ptrdiff_t* starts;
  std::size_t first, width;  ///< columns that are stored; all others are 0
  const double* values;
};

/// A sum of `terms` outer products. In term k, entry i of the column is a[i a_row + k a_term], and
/// entry j of the row is b[k b_term + j].
struct Product {
  std::size_t terms;
  const double* a;
  std::size_t a_row, a_term;
  const double* b;
  std::size_t b_term;
};

/// Kernels of small dense matrices.
struct DenseKernels {
  /// Subtracts Σ a_k b_kᵀ from C, term after term; rows of C are `stride` apart.
  void (*take_product)(double* C, std::size_t stride, std::size_t rows, std::size_t columns,
                       const Product& of);
  /// Subtracts multiples of a row from other rows of its panel, which have all of its columns.
  void (*take_row)(const PanelRow& row, const double* factors, const int* positions,
                   std::size_t count);
};

/// Subtracts a symmetric product from the upper triangle of C; some entries below the diagonal
/// change, too.
inline void take_upper(const DenseKernels& dense, double* C, std::size_t stride, std::size_t size,
                       const Product& of) {
  constexpr std::size_t kStep = kUpperTriangleRows;
  if (of.terms == 0) return;  // a and b may be null
  for (std::size_t i = 0; i < size; i += kStep)
    dense.take_product(C + i * stride + i, stride, std::min(kStep, size - i), size - i,
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

  // Contacts of any two bodies.

  /// Adds the impulses of blocks [begin, end) to their bodies.
  void (*apply_contacts)(const ContactBlock* begin, const ContactBlock* end, BodyRecord* bodies,
                         std::uint32_t free_bodies);
  /// Solves each contact of blocks [begin, end) by one law exactly, stacks from below; raises
  /// change[kBlock] to (trace W · |Δr|)².
  using Relax = void (*)(const void* law, ContactBlock* begin, ContactBlock* end,
                         BodyRecord* bodies, std::uint32_t free_bodies, double* change);
  const Relax* relax_contacts;  ///< one per law, in the order of AnyLaw
  using Certify = void (*)(const void* law, const ContactBlock& block, const BodyRecord* bodies,
                           ContactBlockVerdict& verdict);
  const Certify* certify_contacts;  ///< one per law, like relax_contacts

  // Their rolling rows.

  /// Adds the impulses of blocks [begin, end) to their bodies.
  void (*apply_rolling)(const RollingBlock* begin, const RollingBlock* end, BodyRecord* bodies,
                        std::uint32_t free_bodies);
  /// Solves the rolling rows of blocks [begin, end), limited by the r_n of their contacts in
  /// `contacts`; raises change[kBlock] to (trace W · |Δp|)².
  void (*relax_rolling)(const ContactBlock* contacts, RollingBlock* begin, RollingBlock* end,
                        BodyRecord* bodies, std::uint32_t free_bodies, double* change);

  // Position correction.

  /// Solves each contact of blocks [chunk.begin, chunk.end) exactly, in this order or backward;
  /// raises change[kBlock] to (W_nn |Δp|)². `last` is the number of all blocks, to prefetch up to.
  void (*correct)(const SphereContactBlock* blocks, CorrectionBlock* corrections,
                  const Chunk& chunk, std::uint32_t last, const PseudoVelocities& bodies,
                  double* change);
  void (*correct_contacts)(const ContactBlock* blocks, CorrectionBlock* corrections,
                           const Chunk& chunk, const PseudoVelocities& bodies, double* change);

  DenseKernels dense;
};

extern const Kernels scalar_kernels;
#if defined(__x86_64__)
extern const Kernels avx2_kernels;
extern const Kernels avx512_kernels;
#endif

const Kernels& kernels_of(InstructionSet set);

}  // namespace scree::kernels

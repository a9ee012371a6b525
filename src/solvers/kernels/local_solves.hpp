/// Local solves of contacts of one law with a full 3×3 block W, eight at a time: one text,
/// local_solves.inl, compiled per instruction set.
#pragma once

#include "scree/core/instruction_set.hpp"
#include "scree/laws/law_list.hpp"

namespace scree::kernels {

/// Contacts per local solve.
inline constexpr int kLocalBatch = 8;

struct LocalSolves {
  /// Solves `count` batches of contacts of one law. A row holds one number of eight contacts. Each
  /// batch has rows W[6] (xx, xy, xz, yy, yz, zz) [1/kg], q[3] [m/s] and r[3] [N s], r the warm
  /// start on entry. The bits of r are the same on every instruction set.
  void (*solve)(const AnyLaw& law, const double (*W)[kLocalBatch], const double (*q)[kLocalBatch],
                double (*r)[kLocalBatch], int count);
};

extern const LocalSolves scalar_local_solves;
#if defined(__x86_64__)
extern const LocalSolves avx2_local_solves;
extern const LocalSolves avx512_local_solves;
#endif

const LocalSolves& local_solves_of(InstructionSet set);

/// law.solve(W, q, r), for every law in the list. It is compiled once, for any machine: if a law's
/// inline function were compiled for a wider instruction set, too, the linker could keep that one.
template <class Law>
LocalStatus solve_alone(const Law& law, const SymMat3& W, const Vec3& q, Vec3& r);

/// Regular polygon of a faceted cone, corners on the unit circle, the first at (1, 0).
struct FrictionPolygon {
  double apothem = 0;                         ///< distance of the edges from the centre [-]
  double c[Polyhedral::kMaxFacets + 1] = {};  ///< corners, the first again at the end
  double s[Polyhedral::kMaxFacets + 1] = {};
};
/// Polygon with this number of facets, in [4, 64], from a table.
const FrictionPolygon& friction_polygon(int facets);

}  // namespace scree::kernels

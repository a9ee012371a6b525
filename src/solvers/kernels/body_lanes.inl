// Bodies in lanes, from their records and back. Included by one translation unit per instruction
// set, which defines SCREE_LANES. Everything here has internal linkage: the linker must never merge
// a function of one instruction set with its namesake of another.
#pragma once

#include "scree/solvers/position_correction.hpp"
#include "solvers/kernels/lane_vectors.inl"

namespace scree::kernels {
namespace {

/// N bodies, one per lane.
struct BodyLanes {
  Lane3 v, s;
  L inverse_mass, inverse_inertia;
};

inline BodyLanes gather(const BodyRecord* bodies, const BodyIndex* index) {
  L m[8];
  for (int first = 0; first < 8; first += N) {
    L rows[N];
    for (int k = 0; k < N; ++k)
      rows[k] = load<N>(reinterpret_cast<const double*>(bodies + index[k]) + first);
    transpose<N>(rows);
    for (int k = 0; k < N; ++k) m[first + k] = rows[k];
  }
  return {{m[0], m[1], m[2]}, {m[3], m[4], m[5]}, m[6], m[7]};
}

/// Writes free bodies. Obstacles are never written: several lanes and threads may have the same
/// one.
inline void scatter(BodyRecord* bodies, const BodyIndex* index, const BodyLanes& b,
                    std::uint32_t free_bodies) {
  const L m[8] = {b.v.x, b.v.y, b.v.z, b.s.x, b.s.y, b.s.z, b.inverse_mass, b.inverse_inertia};
  for (int first = 0; first < 8; first += N) {
    L rows[N];
    for (int k = 0; k < N; ++k) rows[k] = m[first + k];
    transpose<N>(rows);
    for (int k = 0; k < N; ++k)
      if (index[k] < free_bodies)
        store<N>(reinterpret_cast<double*>(bodies + index[k]) + first, rows[k]);
  }
}

/// N pseudo-velocities, one per lane.
struct PseudoVelocityLanes {
  Lane3 w;
  L inverse;
};

inline PseudoVelocityLanes gather(const PseudoVelocity* records, const BodyIndex* index) {
  const double* row[N];
  for (int k = 0; k < N; ++k) row[k] = reinterpret_cast<const double*>(records + index[k]);
  L m[4];
  load_fours<N>(row, m);
  return {{m[0], m[1], m[2]}, m[3]};
}

inline void scatter(PseudoVelocity* records, const BodyIndex* index, const PseudoVelocityLanes& p,
                    std::uint32_t free_bodies) {
  double* row[N];
  for (int k = 0; k < N; ++k)
    row[k] = index[k] < free_bodies ? reinterpret_cast<double*>(records + index[k]) : nullptr;
  L m[4] = {p.w.x, p.w.y, p.w.z, p.inverse};
  store_fours<N>(row, m);
}

}  // namespace
}  // namespace scree::kernels

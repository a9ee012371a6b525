// Contacts with a full 3×3 block W, solved in lanes. Included by one translation unit per
// instruction set, which defines SCREE_LANES.
//
// Each lane takes the steps of the scalar laws in src/laws:
//
//   separating   r = 0 obeys the law
//   sticking     −W⁻¹q lies in the cone
//   sliding      on the surface of the cone: round_cones.inl, faceted_cones.inl
//
// Then it checks the residual of its answer. law.solve takes over in lanes that are not sure: also
// if W is not clearly positive definite, a number is not finite, or the contact slides and its
// friction is strongly coupled with its normal motion. If Coulomb's law has several sliding
// solutions, a lane takes the first that it finds.
//
// No lane depends on another. Finished lanes keep their values while others continue, so a
// contact's answer has the same bits in registers of any width.
#pragma once

#include "solvers/kernels/faceted_cones.inl"
#include "solvers/kernels/local_solves.hpp"
#include "solvers/kernels/round_cones.inl"

namespace scree::kernels {
namespace {

/// Default for laws without a text in lanes: no lane is sure, and law.solve does all.
template <class Law>
Attempt attempt(const Law&, const LaneSym3&, const Lane3&, const Lane3& warm) {
  return {warm, Mask{}};
}

inline Attempt attempt(const Frictionless&, const LaneSym3& W, const Lane3& q, const Lane3&) {
  const Mask sound = W.xx > 0 && W.xx < 1e300 && q.x - q.x == 0 && q.y - q.y == 0 && q.z - q.z == 0;
  const Attempt answer = without_friction(W, q, sound);
  return {answer.r, answer.sure && answer.r.x < 1e300};
}

/// Calls law.solve in the lanes that are not sure; r is the warm start there, the answer elsewhere.
template <class Law>
void solve_others(const Law& law, const LaneSym3& W, const Lane3& q, const Mask& sure, Lane3& r) {
  double x[N], y[N], z[N], open[N];
  store<N>(x, r.x);
  store<N>(y, r.y);
  store<N>(z, r.z);
  store<N>(open, select(sure, L{}, L{} + 1.0));
  for (int k = 0; k < N; ++k) {
    if (open[k] == 0) continue;
    const SymMat3 block{lane(W.xx, k), lane(W.xy, k), lane(W.xz, k),
                        lane(W.yy, k), lane(W.yz, k), lane(W.zz, k)};
    Vec3 impulse{x[k], y[k], z[k]};
    solve_alone(law, block, {lane(q.x, k), lane(q.y, k), lane(q.z, k)}, impulse);
    x[k] = impulse.x;
    y[k] = impulse.y;
    z[k] = impulse.z;
  }
  r = {load<N>(x), load<N>(y), load<N>(z)};
}

/// Solves N contacts of one law; r is the warm start on entry.
template <class Law>
void solve_lanes(const Law& law, const LaneSym3& W, const Lane3& q, Lane3& r) {
  const Attempt answer = attempt(law, W, q, r);
  r = select(answer.sure, answer.r, r);
  if (any(!answer.sure)) solve_others(law, W, q, answer.sure, r);
}

/// LocalSolves::solve.
inline void solve_batches(const AnyLaw& any_law, const double (*W)[kLocalBatch],
                          const double (*q)[kLocalBatch], double (*r)[kLocalBatch], int count) {
  std::visit(
      [&](const auto& law) {
        for (int batch = 0; batch < count; ++batch, W += 6, q += 3, r += 3)
          for (int k = 0; k < kLocalBatch; k += N) {
            const LaneSym3 block{load<N>(W[0] + k), load<N>(W[1] + k), load<N>(W[2] + k),
                                 load<N>(W[3] + k), load<N>(W[4] + k), load<N>(W[5] + k)};
            const Lane3 velocity{load<N>(q[0] + k), load<N>(q[1] + k), load<N>(q[2] + k)};
            Lane3 impulse{load<N>(r[0] + k), load<N>(r[1] + k), load<N>(r[2] + k)};
            solve_lanes(law, block, velocity, impulse);
            store<N>(r[0] + k, impulse.x);
            store<N>(r[1] + k, impulse.y);
            store<N>(r[2] + k, impulse.z);
          }
      },
      any_law);
}

}  // namespace
}  // namespace scree::kernels

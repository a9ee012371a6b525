// Rolling rows of contacts in lanes, for one instruction set.
#pragma once

#include "solvers/kernels/contact_kernels.inl"

namespace scree::kernels {
namespace {

/// w of one row in lanes [k, k + N), with the bias.
inline L rolling_velocity(const RollingBlock& block, int row, int k, const BodyLanes& a,
                          const BodyLanes& b) {
  return dot(load3(block.jw_a[row], k), a.s) + dot(load3(block.jw_b[row], k), b.s) +
         load<N>(block.bias[row] + k);
}

/// Adds impulse d of one row on B, −d on A.
inline void add_rolling(const RollingBlock& block, int row, int k, BodyLanes& a, BodyLanes& b,
                        const L& d) {
  a.s = a.s + (a.inverse_inertia * d) * load3(block.jw_a[row], k);
  b.s = b.s + (b.inverse_inertia * d) * load3(block.jw_b[row], k);
}

void apply_rolling(const RollingBlock* begin, const RollingBlock* end, BodyRecord* bodies,
                   std::uint32_t free_bodies) {
  for (const RollingBlock* block = begin; block != end; ++block)
    for (int k = 0; k < kBlock; k += N) {
      BodyLanes a = gather(bodies, block->a + k), b = gather(bodies, block->b + k);
      for (int row = 0; row < 3; ++row)
        add_rolling(*block, row, k, a, b, load<N>(block->impulse[row] + k));
      scatter(bodies, block->a + k, a, free_bodies);
      scatter(bodies, block->b + k, b, free_bodies);
    }
}

/// Impulse about the normal that stops w, clamped to the limit by r_n.
inline L resist_spin(const L& W, const L& w, const L& before, const L& limit) {
  const L stop = before - w / W;
  const L below_max = stop < limit ? stop : limit;
  return below_max > -limit ? below_max : -limit;
}

/// Impulse about the tangents (y and z) that stops w, if it lies in the disc of radius `limit`. If
/// not, a step down the gradient of the energy, by the inverse of W's largest eigenvalue, projected
/// on the disc. This is exact if W is a multiple of 1, as for spheres, and never creates energy.
inline Lane3 resist_roll(const RollingBlock& block, int k, const L& w_y, const L& w_z,
                         const Lane3& before, const L& limit) {
  const L yy = load<N>(block.W[1] + k), yz = load<N>(block.W[2] + k), zz = load<N>(block.W[3] + k);
  const L determinant = yy * zz - yz * yz, zero{};
  const Lane3 stop{zero, before.y - (zz * w_y - yz * w_z) / determinant,
                   before.z - (yy * w_z - yz * w_y) / determinant};
  const Mask stops = determinant > 1e-12 * (yy * zz) && dot(stop, stop) <= limit * limit;
  const L half = 0.5 * (yy - zz);
  const L largest = 0.5 * (yy + zz) + square_root<N>(half * half + yz * yz);
  const Lane3 step = in_disc({zero, before.y - w_y / largest, before.z - w_z / largest}, limit);
  return select(stops, stop, step);
}

/// Solves the row about the normal, then those about the tangents, with the contacts' own impulses
/// fixed. Impulses do not change where a number is not finite.
void relax_rolling(const ContactBlock* contacts, RollingBlock* begin, RollingBlock* end,
                   BodyRecord* bodies, std::uint32_t free_bodies, double* change) {
  const auto or_zero = [](const L& d) { return d - d == 0 ? d : L{}; };  // if not finite
  for (RollingBlock* block = begin; block != end; ++block)
    for (int k = 0; k < kBlock; k += N) {
      BodyLanes a = gather(bodies, block->a + k), b = gather(bodies, block->b + k);
      const L r_n = positive_part<N>(load<N>(contacts[block->contacts].impulse[0] + k));
      const Lane3 before = load3(block->impulse, k);
      const L W_nn = load<N>(block->W[0] + k);
      Lane3 d;
      d.x = or_zero(resist_spin(W_nn, rolling_velocity(*block, 0, k, a, b), before.x,
                                load<N>(block->spinning + k) * r_n) -
                    before.x);
      add_rolling(*block, 0, k, a, b, d.x);
      const Lane3 roll = resist_roll(*block, k, rolling_velocity(*block, 1, k, a, b),
                                     rolling_velocity(*block, 2, k, a, b), before,
                                     load<N>(block->rolling + k) * r_n);
      d.y = or_zero(roll.y - before.y);
      d.z = or_zero(roll.z - before.z);
      add_rolling(*block, 1, k, a, b, d.y);
      add_rolling(*block, 2, k, a, b, d.z);
      scatter(bodies, block->a + k, a, free_bodies);
      scatter(bodies, block->b + k, b, free_bodies);
      store3(block->impulse, k, before + d);
      const L trace = W_nn + load<N>(block->W[1] + k) + load<N>(block->W[3] + k);
      raise(change + k, trace * trace * dot(d, d));
    }
}

}  // namespace
}  // namespace scree::kernels

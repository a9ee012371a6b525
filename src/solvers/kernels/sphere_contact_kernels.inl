// Contacts of spheres in lanes. Included by one translation unit per instruction set, which defines
// SCREE_LANES. Everything here has internal linkage: the linker must never merge a function of one
// instruction set with its namesake of another.
#pragma once

#include "solvers/kernels/body_lanes.inl"
#include "solvers/kernels/kernels.hpp"
#include "solvers/step_settings.hpp"

namespace scree::kernels {
namespace {

/// The contacts of lanes [k, k + N) of a block.
struct ContactLanes {
  Lane3 n, r;
  L bias, mu;

  ContactLanes(const SphereContactBlock& block, int k)
      : n(load3(block.normal, k)),
        r(load3(block.impulse, k)),
        bias(load<N>(block.bias + k)),
        mu(load<N>(block.friction + k)) {}
};

/// Adds impulse d on B, −d on A.
inline void add_impulse(BodyLanes& a, BodyLanes& b, const Lane3& n, const Lane3& d) {
  const Lane3 angular = cross(n, d);
  a.v = a.v - a.inverse_mass * d;
  b.v = b.v + b.inverse_mass * d;
  a.s = a.s - a.inverse_inertia * angular;
  b.s = b.s - b.inverse_inertia * angular;
}

/// Prefetches blocks, and a little later their bodies: otherwise each block waits for memory once
/// the problem is larger than the cache. Continues beyond the present run of blocks, up to the last
/// of all. Always inline: GCC considers a function that only prefetches to have no effect, and
/// drops the call.
[[gnu::always_inline]] inline void prefetch_ahead(const SphereContactBlock* block,
                                                  const SphereContactBlock* last,
                                                  const BodyRecord* bodies) {
  if (last - block <= kSphereBlocksAhead) return;
  const char* lines = reinterpret_cast<const char*>(block + kSphereBlocksAhead);
  for (std::size_t byte = 0; byte < sizeof(SphereContactBlock); byte += kCacheLine)
    __builtin_prefetch(lines + byte, 1);
  const SphereContactBlock& soon = block[kSphereBodiesAhead];
  for (int k = 0; k < kBlock; ++k) {
    __builtin_prefetch(bodies + soon.a[k], 1);
    __builtin_prefetch(bodies + soon.b[k], 1);
  }
}

inline void raise(double* max, const L& to) {
  const L now = load<N>(max);
  store<N>(max, to > now ? to : now);
}

void apply(const SphereContactBlock* begin, const SphereContactBlock* end,
           const SphereContactBlock* last, BodyRecord* bodies, std::uint32_t free_bodies) {
  for (const SphereContactBlock* block = begin; block != end; ++block) {
    prefetch_ahead(block, last, bodies);
    for (int k = 0; k < kBlock; k += N) {
      const ContactLanes c(*block, k);
      BodyLanes a = gather(bodies, block->a + k), b = gather(bodies, block->b + k);
      add_impulse(a, b, c.n, c.r);
      scatter(bodies, block->a + k, a, free_bodies);
      scatter(bodies, block->b + k, b, free_bodies);
    }
  }
}

/// Coulomb's law where W = diag(W_n, W_t, W_t): Signorini first, then the tangential impulse
/// that would stop the slip, cut back to the disc of radius μ r_n. max_dissipation is the same map
/// here.
void relax(SphereContactBlock* begin, SphereContactBlock* end, const SphereContactBlock* last,
           BodyRecord* bodies, std::uint32_t free_bodies, double* change) {
  for (SphereContactBlock* block = begin; block != end; ++block) {
    prefetch_ahead(block, last, bodies);
    for (int k = 0; k < kBlock; k += N) {
      const ContactLanes c(*block, k);
      BodyLanes a = gather(bodies, block->a + k), b = gather(bodies, block->b + k);
      const L w_n = a.inverse_mass + b.inverse_mass;
      const L w_t = w_n + a.inverse_inertia + b.inverse_inertia;
      const L inverse_w_n = w_n > 0 ? 1 / w_n : L{}, inverse_w_t = w_n > 0 ? 1 / w_t : L{};

      const Lane3 u = b.v - a.v - cross(a.s + b.s, c.n);
      const L u_n = dot(u, c.n), old_n = dot(c.r, c.n);
      const L r_n = positive_part<N>(old_n - inverse_w_n * (u_n + c.bias));
      const Lane3 stick = c.r - old_n * c.n - inverse_w_t * (u - u_n * c.n);
      const Lane3 r = r_n * c.n + in_disc(stick, c.mu * r_n);
      const Lane3 d = r - c.r;
      add_impulse(a, b, c.n, d);
      scatter(bodies, block->a + k, a, free_bodies);
      scatter(bodies, block->b + k, b, free_bodies);
      store<N>(block->impulse[0] + k, r.x);
      store<N>(block->impulse[1] + k, r.y);
      store<N>(block->impulse[2] + k, r.z);
      raise(change + k, w_t * w_t * dot(d, d));
    }
  }
}

/// scree::tangential_weight
inline L tangential_weight(const L& mu) {
  const L bound = mu < 1 ? mu : L{} + 1;
  return mu > 0 ? 1 / bound : L{} + 1;
}

/// scree::contact_residual of each contact, by the natural map (r − P_K(r − ρ (u + μ|u_t| n))) / ρ,
/// ρ = 3 / (W_n + 2 W_t).
void certify(const SphereContactBlock& block, const BodyRecord* bodies, BlockVerdict& verdict) {
  for (int k = 0; k < kBlock; k += N) {
    const ContactLanes c(block, k);
    const BodyLanes a = gather(bodies, block.a + k), b = gather(bodies, block.b + k);
    const L w_n = a.inverse_mass + b.inverse_mass;
    const L inverse_rho = (3 * w_n + 2 * (a.inverse_inertia + b.inverse_inertia)) / 3;
    const L rho = w_n > 0 ? 1 / inverse_rho : L{};

    const Lane3 u = b.v - a.v - cross(a.s + b.s, c.n);
    const L u_n = dot(u, c.n), r_n = dot(c.r, c.n);
    const Lane3 u_t = u - u_n * c.n, r_t = c.r - r_n * c.n;
    const L slip = square_root<N>(dot(u_t, u_t));
    // z = r − ρû, and its projection on the cone
    const L z_n = r_n - rho * (u_n + c.bias + c.mu * slip);
    const Lane3 z_t = r_t - rho * u_t;
    const L z_length = square_root<N>(dot(z_t, z_t));
    const L edge = positive_part<N>((z_n + c.mu * z_length) / (1 + c.mu * c.mu));
    // z_n ≥ 0 matters if μ = 0
    const auto inside = z_n >= 0 && z_length <= c.mu * z_n;
    const L p_n = inside ? z_n : edge;
    const L p_scale = inside ? L{} + 1 : (z_length > 0 ? c.mu * edge / z_length : L{});
    const L e_n = r_n - p_n;
    const Lane3 e_t = r_t - p_scale * z_t;
    const L weight = tangential_weight(c.mu);
    const L squared = inverse_rho * inverse_rho * (e_n * e_n + weight * weight * dot(e_t, e_t));

    // On the surface of the cone: |r_t| ≥ (1 − 1e-9) μ r_n. Compare slopes: squares of small
    // impulses may underflow.
    const L bound = (1 - 1e-9) * c.mu;
    const Lane3 slope{r_t.x / r_n, r_t.y / r_n, r_t.z / r_n};
    store<N>(verdict.squared + k, squared);
    store<N>(verdict.bias_work + k, -c.bias * r_n);
    store<N>(verdict.normal + k, r_n);
    store<N>(verdict.beyond + k, dot(slope, slope) - bound * bound);
  }
}

/// Replaces the admissible approach by b, and sets p = 0.
inline void find_bias(CorrectionBlock& correction, int k, const L& u_n, double fraction) {
  const L x = load<N>(correction.admissible_approach + k) + u_n;
  store<N>(correction.admissible_approach + k, x < 0 ? fraction * x : x);
  store<N>(correction.pseudo_impulse + k, L{});
}

/// Change of p ≥ 0 in lanes [k, k + N) of pairs with pseudo-velocity w_n.
inline L correct_by(CorrectionBlock& correction, int k, const L& w_n, const L& W, double* change) {
  const L before = load<N>(correction.pseudo_impulse + k);
  const L after = positive_part<N>(
      before - (W > 0 ? 1 / W : L{}) * (w_n + load<N>(correction.admissible_approach + k)));
  store<N>(correction.pseudo_impulse + k, after);
  const L moved = W * (after - before);
  raise(change + k, moved * moved);
  return after - before;
}

/// The same for position correction; `left` blocks remain of all, and `next` is the step to the
/// next one.
[[gnu::always_inline]] inline void prefetch_ahead(const SphereContactBlock& block,
                                                  const CorrectionBlock& correction,
                                                  std::uint32_t left, int next,
                                                  const PseudoVelocity* bodies) {
  if (left > kSphereBlocksAhead) {
    const SphereContactBlock& far = *(&block + next * kSphereBlocksAhead);
    for (const auto& axis : far.normal) __builtin_prefetch(axis);
    __builtin_prefetch(far.a);
    __builtin_prefetch((&correction + next * kSphereBlocksAhead)->admissible_approach, 1);
    __builtin_prefetch((&correction + next * kSphereBlocksAhead)->pseudo_impulse, 1);
  }
  if (left > kSphereBodiesAhead) {
    const SphereContactBlock& soon = *(&block + next * kSphereBodiesAhead);
    for (int k = 0; k < kBlock; ++k) {
      __builtin_prefetch(bodies + soon.a[k], 1);
      __builtin_prefetch(bodies + soon.b[k], 1);
    }
  }
}

void correct(const SphereContactBlock* blocks, CorrectionBlock* corrections, const Chunk& chunk,
             std::uint32_t last, const PseudoVelocities& bodies, double* change) {
  for (std::uint32_t i = 0; i != chunk.end - chunk.begin; ++i) {
    const std::uint32_t at = bodies.block_at(chunk, i);
    const SphereContactBlock& block = blocks[at];
    prefetch_ahead(block, corrections[at], bodies.backward ? at + 1 : last - at,
                   bodies.backward ? -1 : 1, bodies.linear);
    for (int k = 0; k < kBlock; k += N) {
      const Lane3 n = load3(block.normal, k);
      if (bodies.solved) {
        const BodyLanes a = gather(bodies.solved, block.a + k),
                        b = gather(bodies.solved, block.b + k);
        find_bias(corrections[at], k, dot(b.v - a.v, n), bodies.fraction);
      }
      PseudoVelocityLanes a = gather(bodies.linear, block.a + k),
                          b = gather(bodies.linear, block.b + k);
      const L d = correct_by(corrections[at], k, dot(b.w - a.w, n), a.inverse + b.inverse, change);
      a.w = a.w - a.inverse * d * n;
      b.w = b.w + b.inverse * d * n;
      scatter(bodies.linear, block.a + k, a, bodies.free_bodies);
      scatter(bodies.linear, block.b + k, b, bodies.free_bodies);
    }
  }
}

}  // namespace
}  // namespace scree::kernels

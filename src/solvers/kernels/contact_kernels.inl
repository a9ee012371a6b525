// Contacts with full 3×3 blocks in lanes, for one instruction set. A law is known by its type
// alone: nothing here can be shared with another translation unit.
#pragma once

#include "solvers/kernels/local_solves.inl"
#include "solvers/kernels/sphere_contact_kernels.inl"

namespace scree::kernels {
namespace {

/// u of lanes [k, k + N) of a block, without the bias.
inline Lane3 relative_velocity(const ContactBlock& block, int k, const BodyLanes& a,
                               const BodyLanes& b) {
  const Lane3 v = b.v - a.v;
  const auto row = [&](int i) {
    return dot(load3(block.axis[i], k), v) + dot(load3(block.jw_a[i], k), a.s) +
           dot(load3(block.jw_b[i], k), b.s);
  };
  return {row(0), row(1), row(2)};
}

inline LaneSym3 delassus(const ContactBlock& block, int k) {
  return {load<N>(block.W[0] + k), load<N>(block.W[1] + k), load<N>(block.W[2] + k),
          load<N>(block.W[3] + k), load<N>(block.W[4] + k), load<N>(block.W[5] + k)};
}

/// Σ d_i rows_i
inline Lane3 combine(const double (&rows)[3][3][kBlock], int k, const Lane3& d) {
  return d.x * load3(rows[0], k) + d.y * load3(rows[1], k) + d.z * load3(rows[2], k);
}

/// Sets the velocities of bodies along their locked axes to zero.
inline void hold(const AxisSet* locked, Lane3& v) {
  double is_free[3][N];
  for (int axis = 0; axis < 3; ++axis)
    for (int k = 0; k < N; ++k) is_free[axis][k] = contains(locked[k], axis) ? 0 : 1;
  v = {load<N>(is_free[0]) * v.x, load<N>(is_free[1]) * v.y, load<N>(is_free[2]) * v.z};
}

/// Adds impulse d, in the frame, on B, −d on A.
inline void add_impulse(const ContactBlock& block, int k, BodyLanes& a, BodyLanes& b,
                        const Lane3& d) {
  const Lane3 linear = combine(block.axis, k, d);
  a.v = a.v - a.inverse_mass * linear;
  b.v = b.v + b.inverse_mass * linear;
  a.s = a.s + a.inverse_inertia * combine(block.jw_a, k, d);
  b.s = b.s + b.inverse_inertia * combine(block.jw_b, k, d);
  if (!block.any_locked) return;
  hold(block.locked_a + k, a.v);
  hold(block.locked_b + k, b.v);
}

/// The same for an impulse d along the normal.
inline void add_pseudo_impulse(const ContactBlock& block, int k, BodyLanes& a, BodyLanes& b,
                               const L& d) {
  const Lane3 linear = d * load3(block.axis[0], k);
  a.v = a.v - a.inverse_mass * linear;
  b.v = b.v + b.inverse_mass * linear;
  a.s = a.s + a.inverse_inertia * (d * load3(block.jw_a[0], k));
  b.s = b.s + b.inverse_inertia * (d * load3(block.jw_b[0], k));
  if (!block.any_locked) return;
  hold(block.locked_a + k, a.v);
  hold(block.locked_b + k, b.v);
}

void apply_contacts(const ContactBlock* begin, const ContactBlock* end, BodyRecord* bodies,
                    std::uint32_t free_bodies) {
  for (const ContactBlock* block = begin; block != end; ++block)
    for (int k = 0; k < kBlock; k += N) {
      BodyLanes a = gather(bodies, block->a + k), b = gather(bodies, block->b + k);
      add_impulse(*block, k, a, b, load3(block->impulse, k));
      scatter(bodies, block->a + k, a, free_bodies);
      scatter(bodies, block->b + k, b, free_bodies);
    }
}

/// The same as prefetch_ahead() of sphere blocks, within one run: the bodies of the next block,
/// then the whole block after it. Without it, loading 41 cache lines takes longer than solving the
/// block.
[[gnu::always_inline]] inline void prefetch_ahead(const ContactBlock* block,
                                                  const ContactBlock* end,
                                                  const BodyRecord* bodies) {
  if (end - block > 2) __builtin_prefetch(block[2].a);
  if (end - block <= 1) return;
  const ContactBlock& next = block[1];
  for (int k = 0; k < kBlock; ++k) {
    __builtin_prefetch(bodies + next.a[k], 1);
    __builtin_prefetch(bodies + next.b[k], 1);
  }
  const char* lines = reinterpret_cast<const char*>(&block[end - block > 2 ? 2 : 1]);
  for (std::size_t byte = 0; byte < sizeof(ContactBlock); byte += kCacheLine)
    __builtin_prefetch(lines + byte, 1);
}

/// Solves the contacts of blocks of one law, each exactly, with the others' impulses fixed.
template <class Law>
void relax_contacts(const void* law, ContactBlock* begin, ContactBlock* end, BodyRecord* bodies,
                    std::uint32_t free_bodies, double* change) {
  for (ContactBlock* block = begin; block != end; ++block) {
    prefetch_ahead(block, end, bodies);
    for (int k = 0; k < kBlock; k += N) {
      BodyLanes a = gather(bodies, block->a + k), b = gather(bodies, block->b + k);
      const LaneSym3 W = delassus(*block, k);
      const Lane3 before = load3(block->impulse, k);
      const Lane3 u = relative_velocity(*block, k, a, b) + load3(block->bias, k);
      Lane3 r = before;
      solve_lanes(*static_cast<const Law*>(law), W, u - W * before, r);
      const Lane3 d = r - before;
      add_impulse(*block, k, a, b, d);
      scatter(bodies, block->a + k, a, free_bodies);
      scatter(bodies, block->b + k, b, free_bodies);
      store<N>(block->impulse[0] + k, r.x);
      store<N>(block->impulse[1] + k, r.y);
      store<N>(block->impulse[2] + k, r.z);
      const L trace = W.xx + W.yy + W.zz;
      raise(change + k, trace * trace * dot(d, d));
    }
  }
}

/// Squared residual of contacts, and their position relative to the cone's surface.
struct LawVerdict {
  L squared, beyond;  ///< see ContactBlockVerdict
};
template <class Law>
constexpr bool kHasLaneVerdict =
    std::is_same_v<Law, Coulomb> || std::is_same_v<Law, ConeComplementarity>;

/// scree::contact_residual by the natural map, for laws with v = u or u + μ|u_t| n.
template <class Law>
LawVerdict verdict_of(const Law& law, const LaneSym3& W, const Lane3& u, const Lane3& r) {
  const L mu = L{} + law.mu, rho = 3 / (W.xx + W.yy + W.zz);
  Lane3 v = u;
  if constexpr (std::is_same_v<Law, Coulomb>) v.x = v.x + mu * tangential_norm(u);
  const Lane3 off = r - project_on_cone(r - rho * v, mu);
  // Compare slopes: squares of small impulses may underflow.
  const L y = r.y / r.x, z = r.z / r.x, bound = (1 - 1e-9) * mu;
  const L weight = tangential_weight(mu);
  const L squared = off.x * off.x + weight * weight * (off.y * off.y + off.z * off.z);
  return {squared / (rho * rho), y * y + z * z - bound * bound};
}

template <class Law>
Mask has_one_solution(const Law&, const LaneSym3& W) {
  return W.xx == W.xx;
}
inline Mask has_one_solution(const Coulomb& law, const LaneSym3& W) {
  const Lane3 any{};
  return LaneContact{W, any, L{} + law.mu}.has_one_solution();
}

template <class Law>
void certify_contacts(const void* any_law, const ContactBlock& block, const BodyRecord* bodies,
                      ContactBlockVerdict& verdict) {
  const Law& law = *static_cast<const Law*>(any_law);
  verdict.knows_law = kHasLaneVerdict<Law>;
  for (int k = 0; k < kBlock; k += N) {
    const BodyLanes a = gather(bodies, block.a + k), b = gather(bodies, block.b + k);
    const LaneSym3 W = delassus(block, k);
    const Lane3 r = load3(block.impulse, k);
    const Lane3 u = relative_velocity(block, k, a, b) + load3(block.bias, k);
    store<N>(verdict.u[0] + k, u.x);
    store<N>(verdict.u[1] + k, u.y);
    store<N>(verdict.u[2] + k, u.z);
    const Mask sure = attempt(law, W, u - W * r, r).sure;
    store<N>(verdict.solved + k, select(sure, L{} + 1.0, L{}));
    store<N>(verdict.one_solution + k, select(has_one_solution(law, W), L{} + 1.0, L{}));
    if constexpr (kHasLaneVerdict<Law>) {
      const LawVerdict of_law = verdict_of(law, W, u, r);
      store<N>(verdict.squared + k, of_law.squared);
      store<N>(verdict.beyond + k, of_law.beyond);
    }
  }
}

/// Normal velocity u_n, without the bias.
inline L normal_velocity(const ContactBlock& block, int k, const BodyLanes& a, const BodyLanes& b) {
  return dot(load3(block.axis[0], k), b.v - a.v) + dot(load3(block.jw_a[0], k), a.s) +
         dot(load3(block.jw_b[0], k), b.s);
}

void correct_contacts(const ContactBlock* blocks, CorrectionBlock* corrections, const Chunk& chunk,
                      const PseudoVelocities& bodies, double* change) {
  for (std::uint32_t i = 0; i != chunk.end - chunk.begin; ++i)
    for (int k = 0; k < kBlock; k += N) {
      const std::uint32_t at = bodies.block_at(chunk, i);
      const ContactBlock& block = blocks[at];
      const BodyIndex *const index_a = block.a + k, *const index_b = block.b + k;
      if (bodies.solved)
        find_bias(corrections[at], k,
                  normal_velocity(block, k, gather(bodies.solved, index_a),
                                  gather(bodies.solved, index_b)),
                  bodies.fraction);
      const auto motion = [&](const BodyIndex* index) {
        const PseudoVelocityLanes v = gather(bodies.linear, index),
                                  s = gather(bodies.angular, index);
        return BodyLanes{v.w, s.w, v.inverse, s.inverse};
      };
      const auto put_back = [&](const BodyIndex* index, const BodyLanes& body) {
        scatter(bodies.linear, index, PseudoVelocityLanes{body.v, body.inverse_mass},
                bodies.free_bodies);
        scatter(bodies.angular, index, PseudoVelocityLanes{body.s, body.inverse_inertia},
                bodies.free_bodies);
      };
      BodyLanes a = motion(index_a), b = motion(index_b);
      const L d = correct_by(corrections[at], k, normal_velocity(block, k, a, b),
                             load<N>(block.W[0] + k), change);
      add_pseudo_impulse(block, k, a, b, d);
      put_back(index_a, a);
      put_back(index_b, b);
    }
}

template <class Laws>
struct OfLaws;
template <class... Laws>
struct OfLaws<std::variant<Laws...>> {
  static constexpr Kernels::Relax relax[] = {relax_contacts<Laws>...};
  static constexpr Kernels::Certify certify[] = {certify_contacts<Laws>...};
};

}  // namespace
}  // namespace scree::kernels

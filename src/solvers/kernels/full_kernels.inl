// Included after diagonal_kernels.inl, by the translation unit of each instruction set: contacts with full 3×3 blocks in lanes.
// Of a law it knows the type alone: nothing that another translation unit could share is made here.
#include <utility>

namespace scree::kernels {
namespace {

struct LaneSym3 {
  L xx, xy, xz, yy, yz, zz;
};
inline Lane3 operator*(const LaneSym3& m, const Lane3& v) {
  return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
          m.xz * v.x + m.yz * v.y + m.zz * v.z};
}

/// Lane by lane: for any law.
template <class Law>
void solve_lanes(const Law& law, const LaneSym3& W, const Lane3& q, Lane3& r) {
  double w[6][N], at_zero[3][N], answer[3][N];
  const L* entries[6] = {&W.xx, &W.xy, &W.xz, &W.yy, &W.yz, &W.zz};
  for (int k = 0; k < 6; ++k) store<N>(w[k], *entries[k]);
  store<N>(at_zero[0], q.x), store<N>(at_zero[1], q.y), store<N>(at_zero[2], q.z);
  store<N>(answer[0], r.x), store<N>(answer[1], r.y), store<N>(answer[2], r.z);
  for (int k = 0; k < N; ++k) {
    Vec3 out{answer[0][k], answer[1][k], answer[2][k]};
    law.solve(SymMat3{w[0][k], w[1][k], w[2][k], w[3][k], w[4][k], w[5][k]},
              Vec3{at_zero[0][k], at_zero[1][k], at_zero[2][k]}, out);
    answer[0][k] = out.x, answer[1][k] = out.y, answer[2][k] = out.z;
  }
  r = {load<N>(answer[0]), load<N>(answer[1]), load<N>(answer[2])};
}

inline Lane3 load3(const double (&v)[3][kBlock], int k) {
  return {load<N>(v[0] + k), load<N>(v[1] + k), load<N>(v[2] + k)};
}

/// u of lanes [k, k + N) of a block, without the bias.
inline Lane3 relative_velocity(const FullBlock& block, int k, const BodyLanes& a, const BodyLanes& b) {
  const Lane3 v = b.v - a.v;
  const auto row = [&](int i) {
    return dot(load3(block.axis[i], k), v) + dot(load3(block.turn_a[i], k), a.s) +
           dot(load3(block.turn_b[i], k), b.s);
  };
  return {row(0), row(1), row(2)};
}

/// Σ d_i rows_i
inline Lane3 combine(const double (&rows)[3][3][kBlock], int k, const Lane3& d) {
  return d.x * load3(rows[0], k) + d.y * load3(rows[1], k) + d.z * load3(rows[2], k);
}

/// Adds percussion d, in the frame, on B, −d on A.
inline void add_percussion(const FullBlock& block, int k, BodyLanes& a, BodyLanes& b, const Lane3& d) {
  const Lane3 push = combine(block.axis, k, d);
  a.v = a.v - a.inverse_mass * push;
  b.v = b.v + b.inverse_mass * push;
  a.s = a.s + a.inverse_inertia * combine(block.turn_a, k, d);
  b.s = b.s + b.inverse_inertia * combine(block.turn_b, k, d);
}

void apply_full(const FullBlock* begin, const FullBlock* end, BodyRecord* bodies, std::uint32_t free_bodies) {
  for (const FullBlock* block = begin; block != end; ++block)
    for (int k = 0; k < kBlock; k += N) {
      BodyLanes a = gather(bodies, block->a + k), b = gather(bodies, block->b + k);
      add_percussion(*block, k, a, b, load3(block->percussion, k));
      scatter(bodies, block->a + k, a, free_bodies);
      scatter(bodies, block->b + k, b, free_bodies);
    }
}

/// Blocks of one law: each contact is solved exactly, the others' percussions kept.
template <class Law>
void relax_full(const void* law, FullBlock* begin, FullBlock* end, BodyRecord* bodies,
                std::uint32_t free_bodies, double* change) {
  for (FullBlock* block = begin; block != end; ++block)
    for (int k = 0; k < kBlock; k += N) {
      BodyLanes a = gather(bodies, block->a + k), b = gather(bodies, block->b + k);
      const LaneSym3 W{load<N>(block->W[0] + k), load<N>(block->W[1] + k), load<N>(block->W[2] + k),
                       load<N>(block->W[3] + k), load<N>(block->W[4] + k), load<N>(block->W[5] + k)};
      const Lane3 before = load3(block->percussion, k);
      const Lane3 u = relative_velocity(*block, k, a, b) + load3(block->bias, k);
      Lane3 r = before;
      solve_lanes(*static_cast<const Law*>(law), W, u - W * before, r);
      const Lane3 d = r - before;
      add_percussion(*block, k, a, b, d);
      scatter(bodies, block->a + k, a, free_bodies);
      scatter(bodies, block->b + k, b, free_bodies);
      store<N>(block->percussion[0] + k, r.x);
      store<N>(block->percussion[1] + k, r.y);
      store<N>(block->percussion[2] + k, r.z);
      const L trace = W.xx + W.yy + W.zz;
      raise(change + k, trace * trace * dot(d, d));
    }
}

template <class Laws>
struct RelaxFull;
template <class... Laws>
struct RelaxFull<std::variant<Laws...>> {
  static constexpr Kernels::Relax table[] = {relax_full<Laws>...};
};

}  // namespace
}  // namespace scree::kernels

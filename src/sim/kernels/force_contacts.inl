// Forces of compliant laws. Included by one translation unit per instruction set, which defines
// SCREE_LANES; see solvers/kernels/lane_vectors.inl.
#include "laws/force_contact.hpp"
#include "sim/kernels/force_contacts.hpp"
#include "sim/kernels/lane_rows.inl"
#include "solvers/step_settings.hpp"

namespace scree::kernels {
namespace {

inline V load_vector(const double (&v)[3][kBlock], int k) {
  return {load<N>(v[0] + k), load<N>(v[1] + k), load<N>(v[2] + k)};
}
inline void store_vector(double (&to)[3][kBlock], int k, const V& v) {
  store<N>(to[0] + k, v.x);
  store<N>(to[1] + k, v.y);
  store<N>(to[2] + k, v.z);
}

/// Bit of each lane. A template, so that it compiles for one lane, which has no index.
template <class M = Mask>
inline unsigned bits(const std::type_identity_t<M>& mask) {
  if constexpr (N == 1) {
    return mask ? 1 : 0;
  } else {
#if defined(__AVX512DQ__)
    if constexpr (N == 8) return _mm512_movepi64_mask(__m512i(mask));
#endif
    unsigned result = 0;
    for (int k = 0; k < N; ++k) result |= mask[k] ? 1U << k : 0U;
    return result;
  }
}

struct BodyMotion {
  V position, velocity, rotation;
  L radius, inverse_mass, inverse_inertia;
};

inline BodyMotion gather(const ForceBody* bodies, const BodyIndex* index) {
  L m[3][4];
  for (int part = 0; part < 3; ++part) {
    const double* row[N];
    for (int k = 0; k < N; ++k)
      row[k] = reinterpret_cast<const double*>(bodies + index[k]) + 4 * part;
    load_fours<N>(row, m[part]);
  }
  return {{m[0][0], m[0][1], m[0][2]},
          {m[1][0], m[1][1], m[1][2]},
          {m[2][0], m[2][1], m[2][2]},
          m[0][3],
          m[1][3],
          m[2][3]};
}

struct Remembered {
  V shear, normal;
  L overlap, closing;
};

inline Remembered recall(const ForceMemory* const* memory) {
  const double* row[N];
  for (int k = 0; k < N; ++k) row[k] = reinterpret_cast<const double*>(memory[k]);
  L m[8];
  load_eights(row, m);
  return {{m[0], m[1], m[2]}, {m[3], m[4], m[5]}, m[6], m[7]};
}

/// Positions and motions of the bodies in lanes [k, k + N) of a batch.
struct Motions {
  force::PairMotion<N> pair;
  Remembered before;
  L radius, inner, inverse_mass, inverse_inertia;
};

/// Lanes that hold a contact.
inline Mask filled(const ForceBatch& batch, int k) {
  static constexpr double kIndex[kBlock] = {0, 1, 2, 3, 4, 5, 6, 7};
  return load<N>(kIndex + k) < L{} + double(batch.count);
}

/// Previous normal of a new contact of spheres, from the previous positions of the bodies.
inline V normal_where_they_were(const V& was, const V& normal) {
  const L zero{}, one = zero + 1.0;
  const L apart = scree::norm<N>(was);
  const Mask splits = apart > 0;
  return scree::select<N>(splits, scaled<N>(was, one / (splits ? apart : one)), normal);
}

template <bool kSurfaces>
inline Motions motions(const ForceBatch& batch, int k, const ForceBody* bodies, double h) {
  const BodyMotion a = gather(bodies, batch.a + k), b = gather(bodies, batch.b + k);
  Motions m;
  m.before = recall(batch.before + k);
  force::PairMotion<N>& p = m.pair;
  const L zero{}, one = zero + 1.0;
  const Mask known = m.before.normal.x != 0 || m.before.normal.y != 0 || m.before.normal.z != 0;
  p.is_new = !known;
  p.closing_before = m.before.closing;
  p.rotation_a = a.rotation;
  if constexpr (kSurfaces) {
    const Mask point = load<N>(batch.is_point + k) != 0;
    p.is_wall = zero < one;
    p.normal = load_vector(batch.normal, k);
    p.overlap = load<N>(batch.overlap + k);
    p.radius_a = p.radius_b = point ? zero : a.radius;
    p.rotation_b = load_vector(batch.rotation_b, k);
    p.wall_way = load_vector(batch.displacement, k);
    p.velocity = scaled<N>(p.wall_way, zero + 1 / h);
    p.normal_before = scree::select<N>(known, m.before.normal, p.normal);
    m.radius = load<N>(batch.radius + k);
    m.inner = load<N>(batch.inner + k);
  } else {
    V apart = b.position - a.position;
    if (batch.has_displacements) apart = apart + load_vector(batch.displacement, k);
    const L distance = scree::norm<N>(apart), touch = a.radius + b.radius;
    const Mask splits = distance > 0;
    const V up{zero, zero, one};
    p.is_wall = one < zero;
    p.normal = scree::select<N>(splits, scaled<N>(apart, one / (splits ? distance : one)), up);
    p.overlap = touch - distance;
    p.radius_a = a.radius;
    p.radius_b = b.radius;
    p.rotation_b = b.rotation;
    p.wall_way = {};
    p.velocity = b.velocity - a.velocity;
    if (batch.has_flows) p.velocity = p.velocity + load_vector(batch.flow, k);
    p.normal_before = m.before.normal;
    if (any(p.is_new))
      p.normal_before = scree::select<N>(
          known, m.before.normal,
          normal_where_they_were(apart - scaled<N>(p.velocity, zero + h), p.normal));
    m.radius = a.radius * b.radius / touch;
    m.inner = a.radius < b.radius ? a.radius : b.radius;
  }
  m.inverse_mass = a.inverse_mass + b.inverse_mass;
  if (batch.has_turns) m.inverse_mass = m.inverse_mass + load<N>(batch.turned + k);
  m.inverse_inertia = a.inverse_inertia + b.inverse_inertia;
  return m;
}

/// Counts lanes [k, k + N), and finds the deepest.
inline void count(const ForceBatch& batch, int k, const Motions& m, const Mask& pressed,
                  const Mask& slides, ForceSums& sums) {
  const L zero{}, one = zero + 1.0;
  const Mask there = filled(batch, k);
  add(sums.loaded, k, there && pressed ? one : zero);
  add(sums.sliding, k, there && pressed && slides ? one : zero);
  const L overlap = there ? m.pair.overlap : zero;
  if (!any(overlap > sums.depth || overlap > sums.share * m.inner)) return;
  for (int j = 0; j < N; ++j) {
    if (lane(overlap, j) > sums.depth) sums.depth = lane(overlap, j);
    const double share = lane(overlap, j) / lane(m.inner, j);
    if (!(share > sums.share)) continue;
    sums.share = share;
    sums.overlap = lane(overlap, j);
    sums.deepest = batch.pair[k + j];
  }
}

/// Stores 16 numbers of each lane in rows of that length.
inline void store_rows_of(const L (&first)[8], const L (&second)[8], ForceRow* rows) {
  double* row[N];
  for (int j = 0; j < N; ++j) row[j] = reinterpret_cast<double*>(rows + j);
  store_rows(first, row);
  for (int j = 0; j < N; ++j) row[j] += 8;
  store_rows(second, row);
}

/// Stores the forces of lanes [k, k + N) on their bodies.
inline void store_on_bodies(const force::Forces<N>& f, const V& normal, const L& elastic, int k,
                            ForceBatch& batch) {
  const V p = scaled<N>(normal, elastic), s = scaled<N>(f.shear, f.lever),
          d = scaled<N>(normal, f.damping) + scaled<N>(f.dashpot, f.lever),
          dt = cross(normal, f.dashpot), st = cross(normal, f.shear);
  store_rows_of({p.x, p.y, p.z, d.x, d.y, d.z, s.x, s.y},
                {s.z, dt.x, dt.y, dt.z, st.x, st.y, st.z, L{}}, batch.on_b + k);
}

/// Stores the memories of lanes [k, k + N).
inline void remember(const ForceBatch& batch, int k, const Motions& m, const force::Forces<N>& f) {
  double* rows[N];
  for (int j = 0; j < N; ++j) rows[j] = reinterpret_cast<double*>(batch.after[k + j]);
  const V &shear = f.shear, &normal = m.pair.normal;
  store_rows({shear.x, shear.y, shear.z, normal.x, normal.y, normal.z, m.pair.overlap, f.closing},
             rows);
}

/// Stores the results of lanes [k, k + N) after the step.
template <bool kSurfaces>
inline void keep(const force::Forces<N>& f, const L& elastic, int k, ForceBlock& block) {
  store<N>(block.elastic + k, elastic);
  store<N>(block.damping + k, f.damping);
  block.sliding |= static_cast<std::uint8_t>(bits(f.slides) << k);
  const Mask dashpot = f.dashpot.x != 0 || f.dashpot.y != 0 || f.dashpot.z != 0;
  if (any(dashpot)) {
    block.dashpots |= static_cast<std::uint8_t>(bits(dashpot) << k);
    store_vector(block.dashpot, k, f.dashpot);
  }
  if constexpr (kSurfaces) {
    store<N>(block.lever + k, f.lever);
    store<N>(block.arm_a + k, f.arm_a);
    store<N>(block.arm_b + k, f.arm_b);
  }
}

template <bool kSurfaces>
[[gnu::flatten]] void evaluate(ForceBatch& batch, const ForceBody* bodies,
                               const force::Numbers& numbers, ForceBlock& block,
                               MomentBlock* moments, ForceSums& sums) {
  const force::Scheme& scheme = numbers.scheme;
  const L zero{}, one = zero + 1.0;
  block.sliding = block.dashpots = 0;
  block.of_spheres = !kSurfaces;
  block.rotations = scheme.rotations;
  block.branch = scheme.branch;
  for (int k = 0; k < kBlock; k += N) {
    const Motions m = motions<kSurfaces>(batch, k, bodies, scheme.h);
    const L share = kSurfaces ? load<N>(batch.share + k) : one;
    auto c = force::coefficients<N>(numbers, m.radius, m.inverse_mass, share);
    if constexpr (kSurfaces)
      if (batch.has_points) {
        c.k_n = c.k_n * load<N>(batch.softness + k);
        c.damping = c.damping / square_root<N>(load<N>(batch.together + k));
      }
    if (batch.has_joints) {
      // Dashpot of a larger mass along the normal; that of shear is unchanged.
      const L root = square_root<N>(load<N>(batch.mass_factor + k));
      c.damping = c.damping / root;
      c.damping_ratio = c.damping_ratio * root;
    }
    const auto f = force::forces<N>(m.pair, c, scheme, m.before.overlap, m.before.shear);
    const L elastic = f.elastic - f.pull;
    remember(batch, k, m, f);
    keep<kSurfaces>(f, elastic, k, block);
    store<N>(batch.arm_a + k, f.arm_a);
    store<N>(batch.arm_b + k, f.arm_b);
    const Mask there = filled(batch, k);
    add(sums.normal_energy, k, there ? f.normal_energy - c.cohesion * m.pair.overlap : zero);
    add(sums.shear_energy, k, there ? f.shear_energy : zero);
    add(sums.sheared, k, there && !f.slides ? f.sheared : zero);
    count(batch, k, m, elastic + f.damping > 0, f.slides, sums);
    if (moments) {
      V before{};
      for (int j = 0; j < N; ++j) set_lane<N>(before, j, batch.moment[k + j]);
      const auto of_moment =
          force::moment_coefficients<N>(numbers, m.radius, m.inverse_inertia, share);
      const auto moment =
          force::moments<N>(m.pair, of_moment, scheme, f.elastic + f.damping, before);
      add(sums.moment_energy, k, there ? moment.energy : zero);
      for (int j = 0; j < N; ++j) {
        batch.moment[k + j] = lane_of<N>(moment.spring, j);
        moments->dashpot[k + j] = lane_of<N>(moment.dashpot, j);
        batch.moment_on_b[k + j] = batch.moment[k + j] + moments->dashpot[k + j];
      }
    }
    store_on_bodies(f, m.pair.normal, elastic, k, batch);
  }
  for (int k = 0; k < kBlock; ++k) {
    block.a[k] = batch.a[k];
    block.b[k] = batch.b[k];
    block.slot[k] = k < batch.count ? batch.slot[k] : ForceBlock::kNoSlot;
  }
}

void of_spheres(ForceBatch& batch, const ForceBody* bodies, const force::Numbers& numbers,
                ForceBlock& block, MomentBlock* moments, ForceSums& sums) {
  evaluate<false>(batch, bodies, numbers, block, moments, sums);
}
void of_surfaces(ForceBatch& batch, const ForceBody* bodies, const force::Numbers& numbers,
                 ForceBlock& block, MomentBlock* moments, ForceSums& sums) {
  evaluate<true>(batch, bodies, numbers, block, moments, sums);
}

/// Adds forces times `sign` and torques times −arm to a row, or overwrites it.
inline void add_row(const ForceRow& forces, double sign, double arm, bool alone, ForceRow& row) {
  static constexpr double kForce[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1},
                          kTorque[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1};
  const auto* from = reinterpret_cast<const double*>(&forces);
  auto* to = reinterpret_cast<double*>(&row);
  for (int part = 0; part < 16; part += N) {
    const L by = load<N>(kForce + part) * sign - load<N>(kTorque + part) * arm;
    const L more = load<N>(from + part) * by;
    store<N>(to + part, alone ? more : load<N>(to + part) + more);
  }
}

void add_rows(const ForceBatch& batch, std::size_t own, ForceRow* rows) {
  for (int k = 0; k < batch.count; ++k) {
    const std::uint32_t a = batch.row_a[k], b = batch.row_b[k];
    add_row(batch.on_b[k], -1, batch.arm_a[k], a >= own, rows[a]);
    add_row(batch.on_b[k], 1, batch.arm_b[k], b >= own, rows[b]);
  }
}

/// Positions and radii, the first fields of a record.
struct Spheres {
  V position;
  L radius;
};
inline Spheres gather_spheres(const ForceBody* bodies, const BodyIndex* index) {
  const double* row[N];
  for (int k = 0; k < N; ++k) row[k] = reinterpret_cast<const double*>(bodies + index[k]);
  L m[4];
  load_fours<N>(row, m);
  return {{m[0], m[1], m[2]}, m[3]};
}

void find(const BodyIndex* a, const BodyIndex* b, std::size_t pairs, const ForceBody* bodies,
          std::uint8_t* touching) {
  for (std::size_t p = 0; p < pairs; p += kBlock) {
    if (p + kForceSearchAhead < pairs)
      for (int k = 0; k < kBlock; ++k) __builtin_prefetch(bodies + b[p + kForceSearchAhead + k]);
    unsigned here = 0;
    for (int k = 0; k < kBlock; k += N) {
      const Spheres s = gather_spheres(bodies, a + p + k), t = gather_spheres(bodies, b + p + k);
      const V apart = t.position - s.position;
      const L reach = s.radius + t.radius;
      here |= bits(dot(apart, apart) <= reach * reach) << k;
    }
    touching[p / kBlock] = static_cast<std::uint8_t>(here);
  }
}

}  // namespace
}  // namespace scree::kernels

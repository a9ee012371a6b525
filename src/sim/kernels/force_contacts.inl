// Forces of compliant laws. Included by one translation unit per instruction set, which defines
// SCREE_LANES; see solvers/kernels/lane_vectors.inl.
#include "laws/force_contact.hpp"
#include "sim/kernels/force_contacts.hpp"
#include "solvers/kernels/lane_vectors.inl"

namespace scree::kernels {
namespace {

using V = Vec3Lanes<N>;

inline V load_vector(const double (&v)[3][kBlock], int k) {
  return {load<N>(v[0] + k), load<N>(v[1] + k), load<N>(v[2] + k)};
}
inline void store_vector(double (&to)[3][kBlock], int k, const V& v) {
  store<N>(to[0] + k, v.x);
  store<N>(to[1] + k, v.y);
  store<N>(to[2] + k, v.z);
}

struct BodyMotion {
  V position, velocity, turn;
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

inline Remembered recall(const ForceMemory* memory) {
  L m[8];
  for (int part = 0; part < 8; part += N) {
    L rows[N];
    for (int k = 0; k < N; ++k)
      rows[k] = load<N>(reinterpret_cast<const double*>(memory + k) + part);
    transpose<N>(rows);
    for (int k = 0; k < N; ++k) m[part + k] = rows[k];
  }
  return {{m[0], m[1], m[2]}, {m[3], m[4], m[5]}, m[6], m[7]};
}

/// Lanes [k, k + N) of a batch: how the bodies stand and have moved.
struct Motions {
  force::PairMotion<N> pair;
  Remembered before;
  L radius, inverse_mass, inverse_inertia;
};

Motions motions(const ForceBatch& batch, int k, const ForceBody* bodies, double h) {
  const BodyMotion a = gather(bodies, batch.a + k), b = gather(bodies, batch.b + k);
  Motions m;
  m.before = recall(batch.memory + k);
  force::PairMotion<N>& p = m.pair;
  const L zero{}, one = zero + 1.0;
  const Mask surface = load<N>(batch.is_surface + k) != 0, point = load<N>(batch.is_point + k) != 0;

  const V way = load_vector(batch.way, k);
  const V apart = b.position - a.position + way, between = b.velocity - a.velocity;
  const L distance = scree::norm<N>(apart), touch = a.radius + b.radius;
  const Mask splits = distance > 0;
  const L inverse = one / (splits ? distance : one);
  const V up{zero, zero, one};
  const V across = scree::select<N>(splits, scaled<N>(apart, inverse), up);
  p.is_wall = surface;
  p.normal = scree::select<N>(surface, load_vector(batch.normal, k), across);
  p.overlap = surface ? load<N>(batch.overlap + k) : touch - distance;
  p.radius_a = point ? zero : a.radius;
  p.radius_b = surface ? p.radius_a : b.radius;
  p.turn_a = a.turn;
  p.turn_b = scree::select<N>(surface, load_vector(batch.turn_b, k), b.turn);
  p.wall_way = way;
  p.velocity = scree::select<N>(surface, scaled<N>(p.wall_way, zero + 1 / h), between);

  // Of a new contact of spheres, where the bodies were.
  const V was = apart - scaled<N>(between, zero + h);
  const L was_apart = scree::norm<N>(was);
  const Mask known = m.before.normal.x != 0 || m.before.normal.y != 0 || m.before.normal.z != 0;
  p.is_new = !known;
  p.closing_before = m.before.closing;
  const Mask lay = !surface && was_apart > 0;
  const V laid = scree::select<N>(lay, scaled<N>(was, one / (lay ? was_apart : one)), p.normal);
  p.normal_before = scree::select<N>(known, m.before.normal, laid);

  m.radius = surface ? load<N>(batch.radius + k) : a.radius * b.radius / touch;
  m.inverse_mass = a.inverse_mass + b.inverse_mass;
  m.inverse_inertia = a.inverse_inertia + b.inverse_inertia;
  return m;
}

/// A sum of lanes in their order: the same however many there are in a register.
struct LaneSum {
  double lanes[kBlock] = {};
  void add(int k, const L& v) { store<N>(lanes + k, v); }
  double of(int count) const {
    double sum = 0;
    for (int k = 0; k < count; ++k) sum += lanes[k];
    return sum;
  }
};

void evaluate(const ForceBatch& batch, int count, const ForceBody* bodies,
              const force::Numbers& numbers, ForceBlock& block, MomentBlock* moments,
              SpringEnergies& held) {
  const force::Scheme& scheme = numbers.scheme;
  LaneSum normal_energy, shear_energy, moment_energy;
  for (int k = 0; k < kBlock; k += N) {
    const Motions m = motions(batch, k, bodies, scheme.h);
    const L share = load<N>(batch.share + k);
    const auto c = force::coefficients<N>(numbers, m.radius, m.inverse_mass, share);
    const auto f = force::forces<N>(m.pair, c, scheme, m.before.overlap, m.before.shear);
    store_vector(block.normal, k, m.pair.normal);
    store<N>(block.overlap + k, m.pair.overlap);
    store<N>(block.closing + k, f.closing);
    store<N>(block.push + k, f.elastic - c.cohesion);
    store<N>(block.damping + k, f.damping);
    store_vector(block.shear, k, f.shear);
    store_vector(block.dashpot, k, f.dashpot);
    store<N>(block.lever + k, f.lever);
    store<N>(block.arm_a + k, f.arm_a);
    store<N>(block.arm_b + k, f.arm_b);
    const L zero{}, one = zero + 1.0;
    store<N>(block.slides + k, f.slides ? one : zero);
    normal_energy.add(k, f.normal_energy - c.cohesion * m.pair.overlap);
    shear_energy.add(k, f.shear_energy);
    if (!moments) continue;
    V before;
    for (int j = 0; j < N; ++j) set_lane<N>(before, j, batch.moment[k + j]);
    const auto of_moment =
        force::moment_coefficients<N>(numbers, m.radius, m.inverse_inertia, share);
    const auto moment = force::moments<N>(m.pair, of_moment, scheme, f.elastic + f.damping, before);
    store_vector(moments->spring, k, moment.spring);
    store_vector(moments->dashpot, k, moment.dashpot);
    moment_energy.add(k, moment.energy);
  }
  held.normal += normal_energy.of(count);
  held.shear += shear_energy.of(count);
  held.moment += moment_energy.of(count);
  for (int k = 0; k < kBlock; ++k) {
    block.a[k] = batch.a[k];
    block.b[k] = batch.b[k];
    block.place[k] = batch.place[k];
  }
}

}  // namespace
}  // namespace scree::kernels

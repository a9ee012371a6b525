// Forces of compliant laws. Included by one translation unit per instruction set, which defines
// SCREE_LANES; see solvers/kernels/lane_vectors.inl.
#include "laws/force_contact.hpp"
#include "sim/kernels/force_contacts.hpp"
#include "sim/kernels/force_power.hpp"
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

inline Remembered recall(const ForceMemory* const* memory) {
  L m[8];
  for (int part = 0; part < 8; part += N) {
    L rows[N];
    for (int k = 0; k < N; ++k)
      rows[k] = load<N>(reinterpret_cast<const double*>(memory[k]) + part);
    transpose<N>(rows);
    for (int k = 0; k < N; ++k) m[part + k] = rows[k];
  }
  return {{m[0], m[1], m[2]}, {m[3], m[4], m[5]}, m[6], m[7]};
}

/// Eight numbers of each lane to a row of its own; no row where the pointer is null.
inline void store_rows(const L (&numbers)[8], double* const (&row)[N]) {
  for (int part = 0; part < 8; part += N) {
    L rows[N];
    for (int k = 0; k < N; ++k) rows[k] = numbers[part + k];
    transpose<N>(rows);
    for (int k = 0; k < N; ++k)
      if (row[k]) store<N>(row[k] + part, rows[k]);
  }
}

/// Lanes [k, k + N) of a batch: how the bodies stand and have moved.
struct Motions {
  force::PairMotion<N> pair;
  Remembered before;
  V between;  ///< velocity of B less that of A, by the bodies' records [m/s]
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
  m.between = between;
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

inline void add(double (&sum)[kBlock], int k, const L& v) {
  store<N>(sum + k, load<N>(sum + k) + v);
}

inline void add_powers(const force::ContactForces<N>& forces,
                       const force::RelativeMotion<N>& motion, int k, PowerLanes& sum) {
  const force::Powers<N> p = force::powers<N>(forces, motion);
  add(sum.push, k, p.push);
  add(sum.damping, k, p.damping);
  add(sum.shear, k, p.shear);
  add(sum.moment, k, p.moment);
  add(sum.held, k, p.held);
}

/// Of bodies that turn by turn_a and turn_b in h.
inline force::RelativeMotion<N> relative_motion(const V& between, const V& turn_a, const V& turn_b,
                                                const L& arm_a, const L& arm_b, double h) {
  const L rate = L{} + 1 / h;
  return {between, scaled<N>(scaled<N>(turn_a, arm_a) + scaled<N>(turn_b, arm_b), rate),
          scaled<N>(turn_b - turn_a, rate)};
}

/// What lanes [k, k + N) do to their bodies.
void store_pair_forces(const force::ContactForces<N>& f, const L& arm_a, const L& arm_b,
                       PairForce* to) {
  const V across = f.shear + f.dashpot;
  const V on_b = scaled<N>(f.normal, f.push + f.damping) + scaled<N>(across, f.lever);
  const V turning = cross(f.normal, across);
  const V on_a = scaled<N>(turning, -arm_a) - f.moment;
  const V torque_b = scaled<N>(turning, -arm_b) + f.moment;
  double* rows[N];
  double last[N];
  store<N>(last, torque_b.z);
  for (int j = 0; j < N; ++j) {
    rows[j] = reinterpret_cast<double*>(to + j);
    to[j].torque_b.z = last[j];
  }
  store_rows({on_b.x, on_b.y, on_b.z, on_a.x, on_a.y, on_a.z, torque_b.x, torque_b.y}, rows);
}

/// Counts lanes [k, k + N), and looks how deep they are.
void count(const ForceBatch& batch, int k, const Motions& m, const Mask& pressed,
           const Mask& slides, ForceSums& sums) {
  const L zero{}, one = zero + 1.0;
  const Mask filled = load<N>(batch.filled + k) != 0;
  add(sums.loaded, k, filled && pressed ? one : zero);
  add(sums.sliding, k, filled && pressed && slides ? one : zero);
  const L a = m.pair.radius_a, b = m.pair.radius_b;
  const L inner = load<N>(batch.is_surface + k) != 0 ? load<N>(batch.inner + k) : a < b ? a : b;
  const L overlap = filled ? m.pair.overlap : zero, share = overlap / inner;
  if (!any(overlap > sums.depth || share > sums.share)) return;
  for (int j = 0; j < N; ++j) {
    if (lane(overlap, j) > sums.depth) sums.depth = lane(overlap, j);
    if (!(lane(share, j) > sums.share)) continue;
    sums.share = lane(share, j);
    sums.deepest = batch.place[k + j];
  }
}

void evaluate(const ForceBatch& batch, const ForceBody* bodies, const force::Numbers& numbers,
              ForceBlock& block, MomentBlock* moments, PairForce* on_pairs, ForceSums& sums) {
  const force::Scheme& scheme = numbers.scheme;
  const L zero{}, one = zero + 1.0;
  for (int k = 0; k < kBlock; k += N) {
    const Motions m = motions(batch, k, bodies, scheme.h);
    const L share = load<N>(batch.share + k);
    const auto c = force::coefficients<N>(numbers, m.radius, m.inverse_mass, share);
    const auto f = force::forces<N>(m.pair, c, scheme, m.before.overlap, m.before.shear);
    const L push = f.elastic - c.cohesion;
    store_vector(block.normal, k, m.pair.normal);
    store<N>(block.overlap + k, m.pair.overlap);
    store<N>(block.closing + k, f.closing);
    store<N>(block.push + k, push);
    store<N>(block.damping + k, f.damping);
    store_vector(block.shear, k, f.shear);
    store_vector(block.dashpot, k, f.dashpot);
    store<N>(block.lever + k, f.lever);
    store<N>(block.arm_a + k, f.arm_a);
    store<N>(block.arm_b + k, f.arm_b);
    store<N>(block.slides + k, f.slides ? one : zero);
    const Mask filled = load<N>(batch.filled + k) != 0;
    add(sums.normal_energy, k, filled ? f.normal_energy - c.cohesion * m.pair.overlap : zero);
    add(sums.shear_energy, k, filled ? f.shear_energy : zero);
    count(batch, k, m, push + f.damping > 0, f.slides, sums);
    V moment_on_b;
    if (moments) {
      V before;
      for (int j = 0; j < N; ++j) set_lane<N>(before, j, batch.moment[k + j]);
      const auto of_moment =
          force::moment_coefficients<N>(numbers, m.radius, m.inverse_inertia, share);
      const auto moment =
          force::moments<N>(m.pair, of_moment, scheme, f.elastic + f.damping, before);
      store_vector(moments->spring, k, moment.spring);
      store_vector(moments->dashpot, k, moment.dashpot);
      add(sums.moment_energy, k, filled ? moment.energy : zero);
      moment_on_b = moment.spring + moment.dashpot;
    }
    const force::ContactForces<N> forces{
        m.pair.normal, f.shear,   f.dashpot, moment_on_b,
        push,          f.damping, f.lever,   f.slides ? one : zero};
    store_pair_forces(forces, f.arm_a, f.arm_b, on_pairs + k);
    if (batch.is_plain)
      add_powers(
          forces,
          relative_motion(m.between, m.pair.turn_a, m.pair.turn_b, f.arm_a, f.arm_b, scheme.h), k,
          sums.before);
  }
  for (int k = 0; k < kBlock; ++k) {
    block.a[k] = batch.a[k];
    block.b[k] = batch.b[k];
    block.place[k] = batch.place[k];
  }
  block.is_plain = batch.is_plain;
}

void add_power(const ForceBlock& block, const MomentBlock* moments, const ForceBody* bodies,
               double h, PowerLanes& sum) {
  for (int k = 0; k < kBlock; k += N) {
    const BodyMotion a = gather(bodies, block.a + k), b = gather(bodies, block.b + k);
    V moment;
    if (moments) moment = load_vector(moments->spring, k) + load_vector(moments->dashpot, k);
    const force::ContactForces<N> forces{load_vector(block.normal, k),  load_vector(block.shear, k),
                                         load_vector(block.dashpot, k), moment,
                                         load<N>(block.push + k),       load<N>(block.damping + k),
                                         load<N>(block.lever + k),      load<N>(block.slides + k)};
    add_powers(forces,
               relative_motion(b.velocity - a.velocity, a.turn, b.turn, load<N>(block.arm_a + k),
                               load<N>(block.arm_b + k), h),
               k, sum);
  }
}

void remember(const ForceBlock& block, ForceMemory* memory) {
  for (int k = 0; k < kBlock; k += N) {
    const V shear = load_vector(block.shear, k), normal = load_vector(block.normal, k);
    double* rows[N];
    for (int j = 0; j < N; ++j) {
      const std::uint32_t place = block.place[k + j];
      rows[j] = place == ForceBlock::kNoPlace ? nullptr : reinterpret_cast<double*>(memory + place);
    }
    store_rows({shear.x, shear.y, shear.z, normal.x, normal.y, normal.z, load<N>(block.overlap + k),
                load<N>(block.closing + k)},
               rows);
  }
}

}  // namespace
}  // namespace scree::kernels

// Spheres that rotate about every axis. Included by one translation unit per instruction set, which
// defines SCREE_LANES; see solvers/kernels/lane_vectors.inl. Sums have the order of body_motion.hpp
// for one body, so that both give the same bits.
#include "laws/small_rotations.hpp"
#include "sim/kernels/free_spheres.hpp"
#include "sim/kernels/lane_rows.inl"

namespace scree::kernels {
namespace {

inline V splat(const Vec3& v) { return {L{} + v.x, L{} + v.y, L{} + v.z}; }
inline V divided(const V& v, const L& by) { return {v.x / by, v.y / by, v.z / by}; }

/// ForceRow in lanes.
struct RowLanes {
  V elastic, damping, shear, damping_torque, shear_torque;
};
inline RowLanes load_rows(const ForceRow* rows) {
  const double* row[N];
  L m[16];
  for (int k = 0; k < N; ++k) row[k] = reinterpret_cast<const double*>(rows + k);
  load_eights(row, m);
  for (int k = 0; k < N; ++k) row[k] += 8;
  load_eights(row, m + 8);
  return {{m[0], m[1], m[2]},
          {m[3], m[4], m[5]},
          {m[6], m[7], m[8]},
          {m[9], m[10], m[11]},
          {m[12], m[13], m[14]}};
}

/// Adds the power of forces on a body with these velocities.
inline void add_power(const RowLanes& row, const V& velocity, const V& angular_velocity, int k,
                      LanePowers& sums) {
  add(sums.elastic, k, dot(row.elastic, velocity));
  add(sums.damping, k, dot(row.damping, velocity) + dot(row.damping_torque, angular_velocity));
  add(sums.shear, k, dot(row.shear, velocity) + dot(row.shear_torque, angular_velocity));
}

/// Stores velocities and spins of records; their other fields stay.
inline void store_motion(const V& velocity, const V& spin, BodyRecord* records) {
  const double* half[N];
  double* row[N];
  for (int k = 0; k < N; ++k) {
    row[k] = reinterpret_cast<double*>(records + k);
    half[k] = row[k] + 4;
  }
  L rest[4];
  load_fours<N>(half, rest);
  store_rows({velocity.x, velocity.y, velocity.z, spin.x, spin.y, spin.z, rest[2], rest[3]}, row);
}

void predict(const EightSpheres& spheres, const SphereStep& step, double (&travel)[kBlock]) {
  const L one = L{} + 1.0, h = L{} + step.h;
  for (int k = 0; k < kBlock; k += N) {
    const V velocity = load_vectors<N>(spheres.velocity + k) + splat(step.velocity);
    const V spin =
        scaled<N>(load_vectors<N>(spheres.angular_velocity + k), load<N>(spheres.radius + k));
    const L inverse_mass = one / load<N>(spheres.mass + k);
    double* row[N];
    for (int j = 0; j < N; ++j) row[j] = reinterpret_cast<double*>(spheres.records + k + j);
    store_rows({velocity.x, velocity.y, velocity.z, spin.x, spin.y, spin.z, inverse_mass,
                inverse_mass / load<N>(spheres.inertia + k)},
               row);
    store<N>(travel + k, h * scree::norm<N>(velocity));
  }
}

/// Stores four numbers of each lane in a part of a record.
inline void store_part(int part, const V& v, const L& last, ForceBody* bodies) {
  double* row[N];
  for (int j = 0; j < N; ++j) row[j] = reinterpret_cast<double*>(bodies + j) + 4 * part;
  L m[4] = {v.x, v.y, v.z, last};
  store_fours<N>(row, m);
}

void record(const EightSpheres& spheres, double h, ForceBody* bodies) {
  const L one = L{} + 1.0;
  for (int k = 0; k < kBlock; k += N) {
    const L radius = load<N>(spheres.radius + k), inverse_mass = one / load<N>(spheres.mass + k);
    const V rotation = scaled<N>(load_vectors<N>(spheres.angular_velocity + k), L{} + h);
    store_part(0, load_vectors<N>(spheres.position + k), radius, bodies + k);
    store_part(1, load_vectors<N>(spheres.velocity + k), inverse_mass, bodies + k);
    store_part(2, rotation, inverse_mass / (load<N>(spheres.inertia + k) * radius * radius),
               bodies + k);
  }
}

void give(const EightSpheres& spheres, const SphereStep& step, const ForceRow* rows,
          LanePowers& before, LanePowers& after) {
  const L h = L{} + step.h, half_step_factor = L{} + step.half_step_factor;
  for (int k = 0; k < kBlock; k += N) {
    const RowLanes row = load_rows(rows + k);
    const V v = load_vectors<N>(spheres.velocity + k),
            w = load_vectors<N>(spheres.angular_velocity + k);
    const L radius = load<N>(spheres.radius + k), h_over_m = h / load<N>(spheres.mass + k);
    const V force = row.elastic + row.damping + row.shear,
            torque = row.damping_torque + row.shear_torque,
            rotational = scaled<N>(torque, h_over_m / radius);
    const V velocity =
        v + splat(step.velocity) + scaled<N>(scaled<N>(force, h_over_m), half_step_factor);
    const V spin = scaled<N>(w, radius) +
                   scaled<N>(divided(rotational, load<N>(spheres.inertia + k)), half_step_factor);
    store_motion(velocity, spin, spheres.records + k);
    add_power(row, v, w, k, before);
    add_power(row, velocity, divided(spin, radius), k, after);
  }
}

/// M orientations, rotated by h ω.
template <int M>
inline void turn_some(Quaternion* orientations, const Vec3Lanes<M>& angular_velocity, double h) {
  double* turned[M];
  const double* row[M];
  for (int k = 0; k < M; ++k) row[k] = turned[k] = &orientations[k].w;
  Lanes<M> q[4];
  load_fours<M>(row, q);
  const Vec3Lanes<M> rotation = scaled<M>(angular_velocity, Lanes<M>{} + h), axis{q[1], q[2], q[3]};
  const force::HalfTurn<M> half = force::half_turn<M>(rotation);
  const Vec3Lanes<M> by = scaled<M>(rotation, 0.5 * half.sine_over_angle);
  const Lanes<M> real = half.cosine * q[0] - dot<M>(by, axis);
  const Vec3Lanes<M> other = scaled<M>(axis, half.cosine) + scaled<M>(by, q[0]) + cross(by, axis);
  // Normalisation, as exact as division by the root for the errors of rounding.
  const Lanes<M> scale = 1.5 - 0.5 * (real * real + dot<M>(other, other));
  Lanes<M> result[4] = {scale * real, scale * other.x, scale * other.y, scale * other.z};
  store_fours<M>(turned, result);
}

void turn(Quaternion* orientations, const Vec3* angular_velocities, std::size_t bodies, double h) {
  std::size_t i = 0;
  for (; i + N <= bodies; i += N)
    turn_some<N>(orientations + i, load_vectors<N>(angular_velocities + i), h);
  for (; i < bodies; ++i)
    turn_some<1>(orientations + i, load_vectors<1>(angular_velocities + i), h);
}

/// 0 if a component is not finite, else 1.
inline L finite(const V& a, const V& b, const V& c) {
  const V none = (a - a) + (b - b) + (c - c);
  const L zero{};
  return none.x + none.y + none.z == 0 ? zero + 1.0 : zero;
}

void advance(const EightSpheres& spheres, const SphereStep& step, double* skin,
             SphereEnergies& energies) {
  const L h = L{} + step.h, half = L{} + 0.5 * step.h;
  for (int k = 0; k < kBlock; k += N) {
    const double* row[N];
    for (int j = 0; j < N; ++j) row[j] = reinterpret_cast<const double*>(spheres.records + k + j);
    L m[8];
    load_eights(row, m);
    const L mass = load<N>(spheres.mass + k), radius = load<N>(spheres.radius + k);
    const V v{m[0], m[1], m[2]}, w = divided({m[3], m[4], m[5]}, radius),
                                 from = load_vectors<N>(spheres.position + k),
                                 to = from + scaled<N>(v, h);
    store_vectors<N>(v, spheres.velocity + k);
    store_vectors<N>(w, spheres.angular_velocity + k);
    store_vectors<N>(to, spheres.position + k);
    const L travel = scree::norm<N>(to - from - splat(step.drift));
    store<N>(skin + k, load<N>(skin + k) - travel);
    turn_some<N>(spheres.orientation + k, w, step.h);
    const L rotational = load<N>(spheres.inertia + k) * dot(w, w);
    store<N>(energies.kinetic + k, 0.5 * mass * (dot(v, v) + radius * radius * rotational));
    store<N>(energies.potential + k, -mass * dot(splat(step.gravity), to - scaled<N>(v, half)));
    store<N>(energies.finite + k, finite(to, v, w));
  }
}

}  // namespace
}  // namespace scree::kernels

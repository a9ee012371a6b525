/// Kinematics, force problems and time steps of Painlevé's rod.
#include "scree/studies/rod.hpp"

#include <cmath>

namespace scree::studies {
namespace {

/// W of the contact [1/kg], [Preclik11, Eq. 4]; q = 0.
PlanarContact contact_matrix(const Rod& rod, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  const double turning = rod.length * rod.length / (4 * rod.inertia);
  return {1 / rod.mass + turning * c * c,
          -turning * s * c,
          1 / rod.mass + turning * s * s,
          0,
          0,
          rod.friction};
}

PlanarContact with_free_velocity(PlanarContact contact, const NormalTangential& q) {
  contact.qn = q.n;
  contact.qt = q.t;
  return contact;
}

}  // namespace

RodState touching(const Rod& rod, double angle, double velocity_x) {
  return {0.5 * rod.length * std::cos(angle),
          0.5 * rod.length * std::sin(angle),
          angle,
          velocity_x,
          0,
          0};
}

NormalTangential gap(const Rod& rod, const RodState& s) {
  return {s.y - 0.5 * rod.length * std::sin(s.angle), s.x - 0.5 * rod.length * std::cos(s.angle)};
}

NormalTangential gap_velocity(const Rod& rod, const RodState& s) {
  return {s.velocity_y - 0.5 * rod.length * std::cos(s.angle) * s.spin,
          s.velocity_x + 0.5 * rod.length * std::sin(s.angle) * s.spin};
}

NormalTangential free_gap_acceleration(const Rod& rod, const RodState& s, const Loads& loads) {
  const double c = 0.5 * rod.length * std::cos(s.angle), d = 0.5 * rod.length * std::sin(s.angle);
  const double turning = loads.torque / rod.inertia, centripetal = s.spin * s.spin;
  return {loads.force_y / rod.mass + d * centripetal - c * turning,
          loads.force_x / rod.mass + c * centripetal + d * turning};
}

double sliding_coefficient(const Rod& rod, double angle) {
  const PlanarContact w = contact_matrix(rod, angle);
  return w.nn + rod.friction * w.nt;
}

double critical_friction(const Rod& rod, double angle) {
  const PlanarContact w = contact_matrix(rod, angle);
  return -w.nn / w.nt;
}

PlanarSolutions force_solutions(const Rod& rod, const RodState& state, const Loads& loads) {
  const NormalTangential slip = gap_velocity(rod, state),
                         a = free_gap_acceleration(rod, state, loads);
  const PlanarContact w = with_free_velocity(contact_matrix(rod, state.angle), a);
  if (slip.t == 0) return all_solutions(w);  // accelerations instead of velocities: Eq. 7 and 9

  // Sliding fixes friction at λ_t = ±μ λ_n, and leaves A λ_n − b ≥ 0 ⊥ λ_n ≥ 0.
  const double side = slip.t < 0 ? 1 : -1;
  const double A = w.nn + side * rod.friction * w.nt, b = -a.n;
  PlanarSolutions found;
  const auto add = [&](ContactState kind, double normal) {
    const double tangential = side * rod.friction * normal;
    found.all.push_back({kind, normal, tangential, w.nn * normal + w.nt * tangential + a.n,
                         w.nt * normal + w.tt * tangential + a.t});
  };
  if (b <= 0) add(ContactState::open, 0);
  if (A == 0 && b == 0) found.continuum = true;
  if (b / A > 0) add(side > 0 ? ContactState::slip_left : ContactState::slip_right, b / A);
  return found;
}

PlanarContact impulse_problem(const Rod& rod, const RodState& state) {
  return with_free_velocity(contact_matrix(rod, state.angle), gap_velocity(rod, state));
}

PlanarContact step_problem(const Rod& rod, const RodState& state, const Loads& loads,
                           double time_step) {
  RodState free = state;
  free.velocity_x += time_step * loads.force_x / rod.mass;
  free.velocity_y += time_step * loads.force_y / rod.mass;
  free.spin += time_step * loads.torque / rod.inertia;
  NormalTangential q = gap_velocity(rod, free);
  q.n += gap(rod, state).n / time_step;
  return with_free_velocity(contact_matrix(rod, state.angle), q);
}

RodState after_step(const Rod& rod, RodState s, const Loads& loads, double time_step,
                    NormalTangential r) {
  const double c = 0.5 * rod.length * std::cos(s.angle), d = 0.5 * rod.length * std::sin(s.angle);
  s.velocity_x += (time_step * loads.force_x + r.t) / rod.mass;
  s.velocity_y += (time_step * loads.force_y + r.n) / rod.mass;
  s.spin += (time_step * loads.torque + d * r.t - c * r.n) / rod.inertia;
  s.x += time_step * s.velocity_x;
  s.y += time_step * s.velocity_y;
  s.angle += time_step * s.spin;
  return s;
}

}  // namespace scree::studies

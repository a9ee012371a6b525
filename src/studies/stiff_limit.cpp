/// Limits of the compliant rod as the contact becomes stiff.
#include "scree/studies/stiff_limit.hpp"

#include <cmath>
#include <limits>

namespace scree::studies {
namespace {

/// Value between low and high at which `is_above` becomes true, by bisection.
template <class Predicate>
double boundary(double low, double high, const Predicate& is_above) {
  while (high - low > 1e-10 * high) {
    const double middle = 0.5 * (low + high);
    (is_above(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

StiffLimit stiff_limit(const Rod& rod, const RodState& state, double normal_ratio,
                       double tangential_ratio) {
  StiffLimit limit;
  const double A = sliding_coefficient(rod, state.angle);
  if (!(A < 0)) return limit;
  // k_n = m: the unit of time is sqrt(m/k_n). The growing motion has s² = |A| (k_n + γ_n s).
  const double m = rod.mass, half = 0.5 * -A * normal_ratio * m;
  const double growth = half + std::sqrt(half * half - A * m);
  const double push = 1e-9 * std::abs(gap_velocity(rod, state).t);
  RodState start = state;
  start.velocity_y -= push;
  const CompliantRun run =
      run_compliant(rod, start, -push / growth, {}, {m, normal_ratio * m, tangential_ratio * m},
                    {.until = 1e9,
                     .stop_at_break = true,
                     .settled = push,
                     .frozen = true,
                     .max_steps = 5'000'000});
  limit.found = run.finished;
  limit.breaks = run.broke.has_value();
  limit.impulse = run.end;
  limit.after = run.gap_velocity;
  const PlanarContact c = impulse_problem(rod, state);
  const double n = run.end.n, t = run.end.t;
  limit.energy_change =
      0.5 * (c.nn * n * n + 2 * c.nt * n * t + c.tt * t * t) + c.qn * n + c.qt * t;
  return limit;
}

std::optional<double> separatrix(const Rod& rod, const RodState& state, const Loads& loads,
                                 const Compliance& compliance, double max_force) {
  const auto jams = [&](double force) {
    const CompliantRun run =
        run_compliant(rod, state, -force / compliance.stiffness, loads, compliance,
                      {.until = 10, .tolerance = 1e-10, .stop_at_break = true});
    return run.stick.has_value();
  };
  if (!jams(max_force)) return {};
  return boundary(0, max_force, jams);
}

double breaking_ratio(const Rod& rod, const RodState& state, const Loads& loads, double damping) {
  return boundary(0.1, 100, [&](double ratio) {
    const double stiffness = ratio * damping;
    // The spring's first swing back takes half a period; after three half periods it has broken
    // contact or never will.
    const double swing = 3.2 * std::sqrt(rod.mass / stiffness);
    const CompliantRun run =
        run_compliant(rod, state, 0, loads, {stiffness, damping, damping},
                      {.until = 3 * swing, .tolerance = 1e-13, .stop_at_break = true});
    return run.broke.has_value();
  });
}

double limit_of_breaking_ratio(const Rod& rod, const RodState& state, const Loads& loads) {
  for (const PlanarSolution& s : all_solutions(impulse_problem(rod, state)).all) {
    if (s.state != ContactState::stick) continue;
    const RodState stuck = after_step(rod, state, {}, 0, {s.rn, s.rt});
    const PlanarContact w = impulse_problem(rod, stuck);
    const NormalTangential a = free_gap_acceleration(rod, stuck, loads);
    // While the end sticks, g̈_n = W_eff (λ_n − F) with friction λ_t = −(a_t + W_nt λ_n)/W_tt.
    const double effective = w.nn - w.nt * w.nt / w.tt;
    const double hold = (w.nt * a.t / w.tt - a.n) / effective;
    // Friction leaves the cone at λ_n = `slip`, before the spring is relaxed; from there g̈_n =
    // `sliding` λ_n + a_n.
    const double side = a.t > 0 ? -1 : 1;
    const double slip = -a.t / (w.nt + side * w.friction * w.tt),
                 sliding = w.nn + side * w.friction * w.nt;
    // Energy of the swing from rest at λ_n to rest at zero.
    const double rest = (sliding * slip * slip + 2 * a.n * slip) / effective;
    return (hold + std::sqrt((slip - hold) * (slip - hold) - rest)) / s.rn;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace scree::studies

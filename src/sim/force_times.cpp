#include "scree/sim/force_times.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "scree/laws/force_numbers.hpp"

namespace scree {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

/// The lightest body of each material, and the smallest.
struct Lightest {
  double mass = kNone, radius = kNone;
  double inertia = kNone;  ///< least moment over m r²
};

std::vector<Lightest> lightest_bodies(const Model& model, const Bodies& bodies) {
  std::vector<Lightest> of(model.materials.size());
  const auto take = [&](MaterialId material, double mass, double radius, PrototypeId prototype) {
    const Vec3& moments = model.prototypes[prototype].inertia;
    Lightest& least = of[material];
    least.mass = std::min(least.mass, mass);
    least.radius = std::min(least.radius, radius);
    least.inertia = std::min({least.inertia, moments.x, moments.y, moments.z});
  };
  for (std::size_t i = 0; i < bodies.size(); ++i)
    take(bodies.material[i], bodies.mass[i], bodies.radius[i], bodies.prototype[i]);
  for (const Inflow& inflow : model.inflows) {
    const double r = inflow.radius;
    const double volume = 4.0 / 3 * std::numbers::pi * r * r * r;
    take(inflow.material, model.materials[inflow.material].density * volume, r, inflow.prototype);
  }
  return of;
}

/// The stiffness that a dashpot is measured by, from that of the spring [N/m].
double damped_by(const force::Numbers& n, double stiffness) {
  return n.scheme.kind == ForceKind::hertz_mindlin ? stiffness / 1.5 : stiffness;
}

double fastest_impact(const Model& model, const State& state) {
  double squared = 0, low = kNone, high = -kNone;
  const double g = norm(model.gravity);
  for (std::size_t i = 0; i < state.bodies.size(); ++i) {
    squared = std::max(squared, squared_norm(state.bodies.velocity[i]));
    const double height = g > 0 ? dot(model.gravity, state.bodies.position[i]) / g : 0;
    low = std::min(low, height - state.bodies.radius[i]);
    high = std::max(high, height + state.bodies.radius[i]);
  }
  for (const ObstacleState& obstacle : state.obstacles) {
    // What a body may fall onto.
    if (g > 0) high = std::max(high, dot(model.gravity, obstacle.pose.position) / g);
    squared = std::max(squared, squared_norm(obstacle.twist.linear));
  }
  const double fall = high > low ? std::sqrt(2 * g * (high - low)) : 0;
  const double fastest = std::max(std::sqrt(squared), fall);
  return fastest > 0 ? fastest : 1;
}

}  // namespace

std::optional<ForceTimes> force_times(const Model& model, const State& state) {
  const std::vector<Lightest> of = lightest_bodies(model, state.bodies);
  const std::size_t count = model.materials.size();
  std::vector<bool> of_obstacles(count, false);
  for (const Obstacle& obstacle : model.obstacles) of_obstacles[obstacle.material] = true;
  const double neighbours = static_cast<double>(std::min<std::size_t>(
      12, state.bodies.size() + model.obstacles.size() + (model.inflows.empty() ? 0 : 12) - 1));
  ForceTimes times{.contact_time = kNone, .stability_limit = kNone};
  const double speed = fastest_impact(model, state);
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = 0; b < count; ++b) {
      const PairLaw& law = model.laws(static_cast<MaterialId>(a), static_cast<MaterialId>(b));
      const bool among_bodies = of[b].mass < kNone, with_obstacle = of_obstacles[b];
      if (!is_compliant(law) || of[a].mass == kNone || !(among_bodies || with_obstacle)) continue;
      const force::Numbers n =
          force::numbers_of(law, model.materials[a].moduli, model.materials[b].moduli);
      const double mass = among_bodies ? 1 / (1 / of[a].mass + 1 / of[b].mass) : of[a].mass;
      double stiffness = n.k_n, shear = n.k_t, time = std::numbers::pi * std::sqrt(mass / n.k_n);
      if (n.scheme.kind == ForceKind::hertz_mindlin) {
        const double radius = among_bodies
                                  ? of[a].radius * of[b].radius / (of[a].radius + of[b].radius)
                                  : of[a].radius;
        const double k = n.k_n * std::sqrt(radius);
        const double deepest = std::pow(1.25 * mass * speed * speed / k, 0.4);
        time = 2.943275184324705 * deepest / speed;  // ∫ dx/√(1 − x^{5/2}), twice
        stiffness = 1.5 * k * std::sqrt(deepest);
        shear = n.k_t * std::sqrt(radius * deepest);
        times.impact_speed = speed;
      }
      // A dashpot slows bodies down in m/γ: a tenth of that is as fine as t_c/50 of a spring.
      const double gamma = n.fixed_damping + n.damping * std::sqrt(mass * damped_by(n, stiffness));
      if (gamma > 0) time = std::min(time, 0.1 * kStepsOfContact * mass / gamma);
      if (time < times.contact_time) {
        times.contact_time = time;
        times.first = model.materials[a].name;
        times.second = model.materials[b].name;
        times.law = law.kind;
      }
      // Σ over contacts in all directions, of translation and of turning; twice, as the neighbours
      // may move the other way.
      const double gamma_t = n.tangential + n.damping_ratio * gamma, turns = 1 / of[a].inertia;
      const auto sum = [&](double normal, double tangential) {
        const double all = std::max(neighbours * (normal + 2 * tangential) / 3,
                                    neighbours * tangential * (2.0 / 3) * turns);
        return std::max(2 * all, normal * of[a].mass / mass) / of[a].mass;
      };
      times.stability_limit = std::min(times.stability_limit, 2 / std::sqrt(sum(stiffness, shear)));
      if (gamma + gamma_t > 0)
        times.stability_limit = std::min(times.stability_limit, 1 / sum(gamma, gamma_t));
    }
  if (times.contact_time == kNone) return {};
  return times;
}

}  // namespace scree

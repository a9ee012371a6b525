// Times of compliant contacts: impact durations and the stability limit of the step.
#include "scree/sim/force_times.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <vector>

#include "laws/force_contact.hpp"
#include "scree/sim/touching_materials.hpp"
#include "sim/compliant/leverage.hpp"

namespace scree {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// Extreme bodies of a material: the lightest, the smallest, and the heaviest.
struct Extremes {
  double mass = kNoLimit, radius = kNoLimit, heaviest = 0;
  double turns = 0;   ///< largest ratio of rotation to translation under a tangential impulse
  double levers = 0;  ///< the same under a normal impulse, for clumps
  double points = 1;  ///< largest number of points between one of them and another body
  /// Springs of some share a dashpot, which is that of the whole masses: for parts other than
  /// spheres
  bool shares = false;
};

std::vector<Extremes> extreme_bodies(const Model& model, const Bodies& bodies) {
  std::vector<Extremes> of(model.materials.size());
  const auto take = [&](MaterialId material, double mass, double radius, PrototypeId prototype) {
    const Vec3& moments = model.prototypes[prototype].inertia;
    Extremes& those = of[material];
    those.mass = std::min(those.mass, mass);
    those.heaviest = std::max(those.heaviest, mass);
    those.radius = std::min(those.radius, radius);
    if (const auto leverage = leverage_of(model.prototypes[prototype])) {
      constexpr double kMaxManifoldPoints = Neighbours::kMaxSurfacePoints;
      const auto& clump = std::get<Clump>(model.prototypes[prototype].shape);
      those.levers = std::max(those.levers, leverage->normal);
      those.turns = std::max(those.turns, leverage->tangential);
      const std::span<const ClumpPart> parts = clump.parts->parts();
      those.points =
          std::max(those.points, std::min(kMaxManifoldPoints, static_cast<double>(parts.size())));
      those.shares = those.shares || !std::ranges::all_of(parts, [](const ClumpPart& part) {
                       return std::holds_alternative<Sphere>(part.shape);
                     });
    } else {
      those.turns = std::max(those.turns, 1 / std::min({moments.x, moments.y, moments.z}));
    }
  };
  for (std::size_t i = 0; i < bodies.size(); ++i)
    take(bodies.material[i], bodies.mass[i], bodies.radius[i], bodies.prototype[i]);
  for (const Inflow& inflow : model.inflows) {
    const double r = inflow.radius;
    const double volume = 4.0 / 3 * std::numbers::pi * r * r * r;
    take(inflow.material, model.materials[inflow.material].density * volume, r, inflow.prototype);
  }
  for (const Filling& filling : model.fillings)
    for (const Filling::Kind& kind : filling.kinds)
      for (const double r : {kind.low, kind.high}) {
        const Shape shape = scaled(model.prototypes[kind.prototype].shape, r);
        take(kind.material, kind.density * volume_properties(shape).volume, r, kind.prototype);
      }
  return of;
}

/// Two bodies, or a body and an obstacle, that touch.
struct Pair {
  double mass, radius;  ///< effective mass [kg] and radius [m]
  double at_point;      ///< mass for a normal impulse away from the centres of clumps
  double of_dashpot;    ///< mass for the dashpot there [kg]
  double heaviest;      ///< mass that may rest on the contact [kg]
};

/// Contact at its deepest.
struct Deepest {
  double stiffness, shear;  ///< stiffnesses of the springs [N/m]
  double gamma;             ///< normal dashpot that acts through centres [N s/m]
  double gamma_at_point;    ///< normal dashpot that acts away from them [N s/m]
  double time;              ///< duration of an impact as deep [s]
  bool by_weight;           ///< true if a weight makes it so deep
};

Deepest deepest_contact(const force::Numbers& n, const Pair& pair, double speed, double g) {
  const auto c = force::coefficients<1>(n, pair.radius, 1 / pair.mass, 1.0);
  double depth = 0, weighed = 0;
  if (n.scheme.kind == ForceKind::hertz_mindlin) {
    depth = std::pow(1.25 * pair.mass * speed * speed / c.k_n, 0.4);
    weighed = std::pow(pair.heaviest * g / c.k_n, 2.0 / 3);
  }
  const auto s = force::springs<1>(c, std::max(depth, weighed), n.scheme.kind);
  const bool hertz = n.scheme.kind == ForceKind::hertz_mindlin;
  const auto gamma = [&](double mass) {
    return c.fixed_damping + n.damping * std::sqrt(mass) * std::sqrt(s.stiffness);
  };
  return {hertz ? 1.5 * s.stiffness : s.stiffness,
          s.shear_stiffness,
          gamma(pair.mass),
          gamma(pair.of_dashpot),
          force::impact_time(n.scheme.kind, pair.at_point, s.stiffness),
          weighed > depth};
}

}  // namespace

std::optional<ForceTimes> force_times(const Model& model, const State& state, double until) {
  const std::vector<Extremes> of = extreme_bodies(model, state.bodies);
  const TouchingMaterials touching(model, state);
  const std::size_t count = model.materials.size();
  const double neighbours = static_cast<double>(std::min<std::size_t>(
      12, state.bodies.size() + model.obstacles.size() +
              (model.inflows.empty() && model.fillings.empty() ? 0 : 12) - 1));
  ForceTimes times{.contact_time = kNoLimit, .stability_limit = kNoLimit};
  if (!touching.any_law(model, is_compliant)) return {};
  const ImpactEstimate impact = impact_estimate(model, state, until);
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = 0; b < count; ++b) {
      const PairLaw& law = model.laws(static_cast<MaterialId>(a), static_cast<MaterialId>(b));
      if (!is_compliant(law) || !touching.touch(a, b)) continue;
      const force::Numbers n =
          force::numbers_of(law, model.materials[a].moduli, model.materials[b].moduli);
      const auto lightness = [&](std::size_t m) { return (1 + of[m].levers) / of[m].mass; };
      Pair pair{of[a].mass, of[a].radius, 1 / lightness(a), 0, of[a].heaviest};
      if (touching.is_of_bodies(b))
        pair = {1 / (1 / of[a].mass + 1 / of[b].mass),
                force::effective_radius(of[a].radius, 1 / of[b].radius),
                1 / (lightness(a) + lightness(b)), 0, std::max(of[a].heaviest, of[b].heaviest)};
      const bool shares = of[a].shares || (touching.is_of_bodies(b) && of[b].shares);
      pair.of_dashpot = shares ? pair.mass : pair.at_point;
      const auto [stiffness, shear, gamma, gamma_at_point, impact_time, by_weight] =
          deepest_contact(n, pair, impact.speed(), norm(model.gravity));
      if (n.scheme.kind == ForceKind::hertz_mindlin) times.impact = impact;
      const ForceTimes::Between between{model.materials[a].name, model.materials[b].name, law.kind};
      // A dashpot slows bodies in m/γ: a tenth of that resolves as well as t_c/50 of a spring.
      const double damped =
          gamma > 0 ? 0.1 * kStepsOfContact * pair.at_point / gamma_at_point : kNoLimit;
      if (const double time = std::min(impact_time, damped); time < times.contact_time) {
        times.contact_time = time;
        times.by_weight = by_weight;
        times.shortest = between;
      }
      // Σ over contacts in all directions, of translation and rotation; doubled, as the neighbours
      // may move against the body. Clumps touch each neighbour at several points, and normal forces
      // rotate them, too.
      const double gamma_t = n.tangential + n.damping_ratio * gamma,
                   contacts = neighbours * std::min(of[a].points, 3.0);
      const auto sum = [&](double normal, double tangential) {
        const double moving = contacts * (normal + 2 * tangential) / 3,
                     rotational = contacts * normal * of[a].levers / 3 +
                                  contacts * tangential * (2.0 / 3) * of[a].turns,
                     all = of[a].levers > 0 ? moving + rotational : std::max(moving, rotational);
        const double alike = of[a].points * normal * (of[a].mass / pair.mass + of[a].levers);
        return std::max(2 * all, alike) / of[a].mass;
      };
      double limit = 2 / std::sqrt(sum(stiffness, shear));
      if (gamma + gamma_t > 0) limit = std::min(limit, 1 / sum(gamma_at_point, gamma_t));
      if (limit < times.stability_limit) {
        times.stability_limit = limit;
        times.min_stable = between;
      }
    }
  return times;
}

}  // namespace scree

/// E_s of a step against its true error: docs/theory/accuracy.md has the table.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <gtest/gtest.h>
#include <optional>
#include <vector>

#include "oracles/certificate_scenes.hpp"
#include "scree/sim/accuracy.hpp"
#include "scree/sim/simulation.hpp"
#include "unit/scene/scene_text.hpp"

namespace scree::test {
namespace {

#ifndef SCREE_CERTIFIED_STEPS
#define SCREE_CERTIFIED_STEPS 20  // of each kind and accuracy
#endif

/// Root of Σ m (|Δv|² + R² |Δω|²) between two states [√J].
double distance(const Bodies& one, const Bodies& other) {
  double sum = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    const Vec3 v = one.velocity[i] - other.velocity[i],
               w = one.angular_velocity[i] - other.angular_velocity[i];
    sum += one.mass[i] * (squared_norm(v) + one.radius[i] * one.radius[i] * squared_norm(w));
  }
  return std::sqrt(sum);
}

/// A step, and how far off it is.
struct CertifiedStep {
  bool met = false, known = false;
  double residual = 0;  ///< E_s [-]
  double error = 0;     ///< of the velocities, over all that contacts and joints change [-]
};

/// Makes a step, and compares its velocities with those of a far better solution.
CertifiedStep certified_step(Simulation& simulation) {
  const State before = simulation.state();
  Model model = simulation.model();
  model.solver = {.method = SolverKind::gauss_seidel,
                  .tolerance = 1e-11,
                  .max_sweeps = 3000,
                  .acceleration = Acceleration::nesterov};
  Simulation better(model, before);
  better.step();
  simulation.step();

  State free = before;
  for (Vec3& v : free.bodies.velocity) v += model.step.h * model.gravity;
  // A step may store its bodies in another order.
  for (std::size_t i = 0; i < free.bodies.size(); ++i)
    if (better.state().bodies.id[i] != free.bodies.id[i] ||
        simulation.state().bodies.id[i] != free.bodies.id[i])
      return {};
  const double change = distance(better.state().bodies, free.bodies);
  const Report& report = simulation.report();
  return {.met = report.converged,
          .known = better.report().residual <= 1e-9 && change > 0,
          .residual = report.residual,
          .error = distance(simulation.state().bodies, better.state().bodies) / change};
}

struct Quantiles {
  std::vector<double> values;
  double at(double share) {
    if (values.empty()) return 0;
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
  }
};

std::string random_solver(Dice& dice, Accuracy accuracy, bool any_method) {
  const std::string method = any_method
                                 ? dice.one_of("gauss_seidel", "gauss_seidel", "auto", "newton",
                                               "admm", "apgd", "psor", "jacobi", "interior_point")
                                 : "gauss_seidel";
  return fmt::format("solver: {{accuracy: {}, method: {}}}\n", name(accuracy), method);
}

/// Scene of a kind, or nothing if its law and method do not suit each other.
std::optional<Scene> scene_of(const SceneKind& kind, Dice& dice, Accuracy accuracy) {
  const std::string text = kind.scene(dice) + random_solver(dice, accuracy, kind.any_method);
  try {
    return load_text(text);
  } catch (const SceneError& refused) {
    if (std::getenv("SCREE_SHOW_REFUSED")) std::printf("%s\n%s\n", refused.what(), text.c_str());
    return {};
  }
}

TEST(Certificate, IsTheErrorOfTheStep) {
  constexpr int kSteps = SCREE_CERTIFIED_STEPS;
  std::printf(
      "%-12s %-12s steps  met  known  error/E_s: 50 %%  90 %%  99 %%   error: 50 %%  90 %%  99 "
      "%%\n",
      "kind", "accuracy");
  for (const SceneKind& kind : kSceneKinds)
    for (const Accuracy accuracy : kAccuracies) {
      Quantiles ratio, error;
      int steps = 0, met = 0;
      for (std::uint64_t seed = 1; steps < kSteps && seed < 4 * kSteps; ++seed) {
        Dice dice(mix_bits(seed + 1000003 * static_cast<std::uint64_t>(accuracy)));
        std::optional<Scene> scene = scene_of(kind, dice, accuracy);
        if (!scene) continue;
        Simulation simulation(scene->model, scene->state);
        for (int k = dice.number(0, kind.steps); k > 0; --k) simulation.step();
        const CertifiedStep step = certified_step(simulation);
        ++steps;
        met += step.met;
        if (!step.met || !step.known) continue;
        error.values.push_back(step.error);
        if (step.residual > 1e-10) ratio.values.push_back(step.error / step.residual);
      }
      std::printf("%-12s %-12s %5d %4.0f %% %5zu         %8.2g %8.2g %8.2g   %8.2g %8.2g %8.2g\n",
                  kind.name, std::string(name(accuracy)).c_str(), steps, 100.0 * met / steps,
                  error.values.size(), ratio.at(0.5), ratio.at(0.9), ratio.at(0.99), error.at(0.5),
                  error.at(0.9), error.at(0.99));
      EXPECT_GT(error.values.size(), steps / 2u) << kind.name;
      const double tolerance = solver_settings(accuracy).tolerance;
      EXPECT_LE(error.at(0.5), 3 * tolerance) << kind.name;
      if (kind.has_one_answer) EXPECT_LE(error.at(0.9), 5 * tolerance) << kind.name;
    }
}

/// A motion with a known end.
struct KnownMotion {
  std::string bodies;
  double h = 0, mu = 0;
  int steps = 0;
  /// Error of the last velocities, and all that friction changed, in one unit [m/s]
  std::function<double(const Bodies&)> error;
  double change = 0;
};

/// Sum over the steps that friction decelerates by `of_step` before it has stopped `speed`.
int steps_to(double share, double speed, double of_step) {
  return std::clamp(static_cast<int>(share * speed / of_step), 0, 100);
}

/// A flat body that slides: v = v₀ − μ g t. It neither turns nor leaves its line.
KnownMotion known_slide(Dice& dice) {
  KnownMotion m{.h = random_step(dice), .mu = dice.scale(0.05, 1)};
  const double L = dice.scale(0.01, 1), speed = dice.scale(0.01, 100),
               angle = dice.between(0, 2 * std::numbers::pi), of_step = m.mu * 9.81 * m.h;
  const Vec3 along{std::cos(angle), std::sin(angle), 0};
  m.bodies = flat_body(dice, L, "velocity: " + vector(speed * along.x, speed * along.y, 0));
  m.steps = steps_to(0.8, speed, of_step);
  m.change = m.steps * of_step;
  m.error = [=](const Bodies& bodies) {
    return norm(bodies.velocity[0] - (speed - m.change) * along) +
           0.5 * L * norm(bodies.angular_velocity[0]);
  };
  return m;
}

/// A disc that spins on its rim: ω = ω₀ − 2 μ g t / R.
KnownMotion known_spin(Dice& dice) {
  KnownMotion m{.h = random_step(dice), .mu = dice.scale(0.05, 1)};
  const double R = dice.scale(0.01, 1), rate = dice.scale(0.1, 1000),
               of_step = 2 * m.mu * 9.81 * m.h;
  m.bodies = fmt::format(
      "  - cylinder: {{position: {}, axis: [0, 0, 1], radius: {:.17g}, length: {:.17g}, "
      "angular_velocity: {}}}\n",
      vector(0, 0, 0.2 * R), R, 0.4 * R, vector(0, 0, rate));
  m.steps = steps_to(0.8, rate * R, of_step);
  m.change = m.steps * of_step;
  m.error = [=](const Bodies& bodies) {
    return std::abs(R * (bodies.angular_velocity[0].z - rate) + m.change) +
           norm(bodies.velocity[0]);
  };
  return m;
}

/// A ball that slides and begins to roll: v = v₀ − μ g t, ω R = 5/2 μ g t.
KnownMotion known_ball(Dice& dice) {
  KnownMotion m{.h = random_step(dice), .mu = dice.scale(0.05, 1)};
  const double R = dice.scale(1e-3, 1), speed = dice.scale(0.01, 100), of_step = m.mu * 9.81 * m.h;
  m.bodies = fmt::format("  - sphere: {{position: {}, radius: {:.17g}, velocity: {}}}\n",
                         vector(0, 0, R), R, vector(speed, 0, 0));
  m.steps = steps_to(0.8 * 2 / 7, speed, of_step);
  m.change = m.steps * of_step;
  m.error = [=](const Bodies& bodies) {
    return std::abs(bodies.velocity[0].x - speed + m.change) +
           std::abs(R * bodies.angular_velocity[0].y - 2.5 * m.change);
  };
  return m;
}

TEST(Certificate, HoldsForMotionsThatAreKnown) {
  constexpr int kRuns = 25 * SCREE_CERTIFIED_STEPS;
  int known = 0;
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    Dice dice(mix_bits(seed));
    const std::array kinds{known_slide, known_spin, known_ball};
    const KnownMotion m = kinds[static_cast<std::size_t>(dice.number(0, 2))](dice);
    if (m.steps == 0) continue;
    const Accuracy accuracy = kAccuracies[static_cast<std::size_t>(dice.number(0, 2))];
    const std::string text = head(m.h, fmt::format("law: coulomb, friction: {:.17g}", m.mu)) +
                             "bodies:\n" + m.bodies + kFloor + random_solver(dice, accuracy, true);
    const Scene scene = load_text(text);
    Simulation simulation(scene.model, scene.state);
    bool met = true;
    for (int k = 0; k < m.steps; ++k) met = simulation.step().converged && met;
    if (!met) continue;
    ++known;
    EXPECT_LE(m.error(simulation.state().bodies),
              (6.5 * solver_settings(accuracy).tolerance + 1e-9) * m.change)
        << seed << "\n"
        << text;
  }
  EXPECT_GT(known, 0.6 * kRuns);
}

}  // namespace
}  // namespace scree::test

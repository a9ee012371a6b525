/// E_s of a step against its true error: docs/theory/accuracy.md has the table.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>
#include <map>
#include <vector>

#include "oracles/certificate_scenes.hpp"
#include "scree/sim/accuracy.hpp"
#include "scree/sim/simulation.hpp"
#include "unit/scene/scene_text.hpp"

namespace scree::test {
namespace {

#ifndef SCREE_CERTIFIED_STEPS
#define SCREE_CERTIFIED_STEPS 40  // of each kind
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
                  .max_sweeps = 20000,
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
      EXPECT_LE(error.at(0.9), 4 * solver_settings(accuracy).tolerance) << kind.name;
    }
}

}  // namespace
}  // namespace scree::test

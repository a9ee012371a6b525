// Whole steps of scenes in motion, on one thread: a silo that empties, the channel around an
// obstacle, and cubes that fall and pile up; the silo and a bed also with the default accuracy; and
// a bed of soft spheres. The output is the cost of a body and step, by stages, the fractions of
// steps that rebuild or extend the list of neighbours, and the quality of the contacts. Arguments:
// names of cases; all cases without arguments.
#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "figures.hpp"
#include "scree/scene/scene.hpp"
#include "scree/sim/simulation.hpp"

namespace scree {
namespace {

struct Case {
  const char* name;
  const char* scene;
  int before;  ///< steps before the measurement
  int steps;   ///< steps of a window
  int windows;
  std::vector<std::string> overrides;
};
const std::string kByDefault = "solver={accuracy: engineering}";
const Case kCases[] = {
    {"silo", SCREE_BENCH_DATA "/silo.yaml", 400, 40, 5, {}},
    {"silo_by_default", SCREE_BENCH_DATA "/silo.yaml", 400, 40, 5, {kByDefault}},
    {"bed_by_default", SCREE_BENCH_DATA "/bed.yaml", 100, 10, 5, {kByDefault, "step.h=100 us"}},
    {"channel", SCREE_SCENES "/channel_quick.yaml", 500, 47, 5, {}},
    {"boxes_falling", SCREE_BENCH_DATA "/boxes.yaml", 20, 30, 5, {}},
    {"boxes_piled", SCREE_BENCH_DATA "/boxes.yaml", 1600, 20, 5, {}},
    {"soft_bed", SCREE_BENCH_DATA "/soft_bed.yaml", 20, 20, 5, {}},
};

/// Means over a window of steps.
struct Window {
  double ns = 0;                                    ///< CPU time per body and step [ns]
  std::array<double, kStageNames.size()> fraction;  ///< fraction of the time of all stages [-]
  double rebuilt = 0, extended = 0;                 ///< fraction of the steps [-]
  double bodies = 0, pairs = 0, contacts = 0, sweeps = 0, residual = 0, penetration = 0;
};

Window measure(Simulation& simulation, int steps) {
  Window w;
  std::array<double, kStageNames.size()> seconds{};
  const std::clock_t start = std::clock();
  for (int k = 0; k < steps; ++k) {
    const Report& report = simulation.step();
    for (std::size_t s = 0; s < seconds.size(); ++s) seconds[s] += report.stage_seconds[s];
    w.rebuilt += report.neighbours_rebuilt;
    w.extended += report.neighbours_extended;
    w.bodies += static_cast<double>(report.bodies);
    w.pairs += static_cast<double>(simulation.state().neighbours.pairs.size());
    w.contacts += static_cast<double>(report.contacts);
    w.sweeps += report.sweeps;
    w.residual = std::max(w.residual, report.residual);
    w.penetration = std::max(w.penetration, report.max_relative_penetration);
  }
  w.ns = 1e9 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / w.bodies;
  double all = 0;
  for (const double s : seconds) all += s;
  for (std::size_t s = 0; s < seconds.size(); ++s) w.fraction[s] = seconds[s] / all;
  w.rebuilt /= steps, w.extended /= steps, w.sweeps /= steps;
  w.pairs /= w.bodies, w.contacts /= w.bodies, w.bodies /= steps;
  return w;
}

/// Fastest of the windows, as other programs may use the machine, too.
void print(const Case& c, Figures& figures) {
  Scene scene = load_scene(c.scene, c.overrides);
  Simulation simulation(std::move(scene.model), std::move(scene.state), 1);
  for (int k = 0; k < c.before; ++k) simulation.step();
  Window best{.ns = 1e99};
  for (int k = 0; k < c.windows; ++k) {
    const Window w = measure(simulation, c.steps);
    if (w.ns < best.ns) best = w;
  }
  figures.add(std::string(c.name) + "/body_step", best.ns);
  std::printf("\n%s: %.0f bodies, %.2f pairs and %.2f contacts a body, %.1f sweeps\n", c.name,
              best.bodies, best.pairs, best.contacts, best.sweeps);
  std::printf("  %.0f ns per body and step, %.0f body-steps/s\n", best.ns, 1e9 / best.ns);
  std::printf("  list rebuilt in %.0f %% of the steps, extended in %.0f %%\n", 100 * best.rebuilt,
              100 * best.extended);
  std::printf("  E_s up to %.2g, overlaps up to %.2g of a radius\n ", best.residual,
              best.penetration);
  for (std::size_t s = 0; s < best.fraction.size(); ++s)
    std::printf(" %s %.1f %%", std::string(kStageNames[s]).c_str(), 100 * best.fraction[s]);
  std::printf("\n");
}

}  // namespace
}  // namespace scree

int main(int argc, char** argv) {
  const std::vector<std::string_view> arguments(argv + 1, argv + argc);
  const auto names = [](std::string_view argument) { return !argument.starts_with("--"); };
  const bool all = std::ranges::none_of(arguments, names);
  scree::Figures figures;
  for (const scree::Case& c : scree::kCases)
    if (all || std::ranges::count(arguments, c.name) > 0) scree::print(c, figures);
  figures.write(argc, argv);
}

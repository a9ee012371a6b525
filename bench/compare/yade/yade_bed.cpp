#include <algorithm>
#include <fmt/format.h>
#include <fstream>

#include "compare/soft_bed/bed.hpp"

namespace scree::compare {
namespace {

/// Positions by id, one on each line [m].
void write_positions(const std::filesystem::path& file, const Scene& scene) {
  const Bodies& bodies = scene.state.bodies;
  std::vector<Vec3> positions(bodies.size());
  for (std::size_t k = 0; k < bodies.size(); ++k)
    positions[bodies.id[k].value] = bodies.position[k];
  std::ofstream out(file);
  for (const Vec3& x : positions) out << fmt::format("{} {} {}\n", x.x, x.y, x.z);
}

/// Input of bed.py.
void write_input(const Directory& files, const Scene& scene, const BedLaw& law) {
  std::ofstream(files / "in") << fmt::format(
      R"({{"radius": {}, "density": 2650, "width": {}, "gravity": {}, "h": {}, "k_n": {},
"k_t": {}, "friction": {}, "damping": {}, "damping_at_walls": {}, "local_damping": {},
"sections": {}, "steps": {}, "positions": "{}", "out": "{}"}}
)",
      scene.state.bodies.radius[0], kWidth, -scene.model.gravity.z, scene.model.step.h, law.k_n,
      law.k_t, scene.model.laws(0, 0).friction, law.damping, law.damping_at_walls,
      law.local_damping, kRuns, kStepsInRun, (files / "positions").string(),
      (files / "out").string());
}

}  // namespace

Outcome run_yade(const Scene& scene, const BedLaw& law) {
  const Directory files;
  write_positions(files / "positions", scene);
  write_input(files, scene, law);
  run_command(fmt::format("yade -n -x -j1 {} {} > {} 2>&1", SCREE_YADE_BED, (files / "in").string(),
                          (files / "log").string()));
  std::ifstream in(files / "out");
  Outcome outcome;
  double seconds = 0;
  for (int run = 0; run < kRuns && in >> seconds; ++run)
    outcome.body_steps = std::max(outcome.body_steps, body_steps_per_second(scene, seconds));
  for (Vec3 x; in >> x.x >> x.y >> x.z;) outcome.positions.push_back(x);
  return outcome;
}

}  // namespace scree::compare

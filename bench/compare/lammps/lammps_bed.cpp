#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>

#include "compare/soft_bed/bed.hpp"

namespace scree::compare {
namespace {

void write_data(const std::filesystem::path& file, const Scene& scene) {
  const Bodies& bodies = scene.state.bodies;
  std::ofstream out(file);
  out << fmt::format("bed\n\n{} atoms\n1 atom types\n", bodies.size())
      << fmt::format("-0.01 {0} xlo xhi\n-0.01 {0} ylo yhi\n-0.01 1 zlo zhi\n\nAtoms\n\n",
                     kWidth + 0.01);
  for (std::size_t k = 0; k < bodies.size(); ++k)
    out << fmt::format("{} 1 {} 2650 {} {} {}\n", bodies.id[k].value + 1, 2 * bodies.radius[k],
                       bodies.position[k].x, bodies.position[k].y, bodies.position[k].z);
}

void write_input(const Directory& files, const Scene& scene, const BedLaw& law,
                 const std::string& style, double gamma, double gamma_at_walls) {
  const double friction = scene.model.laws(0, 0).friction;
  const auto numbers = [&](double dashpot) {
    return fmt::format("{} {} {} 0 {} 0", law.k_n, law.k_t, dashpot, friction);
  };
  std::ofstream out(files / "in");
  out << "units si\natom_style sphere\nboundary f f f\nnewton off\ncomm_modify vel yes\n"
      << fmt::format("read_data {}\n", (files / "data").string())
      << "neighbor 0.001 bin\nneigh_modify delay 0\n"
      << fmt::format("pair_style gran/{} {}\npair_coeff * *\n", style, numbers(gamma))
      << "fix motion all nve/sphere\n"
      << fmt::format("fix weight all gravity {} vector 0 0 -1\n", -scene.model.gravity.z);
  for (const char axis : {'x', 'y', 'z'})
    out << fmt::format("fix {0} all wall/gran {1} {2} {0}plane 0 {3}\n", axis, style,
                       numbers(gamma_at_walls), axis == 'z' ? "NULL" : fmt::format("{}", kWidth));
  out << fmt::format("timestep {}\nthermo {}\n", scene.model.step.h, kStepsInRun);
  for (int run = 0; run < kRuns; ++run) out << fmt::format("run {}\n", kStepsInRun);
  out << fmt::format("write_dump all custom {} id x y z modify sort id format float %.15g\n",
                     (files / "out").string());
}

std::vector<Vec3> read_dump(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  while (std::getline(in, line) && !line.starts_with("ITEM: ATOMS")) {
  }
  std::vector<Vec3> positions;
  std::size_t id;
  for (Vec3 x; in >> id >> x.x >> x.y >> x.z;) positions.push_back(x);
  return positions;
}

}  // namespace

Outcome run_lammps(const Scene& scene, const BedLaw& law, const std::string& style, double gamma,
                   double gamma_at_walls) {
  const Directory files;
  write_data(files / "data", scene);
  write_input(files, scene, law, style, gamma, gamma_at_walls);
  run_command(fmt::format("OMP_NUM_THREADS=1 lmp -in {} -log none > {}", (files / "in").string(),
                          (files / "log").string()));
  std::ifstream log(files / "log");
  Outcome outcome;
  double seconds = 0, percent = 0;
  for (std::string line; std::getline(log, line);) {
    std::sscanf(line.c_str(), "Loop time of %lf", &seconds);
    if (line.find("% CPU use") == std::string::npos) continue;
    if (std::sscanf(line.c_str(), "%lf%%", &percent) == 1)
      outcome.body_steps =
          std::max(outcome.body_steps, body_steps_per_second(scene, seconds * percent / 100));
  }
  outcome.positions = read_dump(files / "out");
  return outcome;
}

}  // namespace scree::compare

// Steps of a settled soft bed by scree and by LAMMPS, one thread each: compare_lammps.
//
// Both start from the same places at rest and compute the same forces: springs, a normal dashpot,
// friction with history. The CPU time of steps counts alone, of the shortest of several parts of a
// run. At the end the program says how far apart the bodies of the two stand.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

#include "scree/scene/scene.hpp"
#include "scree/sim/simulation.hpp"

namespace scree {
namespace {

constexpr int kParts = 10, kStepsInPart = 100;
constexpr double kWidth = 0.352;  ///< of the box [m]

/// A law as both have it.
struct Law {
  std::string name, lammps;
  LawKind kind;
  double k_n, k_t;  ///< [N/m] or [Pa]
  /// Of normal dashpots between grains and at walls: scree's [N s/m], and LAMMPS', which multiplies
  /// by the effective mass and, for Hertz springs, by √(R* δ)
  double damping, damping_at_walls, gamma, gamma_at_walls;
};

// Grains of 1.38754 g. The dashpots of the Hertz springs agree at an overlap of 3 µm.
const Law kLaws[] = {
    {"cundall_strack", "hooke/history", LawKind::cundall_strack, 1e5, 3e4, 3.589, 5.076, 5173.19,
     3658.27},
    {"hertz_mindlin", "hertz/history", LawKind::hertz_mindlin, 1e9, 3e8, 3.589, 5.076, 5.9735e7,
     2.9870e7},
};

struct Outcome {
  double body_steps = 0;        ///< a second of CPU time
  std::vector<Vec3> positions;  ///< by id, at the end [m]
};

double cpu_time() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::vector<Vec3> by_id(const State& state) {
  std::vector<Vec3> positions(state.bodies.size());
  for (std::size_t k = 0; k < positions.size(); ++k)
    positions[state.bodies.id[k].value] = state.bodies.position[k];
  return positions;
}

Simulation simulation_of(const Scene& scene, const Law& law) {
  Model model = scene.model;
  const auto set = [&](MaterialId a, MaterialId b, double damping) {
    PairLaw pair = model.laws(a, b);
    pair.kind = law.kind;
    pair.force.k_n = law.k_n;
    pair.force.k_t = law.k_t;
    pair.force.normal_damping = damping;
    model.laws.assign(a, b, pair);
  };
  set(0, 0, law.damping);
  set(0, 1, law.damping_at_walls);
  return Simulation(std::move(model), scene.state, 1);
}

Outcome run_scree(const Scene& scene, const Law& law) {
  Simulation simulation = simulation_of(scene, law);
  const double steps = kStepsInPart * static_cast<double>(scene.state.bodies.size());
  Outcome outcome;
  for (int part = 0; part < kParts; ++part) {
    const double start = cpu_time();
    for (int k = 0; k < kStepsInPart; ++k) simulation.step();
    outcome.body_steps = std::max(outcome.body_steps, steps / (cpu_time() - start));
  }
  outcome.positions = by_id(simulation.state());
  return outcome;
}

/// The files that LAMMPS reads, and its output; gone at the end.
class Directory {
 public:
  Directory() : path_(std::filesystem::temp_directory_path() / "compare_lammps_XXXXXX") {
    std::string name = path_.string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no directory for files: " + name);
    path_ = name;
  }
  ~Directory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;
  std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

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

void write_input(const Directory& files, const Scene& scene, const Law& law) {
  const double friction = scene.model.laws(0, 0).friction;
  const auto numbers = [&](double gamma) {
    return fmt::format("{} {} {} 0 {} 0", law.k_n, law.k_t, gamma, friction);
  };
  std::ofstream out(files / "in");
  out << "units si\natom_style sphere\nboundary f f f\nnewton off\ncomm_modify vel yes\n"
      << fmt::format("read_data {}\n", (files / "data").string())
      << "neighbor 0.001 bin\nneigh_modify delay 0\n"
      << fmt::format("pair_style gran/{} {}\npair_coeff * *\n", law.lammps, numbers(law.gamma))
      << "fix motion all nve/sphere\n"
      << fmt::format("fix weight all gravity {} vector 0 0 -1\n", -scene.model.gravity.z);
  for (const char axis : {'x', 'y', 'z'})
    out << fmt::format("fix {0} all wall/gran {1} {2} {0}plane 0 {3}\n", axis, law.lammps,
                       numbers(law.gamma_at_walls),
                       axis == 'z' ? "NULL" : fmt::format("{}", kWidth));
  out << fmt::format("timestep {}\nthermo {}\n", scene.model.step.h, kStepsInPart);
  for (int part = 0; part < kParts; ++part) out << fmt::format("run {}\n", kStepsInPart);
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

Outcome run_lammps(const Scene& scene, const Law& law) {
  const Directory files;
  write_data(files / "data", scene);
  write_input(files, scene, law);
  const std::string command = fmt::format("OMP_NUM_THREADS=1 lmp -in {} -log none > {}",
                                          (files / "in").string(), (files / "log").string());
  if (std::system(command.c_str()) != 0) throw std::runtime_error("lmp failed: " + command);
  const double steps = kStepsInPart * static_cast<double>(scene.state.bodies.size());
  std::ifstream log(files / "log");
  Outcome outcome;
  double seconds = 0, percent = 0;
  for (std::string line; std::getline(log, line);) {
    std::sscanf(line.c_str(), "Loop time of %lf", &seconds);
    if (line.find("% CPU use") == std::string::npos) continue;
    if (std::sscanf(line.c_str(), "%lf%%", &percent) == 1)
      outcome.body_steps = std::max(outcome.body_steps, steps / (seconds * percent / 100));
  }
  outcome.positions = read_dump(files / "out");
  return outcome;
}

/// √ of the mean of |a − b|² [m].
double distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  if (a.size() != b.size() || a.empty()) throw std::runtime_error("LAMMPS lost bodies");
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += squared_norm(a[k] - b[k]);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

void compare(const Scene& scene, const Law& law) {
  const Outcome lammps = run_lammps(scene, law), scree = run_scree(scene, law);
  const std::vector<Vec3> start = by_id(scene.state);
  fmt::print("| `{}` | {:.2f} | {:.2f} | {:.2f} | {:.2e} | {:.2e} |\n", law.name,
             1e-6 * lammps.body_steps, 1e-6 * scree.body_steps,
             scree.body_steps / lammps.body_steps, distance(scree.positions, start),
             distance(scree.positions, lammps.positions));
  std::fflush(stdout);
}

}  // namespace
}  // namespace scree

int main() {
  if (std::system("command -v lmp > /dev/null") != 0) {
    fmt::print("Skipped: LAMMPS is not here (Debian package lammps, program lmp).\n");
    return 0;
  }
  try {
    const scree::Scene scene = scree::load_scene(SCREE_BENCH_DATA "/soft_bed.yaml");
    fmt::print("{} spheres, {} steps, one thread, {}; body-steps a second [10^6]\n\n",
               scene.state.bodies.size(), scree::kParts * scree::kStepsInPart,
               scree::name(scree::widest_instruction_set()));
    fmt::print("| law | LAMMPS | scree | scree / LAMMPS | way [m] | apart [m] |\n");
    fmt::print("|---|---|---|---|---|---|\n");
    for (const scree::Law& law : scree::kLaws) compare(scene, law);
  } catch (const std::exception& error) {
    fmt::print(stderr, "compare_lammps: {}\n", error.what());
    return 1;
  }
}

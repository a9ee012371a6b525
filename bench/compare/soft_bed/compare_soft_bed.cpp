// Steps a settled soft bed by scree, and by LAMMPS and Yade if they are installed, on one thread
// each: compare_soft_bed.
//
// All start from the same positions at rest and compute the same forces: springs, friction with
// history, a normal dashpot or local damping. Only the CPU time of steps counts, in the fastest of
// several sections of a run. Each row also shows the distance between the bodies of two programs.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <fmt/format.h>
#include <stdexcept>
#include <unistd.h>

#include "compare/soft_bed/bed.hpp"
#include "scree/sim/simulation.hpp"

namespace scree::compare {

void run_command(const std::string& command) {
  if (std::system(command.c_str()) != 0) throw std::runtime_error("failed: " + command);
}

Directory::Directory() {
  std::string name = (std::filesystem::temp_directory_path() / "soft_bed_XXXXXX").string();
  if (!mkdtemp(name.data())) throw std::runtime_error("no directory for files: " + name);
  path_ = name;
}

Directory::~Directory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

namespace {

// Grains of 1.38754 g. LAMMPS' dashpots of the Hertz springs agree at an overlap of 3 µm.
const BedLaw kLinear{"cundall_strack", LawKind::cundall_strack, 1e5, 3e4, 3.589, 5.076, 0};
const BedLaw kLocal{"cundall_strack, local damping", LawKind::cundall_strack, 1e5, 3e4, 0, 0, 0.3};
const BedLaw kHertz{"hertz_mindlin", LawKind::hertz_mindlin, 1e9, 3e8, 3.589, 5.076, 0};

double cpu_time() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::vector<Vec3> by_id(const State& state) {
  std::vector<Vec3> positions(state.bodies.size());
  for (std::size_t k = 0; k < positions.size(); ++k)
    positions[state.bodies.id[k].value] = state.bodies.position[k];
  return positions;
}

Simulation simulation_of(const Scene& scene, const BedLaw& law) {
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
  model.step.local_damping = law.local_damping;
  return Simulation(std::move(model), scene.state, 1);
}

Outcome run_scree(const Scene& scene, const BedLaw& law) {
  Simulation simulation = simulation_of(scene, law);
  Outcome outcome;
  for (int run = 0; run < kRuns; ++run) {
    const double start = cpu_time();
    for (int k = 0; k < kStepsInRun; ++k) simulation.step();
    outcome.body_steps =
        std::max(outcome.body_steps, body_steps_per_second(scene, cpu_time() - start));
  }
  outcome.positions = by_id(simulation.state());
  return outcome;
}

/// √ of the mean of |a − b|² [m].
double distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  if (a.size() != b.size() || a.empty()) throw std::runtime_error("the other lost bodies");
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += squared_norm(a[k] - b[k]);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

/// One row: the result of the other program, and of scree right after it.
void compare(const Scene& scene, const BedLaw& law, const char* who, const Outcome& other) {
  const Outcome scree = run_scree(scene, law);
  fmt::print("| {} | {} | {:.2f} | {:.2f} | {:.2f} | {:.2e} | {:.2e} |\n", law.name, who,
             1e-6 * other.body_steps, 1e-6 * scree.body_steps, scree.body_steps / other.body_steps,
             distance(scree.positions, by_id(scene.state)),
             distance(scree.positions, other.positions));
  std::fflush(stdout);
}

/// Prints a note if a program is missing.
bool is_here(const char* name, const char* package, const char* program) {
  if (std::system(fmt::format("command -v {} > /dev/null", program).c_str()) == 0) return true;
  fmt::print("Skipped: {} is not installed (Debian package {}, program {}).\n", name, package,
             program);
  return false;
}

void compare_all(bool lammps, bool yade) {
  const Scene scene = load_scene(SCREE_BENCH_DATA "/soft_bed.yaml");
  fmt::print("\n{} spheres, {} steps, one thread, {}; body-steps a second [10^6]\n\n",
             scene.state.bodies.size(), kRuns * kStepsInRun, name(widest_instruction_set()));
  fmt::print("| law | other program | its speed | scree | ratio | travel [m] | distance [m] |\n");
  fmt::print("|---|---|---|---|---|---|---|\n");
  if (lammps) {
    compare(scene, kLinear, "LAMMPS, gran/hooke/history",
            run_lammps(scene, kLinear, "hooke/history", 5173.19, 3658.27));
    compare(scene, kHertz, "LAMMPS, gran/hertz/history",
            run_lammps(scene, kHertz, "hertz/history", 5.9735e7, 2.9870e7));
  }
  if (yade) {
    compare(scene, kLinear, "Yade, ViscElPhys_Basic", run_yade(scene, kLinear));
    compare(scene, kLocal, "Yade, FrictPhys_CundallStrack", run_yade(scene, kLocal));
  }
}

}  // namespace
}  // namespace scree::compare

int main() {
  using namespace scree::compare;
  try {
    const bool lammps = is_here("LAMMPS", "lammps", "lmp"), yade = is_here("Yade", "yade", "yade");
    if (lammps || yade) compare_all(lammps, yade);
  } catch (const std::exception& error) {
    fmt::print(stderr, "compare_soft_bed: {}\n", error.what());
    return 1;
  }
}

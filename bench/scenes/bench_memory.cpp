// Memory of boxes and spheres, array by array, and largest memory of their process.
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include "scenes/vessel.hpp"
#include "scree/sim/simulation.hpp"
#include "scree/sim/solid_prototype.hpp"

namespace scree {
namespace {

/// Bodies in layers, `across` in a row.
Simulation lattice(const Shape& shape, int count, int across, double spacing, bool turned) {
  Model model = vessel(across * spacing);
  model.solver = ten_sweeps(model.solver);
  model.solver.acceleration = Acceleration::none;
  const SolidPrototype solid = solid_prototype(shape);
  model.prototypes = {solid.prototype};
  State state = initial_state(model);
  RandomStream random{1, 0};
  for (int k = 0; k < count; ++k) {
    Body body{.id = {state.next_id++}};
    body.position = spacing * Vec3{k % across + 0.5, k / across % across + 0.5,
                                   static_cast<double>(k / across / across) + 0.5};
    if (turned) body.orientation = random_orientation(random);
    body.radius = solid.radius;
    body.mass = 2500 * volume_properties(shape).volume;
    state.bodies.push_back(body);
  }
  return Simulation(std::move(model), std::move(state), 1);
}

/// Steps the bodies in a process of their own.
void measure(const char* name, int steps, const std::function<Simulation()>& start) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "no process to measure");
  if (child > 0) {
    int status = 0;
    if (waitpid(child, &status, 0) != child || status != 0)
      throw std::runtime_error(std::string(name) + ": the process that was measured has failed");
    return;
  }
  rusage before{}, after{};
  getrusage(RUSAGE_SELF, &before);
  Simulation simulation = start();
  for (int k = 0; k < steps; ++k) simulation.step();
  getrusage(RUSAGE_SELF, &after);
  const auto bodies = static_cast<double>(simulation.state().bodies.size());
  std::printf("%s: %.0f bodies, %.2f contacts and %.2f pairs each\n", name, bodies,
              static_cast<double>(simulation.report().contacts) / bodies,
              static_cast<double>(simulation.state().neighbours.pairs.size()) / bodies);
  for (const MemoryShare& share : simulation.memory())
    if (share.bytes > 0)
      std::printf("  %-22s %8.0f byte a body\n", share.name.data(),
                  static_cast<double>(share.bytes) / bodies);
  std::printf("  %-22s %8.0f byte a body\n", "all",
              static_cast<double>(simulation.memory_bytes()) / bodies);
  std::printf("  %-22s %8.0f byte a body\n\n", "the process at most",
              1024 * static_cast<double>(after.ru_maxrss - before.ru_maxrss) / bodies);
  std::fflush(stdout);
  _exit(0);
}

}  // namespace
}  // namespace scree

int main() {
  using namespace scree;
  const Box box{{0.005, 0.005, 0.005}};
  measure("boxes in a pile", 400, [&] { return lattice(box, 6000, 20, 0.02, true); });
  measure("boxes stacked flat", 10, [&] { return lattice(box, 20'000, 50, 0.0100025, false); });
  measure("spheres in a bed", 300,
          [] { return lattice(Sphere{0.005}, 20'000, 30, 0.0105, false); });
}

/// Equal spheres pressed from a gas in a cell without walls come to the packings that are known,
/// see docs/validation/packing.md.
#include <gtest/gtest.h>

#include "scree/analysis/contact_statistics.hpp"
#include "scree/math/random.hpp"
#include "support/impacts.hpp"
#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

/// Lengths in diameters, masses in those of a sphere, stresses in the pressure that is held.
constexpr double kStiffness = 1e4;

struct Packing {
  double solid_fraction, coordination, rattlers, pressure;
};

/// From a gas of this solid fraction whose spheres, elastic and smooth at first, have flown about
/// for a while.
Packing press(int n, double friction, double gas_fraction, std::uint64_t seed) {
  constexpr double kDiameter = 1, kVolume = std::numbers::pi / 6;
  World world(linear_law(kStiffness, kStiffness / 2, 0, 1), 1e-3);
  world.model.materials[0].density = 1 / kVolume;
  world.model.gravity = {};
  const int count = n * n * n;
  const double side = std::cbrt(count * kVolume / gas_fraction), spacing = side / n;
  world.model.domain = Domain(Vec3{side, side, side});
  RandomStream random{seed, 0};
  const auto jitter = [&] { return random.uniform(-1, 1); };
  for (int k = 0; k < count; ++k)
    world.sphere(spacing * Vec3{k % n + 0.5, k / n % n + 0.5, k / n / n + 0.5}, kDiameter / 2,
                 3 * Vec3{jitter(), jitter(), jitter()});
  Vec3 momentum;
  for (const Body& body : world.bodies) momentum += body.velocity / count;
  for (Body& body : world.bodies) body.velocity = body.velocity - momentum;
  Simulation simulation = world.simulation();
  while (simulation.state().time < 6) simulation.step();

  Model model = simulation.model();
  model.laws = LawTable(1, linear_law(kStiffness, kStiffness / 2, friction, 0.3));
  model.strain.pressure = {1, 1, 1};
  model.strain.viscosity = 20;
  model.strain.smoothing = 0.05;
  model.strain.most_rate = 0.05;
  simulation.change_model(model);
  const double kinetic_at_rest = 1e-9 * count;
  while (simulation.state().time < 200) {
    const Report& report = simulation.step();
    const CellState& cell = simulation.state().cell;
    const double pressure =
        (cell.smooth_stress[0].x + cell.smooth_stress[1].y + cell.smooth_stress[2].z) / 3;
    if (report.kinetic_energy < kinetic_at_rest && std::abs(pressure - 1) < 0.01) break;
  }
  const CellState& cell = simulation.state().cell;
  const Vec3 edge = cell.edges.diagonal();
  const std::vector<ContactRecord> contacts = simulation.contacts();
  const ContactStatistics found =
      contact_statistics(contacts, simulation.state().bodies.size(), friction > 0 ? 2 : 4);
  return {count * kVolume / (edge.x * edge.y * edge.z), found.coordination_number_backbone,
          static_cast<double>(found.rattlers) / count,
          (cell.contact_stress[0].x + cell.contact_stress[1].y + cell.contact_stress[2].z) / 3};
}

TEST(SpheresPressedInACell, ComeToRandomClosePackingWithoutFriction) {
  const Packing packing = press(10, 0, 0.45, 1);
  EXPECT_NEAR(packing.solid_fraction, 0.639, 0.005);
  EXPECT_NEAR(packing.coordination, 6, 0.1);
  EXPECT_NEAR(packing.pressure, 1, 0.05);
  std::printf("phi %.4f z* %.3f rattlers %.3f\n", packing.solid_fraction, packing.coordination,
              packing.rattlers);
}

TEST(SpheresPressedInACell, AreLooserWithFriction) {
  const Packing packing = press(10, 0.3, 0.3, 1);
  EXPECT_NEAR(packing.solid_fraction, 0.593, 0.01);
  EXPECT_NEAR(packing.coordination, 4.5, 0.15);
  EXPECT_NEAR(packing.pressure, 1, 0.05);
  std::printf("phi %.4f z* %.3f rattlers %.3f\n", packing.solid_fraction, packing.coordination,
              packing.rattlers);
}

}  // namespace
}  // namespace scree

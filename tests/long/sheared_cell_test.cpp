/// Steady simple shear under pressure: friction rises and density falls with the inertial number.
#include <gtest/gtest.h>

#include "scree/math/random.hpp"
#include "support/impacts.hpp"
#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

/// Of a steady flow, means over its last part.
struct Flow {
  double inertial_number, friction, solid_fraction, pressure;
};

/// n³ spheres, sizes ± 20 %, sheared along x at this inertial number I = γ̇ d √(ρ/p). Lengths in
/// mean diameters, masses so that ρ = 1, stresses in the pressure that is held on faces across y.
Flow shear(int n, double inertial_number, const PairLaw& law, double h, double strain) {
  World world(law, h);
  world.model.gravity = {};
  world.model.materials[0].density = 1;
  world.model.solver.tolerance = 1e-3;
  world.model.solver.max_sweeps = 200;
  const double side = 1.25 * n;
  world.model.domain = Domain(Vec3{side, side, side});
  RandomStream random{2, 0};
  double solid = 0;
  for (int k = 0; k < n * n * n; ++k) {
    const double radius = random.uniform(0.4, 0.6);
    world.sphere(1.25 * Vec3{k % n + 0.5, k / n % n + 0.5, k / n / n + 0.5}, radius,
                 0.3 * Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
    solid += 4 * std::numbers::pi / 3 * radius * radius * radius;
  }
  CellStrain& flow = world.model.strain;
  flow.rate.xy = inertial_number;
  flow.pressure[1] = 1;
  flow.viscosity = 20;
  flow.smoothing = std::max(0.05, 20 * h);
  flow.max_rate = 0.3;
  Simulation simulation = world.simulation();
  const double end = strain / inertial_number + 10, from = 10 + 0.5 * (end - 10);
  double normal = 0, tangential = 0, volume = 0, count = 0;
  while (simulation.state().time < end) {
    simulation.step();
    if (simulation.state().time < from) continue;
    const CellState& cell = simulation.state().cell;
    normal += cell.contact_stress[1].y + cell.kinetic_stress[1].y;
    tangential -= cell.contact_stress[1].x + cell.kinetic_stress[1].x;
    const Vec3 edge = cell.edges.diagonal();
    volume += edge.x * edge.y * edge.z;
    ++count;
  }
  const double pressure = normal / count;
  return {inertial_number / std::sqrt(pressure), tangential / normal, solid / (volume / count),
          pressure};
}

/// A thousandth of a diameter is what a pressure of 1 makes spheres overlap.
constexpr double kStiffness = 1000;
const PairLaw kSoft = linear_law(kStiffness, kStiffness / 2, 0.5, 0.3), kRigid = coulomb(0.5, 0.3);
constexpr double kSoftStep = 0.0067;  ///< a twentieth of a contact
constexpr double kRigidStep = 0.01;

void tell(const char* what, const Flow& flow) {
  std::printf("%s: I %.4f mu %.3f phi %.4f p %.3f\n", what, flow.inertial_number, flow.friction,
              flow.solid_fraction, flow.pressure);
}

TEST(ACellThatIsShearedUnderPressure, RubsMoreAndIsLooserTheFasterItFlows) {
  const Flow slow = shear(6, 0.03, kSoft, kSoftStep, 1.5),
             fast = shear(6, 0.3, kSoft, kSoftStep, 4);
  for (const Flow& flow : {slow, fast}) {
    tell("soft", flow);
    EXPECT_NEAR(flow.pressure, 1, 0.05);
  }
  EXPECT_GT(fast.friction, slow.friction + 0.1);
  EXPECT_LT(fast.solid_fraction, slow.solid_fraction - 0.02);
}

TEST(ACellThatIsShearedUnderPressure, IsTheSameMaterialWithRigidAndWithStiffGrains) {
  // Two laws that share no code but the cell's. Over two starts and steps from 0.0025 to 0.01
  // rigid flows scatter by 0.013 in the friction and 0.0013 in the solid fraction, whatever the
  // step. They are looser by 0.009, of which overlaps of springs make a third.
  const Flow soft = shear(6, 0.1, kSoft, kSoftStep, 4),
             rigid = shear(6, 0.1, kRigid, kRigidStep, 4);
  tell("soft", soft), tell("rigid", rigid);
  EXPECT_NEAR(soft.pressure, 1, 0.05);
  EXPECT_NEAR(rigid.pressure, 1, 0.1);
  EXPECT_NEAR(soft.friction, rigid.friction, 0.05);
  EXPECT_NEAR(soft.solid_fraction, rigid.solid_fraction, 0.02);
}

}  // namespace
}  // namespace scree

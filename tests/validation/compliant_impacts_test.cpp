// Impacts of spheres under compliant laws beside closed forms and published figures: Chung and
// Ooi's tests 1 to 8, Kharaz' oblique impacts, and the verification cases DEM01 to DEM05 of MFIX.
#include <gtest/gtest.h>

#include "support/impacts.hpp"

namespace scree {
namespace {

using namespace test;

struct Elastic {
  const char* name;
  double young, poisson, density, radius, speed;
  double force, overlap, time;  ///< [N], [m], [s]
};

World of_material(const PairLaw& law, const Elastic& m, double h) {
  World world(law, h);
  world.model.materials = {{"solid", m.density, {m.young, m.poisson}}, {"rigid", 0}};
  world.model.laws = LawTable(2, law);
  return world;
}

void expect_near(const FlownImpact& impact, const Elastic& m) {
  EXPECT_NEAR(impact.largest, m.force, 1e-3 * m.force) << m.name;
  EXPECT_NEAR(impact.deepest, m.overlap, 1e-3 * m.overlap) << m.name;
  EXPECT_NEAR(impact.lasted, m.time, 1e-2 * m.time) << m.name;
}

TEST(ChungOoi1, TwoEqualSpheresCollideAsHertzHasIt) {
  for (const Elastic& m : {Elastic{"glass", 48e9, 0.2, 2800, 0.01, 10, 10696.888984,
                                   0.000274112702089, 4.03394556884e-5},
                           Elastic{"limestone", 20e9, 0.25, 2500, 0.01, 10, 7108.2412799,
                                   0.000368304025553, 5.42010049349e-5}}) {
    World world = of_material(hertz_law(0), m, m.time / 500);
    world.sphere({-0.01001, 0, 0}, m.radius, {m.speed, 0, 0});
    world.sphere({0.01001, 0, 0}, m.radius, {-m.speed, 0, 0});
    expect_near(fly(world), m);
  }
}

TEST(ChungOoi2, ASphereHitsARigidWallAsHertzHasIt) {
  for (const Elastic& m : {Elastic{"aluminium alloy", 70e9, 0.3, 2699, 0.1, 0.2, 11369.8583113,
                                   4.97171752417e-5, 0.000731656640619},
                           Elastic{"magnesium alloy", 40e9, 0.35, 1800, 0.1, 0.2, 7232.68102597,
                                   5.21232883183e-5, 0.000767065905163}}) {
    World world = of_material(hertz_law(0), m, m.time / 500);
    world.half_space({}, {0, 0, 1}).model.obstacles.back().material = 1;
    world.sphere({0, 0, 0.10000001}, m.radius, {0, 0, -m.speed});
    expect_near(fly(world), m);
  }
}

/// Speed of a sphere that came back from a wall, over that before.
double rebound(PairLaw law, double restitution, double steps) {
  law.restitution = restitution;
  const Elastic m{"oxide", 380e9, 0.23, 4000, 0.0025, 3.9, 0, 0, 0};
  World world = of_material(law, m, 1);
  world.half_space({}, {0, 0, 1}).model.obstacles.back().material = 1;
  const Body& ball = world.sphere({0, 0, 0.0025000001}, m.radius, {0, 0, -m.speed});
  double time = 0;
  if (law.kind == LawKind::hertz_mindlin) {
    const double k = 4.0 / 3 * m.young / (1 - m.poisson * m.poisson) * std::sqrt(m.radius);
    time = 2.943275184 * std::pow(1.25 * ball.mass / k, 0.4) * std::pow(m.speed, -0.2);
  } else {
    time = std::numbers::pi * std::sqrt(ball.mass / law.force.k_n);
  }
  world.model.step.h = time / steps;
  return fly(world).first.velocity.z / m.speed;
}

TEST(ChungOoi3, ReboundsAreThoseAskedForToFirstOrderInTheStep) {
  for (const bool attraction : {false, true})
    for (const double e : {0.2, 0.4, 0.6, 0.8, 0.95, 1.0}) {
      for (PairLaw law : {linear_law(1e7, 3e6, 0), hertz_law(0)}) {
        law.force.attraction = attraction;
        const std::string what = std::string(name(law.kind)) + " e = " + std::to_string(e);
        // Where a contact begins and ends within a step makes an error that hops: the worst of
        // several steps is looked at.
        const auto worst = [&](double steps) {
          double max_value = 0;
          for (const double fraction : {1.0, 1.003, 1.007, 1.013})
            max_value = std::max(max_value, std::abs(rebound(law, e, fraction * steps) - e));
          return max_value;
        };
        const double coarse = worst(50), fine = worst(400);
        EXPECT_LT(coarse, 0.01 * e) << what;
        EXPECT_LT(fine, std::max(coarse / 8, 1e-5)) << what;
      }
    }
}

struct Oblique {
  double angle;             ///< of incidence [deg]
  double tangential, spin;  ///< v_t'/v_t, ω' [rad/s]
  double rebound_angle;     ///< of the centre [deg]
};

FlownImpact oblique(const PairLaw& law, double angle_in_degrees, double steps,
                    double contact_time) {
  const Elastic m{"oxide", 380e9, 0.23, 4000, 0.0025, 3.9, 0, 0, 0};
  World world = of_material(law, m, contact_time / steps);
  world.half_space({}, {0, 0, 1}).model.obstacles.back().material = 1;
  const double angle = angle_in_degrees * std::numbers::pi / 180;
  const Vec3 velocity = m.speed * Vec3{std::sin(angle), 0, -std::cos(angle)};
  world.sphere({0, 0, m.radius + 1e-9}, m.radius, velocity);
  return fly(world);
}

/// What the experiment found, and where the sphere slides all along, the closed form.
TEST(Kharaz, ObliqueImpactsOfAHertzMindlinSphereAreThoseOfTheExperiment) {
  const std::pair<double, double> measured[] = {{5, 0.948},  {10, 0.687}, {15, 0.624}, {20, 0.616},
                                                {25, 0.634}, {30, 0.684}, {40, 0.781}, {50, 0.845},
                                                {60, 0.893}, {80, 0.966}};
  for (const auto& [degrees, tangential] : measured) {
    const double angle = degrees * std::numbers::pi / 180;
    const FlownImpact impact = oblique(hertz_law(0.092, 0.98), degrees, 50, 1.1e-5);
    const double found = impact.first.velocity.x / (3.9 * std::sin(angle));
    EXPECT_NEAR(found, tangential, 0.04 * tangential) << degrees;
    if (degrees <= 33) continue;
    EXPECT_NEAR(found, 1 - 0.092 * 1.98 / std::tan(angle), 2e-3) << degrees;
    EXPECT_NEAR(impact.first.angular_velocity.y,
                2.5 * 0.092 * 1.98 * 3.9 * std::cos(angle) / 0.0025,
                0.01 * 2.5 * 0.092 * 1.98 * 3.9 * std::cos(angle) / 0.0025)
        << degrees;
  }
}

TEST(MfixDem05, ObliqueImpactsOfALinearSphereAreTheConvergedOnes) {
  const Oblique cases[] = {
      {1, 0.892621588, 7.3086456, 0.892640007},     {5, 0.806424679, 65.7976834, 4.035702785},
      {10, 0.651812619, 235.8022065, 6.556359654},  {20, 0.593121859, 542.7260289, 12.181992961},
      {30, 0.681302651, 621.4598298, 21.472208662}, {40, 0.780717339, 549.7134924, 33.228793263},
      {60, 0.89376755, 358.8, 57.13860597},         {80, 0.967555836, 124.6099323, 79.671782882}};
  const PairLaw law = linear_law(1.72e7, 1.48e7, 0.092);
  const double mass = 4000 * 4.0 / 3 * std::numbers::pi * std::pow(0.0025, 3);
  const double time = std::numbers::pi * std::sqrt(mass / 1.72e7);
  for (const Oblique& of : cases) {
    const FlownImpact impact = oblique(law, of.angle, 2000, time);
    const Vec3 v = impact.first.velocity;
    EXPECT_NEAR(std::atan2(v.x, v.z) * 180 / std::numbers::pi, of.rebound_angle,
                1e-3 * of.rebound_angle)
        << of.angle;
    EXPECT_NEAR(impact.first.angular_velocity.y, of.spin, 1e-3 * 621) << of.angle;
  }
}

/// What slides all along gives v_t − μ (1 + e) v_n and ω' = ω − 5/2 μ (1 + e) v_n/R.
TEST(ChungOoi5, AGrosslySlidingImpactHasTheClosedForm) {
  for (PairLaw law : {linear_law(1e7, 5e6, 0.3), hertz_law(0.3)}) {
    for (const double e : {0.7, 1.0}) {
      law.restitution = e;
      const Elastic m{"oxide", 380e9, 0.23, 4000, 0.0025, 0, 0, 0, 0};
      World world = of_material(law, m, 1e-8);
      world.half_space({}, {0, 0, 1}).model.obstacles.back().material = 1;
      world.sphere({0, 0, m.radius + 1e-9}, m.radius, {6, 0, -1});
      const FlownImpact impact = fly(world);
      EXPECT_NEAR(impact.first.velocity.x, 6 - 0.3 * (1 + e), 1e-2 * 0.3 * (1 + e));
      EXPECT_NEAR(impact.first.angular_velocity.y, 2.5 * 0.3 * (1 + e) / m.radius,
                  1e-2 * 2.5 * 0.3 * (1 + e) / m.radius);
    }
  }
}

/// T6: a spinning sphere on a wall; T7: two equal spheres with opposite spins, T8: two unequal
/// ones.
TEST(ChungOoi6To8, SpinningSpheresThatSlideHaveTheClosedForm) {
  const double e = 0.5, mu = 0.4, v_n = 0.2;
  PairLaw law = hertz_law(mu, e);
  const Elastic m{"aluminium", 70e9, 0.33, 2700, 0.1, 0, 0, 0, 0};
  const double spin = 24;  // fast enough to slide all along
  {
    World world = of_material(law, m, 1e-6);
    world.half_space({}, {0, 0, 1}).model.obstacles.back().material = 1;
    world.sphere({0, 0, 0.1 + 1e-8}, m.radius, {0, 0, -v_n}, {0, spin, 0});
    const FlownImpact impact = fly(world);
    EXPECT_NEAR(impact.first.velocity.x, mu * (1 + e) * v_n, 1e-2 * mu * (1 + e) * v_n);
    EXPECT_NEAR(impact.first.angular_velocity.y, spin - 2.5 * mu * (1 + e) * v_n / 0.1, 0.03);
  }
  for (const double ratio : {1.0, 2.0}) {
    World world = of_material(law, m, 5e-7);
    Body& a = world.sphere({-0.1 - 1e-8, 0, 0}, 0.1, {v_n, 0, 0}, {0, 0, spin});
    const double mass_a = a.mass;
    Body& b = world.sphere({0.1 / ratio + 1e-8, 0, 0}, 0.1 / ratio, {-v_n, 0, 0}, {0, 0, spin});
    const double mass_b = b.mass, mass = mass_a * mass_b / (mass_a + mass_b);
    const double impulse = mu * (1 + e) * mass * 2 * v_n;
    const FlownImpact impact = fly(world);
    EXPECT_NEAR(std::abs(impact.first.velocity.y), impulse / mass_a, 1e-2 * impulse / mass_a);
    EXPECT_NEAR(std::abs(impact.second.velocity.y), impulse / mass_b, 1e-2 * impulse / mass_b);
    const double slowed = impulse / (0.4 * mass_b * 0.1 / ratio);
    EXPECT_NEAR(impact.second.angular_velocity.z, spin - slowed, 1e-2 * slowed);
  }
}

TEST(MfixDem01, AFallOnASpringWithADashpotHasTheClosedForm) {
  struct Case {
    double k, e, deepest, lasted, speed;
  };
  for (const Case& of : {Case{5e4, 0.9, 0.0413208669016, 0.0480064770241, 2.50203319015},
                         Case{5e4, 0.7, 0.0368139195285, 0.0485414349266, 1.90262649756},
                         Case{1e4, 0.9, 0.098394729978, 0.111818877424, 2.47585746852},
                         Case{1e4, 0.7, 0.0875161441478, 0.113882260801, 1.82181948584}}) {
    PairLaw law = linear_law(of.k, 2.0 / 7 * of.k, 0, of.e);
    law.force.attraction = true;  // as MFIX has it
    World world(law, 1e-5);
    world.model.materials[0].density = 2600;
    world.half_space({}, {0, 0, 1}).sphere({0, 0, 0.5}, 0.1);
    Simulation simulation = world.simulation();
    double deepest = 0, begins = 0, ends = 0, speed = 0;
    while (ends == 0) {
      const bool touches = simulation.step().force_contacts > 0;
      const Body ball = body_of(simulation, 0);
      deepest = std::max(deepest, 0.1 - ball.position.z);
      if (touches && begins == 0) begins = simulation.state().time;
      if (!touches && begins > 0) ends = simulation.state().time;
      if (touches) speed = ball.velocity.z;
    }
    EXPECT_NEAR(deepest, of.deepest, 1e-4 * of.deepest);
    EXPECT_NEAR(ends - begins, of.lasted, 1e-4 * of.lasted + 1e-5);  // whole steps
    EXPECT_NEAR(speed, of.speed, 1e-4 * of.speed);
  }
}

TEST(MfixDem02, HeightsOfABouncingBallFallBySquaresOfItsRestitution) {
  for (const double e : {0.5, 0.7, 0.9}) {
    PairLaw law = linear_law(1e7, 2e6, 0, e);
    World world(law, 1e-5);
    world.half_space({}, {0, 0, 1}).sphere({0, 0, 0.5}, 0.1);
    Simulation simulation = world.simulation();
    double before = 1, height = 0;
    std::vector<double> tops;
    while (tops.size() < 3) {
      simulation.step();
      const Body ball = body_of(simulation, 0);
      if (before > 0 && ball.velocity.z <= 0 && simulation.state().step > 1)
        tops.push_back(ball.position.z);
      before = ball.velocity.z;
    }
    for (std::size_t k = 0; k < tops.size(); ++k) {
      height = 0.4 * std::pow(e, 2.0 * static_cast<double>(k + 1)) + 0.1;
      EXPECT_NEAR(tops[k], height, 0.01 * height) << "e = " << e << ", bounce " << k + 1;
    }
  }
}

/// Two stacked spheres pressed between a floor and a lid.
TEST(MfixDem03, TwoCompressedSpheresMoveAsTheMatrixExponentialSays) {
  struct Case {
    double e, y1, y2;
  };
  for (const Case& of : {Case{1.0, 0.00043623747242082, 0.0013791393405571},
                         Case{0.9, 0.00043591723908738, 0.0013758191964515},
                         Case{0.7, 0.00043489630667852, 0.0013711984761251}}) {
    PairLaw law = linear_law(1e3, 300, 0, of.e);
    law.force.attraction = true;
    World world(law, 1e-7);
    const double r = 5e-4, lid = 3.6 * r;
    world.half_space({}, {0, 0, 1}).half_space({0, 0, lid}, {0, 0, -1});
    world.model.materials[0].density = 2e4;
    world.sphere({0, 0, 0.25 * lid}, r);
    world.model.materials[0].density = 1e4;
    world.sphere({0, 0, 0.75 * lid}, r);
    Simulation simulation = world.simulation();
    run_until(simulation, 5e-4);
    EXPECT_NEAR(body_of(simulation, 0).position.z, of.y1, 1e-4 * of.y1);
    EXPECT_NEAR(body_of(simulation, 1).position.z, of.y2, 1e-4 * of.y2);
  }
}

TEST(MfixDem04, ASlidingBallBeginsToRollInTheClosedFormsTimeAndPlace) {
  for (const auto& [mu, u0] : {std::pair{0.2, 1.0}, {0.5, 2.0}}) {
    const double r = 5e-4, mass = 1e4 * 4.0 / 3 * std::numbers::pi * r * r * r, k = 1e4;
    World world(linear_law(k, 2e3, mu, 0.5), 3e-6);
    world.model.materials[0].density = 1e4;
    world.half_space({}, {0, 0, 1});
    world.sphere({0, 0, r - mass * kGravity / k}, r, {u0, 0, 0});
    Simulation simulation = world.simulation();
    const double t_slip = 2 * u0 / (7 * mu * kGravity);
    double slid = 0;
    while (slid == 0 && simulation.state().time < 2 * t_slip) {
      simulation.step();
      const Body ball = body_of(simulation, 0);
      if (ball.velocity.x - r * ball.angular_velocity.y <= 0) slid = simulation.state().time;
    }
    const Body ball = body_of(simulation, 0);
    EXPECT_NEAR(slid, t_slip, 5e-3 * t_slip);
    EXPECT_NEAR(ball.position.x, 12 * u0 * u0 / (49 * mu * kGravity),
                5e-3 * 12 * u0 * u0 / (49 * mu * kGravity));
    run_until(simulation, 1.5 * t_slip);
    EXPECT_NEAR(body_of(simulation, 0).velocity.x, 5.0 / 7 * u0, 5e-3 * u0);
  }
}

}  // namespace
}  // namespace scree

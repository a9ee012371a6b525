// Bodies of any convex shape on planes, against closed forms.
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <numbers>

#include "support/poured_solids.hpp"

namespace scree {
namespace {

using namespace test;
using std::numbers::pi;

/// A frame whose z axis stands on a plane that falls along x by `angle`, and its x axis downhill.
Quaternion on_slope(double angle) { return rotation({0, 1, 0}, angle); }
Vec3 normal_of_slope(double angle) { return rotate(on_slope(angle), {0, 0, 1}); }
Vec3 downhill(double angle) { return rotate(on_slope(angle), {1, 0, 0}); }

TEST(CylinderOnIncline, RollsWithTwoThirdsOfTheSlopesAcceleration) {
  constexpr double kRadius = 0.02, kTime = 0.4;
  for (const double angle : {0.1, 0.4}) {
    World world(coulomb(0.5), 1e-3);
    const Vec3 normal = normal_of_slope(angle);
    // Its axis across the slope, along y.
    world.half_space({}, normal)
        .solid(Cylinder{kRadius, 0.03},
               {kRadius * normal, on_slope(angle) * rotation({1, 0, 0}, pi / 2)});
    Simulation simulation = world.simulation();
    run_until(simulation, kTime);
    const Body cylinder = body_of(simulation, 0);
    const double speed = dot(cylinder.velocity, downhill(angle));
    EXPECT_NEAR(speed / kTime, 2.0 / 3 * kGravity * std::sin(angle), 1e-9);
    EXPECT_NEAR(kRadius * cylinder.angular_velocity.y, speed, 1e-6);
    EXPECT_NEAR(dot(cylinder.position, normal), kRadius, 1e-4 * kRadius);
  }
}

TEST(CylinderOnIncline, SlidesWhereFrictionIsBelowAThirdOfTheSlope) {
  constexpr double kRadius = 0.02, kTime = 0.3, kAngle = 0.5;
  const double mu = 0.7 / 3 * std::tan(kAngle);
  World world(coulomb(mu), 1e-3);
  const Vec3 normal = normal_of_slope(kAngle);
  world.half_space({}, normal)
      .solid(Cylinder{kRadius, 0.03},
             {kRadius * normal, on_slope(kAngle) * rotation({1, 0, 0}, pi / 2)});
  Simulation simulation = world.simulation();
  run_until(simulation, kTime);
  const Body cylinder = body_of(simulation, 0);
  EXPECT_NEAR(dot(cylinder.velocity, downhill(kAngle)) / kTime,
              kGravity * (std::sin(kAngle) - mu * std::cos(kAngle)), 1e-9);
  EXPECT_NEAR(cylinder.angular_velocity.y / kTime, 2 * mu * kGravity * std::cos(kAngle) / kRadius,
              1e-3);
}

/// Slides down a slope from rest without turning: the speed over the time.
double sliding_acceleration(World& world, double angle) {
  constexpr double kTime = 0.3;
  world.half_space({}, normal_of_slope(angle));
  Simulation simulation = world.simulation();
  run_until(simulation, kTime);
  const Body body = body_of(simulation, 0);
  EXPECT_NEAR(norm(body.angular_velocity), 0, 1e-6);
  return dot(body.velocity, downhill(angle)) / kTime;
}

TEST(SolidsOnIncline, SlideWithTheSlopeLessFriction) {
  constexpr double kAngle = 0.5, kFriction = 0.3;
  const double expected = kGravity * (std::sin(kAngle) - kFriction * std::cos(kAngle));
  const Vec3 normal = normal_of_slope(kAngle);
  const Quaternion slope = on_slope(kAngle);
  const auto world = [&] { return World(coulomb(kFriction), 1e-3); };

  World capsule = world();  // along its axis
  capsule.solid(Capsule{0.02, 0.05}, {0.02 * normal, slope * rotation({0, 1, 0}, pi / 2)});
  EXPECT_NEAR(sliding_acceleration(capsule, kAngle), expected, 1e-9);

  World prism = world();  // of six sides, on its end
  std::vector<Vec3> corners;
  for (int k = 0; k < 6; ++k)
    for (const double z : {0.0, 0.02})
      corners.push_back({0.03 * std::cos(k * pi / 3), 0.03 * std::sin(k * pi / 3), z});
  prism.polyhedron(corners, {{}, slope});
  EXPECT_NEAR(sliding_acceleration(prism, kAngle), expected, 1e-9);

  World frustum = world();  // on its wide end
  frustum.solid(Frustum{0.04, 0.02, 0, 0.02}, {{}, slope});
  EXPECT_NEAR(sliding_acceleration(frustum, kAngle), expected, 1e-9);
}

/// The time between the first and the last of an even number of passes through zero, over their
/// number: half of the period [s]. `angle(simulation)` swings about zero.
template <class Angle>
double period_of(Simulation& simulation, int passes, const Angle& angle) {
  std::vector<double> times;
  double before = angle(simulation), time = 0;
  while (static_cast<int>(times.size()) <= passes && time < 60) {
    simulation.step();
    const double now = angle(simulation), t = simulation.state().time;
    if (before * now < 0) times.push_back(t - (t - time) * now / (now - before));
    before = now;
    time = t;
  }
  return 2 * (times.back() - times.front()) / passes;
}

TEST(EllipsoidOnAPlane, RocksWithThePeriodOfItsCurvatureWithoutSliding) {
  // V = m g (ρ − c) θ²/2 and T = (I + m c²) θ'²/2, with ρ = a²/c the radius of curvature below.
  const double a = 0.03, b = 0.02, c = 0.015, start = 0.02;
  World world(coulomb(1), 2e-4);
  world.half_space({}, {0, 0, 1}).solid(Superellipsoid{{a, b, c}}, {});
  const Quaternion turn = rotation({0, 1, 0}, start);
  world.bodies[0].orientation = turn;
  // It stands on the plane where its support is.
  world.bodies[0].position.z = support(Superellipsoid{{a, b, c}}, {{}, turn}, {0, 0, -1});
  const double inertia = (a * a + c * c) / 5 + c * c;
  const double expected = 2 * pi * std::sqrt(inertia / (kGravity * (a * a / c - c)));
  Simulation simulation = world.simulation();
  const double period = period_of(simulation, 10, [](const Simulation& s) {
    return rotate(s.state().bodies.orientation[0], {0, 0, 1}).x;
  });
  EXPECT_NEAR(period, expected, 2e-3 * expected);
}

TEST(SuperellipsoidOnAPlane, RocksLikeTheEllipsoidThatTouchesInTheSameCurvature) {
  // With l = 4 and v = 2 the section through x and z is that of the ellipsoid: its curvature, and
  // its own moment of inertia.
  const Superellipsoid shape{{0.03, 0.02, 0.015}, 4, 2};
  const double a = 0.03, c = 0.015, start = 0.02;
  World world(coulomb(1), 2e-4);
  world.half_space({}, {0, 0, 1}).solid(shape, {});
  const Quaternion turn = rotation({0, 1, 0}, start);
  world.bodies[0].orientation = turn;
  world.bodies[0].position.z = support(shape, {{}, turn}, {0, 0, -1});
  const VolumeProperties solid = volume_properties(shape);
  const double inertia = solid.inertia.y / solid.volume + c * c;
  const double expected = 2 * pi * std::sqrt(inertia / (kGravity * (a * a / c - c)));
  Simulation simulation = world.simulation();
  const double period = period_of(simulation, 10, [](const Simulation& s) {
    return rotate(s.state().bodies.orientation[0], {0, 0, 1}).x;
  });
  EXPECT_NEAR(period, expected, 2e-3 * expected);
}

TEST(ConeOnAnIncline, SwingsAboutItsTipWithThePeriodOfRollingOnItsSide) {
  // It rolls about its tip: T = I φ'² cot² β / 2, with I the moment about the line of contact, and
  // V = −m g sin α (3/4) H cos β cos φ, with β its half angle and α that of the slope.
  const double height = 0.05, radius = 0.02, slope = 0.3, swing = 0.05;
  const double beta = std::atan2(radius, height);
  World world(coulomb(2), 2e-4);
  world.half_space({}, normal_of_slope(slope));
  // The tip at the origin, the axis downhill, raised by β; then turned about the normal.
  const Quaternion along = rotation({0, 1, 0}, -pi / 2 - beta);  // tip first, z uphill
  const Quaternion turn = on_slope(slope) * rotation({0, 0, 1}, swing) * along;
  world.solid(Frustum{radius, 0, -height, 0}, {{}, turn});
  const double axial = 0.3 * radius * radius,
               across = 0.15 * radius * radius + 0.6 * height * height,
               inertia = axial * std::pow(std::cos(beta), 2) + across * std::pow(std::sin(beta), 2);
  const double stiffness = kGravity * std::sin(slope) * 0.75 * height * std::cos(beta);
  const double expected = 2 * pi * std::sqrt(inertia / std::pow(std::tan(beta), 2) / stiffness);
  Simulation simulation = world.simulation();
  const double period =
      period_of(simulation, 6, [](const Simulation& s) { return s.state().bodies.position[0].y; });
  EXPECT_NEAR(period, expected, 5e-3 * expected);
}

/// What a motion about the vertical does in the limit of short steps.
struct Rolling {
  double rate;  ///< [rad/s]
  double lost;  ///< of the energy at the start [-]
};

/// For a fifth of a second, at two steps, extrapolated: both are of first order.
Rolling rolling_in_short_steps(const std::function<Simulation(double)>& start) {
  Rolling found[2];
  for (const int k : {0, 1}) {
    const double h = k == 0 ? 1e-4 : 5e-5;
    Simulation simulation = start(h);
    const auto axis = [&] { return rotate(simulation.state().bodies.orientation[0], {0, 0, 1}); };
    const auto energy = [&] {
      return simulation.report().kinetic_energy + simulation.report().potential_energy;
    };
    simulation.step();
    const double energy_before = energy(), begin = simulation.state().time;
    double angle = 0;
    for (Vec3 before = axis(), now; simulation.state().time < 0.2; before = now) {
      simulation.step();
      now = axis();
      angle += std::atan2(cross(before, now).z, before.x * now.x + before.y * now.y);
    }
    found[k] = {angle / (simulation.state().time - begin), 1 - energy() / energy_before};
  }
  return {2 * found[1].rate - found[0].rate, 2 * found[1].lost - found[0].lost};
}

TEST(SolidsOnTheirRim, RollAboutTheirMiddleForEverInTheLimitOfShortSteps) {
  // The middle stands, the axis leans by β. With d from the rim's plane to the middle, and moments
  // A across and C along the axis over the mass, Ω² = g a (a cos β − d sin β) / (sin β (A a cos β −
  // C d sin β)), and the spin is along the line from the rim's lowest point to the middle.
  const double a = 0.02, beta = 0.3;
  for (const Shape& shape :
       {Shape(Cylinder{a, 1e-3}), Shape(Frustum{a, 0.999 * a, -1e-3, 1e-3}),
        Shape(Frustum{0.9 * a, a, -1e-3, 1e-3}), Shape(Frustum{0, a, -a, 0})}) {
    // The wide side is at the bottom, if need be by turning it over.
    const bool on_top =
        std::holds_alternative<Frustum>(shape) && std::get<Frustum>(shape).top_radius == a;
    const double rim = on_top ? std::get<Frustum>(shape).top : -1e-3;
    const VolumeProperties solid = volume_properties(shape);
    const double d = std::abs(solid.centre.z - rim), across = solid.inertia.x / solid.volume,
                 along = solid.inertia.z / solid.volume;
    const double expected =
        std::sqrt(kGravity * a * (a * std::cos(beta) - d * std::sin(beta)) /
                  (std::sin(beta) * (across * a * std::cos(beta) - along * d * std::sin(beta))));
    const Rolling found = rolling_in_short_steps([&](double h) {
      World world(coulomb(0.5), h);
      world.half_space({}, {0, 0, 1});
      const Quaternion turn = rotation({0, 1, 0}, beta) * rotation({1, 0, 0}, on_top ? pi : 0);
      Body& body = world.solid(shape, {-rotate(turn, {a, 0, rim}), turn});
      body.angular_velocity = expected * std::sin(beta) / a * body.position;
      return world.simulation();
    });
    EXPECT_NEAR(found.rate, expected, 1e-3 * expected) << shape.index();
    EXPECT_NEAR(found.lost, 0, 1e-3) << shape.index();
  }
}

TEST(SolidsOnTheirFlank, RollAboutTheirApexForEverInTheLimitOfShortSteps) {
  // The spin is along the line of contact, the middle goes round the apex, which a cut may have
  // taken away.
  const double height = 0.05, radius = 0.02, expected = 3;
  const double beta = std::atan2(radius, height);
  for (const double cut : {0.0, 0.5}) {
    const Rolling found = rolling_in_short_steps([&](double h) {
      World world(coulomb(2), h);
      world.half_space({}, {0, 0, 1});
      const Quaternion turn = rotation({0, 1, 0}, -pi / 2 - beta);
      Body& body = world.solid(Frustum{radius, cut * radius, -height, -cut * height}, {{}, turn});
      body.angular_velocity = {-expected / std::tan(beta), 0, 0};
      body.velocity = cross(body.angular_velocity, body.position);
      return world.simulation();
    });
    EXPECT_NEAR(found.rate, expected, 1e-3 * expected) << cut;
    EXPECT_NEAR(found.lost, 0, 1e-3) << cut;
  }
}

std::vector<Vec3> corners_of(const Vec3& size) {
  std::vector<Vec3> corners;
  corners.reserve(8);
  for (int v = 0; v < 8; ++v)
    corners.push_back({v & 1 ? size.x / 2 : -size.x / 2, v & 2 ? size.y / 2 : -size.y / 2,
                       v & 4 ? size.z / 2 : -size.z / 2});
  return corners;
}

/// Whether two cards stand that lean on each other, the edges of their tops `gap` [m] apart.
bool cards_stand(bool as_polyhedra, double lean, double gap, double mu) {
  const double length = 0.1, thick = 0.002;
  World world(coulomb(mu), 1e-3);
  world.half_space({}, {0, 0, 1});
  const Vec3 size{thick, 0.06, length};
  const double aside = (length * std::sin(lean) + thick * std::cos(lean) + gap) / 2,
               above = (length * std::cos(lean) + thick * std::sin(lean)) / 2;
  for (const double side : {-1.0, 1.0}) {
    const Pose pose{{side * aside, 0, above}, rotation({0, 1, 0}, -side * lean)};
    if (as_polyhedra)
      world.polyhedron(corners_of(size), pose);
    else
      world.box(pose.position, size, pose.orientation);
  }
  Simulation simulation = world.simulation();
  run_until(simulation, 0.7);
  return std::abs(body_of(simulation, 0).position.z - above) < 1e-3 * length;
}

TEST(TwoCards, ThatLeanOnEachOtherStandIffTheFloorHasTheFrictionThatStaticsAsksFor) {
  // By symmetry the force H between them is level. About the outer edge of a foot: H L cos α =
  // m g (L sin α − t cos α) / 2, and the floor has to bear H with m g.
  for (const double degrees : {10, 35})
    for (const bool as_polyhedra : {false, true})
      for (const double gap : {1e-6, 0.0, -1e-6}) {
        const double lean = degrees * pi / 180;
        const double needed = (0.1 * std::tan(lean) - 0.002) / (2 * 0.1);
        EXPECT_TRUE(cards_stand(as_polyhedra, lean, gap, 1.02 * needed))
            << degrees << ' ' << as_polyhedra << ' ' << gap;
        EXPECT_FALSE(cards_stand(as_polyhedra, lean, gap, 0.97 * needed))
            << degrees << ' ' << as_polyhedra << ' ' << gap;
      }
}

TEST(CubeAsAPolyhedron, DoesWhatTheBoxDoes) {
  // Thrown onto a plane on an edge; later, chaos would part any two.
  const double a = 0.02;
  const auto make = [&](bool as_box) {
    World world(coulomb(0.4), 5e-4);
    world.half_space({}, {0, 0, 1});
    world.model.solver.tolerance = 1e-12;
    const Pose pose{{0, 0, 0.03}, rotation({0.6, 0.8, 0}, 0.4)};
    if (as_box) {
      world.box(pose.position, {a, a, a}, pose.orientation);
    } else {
      world.polyhedron(corners_of({a, a, a}), pose);
    }
    world.bodies[0].velocity = {0.2, 0.1, -0.5};
    world.bodies[0].angular_velocity = {3, -5, 2};
    return world;
  };
  Simulation box = make(true).simulation(), cube = make(false).simulation();
  // It hits with a corner, with edges, and falls onto a face. That slides on four points, whose
  // impulses are not unique: what their order makes of them differs.
  int on_face = 0;
  for (int k = 0; k < 400; ++k) {
    on_face += box.step().contacts == 4 ? 1 : 0;
    cube.step();
    ASSERT_EQ(box.report().contacts, cube.report().contacts) << "step " << k;
    ASSERT_NEAR(norm(body_of(box, 0).position - body_of(cube, 0).position), 0,
                on_face < 5 ? 1e-15 : 2e-3 * a)
        << "step " << k;
  }
  EXPECT_GT(on_face, 200);
  EXPECT_NEAR(box.report().dissipated_energy, cube.report().dissipated_energy,
              1e-6 * box.report().dissipated_energy);
}

TEST(SolidsWithoutTorque, KeepTheirAngularMomentumAndTheirEnergy) {
  World world(coulomb(0.4), 1e-4);
  world.model.gravity = {};
  double place = 0;
  for (const Shape& shape :
       {Shape(Capsule{0.1, 0.3}), Shape(Cylinder{0.2, 0.1}), Shape(Frustum{0.2, 0, 0, 0.5}),
        Shape(Superellipsoid{{0.3, 0.2, 0.1}}), Shape(Superellipsoid{{0.3, 0.2, 0.1}, 4, 3})})
    world.solid(shape, {{place += 2, 0, 0}, rotation({0.6, 0, 0.8}, 1)});
  world.polyhedron(wedge(), {{place + 2, 0, 0}, rotation({0.6, 0, 0.8}, 1)});
  for (Body& body : world.bodies) body.angular_velocity = {2, 0.3, -4};
  Simulation simulation = world.simulation();
  std::vector<Vec3> momentum;
  for (const Body& body : world.bodies)
    momentum.push_back(angular_momentum(simulation.model(), body));
  const double energy = simulation.report().kinetic_energy;
  run_until(simulation, 2);
  for (std::size_t k = 0; k < momentum.size(); ++k)
    EXPECT_NEAR(norm(angular_momentum(simulation.model(), body_of(simulation, k)) - momentum[k]), 0,
                1e-3 * norm(momentum[k]))
        << "body " << k;
  EXPECT_NEAR(simulation.report().kinetic_energy, energy, 1e-3 * energy);
}

/// By how much a body at rest on a plane dips into springs, over that of one spring [-].
double dip_of(const Shape& shape, const Quaternion& orientation) {
  PairLaw law{LawKind::cundall_strack, 0.4};
  law.force.k_n = 1e4;
  law.force.k_t = 3e3;
  law.force.normal_damping = 10;
  World world(law, 1e-4);
  const double height = support(shape, {{}, orientation}, {0, 0, -1});
  world.half_space({}, {0, 0, 1}).solid(shape, {{0, 0, height}, orientation});
  Simulation simulation = world.simulation();
  run_until(simulation, 1);
  const Body body = body_of(simulation, 0);
  EXPECT_NEAR(norm(body.velocity) + norm(body.angular_velocity), 0, 1e-6);
  return (height - body.position.z) / (body.mass * kGravity / law.force.k_n);
}

TEST(SoftSolids, DipInAsTheirPointsHaveStiffness) {
  // A round body touches in one point, which has all; of others each point has a quarter.
  EXPECT_NEAR(dip_of(Superellipsoid{{0.03, 0.02, 0.015}}, {}), 1, 1e-4);
  EXPECT_NEAR(dip_of(Cylinder{0.02, 0.01}, {}), 1, 1e-4);
  EXPECT_NEAR(dip_of(Capsule{0.01, 0.02}, rotation({0, 1, 0}, pi / 2)), 2, 1e-4);
  EXPECT_NEAR(dip_of(Box{{0.02, 0.02, 0.01}}, {}), 1, 1e-4);
}

void expect_sound(const PouredBed& bed, const char* what) {
  EXPECT_EQ(bed.not_finite, 0U) << what;
  EXPECT_EQ(bed.missed, 0U) << what;
  EXPECT_LT(bed.energy_error, 1e-5) << what;
  EXPECT_LT(bed.depth, 2e-2) << what;
}

TEST(PouredBeds, OfEveryShapeKeepTheirAccuracyAndTheirBooks) {
  expect_sound(pour(solid_prototype(Cylinder{0.005, 0.004}), 8, 500), "cylinders");
  expect_sound(pour(solid_prototype(Frustum{0.006, 0, 0, 0.01}), 8, 500), "cones");
  expect_sound(pour(solid_prototype(Capsule{0.003, 0.004}), 8, 500), "capsules");
  expect_sound(pour(solid_prototype(Superellipsoid{{0.007, 0.005, 0.004}}), 8, 500), "ellipsoids");
  expect_sound(pour(solid_prototype(Superellipsoid{{0.006, 0.005, 0.004}, 4, 4}), 8, 200),
               "superellipsoids");
  const PlacedHull hull = convex_hull(times(0.01, wedge()));
  expect_sound(pour(solid_prototype(hull), 8, 500, hull.hull), "polyhedra");
}

}  // namespace
}  // namespace scree

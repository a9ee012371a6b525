#include "scree/geometry/clump.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "geometry/principal_axes.hpp"
#include "scree/math/random.hpp"
#include "scree/sim/solid_prototype.hpp"

namespace scree {
namespace {

using std::numbers::pi;

struct Mass {
  double volume;
  Vec3 centre;   ///< in the frame of the parts
  Vec3 moments;  ///< principal, in rising order [m⁵]
};
Mass mass_of(const std::vector<ClumpPart>& parts) {
  const PlacedClump placed = clump_of(parts, {});
  const double s = placed.size, s3 = s * s * s;
  const Vec3 moments = s3 * s * s * placed.clump->inertia();
  std::array<double, 3> sorted{moments.x, moments.y, moments.z};
  std::ranges::sort(sorted);
  return {s3 * placed.clump->volume(), placed.pose.position, {sorted[0], sorted[1], sorted[2]}};
}

void expect_same(const Mass& found, const Mass& expected, double relative) {
  EXPECT_NEAR(found.volume, expected.volume, relative * expected.volume);
  const double size = std::cbrt(expected.volume);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(found.centre[k], expected.centre[k], relative * size);
    EXPECT_NEAR(found.moments[k], expected.moments[k], relative * expected.moments[2]);
  }
}

std::vector<ClumpPart> turned(std::vector<ClumpPart> parts, const Pose& by) {
  for (ClumpPart& part : parts) part.pose = moved(by, part.pose);
  return parts;
}
const Pose kElsewhere{{0.3, -0.7, 0.4}, normalised({0.3, -0.5, 0.7, 0.2})};

/// ∫ z^k ρ^j dz of a sphere cut at z = −d, whose centre is the origin, with ρ² = r² − z².
Mass two_spheres(double r, double d) {
  // Twice the part of a sphere at height d above the plane of symmetry, from z = −d to r.
  const auto power = [&](double n) { return (std::pow(r, n) - std::pow(-d, n)) / n; };
  const double area = r * r * power(1) - power(3);  // ∫ ρ² dz
  const double fourth = r * r * r * r * power(1) - 2 * r * r * power(3) + power(5);
  // ∫ ρ² (z + d)² dz
  const double away = r * r * (power(3) + 2 * d * power(2) + d * d * power(1)) -
                      (power(5) + 2 * d * power(4) + d * d * power(3));
  return {
      2 * pi * area, {}, {pi * fourth, 2 * pi * (fourth / 4 + away), 2 * pi * (fourth / 4 + away)}};
}

TEST(Clump, OfTwoSpheresHasTheMassOfTheClosedFormHoweverItIsTurned) {
  for (const double d : {0.05, 0.2, 0.29}) {
    const double r = 0.3;
    const std::vector<ClumpPart> parts{{Sphere{r}, {{0, 0, d}, {}}}, {Sphere{r}, {{0, 0, -d}, {}}}};
    expect_same(mass_of(parts), two_spheres(r, d), 1e-12);
    Mass expected = two_spheres(r, d);
    expected.centre = kElsewhere.position;
    expect_same(mass_of(turned(parts, kElsewhere)), expected, 1e-12);
  }
}

TEST(Clump, OfSpheresThatOverlapAllOverHasTheSameMassHoweverItIsTurned) {
  RandomStream random{5, 0};
  std::vector<ClumpPart> parts;
  for (int k = 0; k < 7; ++k)
    parts.push_back(
        {Sphere{random.uniform(0.2, 0.4)},
         {{random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3)}, {}}});
  Mass expected = mass_of(parts);
  expected.centre = kElsewhere.position + rotate(kElsewhere.orientation, expected.centre);
  expect_same(mass_of(turned(parts, kElsewhere)), expected, 1e-12);

  // And that of the points that lie in any of them.
  constexpr int kSide = 160;
  constexpr double kWidth = 1.5;
  double volume = 0;
  Vec3 first;
  for (int i = 0; i < kSide; ++i)
    for (int j = 0; j < kSide; ++j)
      for (int k = 0; k < kSide; ++k) {
        const Vec3 at =
            kWidth / kSide * Vec3{i + 0.5, j + 0.5, k + 0.5} - kWidth / 2 * Vec3{1, 1, 1};
        const auto holds = [&](const ClumpPart& part) {
          return signed_distance(part.shape, part.pose, at).distance < 0;
        };
        if (!std::ranges::any_of(parts, holds)) continue;
        volume += std::pow(kWidth / kSide, 3);
        first += std::pow(kWidth / kSide, 3) * at;
      }
  const Mass found = mass_of(parts);
  EXPECT_NEAR(found.volume, volume, 1e-3 * volume);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(found.centre[k], first[k] / volume, 1e-3);
}

TEST(Clump, IsNotHeavierForSpheresThatOthersHide) {
  const std::vector<ClumpPart> two{{Sphere{0.3}, {{0, 0, 0.2}, {}}}, {Sphere{0.25}, {}}};
  std::vector<ClumpPart> more = two;
  more.push_back({Sphere{0.1}, {{0.01, 0.02, 0.2}, {}}});  // inside
  more.push_back(two[0]);                                  // the same once more
  more.push_back({Sphere{0.05}, {{0, 0.2, 0}, {}}});       // touches the surface from inside
  expect_same(mass_of(more), mass_of(two), 1e-12);
}

TEST(Clump, OfPartsThatAreApartHasTheSumOfTheirMasses) {
  const double r = 0.1, a = 0.4, volume = 4 * pi / 3 * r * r * r;
  const double across = 2 * volume * (0.4 * r * r + a * a);
  expect_same(mass_of({{Sphere{r}, {{a, 0, 0}, {}}}, {Sphere{r}, {{-a, 0, 0}, {}}}}),
              {2 * volume, {}, {2 * volume * 0.4 * r * r, across, across}}, 1e-14);
  // Bounding spheres overlap, the parts do not.
  const Box box{{0.3, 0.05, 0.05}};
  const VolumeProperties one = volume_properties(box);
  const double d = 0.1;
  expect_same(mass_of({{box, {{0, d, 0}, {}}}, {box, {{0, -d, 0}, {}}}}),
              {2 * one.volume,
               {},
               {2 * (one.inertia.x + one.volume * d * d), 2 * one.inertia.y,
                2 * (one.inertia.z + one.volume * d * d)}},
              1e-13);
}

TEST(Clump, OfTwoHalvesOfABoxIsTheBox) {
  const Vec3 half{0.3, 0.2, 0.1};
  const std::vector<ClumpPart> halves{{Box{{0.15, 0.2, 0.1}}, {{0.15, 0, 0}, {}}},
                                      {Box{{0.15, 0.2, 0.1}}, {{-0.15, 0, 0}, {}}}};
  const VolumeProperties box = volume_properties(Box{half});
  expect_same(mass_of(halves), {box.volume, {}, {box.inertia.x, box.inertia.y, box.inertia.z}},
              1e-13);
  EXPECT_NEAR(clump_of(halves, {}).size, norm(half), 1e-15);
  // Parts with a share in common, flush with each other.
  const std::vector<ClumpPart> shared{{Box{{0.2, 0.2, 0.1}}, {{0.1, 0, 0}, {}}},
                                      {Box{{0.2, 0.2, 0.1}}, {{-0.1, 0, 0}, {}}},
                                      {Box{{0.1, 0.2, 0.05}}, {{0, 0, 0.05}, {}}}};
  expect_same(mass_of(shared), {box.volume, {}, {box.inertia.x, box.inertia.y, box.inertia.z}},
              1e-13);
  Mass elsewhere = mass_of(shared);
  elsewhere.centre = kElsewhere.position;
  expect_same(mass_of(turned(shared, kElsewhere)), elsewhere, 1e-12);
}

TEST(Clump, OfTwoCylindersThatCrossLacksTheSolidOfSteinmetzOnce) {
  const double r = 0.1, half = 0.4;
  const std::vector<ClumpPart> cross{{Cylinder{r, half}, {}},
                                     {Cylinder{r, half}, {{}, rotation({1, 0, 0}, pi / 2)}}};
  const double expected = 2 * pi * r * r * 2 * half - 16.0 / 3 * r * r * r;
  EXPECT_NEAR(mass_of(cross).volume, expected, 1e-5 * expected);
}

TEST(Clump, OfACylinderAndSpheresAtItsEndsIsTheCapsule) {
  const double r = 0.1, half = 0.2;
  const VolumeProperties capsule = volume_properties(Capsule{r, half});
  expect_same(mass_of({{Cylinder{r, half}, {}},
                       {Sphere{r}, {{0, 0, half}, {}}},
                       {Sphere{r}, {{0, 0, -half}, {}}}}),
              {capsule.volume, {}, {capsule.inertia.z, capsule.inertia.x, capsule.inertia.y}},
              1e-4);
}

TEST(Clump, OfASphereInABoxIsTheBoxToTheErrorOfASphereSeenAsAPolyhedron) {
  const VolumeProperties box = volume_properties(Box{{0.3, 0.2, 0.25}});
  expect_same(mass_of({{Box{{0.3, 0.2, 0.25}}, {}}, {Sphere{0.1}, {{0.1, 0, 0.05}, {}}}}),
              {box.volume, {}, {box.inertia.x, box.inertia.z, box.inertia.y}}, 1e-6);
}

TEST(Clump, ReachesToTheFarthestPointOfItsParts) {
  RandomStream random{9, 0};
  const auto any = [&](double max_value) { return random.uniform(-max_value, max_value); };
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<ClumpPart> parts;
    const std::vector<Shape> shapes{Sphere{0.2}, Box{{0.1, 0.3, 0.2}}, Cylinder{0.1, 0.3},
                                    Capsule{0.1, 0.2}, Frustum{0.2, 0.1, -0.3, 0.1}};
    for (const Shape& shape : shapes)
      parts.push_back(
          {shape, {{any(0.6), any(0.6), any(0.6)}, normalised({any(1), any(1), any(1), any(1)})}});
    const PlacedClump placed = clump_of(parts, {});
    const Shape clump = Clump{placed.clump.get(), placed.size};
    double farthest = 0;
    for (int k = 0; k < 4000; ++k) {
      const Vec3 v{any(1), any(1), any(1)};
      farthest = std::max(farthest, support(clump, {}, v / norm(v)));
    }
    EXPECT_LE(farthest, placed.size * (1 + 1e-14));
    EXPECT_GE(farthest, placed.size * 0.995);
  }
}

/// Moments of the points of a grid that lie in any part, of a cube about the origin.
Mass counted(const std::vector<ClumpPart>& parts, double width, int side) {
  const double cell = width / side, volume = cell * cell * cell;
  MassMoments sum;
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      for (int k = 0; k < side; ++k) {
        const Vec3 at = cell * Vec3{i + 0.5, j + 0.5, k + 0.5} - width / 2 * Vec3{1, 1, 1};
        const auto holds = [&](const ClumpPart& part) {
          return signed_distance(part.shape, part.pose, at).distance < 0;
        };
        if (!std::ranges::any_of(parts, holds)) continue;
        sum += {volume, volume * at, volume * Vec3{at.x * at.x, at.y * at.y, at.z * at.z},
                volume * Vec3{at.y * at.z, at.z * at.x, at.x * at.y}};
      }
  const PrincipalFrame frame = principal_frame(sum);
  std::array<double, 3> sorted{frame.inertia.x, frame.inertia.y, frame.inertia.z};
  std::ranges::sort(sorted);
  return {frame.volume, frame.pose.position, {sorted[0], sorted[1], sorted[2]}};
}

TEST(Clump, OfManyPartsInOnePlaceHasTheMassOfThePointsInAnyOfThem) {
  RandomStream random{11, 0};
  const auto any = [&](double max_value) { return random.uniform(-max_value, max_value); };
  const auto turn = [&] { return normalised(Quaternion{any(1), any(1), any(1), any(1)}); };
  std::vector<ClumpPart> ellipsoids, boxes, mixed;
  for (int k = 0; k < 10; ++k)
    ellipsoids.push_back({Superellipsoid{{0.15, 0.15, 0.4}, 2, 2}, {{}, turn()}});
  for (int k = 0; k < 30; ++k)
    boxes.push_back({Box{{0.3, 0.2, 0.05}}, {{any(0.1), any(0.1), any(0.1)}, turn()}});
  for (int k = 0; k < 3; ++k) {
    mixed.push_back({Cylinder{0.1, 0.4}, {{any(0.1), any(0.1), any(0.1)}, turn()}});
    mixed.push_back({Box{{0.2, 0.3, 0.1}}, {{any(0.1), any(0.1), any(0.1)}, turn()}});
    mixed.push_back({Frustum{0.3, 0.1, -0.3, 0.3}, {{any(0.1), any(0.1), any(0.1)}, turn()}});
  }
  for (const auto& parts : {ellipsoids, boxes, mixed})
    expect_same(mass_of(parts), counted(parts, 1.2, 60), 5e-3);
}

TEST(Clump, OfFlushAndEqualBoxesCountsSpaceOnce) {
  const VolumeProperties box = volume_properties(Box{{0.3, 0.2, 0.1}});
  const Mass whole{box.volume, {}, {box.inertia.x, box.inertia.y, box.inertia.z}};
  expect_same(mass_of(std::vector<ClumpPart>(20, {Box{{0.3, 0.2, 0.1}}, {}})), whole, 1e-13);
  // Slabs along x that share half of each other, in disorder; then bars that touch, over them.
  std::vector<ClumpPart> parts;
  for (const int k : {3, 0, 4, 1, 2})
    parts.push_back({Box{{0.1, 0.2, 0.1}}, {{-0.2 + 0.1 * k, 0, 0}, {}}});
  expect_same(mass_of(parts), whole, 1e-13);
  for (const double y : {-0.15, -0.05, 0.05, 0.15})
    parts.push_back({Box{{0.3, 0.05, 0.1}}, {{0, y, 0}, {}}});
  expect_same(mass_of(parts), whole, 1e-13);
  Mass elsewhere = whole;
  elsewhere.centre = kElsewhere.position;
  expect_same(mass_of(turned(parts, kElsewhere)), elsewhere, 1e-12);
}

TEST(Clump, OfMoreThanCanBeFoundInSecondsIsRefused) {
  RandomStream random{12, 0};
  std::vector<ClumpPart> parts;
  for (int k = 0; k < 40; ++k)
    parts.push_back({Superellipsoid{{0.15, 0.15, 0.4}, 2, 2},
                     {{}, rotation({0, 0.6, 0.8}, random.uniform(0, 2 * pi))}});
  EXPECT_THROW(clump_of(parts, {}), std::invalid_argument);
}

TEST(Clump, RefusesWhatIsNoUnionOfConvexShapes) {
  EXPECT_THROW(clump_of({}, {}), std::invalid_argument);
  EXPECT_THROW(clump_of({{HalfSpace{}, {}}}, {}), std::invalid_argument);
  EXPECT_THROW(clump_of({{Hollow{1, 1, 0, 1}, {}}}, {}), std::invalid_argument);
}

}  // namespace
}  // namespace scree

#include <gtest/gtest.h>

#include "unit/collision/shape_pairs.hpp"

namespace scree {
namespace {

using namespace shape_pairs;

void expect_no_shorter_way_out(const Placed& a, const Placed& b, RandomStream& random) {
  const double size = std::max(bounding_radius(a.shape), bounding_radius(b.shape));
  const SurfaceDistance found = separation(a, b);
  EXPECT_NEAR(found.distance, width(a, b, found.normal), 1e-12 * size);
  EXPECT_LE(greatest_width(a, b, random), found.distance + 1e-9 * size);
}

// The polytope that grows inside the difference has flat patches there: cones and segments.
TEST(DeepPairs, ConesAndCapsulesAreMovedApartTheShortestWay) {
  RandomStream random{1, 0};
  const Placed cone{
      Frustum{0.27222845531201694, 0.90819902094185052, -1.079353926442401, 0.1368523988422629},
      {{},
       {-0.45847600312998765, -0.28073612265760634, -0.83419386016387909, -0.12291292712327354}}},
      capsule{Capsule{0.43742570144673888, 0.81165270727366037},
              {{0.39813982524684269, 0.49595185781138996, -0.20466775720560148},
               {-0.75618161705246134, 0.049509389649363383, 0.36894853480506001,
                -0.53815904808306625}}};
  expect_no_shorter_way_out(cone, capsule, random);
  const Placed wide{
      Frustum{1.5691413252413484, 0.64817757374623156, -0.45729889615883099, 1.071325218646268},
      {{}, {-0.59740518445133017, 0.7874712828622592, -0.15094774822854662, 0.014519006945081781}}},
      slender{
          Capsule{0.15181489531925346, 0.94254696035859283},
          {{-1.3195696822309569, 0.24394379989369371, 0.44598621384593553},
           {0.51084339082578811, 0.16379366266269405, -0.83657371771642453, -0.11115341176621915}}};
  expect_no_shorter_way_out(wide, slender, random);
}

TEST(DeepPairs, CylindersAreMovedOutOfBoxesAndCylindersTheShortestWay) {
  RandomStream random{2, 0};
  for (int k = 0; k < 2000; ++k) {
    const auto cylinder = [&] { return Cylinder{random.uniform(0.1, 1), random.uniform(0.1, 1)}; };
    const Shape other = k % 3 == 0 ? Shape(cylinder()) : Shape(random_box(random));
    const Placed a{cylinder(), {{}, random_orientation(random)}};
    // Nearly parallel to the first, or not.
    const double off = k % 2 == 0 ? 1 : std::exp(random.uniform(-14, 0));
    const Vec3 turn = random_vector(random, off);
    const Placed b{other,
                   {random.uniform(0.1, 1.5) * random_direction(random),
                    normalised(a.pose.orientation * Quaternion{1, turn.x, turn.y, turn.z})}};
    SCOPED_TRACE(k);
    if (separation(a, b).distance < 0) expect_no_shorter_way_out(a, b, random);
  }
}

}  // namespace
}  // namespace scree

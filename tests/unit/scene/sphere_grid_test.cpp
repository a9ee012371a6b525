#include "scene/bodies/sphere_grid.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "scree/math/random.hpp"

namespace scree::test {
namespace {

TEST(SphereGrid, finds_what_a_search_over_all_pairs_finds) {
  for (const bool sorted : {true, false}) {
    RandomStream random{17, 0};
    struct Ball {
      Vec3 x;
      double r;
    };
    std::vector<Ball> balls;
    for (int i = 0; i < 1500; ++i) {
      const double r = 0.02 * std::exp(random.uniform(-4, 1));
      balls.push_back(
          {{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-0.2, 0.2)}, r});
    }
    if (sorted)
      std::sort(balls.begin(), balls.end(), [](const Ball& a, const Ball& b) { return a.r > b.r; });
    scene::SphereGrid grid{Domain{}};
    for (std::size_t i = 0; i < balls.size(); ++i) {
      std::set<std::uint32_t> found, expected;
      grid.for_each_overlap(balls[i].x, balls[i].r,
                            [&](std::uint32_t j, double) { return found.insert(j).second; });
      for (std::uint32_t j = 0; j < i; ++j)
        if (norm(balls[i].x - balls[j].x) < balls[i].r + balls[j].r) expected.insert(j);
      EXPECT_EQ(found, expected);
      EXPECT_EQ(grid.overlaps(balls[i].x, balls[i].r), !expected.empty());
      grid.insert(balls[i].x, balls[i].r);
    }
  }
}

TEST(SphereGrid, finds_spheres_across_the_border_of_a_periodic_cell) {
  const Domain domain(Vec3{0.9, 0, 0.5});
  RandomStream random{18, 0};
  scene::SphereGrid grid(domain);
  std::vector<Vec3> centres;
  std::vector<double> radii;
  for (std::uint32_t i = 0; i < 600; ++i) {
    const Vec3 x{random.uniform(-2, 2), random.uniform(-0.3, 0.3), random.uniform(-1, 1)};
    const double r = 0.02 * std::exp(random.uniform(-3, 1));
    std::set<std::uint32_t> found, expected;
    grid.for_each_overlap(x, r, [&](std::uint32_t j, double depth) {
      EXPECT_NEAR(depth, r + radii[j] - norm(domain.separation(x, centres[j])), 1e-14);
      return found.insert(j).second;
    });
    for (std::uint32_t j = 0; j < i; ++j)
      if (norm(domain.separation(x, centres[j])) < r + radii[j]) expected.insert(j);
    EXPECT_EQ(found, expected);
    grid.insert(x, r);
    centres.push_back(x);
    radii.push_back(r);
  }
}

}  // namespace
}  // namespace scree::test

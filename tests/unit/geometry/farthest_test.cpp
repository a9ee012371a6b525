#include "geometry/kernels/farthest.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "scree/math/random.hpp"

namespace scree {
namespace {

std::uint32_t first_farthest(const std::vector<Vec3>& vectors, const Vec3& direction) {
  std::uint32_t best = 0;
  for (std::uint32_t k = 1; k < vectors.size(); ++k)
    if (dot(vectors[k], direction) > dot(vectors[best], direction)) best = k;
  return best;
}

TEST(Farthest, IsTheFirstOfTheGreatestProductsInEveryInstructionSet) {
  RandomStream random{3, 0};
  // Places on a coarse grid, so that many products are equal.
  const auto coarse = [&] { return std::floor(random.uniform(-2, 3)); };
  const auto vector = [&] { return Vec3{coarse(), coarse(), coarse()}; };
  for (std::size_t count = 1; count < 70; ++count) {
    std::vector<Vec3> vectors;
    for (std::size_t k = 0; k < count; ++k) vectors.push_back(vector());
    const std::vector<double> columns = kernels::columns_of(vectors);
    for (int k = 0; k < 50; ++k) {
      const Vec3 direction =
          k % 2 == 0 ? vector() : Vec3{random.normal(), random.normal(), random.normal()};
      for (const InstructionSet set : instruction_sets())
        EXPECT_EQ(kernels::farthest_of(set)(columns, direction), first_farthest(vectors, direction))
            << count << " vectors, " << name(set);
    }
  }
}

TEST(Farthest, OfNoDirectionIsTheFirst) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> columns = kernels::columns_of(std::vector<Vec3>{{1, 0, 0}, {0, 1, 0}});
  for (const InstructionSet set : instruction_sets())
    EXPECT_EQ(kernels::farthest_of(set)(columns, {kNaN, 0, 0}), 0U) << name(set);
}

TEST(Heights, AreProductsLessOffsetsInEveryInstructionSetAndTheHighestIsTheFirst) {
  RandomStream random{4, 0};
  const auto coarse = [&] { return std::floor(random.uniform(-2, 3)); };
  for (std::size_t count = 1; count < 70; ++count) {
    std::vector<Vec3> vectors;
    for (std::size_t k = 0; k < count; ++k) vectors.push_back({coarse(), coarse(), coarse()});
    const std::vector<double> columns = kernels::columns_of(vectors);
    std::vector<double> offsets(columns.size() / 3, std::numeric_limits<double>::infinity());
    for (std::size_t k = 0; k < count; ++k) offsets[k] = coarse();
    const Vec3 direction{coarse(), coarse(), coarse()};
    constexpr double kScale = 0.3;
    std::uint32_t highest = 0;
    const auto height = [&](std::size_t k) {
      return vectors[k].x * direction.x + vectors[k].y * direction.y + vectors[k].z * direction.z -
             offsets[k] * kScale;
    };
    for (std::uint32_t k = 1; k < count; ++k)
      if (height(k) > height(highest)) highest = k;
    for (const InstructionSet set : instruction_sets()) {
      std::vector<double> heights(offsets.size());
      EXPECT_EQ(kernels::heights_of(set)(columns, offsets, direction, kScale, heights), highest);
      for (std::size_t k = 0; k < count; ++k) EXPECT_EQ(heights[k], height(k)) << name(set);
    }
  }
}

}  // namespace
}  // namespace scree

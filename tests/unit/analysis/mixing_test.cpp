/// Lacey's index of packings whose mixture is known.
#include "scree/analysis/mixing.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

#include "scree/math/random.hpp"

namespace scree {
namespace {

const Grid kLayers{{{0, 0, 0}, {1, 1, 1}}, {1, 1, 10}};

/// Bodies of a material each, so many in every layer.
Bodies bodies_of(const std::vector<MaterialId>& materials, std::size_t in_layer) {
  Bodies bodies;
  for (std::size_t i = 0; i < materials.size(); ++i) {
    Body body;
    body.id = {i};
    body.position = {0.5, 0.5, (0.5 + static_cast<double>(i / in_layer)) / 10};
    body.material = materials[i];
    bodies.push_back(body);
  }
  return bodies;
}

TEST(Mixing, IsZeroWhereEveryCellHasOneMaterial) {
  std::vector<MaterialId> materials(200, 0);
  std::fill(materials.begin() + 100, materials.end(), MaterialId{1});
  const auto mixing = mixing_of(bodies_of(materials, 20), kLayers);
  ASSERT_TRUE(mixing);
  EXPECT_NEAR(mixing->index(), 0, 1e-12);
  EXPECT_NEAR(mixing->segregated, 0.5, 1e-12);
  EXPECT_EQ(mixing->cells, 10u);
}

TEST(Mixing, IsOneInTheMeanOfBodiesLaidAtRandom) {
  for (const std::size_t first : {100u, 20u}) {  // of 200
    std::vector<MaterialId> materials(200, 0);
    std::fill(materials.begin() + static_cast<std::ptrdiff_t>(first), materials.end(),
              MaterialId{1});
    RandomStream random{first};
    double sum = 0;
    constexpr int kDraws = 2000;
    for (int draw = 0; draw < kDraws; ++draw) {
      for (std::size_t k = materials.size() - 1; k > 0; --k)
        std::swap(materials[k], materials[random.next_bits() % (k + 1)]);
      sum += mixing_of(bodies_of(materials, 20), kLayers)->index();
    }
    // The index scatters by some 0.02.
    EXPECT_NEAR(sum / kDraws, 1, 0.003) << first;
  }
}

TEST(Mixing, OfTwoMaterialsIsLaceysOfEitherInClosedForm) {
  // Two layers of ten, with 8 and 4 of the first material.
  std::vector<MaterialId> materials;
  for (const int first : {8, 4})
    for (int k = 0; k < 10; ++k) materials.push_back(k < first ? MaterialId{0} : MaterialId{1});
  const auto mixing = mixing_of(bodies_of(materials, 10), kLayers);
  ASSERT_TRUE(mixing);
  const double p = 0.6, variance = 0.04, segregated = p * (1 - p), mixed = segregated / 19;
  EXPECT_NEAR(mixing->variance, 2 * variance, 1e-12);
  EXPECT_NEAR(mixing->index(), (segregated - variance) / (segregated - mixed), 1e-12);
}

TEST(Mixing, DoesNotChangeWhenMaterialsChangeTheirNames) {
  std::vector<MaterialId> materials, others;
  RandomStream random{5};
  for (int k = 0; k < 90; ++k) {
    materials.push_back(static_cast<MaterialId>(random.next_bits() % 3));
    others.push_back(static_cast<MaterialId>((materials.back() + 1) % 3));
  }
  EXPECT_NEAR(mixing_of(bodies_of(materials, 9), kLayers)->index(),
              mixing_of(bodies_of(others, 9), kLayers)->index(), 1e-12);
}

TEST(Mixing, IsNotKnownOfOneMaterialOrOfBodiesAlone) {
  EXPECT_FALSE(mixing_of(bodies_of(std::vector<MaterialId>(50, 0), 5), kLayers));
  EXPECT_FALSE(mixing_of(bodies_of({0, 1, 0, 1}, 1), kLayers));
  EXPECT_FALSE(mixing_of(Bodies{}, kLayers));
}

}  // namespace
}  // namespace scree

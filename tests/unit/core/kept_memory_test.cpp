#include "scree/core/kept_memory.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <thread>
#include <vector>

#include "scree/core/aligned.hpp"

namespace scree {
namespace {

double* piece_of(AlignedVector<double>& vector, double value) {
  vector.assign(1000, value);
  return vector.data();
}

bool is_all(const double* piece, double value) {
  return std::all_of(piece, piece + 1000, [&](double x) { return x == value; });
}

TEST(KeptMemory, StaysReadableAndIsNotTakenAgainAfterItsOwnerGaveItBack) {
  auto owner = std::make_unique<AlignedVector<double>>();
  const double* const piece = piece_of(*owner, 3);
  auto kept = std::make_unique<KeptMemory>(piece), kept_twice = std::make_unique<KeptMemory>(piece);
  owner.reset();
  std::vector<AlignedVector<double>> others(100);
  for (auto& other : others) EXPECT_NE(piece_of(other, 4), piece);
  EXPECT_TRUE(is_all(piece, 3));
  kept.reset();
  for (auto& other : others) EXPECT_NE(piece_of(other, 5), piece);
  EXPECT_TRUE(is_all(piece, 3));
}

TEST(KeptMemory, FollowsItsOwnerWhileThatHasIt) {
  AlignedVector<double> owner;
  const double* const piece = piece_of(owner, 3);
  {
    const KeptMemory kept(piece);
    owner[0] = 7;
    EXPECT_EQ(piece[0], 7);
  }
  EXPECT_EQ(owner[0], 7);  // its own again
}

TEST(KeptMemory, MayEndInAnotherThread) {
  std::vector<std::unique_ptr<KeptMemory>> kept;
  for (int k = 0; k < 100; ++k) {
    AlignedVector<double> owner;
    kept.push_back(std::make_unique<KeptMemory>(piece_of(owner, k)));
  }
  std::thread other([&] { kept.resize(50); });
  for (int k = 0; k < 100; ++k) {
    AlignedVector<double> owner;
    piece_of(owner, k);
  }
  other.join();
}

}  // namespace
}  // namespace scree

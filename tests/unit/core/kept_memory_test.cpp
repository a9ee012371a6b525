#include "scree/core/kept_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <thread>
#include <unistd.h>
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

TEST(KeptMemory, KeepsPiecesThatTheSystemGave) {
  // Of every size around that from which on they come from the system, and of huge pages.
  for (const std::size_t bytes :
       {std::size_t{262'143}, std::size_t{262'144}, std::size_t{262'145}, std::size_t{8} << 20,
        (std::size_t{8} << 20) + 1, (std::size_t{21} << 20) - 1}) {
    auto owner = std::make_unique<AlignedVector<char>>(bytes, 'a');
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(owner->data()) % kCacheLine, 0u);
    const char* const piece = owner->data();
    const KeptMemory kept(piece);
    owner.reset();
    const AlignedVector<char> other(bytes, 'b');
    EXPECT_TRUE(std::all_of(piece, piece + bytes, [](char c) { return c == 'a'; }));
    EXPECT_TRUE(std::ranges::all_of(other, [](char c) { return c == 'b'; }));
  }
}

#if defined(__linux__) && !defined(SCREE_SANITIZED)
/// That the process has in pages of its own [byte].
std::size_t pages_held() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

TEST(KeptMemory, OfArraysThatGrowNothingIsLeftBehind) {
  constexpr std::size_t kMax = std::size_t{6} << 20;
  const std::size_t before = pages_held();
  std::vector<AlignedVector<char>> arrays(4);
  for (std::size_t size = std::size_t{1} << 19; size <= kMax; size += size / 8)
    for (auto& array : arrays) AlignedVector<char>(size, 'x').swap(array);
  EXPECT_LT(pages_held(), before + 4 * kMax + kMax / 8);
}
#endif

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

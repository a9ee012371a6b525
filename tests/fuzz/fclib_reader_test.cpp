/// Problem files with random damage: whatever a file holds, reading it ends with a problem or with
/// a complaint.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>

#include "scree/core/error.hpp"
#include "scree/io/fclib.hpp"
#include "scree/math/random.hpp"

namespace scree::test {
namespace {

std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(FclibReader, EndsWithAProblemOrAComplaintWhateverTheDamage) {
  constexpr std::uint64_t kSeed = 20260301;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  const auto path = std::filesystem::temp_directory_path() / "scree_fclib_reader_test.hdf5";
  RandomStream random{kSeed, 0};
  int good = 0, bad = 0;
  for (const char* name : {"Rover3865.hdf5", "LMGC_GlobalFrictionContactProblem00046.hdf5"}) {
    const std::string whole = content_of(std::filesystem::path(SCREE_TEST_DATA "/fclib") / name);
    ASSERT_FALSE(whole.empty());
    for (int i = 0; i < 300; ++i) {
      std::string content = whole;
      // Most of what is not numbers stands in the first part.
      for (int n = 0; n < 3; ++n)
        content[random.next_bits() % (i % 2 ? whole.size() : 8192)] =
            static_cast<char>(random.next_bits());
      if (i % 10 == 0) content.resize(random.next_bits() % whole.size());
      std::ofstream(path, std::ios::binary) << content;
      try {
        delassus_problem(read_fclib(path), LawKind::coulomb);
        ++good;
      } catch (const InputError&) {
        ++bad;
      }
    }
  }
  std::filesystem::remove(path);
  EXPECT_GT(good, 50);  // damage to numbers, and where nothing stands
  EXPECT_GT(bad, 100);
}

}  // namespace
}  // namespace scree::test

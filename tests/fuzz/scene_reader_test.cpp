/// Scenes with random damage: reading any file ends with a scene or with a list of problems.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "scree/math/random.hpp"
#include "scree/scene/scene.hpp"

namespace scree::test {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::size_t below(RandomStream& random, std::size_t n) { return random.next_bits() % n; }

/// Changes a text at one random position: a byte, a piece removed or doubled, or text that breaks
/// readers.
void damage(std::string& text, RandomStream& random) {
  static const std::vector<std::string> kStumblingBlocks{
      ".nan", "-.inf", "1e999", "-1",      "0",   "[",   "]",     "{",  "}",   ": ",
      "\n",   "- ",    "&a ",   "*a",      "? ",  "| ",  "\"",    "'",  "!!x", "<<: ",
      "\t",   "#",     "\xff",  "1 m^255", "---", "...", "~",     "mm", "kg",  "1e-320",
      "t/0",  "yes",   "%",     "99999",   ",",   "@1",  "null ", "3.5"};
  if (text.empty()) return;
  const std::size_t at = below(random, text.size());
  const std::size_t length = std::min(below(random, 20), text.size() - at);
  switch (below(random, 5)) {
    case 0:
      text[at] = static_cast<char>(below(random, 256));
      break;
    case 1:
      text.erase(at, length);
      break;
    case 2:
      text.insert(at, text.substr(at, length));
      break;
    case 3:
      text.insert(at, kStumblingBlocks[below(random, kStumblingBlocks.size())]);
      break;
    default:
      text.replace(at, length, kStumblingBlocks[below(random, kStumblingBlocks.size())]);
      break;
  }
}

TEST(SceneReader, ends_with_a_scene_or_a_list_of_problems_whatever_the_damage) {
  constexpr std::uint64_t kSeed = 20250101;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  const std::filesystem::path scenes = SCREE_SOURCE_DIR "/scenes";
  const auto directory = std::filesystem::temp_directory_path() / "scree_scene_reader_test";
  std::filesystem::create_directories(directory);
  std::filesystem::copy_file(scenes / "settled_bed.csv", directory / "settled_bed.csv",
                             std::filesystem::copy_options::overwrite_existing);
  RandomStream random{kSeed, 0};
  int good = 0, bad = 0;
  for (const char* name : {"bouncing.yaml", "shaker.yaml", "pile.yaml", "settled_bed.yaml",
                           "boxes.yaml", "solids.yaml", "clumps.yaml"}) {
    const std::string whole = text_of(scenes / name);
    for (int i = 0; i < 250; ++i) {
      std::string text = whole;
      for (std::size_t n = 1 + below(random, 3); n > 0; --n) damage(text, random);
      std::ofstream(directory / "scene.yaml", std::ios::binary) << text;
      try {
        load_scene(directory / "scene.yaml");
        ++good;
      } catch (const SceneError& e) {
        EXPECT_FALSE(e.problems.empty());
        ++bad;
      }
    }
  }
  EXPECT_GT(good, 50);  // damage to comments and names
  EXPECT_GT(bad, 500);
}

}  // namespace
}  // namespace scree::test

#include "scree/io/parsed_json.hpp"

#include "scree/core/error.hpp"
#include "scree/io/files.hpp"
#include "scree/io/run_manifest.hpp"
#include "unit/io/io_fixture.hpp"

namespace scree {
namespace {

std::string nested(int depth) {
  return "{\"program\": \"scree\", \"manifest_version\": 1, \"a\": " + std::string(depth, '[') +
         std::string(depth, ']') + "}";
}

TEST(ParsedJson, IsTheValueInTheText) {
  EXPECT_EQ(parsed_json(R"({"b": [1, 2], "a": "x"})").dump(), R"({"b":[1,2],"a":"x"})");
  EXPECT_TRUE(parsed_json("{").is_discarded());
  EXPECT_TRUE(parsed_json("").is_discarded());
}

TEST(ParsedJson, IsNoneWhereValuesStandTooDeepInEachOther) {
  EXPECT_TRUE(parsed_json(nested(50)).is_object());
  EXPECT_TRUE(parsed_json(nested(200)).is_discarded());
  EXPECT_TRUE(parsed_json<nlohmann::json>(nested(1'000'000)).is_discarded());
}

TEST(ParsedJson, CountsNoBracketsOfTexts) {
  const std::string brackets(200, '['), text = R"({"a \" )" + brackets + R"(": "\\", "b": []})";
  EXPECT_TRUE(parsed_json(text).is_object()) << text;
  EXPECT_FALSE(nests_deeper(R"(["]]]", [1], {}])", 2));
  EXPECT_TRUE(nests_deeper(R"(["]]]", [1], {"a": []}])", 2));
}

class DeepManifest : public InDirectory {};

TEST_F(DeepManifest, IsRefusedWhereverItIsRead) {
  write_file(directory / "manifest.json", nested(1'000'000));
  EXPECT_THROW(RunManifest{directory}, InputError);
}

}  // namespace
}  // namespace scree

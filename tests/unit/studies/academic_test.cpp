#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>

#include "scree/studies/academic_contact.hpp"
#include "scree/studies/studies.hpp"
#include "unit/studies/reference.hpp"

namespace scree::studies {
namespace {

using nlohmann::json;

void expect_near(const json& ours, const json& expected) {
  ASSERT_EQ(ours.size(), expected.size());
  for (std::size_t k = 0; k < ours.size(); ++k)
    EXPECT_NEAR(ours[k], expected[k], 1e-10) << "component " << k;
}

void expect_solution(const json& ours, const json& expected) {
  expect_near(ours["impulse"], expected["r"]);
  if (expected.contains("u")) expect_near(ours["velocity"], expected["u"]);
  EXPECT_NEAR(ours["energy"], expected["energy"], 1e-10);
}

json results_of_the_study() {
  // Tests run at the same time: each has a directory of its own.
  const auto out = std::filesystem::temp_directory_path() /
                   (std::string("scree_academic_") +
                    testing::UnitTest::GetInstance()->current_test_info()->name());
  std::filesystem::create_directories(out);
  academic(out);
  std::ifstream in(out / "results.json");
  return json::parse(in);
}

TEST(Academic, HasTheContactOfTheSixMassesAndItsSolutionsInEachFrame) {
  const json results = results_of_the_study();
  const json reference_frames = reference("academic_contact.json")["frames"];
  for (const auto& [ours, theirs] : {std::pair{"as_printed", "printed_frame"},
                                     {"orthonormal_same_physics", "orthonormal_same_physics"},
                                     {"orthonormal_same_friction", "orthonormal_same_friction"}}) {
    const json &frame = results[ours], &expected = reference_frames[theirs];
    EXPECT_NEAR(frame["friction"], expected["friction"], 1e-14);
    for (std::size_t k = 0; k < 3; ++k) expect_near(frame["W"][k], expected["W"][k]);
    expect_near(frame["q"], expected["q"]);
    ASSERT_EQ(frame["coulomb"].size(), 3U);
    for (std::size_t k = 0; k < 3; ++k)
      expect_solution(frame["coulomb"][k], expected["coulomb"][k]);
    expect_solution(frame["max_dissipation"], expected["max_dissipation"]);
    expect_solution(frame["cone_complementarity"], expected["cone_complementarity"]);
  }
}

TEST(Academic, GivesEveryPrintedDigitInTheFrameThatWasPrinted) {
  const json results = results_of_the_study();
  EXPECT_EQ(results["table"].size(), 25U);
  for (const json& row : results["table"]) EXPECT_TRUE(row["same_digits"]) << row["quantity"];
  EXPECT_NEAR(printed_tangent_length(), 0.9683134693644406, 1e-15);
}

}  // namespace
}  // namespace scree::studies

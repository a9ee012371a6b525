#include <filesystem>
#include <gtest/gtest.h>

#include "scree/studies/studies.hpp"
#include "unit/studies/reference.hpp"

namespace scree::studies {
namespace {

using nlohmann::json;

TEST(Painleve, GivesEveryPrintedDigitButThoseOfTable1) {
  const auto out = std::filesystem::temp_directory_path() / "scree_painleve_test";
  std::filesystem::create_directories(out);
  painleve(out);
  std::ifstream in(out / "results.json");
  const json results = json::parse(in);
  for (const json& row : results["table"]) {
    const bool table_1 = row["quantity"].get<std::string>().starts_with("Table 1");
    EXPECT_EQ(row["same_digits"], !table_1) << row["quantity"];
  }
  for (const char* file :
       {"table.md", "stiff_limit.csv", "penetration.csv", "law_runs.csv", "forces_1e4.csv"})
    EXPECT_GT(std::filesystem::file_size(out / file), 1000U) << file;
}

}  // namespace
}  // namespace scree::studies

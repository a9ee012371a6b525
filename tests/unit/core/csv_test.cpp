#include "scree/core/csv.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace scree {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(const std::string& text) {
  const auto file =
      std::filesystem::temp_directory_path() / ("table_" + std::to_string(getpid()) + ".csv");
  std::ofstream(file) << text;
  Rows rows;
  EXPECT_EQ(read_csv(file,
                     [&](int, const std::vector<std::string_view>& cells) {
                       rows.emplace_back(cells.begin(), cells.end());
                       return true;
                     }),
            "");
  std::filesystem::remove(file);
  return rows;
}

TEST(Csv, CommasInQuotesArePartOfACell) {
  EXPECT_EQ(rows_of("part,force_z\n\"floor, left\", -9.81\n wall,1\n"),
            (Rows{{"part", "force_z"}, {"floor, left", "-9.81"}, {"wall", "1"}}));
}

TEST(Csv, ACellIsInQuotesWhereItMustBe) {
  EXPECT_EQ(csv_cell("arm"), "arm");
  EXPECT_EQ(csv_cell("arm, left"), "\"arm, left\"");
  EXPECT_EQ(csv_cell("5\" pipe"), "\"5\"\" pipe\"");
  EXPECT_EQ(csv_cell("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(rows_of("1," + csv_cell("arm, left") + ",2\n"), (Rows{{"1", "arm, left", "2"}}));
}

TEST(Csv, AQuoteWithinACellOrOneThatDoesNotEndIsACharacter) {
  EXPECT_EQ(rows_of("5\" pipe,2,3\"\n"), (Rows{{"5\" pipe", "2", "3"}}));
  EXPECT_EQ(rows_of("\"open,2,3\n").front().size(), 3u);
}

}  // namespace
}  // namespace scree

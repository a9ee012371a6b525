#include "scree/core/spelling.hpp"

#include <gtest/gtest.h>

namespace scree {
namespace {

TEST(Spelling, CountsSwapsAsOneEdit) {
  EXPECT_EQ(edit_distance("radius", "raduis"), 1U);
  EXPECT_EQ(edit_distance("radius", "radius"), 0U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
}

TEST(Spelling, SuggestsTheNearestName) {
  EXPECT_EQ(suggestion("raduis", {"density", "radius", "ring"}), "; did you mean 'radius'?");
}

TEST(Spelling, SuggestsAllNamesThatAreEquallyNear) {
  const std::vector<std::string> quantities{"time", "bodies", "bodies_in", "bodies_out"};
  EXPECT_EQ(suggestion("bodies_gone", quantities), "; did you mean 'bodies_in' or 'bodies_out'?");
  EXPECT_EQ(suggestion("x", {"a", "b", "c", "d"}), "; did you mean 'a', 'b' or 'c'?");
}

TEST(Spelling, ListsTheNamesIfNoneIsNear) {
  EXPECT_EQ(suggestion("walk", {"run", "batch"}), "; allowed are run, batch");
  EXPECT_EQ(suggestion("walk", {}), "");
  EXPECT_EQ(suggestion(std::string(1000, 'r'), {"run"}), "; allowed are run");
}

}  // namespace
}  // namespace scree

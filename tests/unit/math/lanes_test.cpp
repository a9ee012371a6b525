#include "scree/math/lanes.hpp"

#include <gtest/gtest.h>

namespace scree {
namespace {

template <int N>
void expect_transposed() {
  Lanes<N> m[N];
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) m[i][j] = 10 * i + j;
  transpose<N>(m);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) EXPECT_EQ(m[i][j], 10 * j + i);
}

TEST(Lanes, TransposeRowsToColumns) {
  expect_transposed<4>();
  expect_transposed<8>();
}

}  // namespace
}  // namespace scree

#include "scree/solvers/contact_problem.hpp"

#include <Eigen/QR>

namespace scree {

FullContact FullBlock::contact(int lane) const {
  FullContact c{.a = a[lane], .b = b[lane], .law = law};
  for (int row = 0; row < 3; ++row) {
    for (int k = 0; k < 3; ++k) {
      c.axis[row][k] = axis[row][k][lane];
      c.turn_a[row][k] = turn_a[row][k][lane];
      c.turn_b[row][k] = turn_b[row][k][lane];
    }
    c.bias[row] = bias[row][lane];
    c.percussion[row] = percussion[row][lane];
  }
  c.W = {W[0][lane], W[1][lane], W[2][lane], W[3][lane], W[4][lane], W[5][lane]};
  return c;
}

void FullBlock::set(int lane, const FullContact& c) {
  a[lane] = c.a;
  b[lane] = c.b;
  for (int row = 0; row < 3; ++row) {
    for (int k = 0; k < 3; ++k) {
      axis[row][k][lane] = c.axis[row][k];
      turn_a[row][k][lane] = c.turn_a[row][k];
      turn_b[row][k][lane] = c.turn_b[row][k];
    }
    bias[row][lane] = c.bias[row];
    percussion[row][lane] = c.percussion[row];
  }
  const double entries[6] = {c.W.xx, c.W.xy, c.W.xz, c.W.yy, c.W.yz, c.W.zz};
  for (int k = 0; k < 6; ++k) W[k][lane] = entries[k];
}

FullBlock FullBlock::empty(std::uint32_t law, std::uint32_t stack, BodyIndex at_rest) {
  FullBlock block{};
  block.law = law;
  block.stack = stack;
  std::ranges::fill(block.a, at_rest);
  std::ranges::fill(block.b, at_rest);
  // Any that is positive definite: with q = 0, r = 0 follows.
  for (const int entry : {0, 3, 5}) std::ranges::fill(block.W[entry], 1.0);
  return block;
}

void JointBlock::set_inverse(std::span<const BodyRecord> bodies) {
  using Matrix =
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, kMostRows, kMostRows>;
  const BodyRecord &of_a = bodies[a], &of_b = bodies[b];
  Matrix W(rows, rows);
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < rows; ++k)
      W(i, k) = (of_a.inverse_mass + of_b.inverse_mass) * dot(axis[i], axis[k]) +
                of_a.inverse_inertia * dot(turn_a[i], turn_a[k]) +
                of_b.inverse_inertia * dot(turn_b[i], turn_b[k]);
  trace = W.trace();
  const Matrix pseudoinverse = W.completeOrthogonalDecomposition().pseudoInverse();
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < rows; ++k) inverse[i][k] = pseudoinverse(i, k);
}

}  // namespace scree

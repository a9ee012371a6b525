#include <Eigen/Dense>
#include <array>
#include <gtest/gtest.h>
#include <random>

#include "solvers/methods/bounded_rows.hpp"
#include "solvers/methods/dense_elimination.hpp"
#include "solvers/methods/sparse_elimination.hpp"

namespace scree {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd random_matrix(Eigen::Index rows, Eigen::Index columns, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  return MatrixXd::NullaryExpr(rows, columns, [&] { return number(random); });
}

const kernels::DenseKernels& dense_kernels(InstructionSet set) {
  return kernels::kernels_of(set).dense;
}

TEST(DenseElimination, SolvesAsEigenDoesWithTheSameBitsOnEveryInstructionSet) {
  std::mt19937 random(1);
  for (Eigen::Index n = 1; n <= 40; ++n) {
    const MatrixXd A = random_matrix(n, n, random);
    const VectorXd b = random_matrix(n, 1, random), x = A.partialPivLu().solve(b);
    std::vector<double> first;
    for (const InstructionSet set : instruction_sets()) {
      DenseElimination elimination;
      MatrixXd::Map(elimination.clear(static_cast<std::size_t>(n)), n, n) = A;
      ASSERT_TRUE(elimination.factorise(dense_kernels(set)));
      std::vector<double> solved(b.data(), b.data() + n);
      elimination.solve(solved);
      EXPECT_LT((A * VectorXd::Map(solved.data(), n) - b).norm(), 1e-12 * (1 + x.norm()));
      if (first.empty()) first = solved;
      EXPECT_EQ(solved, first);
    }
  }
}

TEST(DenseElimination, SaysThatAMatrixIsSingular) {
  DenseElimination elimination;
  double* const A = elimination.clear(3);
  A[0] = A[4] = 1;  // and nothing in the third column
  EXPECT_FALSE(elimination.factorise(kernels::scalar_kernels.dense));
}

TEST(SparseElimination, HasTheEntriesOfTheInverseWhereTheMatrixHasSome) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int rows = 1; rows <= 40; ++rows) {
    std::vector<SparseElimination::Entry> entries;
    for (int i = 0; i < rows; ++i)
      for (int k = 0; k <= i; ++k)
        if (i == k || number(random) > 0.7) entries.push_back({i, k});
    SparseElimination elimination;
    elimination.lay_out(rows, entries);
    MatrixXd A = MatrixXd::Zero(rows, rows);
    for (std::size_t k = 0; k < entries.size(); ++k) {
      const auto [row, column] = entries[k];
      A(row, column) = A(column, row) = row == column ? 2 * rows : number(random);
      elimination.value(k) = A(row, column);
    }
    elimination.factorise();
    elimination.invert();
    const MatrixXd inverse = A.inverse();
    for (const auto& [row, column] : entries)
      EXPECT_NEAR(
          elimination.inverse(elimination.position_of(row), elimination.position_of(column)),
          inverse(row, column), 1e-14);
  }
}

/// Rows of legs of a few joints that meet in a trunk; columns beside them begin at their feet.
TEST(EliminationPanel, HasWhatADenseEliminationHas) {
  constexpr int kLegs = 4, kLong = 5, kRows = kLegs * kLong + 2, kTrunk = kLegs * kLong;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(0.1, 1);
  std::vector<SparseElimination::Entry> entries;
  for (int row = 0; row < kRows; ++row) entries.push_back({row, row});
  for (int leg = 0; leg < kLegs; ++leg)
    for (int k = 0; k < kLong; ++k)
      entries.push_back({k + 1 < kLong ? leg * kLong + k + 1 : kTrunk, leg * kLong + k});
  entries.push_back({kTrunk + 1, kTrunk});
  SparseElimination W;
  W.lay_out(kRows, entries);
  MatrixXd dense = MatrixXd::Zero(kRows, kRows);
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const auto [row, column] = entries[k];
    W.value(k) = dense(row, column) = dense(column, row) = row == column ? 4 : -number(random);
  }
  W.factorise();

  // Two columns of each foot, one of each second row.
  MatrixXd feet = MatrixXd::Zero(kRows, 2 * kLegs), knees = MatrixXd::Zero(kRows, kLegs);
  EliminationPanel of_feet, of_knees;
  of_feet.begin(kRows);
  of_knees.begin(kRows);
  const auto reach = [&](int row) { return W.reach(std::vector<int>{W.position_of(row)}); };
  for (int leg = 0; leg < kLegs; ++leg) {
    of_feet.add_columns(reach(leg * kLong), static_cast<std::size_t>(2 * leg), 2);
    of_knees.add_columns(reach(leg * kLong + 1), static_cast<std::size_t>(leg), 1);
  }
  of_feet.make_room();
  of_knees.make_room();
  const auto set = [&](EliminationPanel& panel, MatrixXd& as_dense, int row, int column) {
    panel.at(static_cast<std::size_t>(W.position_of(row)), static_cast<std::size_t>(column)) =
        as_dense(row, column) = number(random);
  };
  for (int leg = 0; leg < kLegs; ++leg) {
    set(of_feet, feet, leg * kLong, 2 * leg);
    set(of_feet, feet, leg * kLong, 2 * leg + 1);
    set(of_knees, knees, leg * kLong + 1, leg);
  }
  const kernels::DenseKernels& kernels = dense_kernels(widest_instruction_set());
  W.forward(of_feet, kernels);
  W.forward(of_knees, kernels);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  RowMajor products = RowMajor::Zero(kLegs, 2 * kLegs);
  W.take_products(of_knees, of_feet, products.data(), 2 * kLegs, kernels);
  EXPECT_LT((products + knees.transpose() * dense.ldlt().solve(feet)).norm(), 1e-13);

  // With a vector: −Aᵀ D⁻¹ L⁻¹ x.
  const VectorXd x = random_matrix(kRows, 1, random);
  std::vector<double> half(kRows), y(2 * kLegs, 0.0);
  for (int row = 0; row < kRows; ++row) half[static_cast<std::size_t>(W.position_of(row))] = x[row];
  W.forward(half);
  for (int place = 0; place < kRows; ++place)
    half[static_cast<std::size_t>(place)] /= W.pivot(place);
  of_feet.take_products(half, y);
  EXPECT_LT((VectorXd::Map(y.data(), 2 * kLegs) + feet.transpose() * dense.ldlt().solve(x)).norm(),
            1e-13);
  // And back: W⁻¹ A y by L⁻ᵀ D⁻¹.
  std::vector<double> back(kRows, 0.0);
  of_feet.add_columns_times(y, back);
  W.backward(back);
  const VectorXd expected = dense.ldlt().solve(feet * VectorXd::Map(y.data(), 2 * kLegs));
  for (int row = 0; row < kRows; ++row)
    EXPECT_NEAR(back[static_cast<std::size_t>(W.position_of(row))], expected[row], 1e-13);
}

TEST(BoundedRows, TakeWhatRowsAtNoBoundMakeOfOthers) {
  constexpr Eigen::Index kRows = 7, kColumns = 5;
  std::mt19937 random(1);
  const MatrixXd A = random_matrix(kRows, kRows, random);
  BoundedRows rows;
  rows.lay_out(std::array<Eigen::Index, kRows>{0, 1, 2, 3, 4, 5, 6});
  rows.matrix() = A * A.transpose() + MatrixXd::Identity(kRows, kRows);
  rows.changed();
  const VectorXd q = 5 * random_matrix(kRows, 1, random), max_value = VectorXd::Constant(kRows, 1);
  VectorXd r = VectorXd::Zero(kRows);
  ASSERT_TRUE(rows.solve(q, -max_value, max_value, r));
  std::vector<Eigen::Index> free;
  for (Eigen::Index k = 0; k < kRows; ++k)
    if (std::abs(r[k]) < 1) free.push_back(k);
  ASSERT_FALSE(free.empty());
  ASSERT_LT(free.size(), std::size_t{kRows});

  using RowMajor = Eigen::Matrix<double, kRows, kColumns, Eigen::RowMajor>;
  const RowMajor B = random_matrix(kRows, kColumns, random);
  MatrixXd Y = MatrixXd::Zero(kColumns, kColumns);
  rows.take_free({B.data(), kRows * kColumns}, kColumns, {Y.data(), kColumns * kColumns},
                 dense_kernels(widest_instruction_set()));
  const MatrixXd of_free = MatrixXd(B)(free, Eigen::all);
  const MatrixXd S = rows.matrix()(free, free);
  EXPECT_LT((Y + of_free.transpose() * S.ldlt().solve(of_free)).norm(), 1e-12);
}

/// Rows along few coordinates, such as a motor, a damper and dry friction in each joint.
struct RowsOfCoordinates {
  static constexpr Eigen::Index kRows = 8, kCoordinates = 4;
  static constexpr std::array<Eigen::Index, kRows> kCoordinateOf{0, 0, 0, 1, 2, 2, 3, 3};
  MatrixXd S;
  VectorXd d, q, max_value;

  explicit RowsOfCoordinates(std::mt19937& random) {
    const MatrixXd A = random_matrix(kCoordinates, kCoordinates, random);
    S = A * A.transpose() + MatrixXd::Identity(kCoordinates, kCoordinates);
    d = random_matrix(kRows, 1, random).cwiseAbs() + VectorXd::Constant(kRows, 1e-2);
    d[1] = d[4] = 1e-9;  // dry friction
    q = 2 * random_matrix(kRows, 1, random);
    max_value = VectorXd::Constant(kRows, 0.5);
  }
  MatrixXd of_rows() const { return S(kCoordinateOf, kCoordinateOf); }
};

TEST(BoundedRows, AlongOneCoordinateAnswerAsTheSameRowsEachByItself) {
  std::mt19937 random(3);
  int at_bounds = 0, parallel = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const RowsOfCoordinates p(random);
    BoundedRows together, apart;
    together.lay_out(p.kCoordinateOf);
    together.matrix() = p.S;
    together.softness() = p.d;
    apart.lay_out(std::array<Eigen::Index, p.kRows>{0, 1, 2, 3, 4, 5, 6, 7});
    apart.matrix() = p.of_rows();
    apart.matrix().diagonal() += p.d;
    VectorXd r = VectorXd::Zero(p.kRows), expected = r;
    ASSERT_TRUE(together.solve(p.q, -p.max_value, p.max_value, r));
    ASSERT_TRUE(apart.solve(p.q, -p.max_value, p.max_value, expected));
    EXPECT_LT((r - expected).norm(), 1e-6) << trial;  // rounding over d
    const VectorXd w = p.of_rows() * r + p.d.cwiseProduct(r) + p.q;
    int between = 0;
    for (Eigen::Index k = 0; k < p.kRows; ++k) {
      if (std::abs(r[k]) < p.max_value[k]) EXPECT_NEAR(w[k], 0, 1e-14) << trial;
      between += k < 3 && std::abs(r[k]) < p.max_value[k];
      at_bounds += std::abs(r[k]) == p.max_value[k];
    }
    parallel += between > 1;

    const MatrixXd B = random_matrix(p.kCoordinates, 1, random);
    MatrixXd Y = MatrixXd::Zero(1, 1), of_each = Y;
    const VectorXd B_of_rows = B(p.kCoordinateOf, 0);
    together.take_free({B.data(), p.kCoordinates}, 1, {Y.data(), 1}, dense_kernels({}));
    apart.take_free({B_of_rows.data(), p.kRows}, 1, {of_each.data(), 1}, dense_kernels({}));
    EXPECT_NEAR(Y(0, 0), of_each(0, 0), 1e-7) << trial;
  }
  EXPECT_GT(at_bounds, 100);
  EXPECT_GT(parallel, 10);
}

}  // namespace
}  // namespace scree

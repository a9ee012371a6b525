#include "solvers/methods/sparse_drives.hpp"

#include <Eigen/Dense>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>

#include "scree/math/random.hpp"
#include "solvers/methods/bounded_rows.hpp"

namespace scree {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Rows of a band, some of them with bounds, and what is to be undone.
struct Problem {
  Index held, driven;
  MatrixXd W;
  VectorXd u, min_value, max_value, r;

  Problem(Index held_rows, Index driven_rows, RandomStream& random)
      : held(held_rows), driven(driven_rows) {
    const Index n = held + driven;
    MatrixXd G = MatrixXd::Zero(n, n + 1);
    for (Index k = 0; k < n; ++k)
      for (Index j = k; j < std::min(n + 1, k + 3); ++j) G(k, j) = random.uniform(-1, 1);
    // Driven rows between the held ones of their neighbours.
    Eigen::PermutationMatrix<Eigen::Dynamic> order(n);
    order.setIdentity();
    for (Index k = n; k-- > 1;)
      std::swap(order.indices()[k],
                order.indices()[static_cast<Index>(random.uniform(0, static_cast<double>(k + 1)))]);
    G = order * G;
    W = G * G.transpose() + 0.01 * MatrixXd::Identity(n, n);
    u = VectorXd::NullaryExpr(n, [&] { return random.uniform(-1, 1); });
    const double none = std::numeric_limits<double>::infinity();
    min_value =
        VectorXd::NullaryExpr(driven, [&] { return random.uniform(-1, 0) < -0.3 ? -0.1 : 0; });
    max_value =
        VectorXd::NullaryExpr(driven, [&] { return random.uniform(0, 1) < 0.5 ? none : 0.2; });
    r = VectorXd::Zero(driven);
  }
};

TEST(SparseDrives, AnswerAsADenseComplementDoes) {
  RandomStream random{5, 0};
  for (int trial = 0; trial < 50; ++trial) {
    Problem p(30 + trial, 20 + trial, random);
    SparseDrives sparse;
    std::vector<SparseElimination::Entry> entries;
    for (Index i = 0; i < p.W.rows(); ++i)
      for (Index k = 0; k <= i; ++k)
        if (p.W(i, k) != 0) entries.push_back({static_cast<int>(i), static_cast<int>(k)});
    sparse.lay_out(static_cast<std::size_t>(p.held), static_cast<std::size_t>(p.driven), entries);
    for (std::size_t k = 0; k < entries.size(); ++k)
      sparse.value(k) = p.W(entries[k].row, entries[k].column);
    sparse.changed();
    const std::vector<double> none(static_cast<std::size_t>(p.held), 0.0);
    VectorXd r = p.r, d(p.W.rows());
    ASSERT_TRUE(sparse.solve({p.u.data(), static_cast<std::size_t>(p.u.size())}, none, p.min_value,
                             p.max_value, r, {d.data(), static_cast<std::size_t>(d.size())}));

    // S = W_dd − W_df W_ff⁻¹ W_fd, of what is left of u.
    const MatrixXd inverse = p.W.topLeftCorner(p.held, p.held).inverse();
    const MatrixXd W_df = p.W.bottomLeftCorner(p.driven, p.held);
    BoundedRows dense;
    std::vector<Index> coordinates(static_cast<std::size_t>(p.driven));
    std::iota(coordinates.begin(), coordinates.end(), Index{0});
    dense.lay_out(coordinates);
    dense.matrix() = p.W.bottomRightCorner(p.driven, p.driven) - W_df * inverse * W_df.transpose();
    dense.changed();
    const VectorXd q = p.u.tail(p.driven) - W_df * inverse * p.u.head(p.held);
    VectorXd expected = p.r;
    ASSERT_TRUE(dense.solve(q, p.min_value, p.max_value, expected));
    EXPECT_LT((r - expected).lpNorm<Eigen::Infinity>(), 1e-9) << trial;
    EXPECT_LT((d.tail(p.driven) - r).lpNorm<Eigen::Infinity>(), 1e-12);
    // Held rows are undone.
    EXPECT_LT((p.u + p.W * d).head(p.held).lpNorm<Eigen::Infinity>(), 1e-9) << trial;
  }
}

TEST(SparseDrives, LeaveOutWhatNoImpulsesBringAbout) {
  // Two held rows that are one and the same, asked for opposite rates; a driven row apart.
  SparseDrives sparse;
  sparse.lay_out(2, 1, {{0, 0}, {1, 0}, {1, 1}, {2, 2}});
  const double shift = 1e-9;
  const double entries[] = {1 + shift, 1, 1 + shift, 1};
  for (std::size_t k = 0; k < 4; ++k) sparse.value(k) = entries[k];
  sparse.changed();
  const double u[] = {1, -1, 0.5}, shifts[] = {shift, shift};
  const VectorXd min_value = VectorXd::Constant(1, -1), max_value = VectorXd::Constant(1, 1);
  VectorXd r = VectorXd::Zero(1), d(3);
  ASSERT_TRUE(sparse.solve(u, shifts, min_value, max_value, r, {d.data(), 3}));
  // Of 1/shift what rounding of W leaves, 1e-16 over the shift.
  EXPECT_LT(d.head(2).lpNorm<Eigen::Infinity>(), 10 * 1e-16 / (shift * shift));
  EXPECT_NEAR(r[0], -0.5, 1e-12);
}

}  // namespace
}  // namespace scree

/// Denominator of E_s for a problem given by a matrix: the speeds that contacts must undo, after
/// the joints have acted alone.
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "scree/solvers/friction_contact_problem.hpp"
#include "solvers/operators/blocks.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

std::vector<int> rows_of_joints(const std::vector<LawRun>& laws) {
  std::vector<int> rows;
  for_each_block(laws, [&]<class Law>(const Law& law, int row) {
    if constexpr (std::is_same_v<Law, JointRows>)
      for (int k = 0; k < law.rows; ++k) rows.push_back(row + k);
  });
  return rows;
}

/// Columns of the identity of `rows` rows that pick those given.
SparseMatrix columns_that_pick(const std::vector<int>& picked, Eigen::Index rows) {
  SparseMatrix P(rows, static_cast<Eigen::Index>(picked.size()));
  P.reserve(Eigen::VectorXi::Constant(rows, 1));
  for (std::size_t j = 0; j < picked.size(); ++j) P.insert(picked[j], static_cast<int>(j)) = 1;
  P.makeCompressed();
  return P;
}

Vector product(const FrictionContactProblem& problem, const Vector& r) { return problem.W * r; }
Vector product(const FactoredProblem& problem, const Vector& r) {
  return problem.G * Vector(problem.G.transpose() * r);
}
SparseMatrix block_of(const FrictionContactProblem& problem, const SparseMatrix& P) {
  return P.transpose() * problem.W * P;
}
SparseMatrix block_of(const FactoredProblem& problem, const SparseMatrix& P) {
  const SparseMatrix G = P.transpose() * problem.G;
  return G * SparseMatrix(G.transpose());
}

/// u after impulses of the joints alone, which stop what their rows miss [m/s].
template <class Problem>
Vector velocity_on_joints(const Problem& problem, const SparseMatrix& P) {
  // Rows that depend on each other make the block singular: refinement takes the shift out again.
  constexpr int kRefinements = 4;
  Eigen::SparseMatrix<double> W = block_of(problem, P);
  const double shift = kDelassusRegularisation * W.diagonal().maxCoeff();
  for (Eigen::Index row = 0; row < W.rows(); ++row) W.coeffRef(row, row) += shift;
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factors(W);
  Vector r = Vector::Zero(P.cols()), u = problem.q;
  for (int k = 0; k < kRefinements; ++k) {
    r -= factors.solve(Vector(P.transpose() * u));
    u = problem.q + product(problem, P * r);
  }
  return u.allFinite() ? u : problem.q;
}

/// Σ c² of the contacts that close at the velocities u [m²/s²].
double squared_closing_at(const Vector& u, const std::vector<LawRun>& laws) {
  double sum = 0;
  for_each_block(laws, [&]<class Law>(const Law& law, int row) {
    if constexpr (!std::is_same_v<Law, JointRows>)
      sum += std::pow(std::max(0.0, closing_speed(law, Blocks::at(u, row))), 2);
  });
  return sum;
}

template <class Problem>
double undone_speed_of(const Problem& problem) {
  const std::vector<int> joints = rows_of_joints(problem.laws);
  if (joints.empty()) return std::sqrt(squared_closing_at(problem.q, problem.laws));
  const SparseMatrix P = columns_that_pick(joints, problem.q.size());
  const double missed = Vector(P.transpose() * problem.q).norm();
  const double closing =
      std::sqrt(squared_closing_at(velocity_on_joints(problem, P), problem.laws));
  return closing > kRoundingOfJoints * missed ? closing : missed;
}

}  // namespace

double undone_speed(const FrictionContactProblem& problem) { return undone_speed_of(problem); }
double undone_speed(const FactoredProblem& problem) { return undone_speed_of(problem); }

}  // namespace scree

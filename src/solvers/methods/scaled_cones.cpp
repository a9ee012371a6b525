/// Scaling of a problem to self-dual cones.
#include "solvers/methods/scaled_cones.hpp"

#include <type_traits>

#include "solvers/operators/cones.hpp"

namespace scree {

ScaledCones::ScaledCones(const MatrixOperator& system) : system_(system) {
  add_rows();
  velocity_ = system.q().lpNorm<Eigen::Infinity>();
  if (!(velocity_ > 0)) velocity_ = 1;
  impulse_ = velocity_ / system.largest_diagonal();
  q_.resize(size_);
  for (int i = 0; i < size_; ++i) q_[i] = system.q()[row_[i]] * factor_[i] / velocity_;
  scale_operator();
}

void ScaledCones::add_rows() {
  index_.assign(system_.rows(), -1);
  system_.for_each_block([&]<class Law>(const Law& law, int block) {
    const int row = system_.first_row(block);
    if constexpr (std::is_same_v<Law, JointRows>) {
      for (int k = 0; k < law.rows; ++k) add_row(row + k, 1);
    } else if constexpr (is_round_cone<Law>()) {
      add_cone(row, law.mu, is_shifted_cone<Law>());
    } else {
      add_cone(row, 0, false);
    }
  });
}

void ScaledCones::add_cone(int row, double mu, bool shifted) {
  if (mu > 0) {
    cones_.push_back({row, size_, 3, round_cones_++, shifted});
    add_row(row, 1 / mu);
    add_row(row + 1, 1);
    add_row(row + 2, 1);
  } else {
    cones_.push_back({row, size_, 1, half_lines_++, false});
    add_row(row, 1);
  }
}

void ScaledCones::add_row(int row, double factor) {
  index_[row] = size_++;
  row_.push_back(row);
  factor_.push_back(factor);
}

void ScaledCones::scale_operator() {
  std::vector<Eigen::Triplet<double>> entries;
  for (int block = 0; block < system_.blocks(); ++block)
    system_.for_each_column(block, [&](int column, const double* value) {
      const int j = index_[column];
      for (int k = 0; k < system_.rows_of(block); ++k)
        if (const int i = index_[system_.first_row(block) + k]; i >= 0 && j >= 0)
          entries.emplace_back(i, j,
                               value[k] * factor_[i] * factor_[j] / system_.largest_diagonal());
    });
  // Extend the pattern by the cones' diagonal blocks and the whole diagonal.
  for (const Cone& c : cones_)
    for (int k = 0; k < c.size; ++k)
      for (int l = 0; l < c.size; ++l) entries.emplace_back(c.first + k, c.first + l, 0.0);
  for (int i = 0; i < size_; ++i) entries.emplace_back(i, i, 0.0);
  W_.resize(size_, size_);
  W_.setFromTriplets(entries.begin(), entries.end());
}

Vector ScaledCones::impulse(const Vector& x) const {
  Vector r = Vector::Zero(system_.rows());
  for (int i = 0; i < size_; ++i) r[row_[i]] = x[i] * factor_[i] * impulse_;
  return r;
}

}  // namespace scree

/// Dense LDLᵀ and pivots for rows with bounds. Our own.
#include "solvers/methods/bounded_rows.hpp"

#include <algorithm>
#include <limits>

namespace scree {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

void BoundedRows::lay_out(std::span<const Index> coordinates) {
  const auto rows = static_cast<Index>(coordinates.size());
  const Index count = coordinates.empty() ? 0 : coordinates.back() + 1;
  coordinate_ = Eigen::VectorX<Index>::Map(coordinates.data(), rows);
  first_.clear();
  for (Index k = 0; k < rows; ++k)
    if (k == 0 || coordinate_[k] != coordinate_[k - 1]) first_.push_back(k);
  first_.push_back(rows);
  for (MatrixXd* matrix : {&S_, &L_}) matrix->resize(count, count);
  for (VectorXd* of_coordinates : {&x_, &R_, &answer_}) of_coordinates->resize(count);
  d_ = VectorXd::Zero(rows);
  w_.resize(rows);
  for (auto* of_rows : {&at_, &next_, &factorised_at_}) of_rows->resize(coordinates.size());
  between_.resize(static_cast<std::size_t>(count));
  parallel_.resize(static_cast<std::size_t>(count));
  factorised_ = false;
}

void BoundedRows::add_up(const VectorXd& r, VectorXd& R) const {
  R.setZero();
  for (Index k = 0; k < r.size(); ++k) R[coordinate_[k]] += r[k];
}

void BoundedRows::find_parallel() {
  count_ = 0;
  for (Index c = 0; c < coordinates(); ++c) {
    Parallel& of = parallel_[static_cast<std::size_t>(c)] = {-1, 1, 0};
    const auto at = static_cast<std::size_t>(c);
    for (Index k = first_[at]; k < first_[at + 1]; ++k)
      if (is_between(k) && (of.hardest < 0 || d_[k] < d_[of.hardest])) of.hardest = k;
    if (of.hardest < 0) continue;
    for_each_other(c, [&](Index k) { of.share += d_[of.hardest] / d_[k]; });
    between_[static_cast<std::size_t>(count_++)] = c;
  }
}

void BoundedRows::factorise() {
  if (factorised_ && factorised_at_ == at_) return;
  factorised_ = true;
  ++factorisations_;
  factorised_at_ = at_;
  find_parallel();
  const Index n = count_;
  const auto row = [&](Index k) { return between_[static_cast<std::size_t>(k)]; };
  for (Index j = 0; j < n; ++j) {
    for (Index i = j; i < n; ++i) L_(i, j) = S_(row(i), row(j));
    const Parallel& of = parallel_[static_cast<std::size_t>(row(j))];
    L_(j, j) += d_[of.hardest] / of.share;
  }
  for (Index k = 0; k < n; ++k) {
    Index largest = k;
    for (Index i = k + 1; i < n; ++i)
      if (L_(i, i) > L_(largest, largest)) largest = i;
    if (largest != k) {
      std::swap(between_[static_cast<std::size_t>(k)], between_[static_cast<std::size_t>(largest)]);
      std::swap(L_(k, k), L_(largest, largest));
      for (Index j = 0; j < k; ++j) std::swap(L_(k, j), L_(largest, j));
      for (Index i = k + 1; i < largest; ++i) std::swap(L_(i, k), L_(largest, i));
      for (Index i = largest + 1; i < n; ++i) std::swap(L_(i, k), L_(i, largest));
    }
    const double pivot = L_(k, k);
    if (!(pivot > std::numeric_limits<double>::min())) {
      // The remaining rows are dependent: their impulses stay zero.
      for (Index j = k; j < n; ++j)
        for (Index i = j; i < n; ++i) L_(i, j) = 0;
      break;
    }
    for (Index j = k + 1; j < n; ++j) {
      const double l = L_(j, k) / pivot;
      for (Index i = j; i < n; ++i) L_(i, j) -= l * L_(i, k);
    }
    for (Index i = k + 1; i < n; ++i) L_(i, k) /= pivot;
  }
}

/// Of the rows in parallel, w = 0 gives each by the hardest, h:   r_k = (q_h − q_k + d_h r_h) /
/// d_k.
void BoundedRows::find_solution(const VectorXd& q, const VectorXd& lower, const VectorXd& upper,
                                VectorXd& r) {
  for (Index k = 0; k < q.size(); ++k) {
    const AtBound at = at_[static_cast<std::size_t>(k)];
    r[k] = at == AtBound::lower ? lower[k] : at == AtBound::upper ? upper[k] : 0;
  }
  factorise();
  if (count_ == 0) return;
  add_up(r, R_);
  answer_.noalias() = S_ * R_;
  for (Index i = 0; i < count_; ++i) {
    const Index c = between_[static_cast<std::size_t>(i)];
    Parallel& of = parallel_[static_cast<std::size_t>(c)];
    of.lead = 0;
    for_each_other(c, [&](Index k) { of.lead += (q[of.hardest] - q[k]) / d_[k]; });
    x_[i] = d_[of.hardest] / of.share * of.lead - answer_[c] - q[of.hardest];
  }
  eliminate();
  for (Index i = 0; i < count_; ++i) {
    const Index c = between_[static_cast<std::size_t>(i)];
    const Parallel& of = parallel_[static_cast<std::size_t>(c)];
    r[of.hardest] = (x_[i] - of.lead) / of.share;
    for_each_other(c, [&](Index k) {
      r[k] = (q[of.hardest] - q[k] + d_[of.hardest] * r[of.hardest]) / d_[k];
    });
  }
}

void BoundedRows::eliminate() {
  const Index n = count_;
  for (Index k = 0; k < n; ++k)
    for (Index i = k + 1; i < n; ++i) x_[i] -= L_(i, k) * x_[k];
  for (Index k = n; k-- > 0;) {
    double x = L_(k, k) > 0 ? x_[k] / L_(k, k) : 0;
    for (Index i = k + 1; i < n; ++i) x -= L_(i, k) * x_[i];
    x_[k] = x;
  }
}

void BoundedRows::take_free(std::span<const double> B, std::size_t columns, std::span<double> Y,
                            const kernels::DenseKernels& dense) {
  const auto count = static_cast<std::size_t>(count_);
  thread_local std::vector<double> halves, scaled;  // L⁻¹ B and D⁻¹ L⁻¹ B
  halves.resize(count * columns);
  scaled.resize(count * columns);
  for (std::size_t k = 0; k < count; ++k)
    std::copy_n(&B[static_cast<std::size_t>(between_[k]) * columns], columns, &halves[k * columns]);
  for (std::size_t k = 0; k < count; ++k) {
    double* const half = &halves[k * columns];
    const auto at = static_cast<Index>(k);
    dense.take_product(
        half, columns, 1, columns,
        {k, L_.data() + at, 0, static_cast<std::size_t>(L_.rows()), halves.data(), columns});
    const double pivot = L_(at, at);
    for (std::size_t c = 0; c < columns; ++c)
      scaled[k * columns + c] = pivot > 0 ? half[c] / pivot : 0;
  }
  kernels::take_upper(dense, Y.data(), columns, columns,
                      {count, scaled.data(), 1, columns, halves.data(), columns});
  for (std::size_t p = 0; p < columns; ++p)
    for (std::size_t c = 0; c < p; ++c) Y[p * columns + c] = Y[c * columns + p];
}

bool BoundedRows::solve(const VectorXd& q, const VectorXd& lower, const VectorXd& upper,
                        VectorXd& r) {
  const auto answer = [&] {
    add_up(r, R_);
    answer_.noalias() = S_ * R_;
    for (Index k = 0; k < q.size(); ++k) w_[k] = answer_[coordinate_[k]] + d_[k] * r[k] + q[k];
  };
  const auto find = [&] {
    find_solution(q, lower, upper, r);
    answer();
  };
  return find_bounds(at_, next_, lower, upper, r, w_, find, answer);
}

}  // namespace scree

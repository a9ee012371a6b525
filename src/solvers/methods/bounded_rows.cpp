/// Dense LDLᵀ and pivots for rows with bounds. Our own.
#include "solvers/methods/bounded_rows.hpp"

#include <algorithm>
#include <limits>

namespace scree {

using Eigen::Index;
using Eigen::VectorXd;

void BoundedRows::resize(Index rows) {
  S_.resize(rows, rows);
  L_.resize(rows, rows);
  w_.resize(rows);
  x_.resize(rows);
  const auto size = static_cast<std::size_t>(rows);
  at_.resize(size);
  next_.resize(size);
  factorised_at_.resize(size);
  between_.resize(size);
  factorised_ = false;
}

void BoundedRows::factorise() {
  if (factorised_ && factorised_at_ == at_) return;
  factorised_ = true;
  ++factorisations_;
  factorised_at_ = at_;
  count_ = 0;
  for (Index k = 0; k < S_.rows(); ++k)
    if (at_[static_cast<std::size_t>(k)] == AtBound::between)
      between_[static_cast<std::size_t>(count_++)] = k;
  const Index n = count_;
  const auto row = [&](Index k) { return between_[static_cast<std::size_t>(k)]; };
  for (Index j = 0; j < n; ++j)
    for (Index i = j; i < n; ++i) L_(i, j) = S_(row(i), row(j));
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

void BoundedRows::find_solution(const VectorXd& q, const VectorXd& lower, const VectorXd& upper,
                                VectorXd& r) {
  bool any_bound = false;
  for (Index k = 0; k < q.size(); ++k) {
    const AtBound at = at_[static_cast<std::size_t>(k)];
    r[k] = at == AtBound::lower ? lower[k] : at == AtBound::upper ? upper[k] : 0;
    any_bound = any_bound || r[k] != 0;
  }
  factorise();
  if (count_ == 0) return;
  w_ = q;
  if (any_bound) w_.noalias() += S_ * r;
  const Index n = count_;
  const auto row = [&](Index k) { return between_[static_cast<std::size_t>(k)]; };
  for (Index k = 0; k < n; ++k) x_[k] = -w_[row(k)];
  eliminate();
  for (Index k = 0; k < n; ++k) r[row(k)] = x_[k];
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
    w_ = q;
    w_.noalias() += S_ * r;
  };
  const auto find = [&] {
    find_solution(q, lower, upper, r);
    answer();
  };
  return find_bounds(at_, next_, lower, upper, r, w_, find, answer);
}

}  // namespace scree

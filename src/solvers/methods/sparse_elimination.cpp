/// Sparse LDLᵀ by up-looking elimination, row by row, by the textbook. Our own.
#include "solvers/methods/sparse_elimination.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <functional>
#include <utility>

namespace scree {

void SparseElimination::lay_out(int rows, std::span<const Entry> entries) {
  order_rows(rows, entries);
  place_entries(rows, entries);
  lay_out_columns(rows_of_factor(rows));
  pivot_.assign(static_cast<std::size_t>(rows), 0.0);
  work_.assign(static_cast<std::size_t>(rows), 0.0);
}

/// Orders rows by minimum degree.
void SparseElimination::order_rows(int rows, std::span<const Entry> entries) {
  std::vector<Eigen::Triplet<double>> both;
  for (const Entry& e : entries) {
    both.emplace_back(e.row, e.column, 1.0);
    if (e.row != e.column) both.emplace_back(e.column, e.row, 1.0);
  }
  Eigen::SparseMatrix<double> graph(rows, rows);
  graph.setFromTriplets(both.begin(), both.end());
  Eigen::PermutationMatrix<Eigen::Dynamic> order;
  Eigen::AMDOrdering<int>()(graph, order);
  position_.assign(static_cast<std::size_t>(rows), 0);
  // The ordering lists the row at each position.
  for (int position = 0; position < rows; ++position)
    position_[static_cast<std::size_t>(order.indices()[position])] = position;
}

/// Lays out the upper triangle by columns: entries sorted by column, then row.
void SparseElimination::place_entries(int rows, std::span<const Entry> entries) {
  struct Placed {
    int column, row;
    std::size_t entry;
  };
  std::vector<Placed> placed;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const int i = position_of(entries[k].row), j = position_of(entries[k].column);
    placed.push_back({std::max(i, j), std::min(i, j), k});
  }
  std::ranges::sort(placed, [](const Placed& a, const Placed& b) {
    return std::pair(a.column, a.row) < std::pair(b.column, b.row);
  });
  at_.assign(entries.size(), 0);
  row_.clear();
  first_.assign(static_cast<std::size_t>(rows) + 1, 0);
  for (std::size_t k = 0; k < placed.size(); ++k) {
    at_[placed[k].entry] = static_cast<std::uint32_t>(k);
    row_.push_back(placed[k].row);
    first_[static_cast<std::size_t>(placed[k].column) + 1] = static_cast<int>(k + 1);
  }
  values_.assign(placed.size(), 0.0);
}

/// Columns of each row of L: row k reaches from its entries up the elimination tree to k.
std::vector<std::vector<int>> SparseElimination::rows_of_factor(int rows) {
  parent_.assign(static_cast<std::size_t>(rows), -1);
  std::vector<int> seen(static_cast<std::size_t>(rows), -1);
  std::vector<std::vector<int>> columns_of(static_cast<std::size_t>(rows));
  for (int k = 0; k < rows; ++k) {
    const auto at = static_cast<std::size_t>(k);
    seen[at] = k;
    for (int p = first_[at]; p < first_[at + 1]; ++p)
      for (int i = row_[static_cast<std::size_t>(p)]; seen[static_cast<std::size_t>(i)] != k;
           i = parent_[static_cast<std::size_t>(i)]) {
        const auto column = static_cast<std::size_t>(i);
        if (parent_[column] < 0) parent_[column] = k;
        seen[column] = k;
        columns_of[at].push_back(i);
      }
    std::ranges::sort(columns_of[at]);
  }
  return columns_of;
}

/// Lays out L by columns, with the indices of its rows there.
void SparseElimination::lay_out_columns(const std::vector<std::vector<int>>& columns_of) {
  std::vector<int> below(columns_of.size(), 0);
  for (const std::vector<int>& columns : columns_of)
    for (const int i : columns) ++below[static_cast<std::size_t>(i)];
  first_below_.assign(columns_of.size() + 1, 0);
  for (std::size_t i = 0; i < below.size(); ++i) first_below_[i + 1] = first_below_[i] + below[i];
  below_.assign(static_cast<std::size_t>(first_below_.back()), 0);
  lower_.assign(below_.size(), 0.0);
  first_before_.assign(1, 0);
  before_.clear();
  end_before_.clear();
  std::vector<int> filled(first_below_.begin(), first_below_.end() - 1);
  for (std::size_t k = 0; k < columns_of.size(); ++k) {
    for (const int i : columns_of[k]) {
      int& end = filled[static_cast<std::size_t>(i)];
      before_.push_back(i);
      end_before_.push_back(end);
      below_[static_cast<std::size_t>(end++)] = static_cast<int>(k);
    }
    first_before_.push_back(static_cast<int>(before_.size()));
  }
}

void SparseElimination::factorise() {
  double* const y = work_.data();
  for (std::size_t k = 0; k < pivot_.size(); ++k) {
    for (int p = first_[k]; p < first_[k + 1]; ++p) y[row_[p]] = values_[p];
    double pivot = y[k];
    y[k] = 0;
    for (int p = first_before_[k]; p < first_before_[k + 1]; ++p) {
      const int i = before_[p], end = end_before_[p];
      const double of_i = y[i];
      y[i] = 0;
      for (int q = first_below_[i]; q < end; ++q) y[below_[q]] -= lower_[q] * of_i;
      const double l = of_i / pivot_[i];
      pivot -= l * of_i;
      lower_[end] = l;
    }
    pivot_[k] = pivot;
  }
}

void SparseElimination::forward(std::span<double> x) const {
  for (std::size_t i = 0; i < pivot_.size(); ++i) {
    const double of_i = x[i];
    for (int q = first_below_[i]; q < first_below_[i + 1]; ++q) x[below_[q]] -= lower_[q] * of_i;
  }
}

void SparseElimination::backward(std::span<double> x) const {
  for (std::size_t i = pivot_.size(); i-- > 0;) {
    double of_i = x[i] / pivot_[i];
    for (int q = first_below_[i]; q < first_below_[i + 1]; ++q) of_i -= lower_[q] * x[below_[q]];
    x[i] = of_i;
  }
}

double SparseElimination::inverse(int position, int other) const {
  const auto column = static_cast<std::size_t>(std::min(position, other));
  const int row = std::max(position, other);
  if (position == other) return inverse_pivot_[column];
  const auto first = below_.begin() + first_below_[column],
             end = below_.begin() + first_below_[column + 1];
  return inverse_[static_cast<std::size_t>(std::lower_bound(first, end, row) - below_.begin())];
}

/// Solves Z = D⁻¹ L⁻¹ + (1 − Lᵀ) Z, whose first term is zero above the diagonal: columns from the
/// last to the first, each from those after it. Where L has L_ki and L_ji, Z has Z_kj.
void SparseElimination::invert() {
  inverse_.assign(lower_.size(), 0.0);
  inverse_pivot_.assign(pivot_.size(), 0.0);
  for (std::size_t i = pivot_.size(); i-- > 0;) {
    double on_diagonal = 1 / pivot_[i];
    for (int p = first_below_[i]; p < first_below_[i + 1]; ++p) {
      double z = 0;
      for (int q = first_below_[i]; q < first_below_[i + 1]; ++q)
        z -= lower_[q] * inverse(below_[q], below_[p]);
      inverse_[p] = z;
      on_diagonal -= lower_[p] * z;
    }
    inverse_pivot_[i] = on_diagonal;
  }
}

std::vector<int> SparseElimination::reach(std::span<const int> positions) const {
  // Climb the tree from all positions at once, the lowest first: paths that meet become one.
  std::vector<int> reached, heads(positions.begin(), positions.end());
  std::ranges::make_heap(heads, std::greater{});
  while (!heads.empty()) {
    std::ranges::pop_heap(heads, std::greater{});
    const int lowest = heads.back();
    heads.pop_back();
    if (!reached.empty() && reached.back() == lowest) continue;
    reached.push_back(lowest);
    const int parent = parent_[static_cast<std::size_t>(lowest)];
    if (parent < 0) continue;
    heads.push_back(parent);
    std::ranges::push_heap(heads, std::greater{});
  }
  return reached;
}

void SparseElimination::forward(EliminationPanel& panel, const kernels::DenseKernels& dense) const {
  for (std::size_t i = 0; i < pivot_.size(); ++i) {
    const kernels::PanelRow row = panel.whole_row(i);
    if (row.width == 0) continue;
    const int first = first_below_[i];
    dense.take_row(row, lower_.data() + first, below_.data() + first,
                   static_cast<std::size_t>(first_below_[i + 1] - first));
  }
}

void SparseElimination::take_products(const EliminationPanel& A, const EliminationPanel& B,
                                      double* C, std::size_t stride,
                                      const kernels::DenseKernels& dense) const {
  using Row = EliminationPanel::Row;
  thread_local std::vector<double> scaled;  // D⁻¹ A
  const auto have_same_columns = [](const Row& one, const Row& other) {
    return one.first == other.first && one.width == other.width;
  };
  for (std::size_t i = 0, end = 0; i < pivot_.size(); i = end) {
    const Row a = A.row(i), b = B.row(i);
    // Consecutive rows with the same columns are contiguous in memory: multiply them together.
    for (end = i + 1; end < pivot_.size(); ++end)
      if (!have_same_columns(a, A.row(end)) || !have_same_columns(b, B.row(end))) break;
    if (a.width == 0 || b.width == 0) continue;
    const std::size_t terms = end - i;
    scaled.resize(std::max(scaled.size(), terms * a.width));
    for (std::size_t k = 0; k < terms; ++k)
      for (std::size_t j = 0; j < a.width; ++j)
        scaled[k * a.width + j] = a.values[k * a.width + j] / pivot_[i + k];
    const kernels::Product product{terms, scaled.data(), 1, a.width, b.values, b.width};
    double* const at = C + a.first * stride + b.first;
    if (&A == &B)
      kernels::take_upper(dense, at, stride, a.width, product);
    else
      dense.take_product(at, stride, a.width, b.width, product);
  }
}

}  // namespace scree

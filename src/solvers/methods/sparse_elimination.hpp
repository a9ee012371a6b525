/// Sparse LDLᵀ of a symmetric matrix with a fixed pattern: laid out once, then factorised and
/// solved many times without allocation. Our own, by the textbook.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/methods/elimination_panel.hpp"

namespace scree {

class SparseElimination {
 public:
  /// Entry of the lower triangle, row ≥ column. Each is listed once, and the diagonal is complete.
  struct Entry {
    int row, column;
  };
  /// Orders the rows so that L is sparse, and lays out L.
  void lay_out(int rows, std::span<const Entry> entries);

  int rows() const { return static_cast<int>(pivot_.size()); }
  /// Position of a row in the order of the elimination.
  int position_of(int row) const { return position_[static_cast<std::size_t>(row)]; }
  /// Value of the k-th entry in lay_out(); set all before factorise().
  double& value(std::size_t k) { return values_[at_[k]]; }
  /// Factorises; some pivots are not above zero if the matrix is not positive definite.
  void factorise();

  // Vectors in the order of the elimination, in place.
  void forward(std::span<double> x) const;   ///< L⁻¹ x
  void backward(std::span<double> x) const;  ///< L⁻ᵀ D⁻¹ x
  double pivot(int position) const { return pivot_[static_cast<std::size_t>(position)]; }

  /// Computes the entries of the inverse at the pattern of L, by Takahashi's equations: no more
  /// work than a factorisation.
  void invert();
  /// Entry of the inverse at the positions of two rows with an entry of the matrix, or of one row.
  double inverse(int position, int other) const;

  /// Positions at which L⁻¹ x is not zero if x is nonzero at these positions only; in rising order.
  std::vector<int> reach(std::span<const int> positions) const;
  /// Applies L⁻¹ to a panel with columns of such a reach.
  void forward(EliminationPanel& panel, const kernels::DenseKernels& dense) const;
  /// Subtracts Aᵀ D⁻¹ B of two such panels from C; rows of C are `stride` apart. If A and B are the
  /// same panel, only from the upper triangle.
  void take_products(const EliminationPanel& A, const EliminationPanel& B, double* C,
                     std::size_t stride, const kernels::DenseKernels& dense) const;

 private:
  void order_rows(int rows, std::span<const Entry> entries);
  void place_entries(int rows, std::span<const Entry> entries);
  std::vector<std::vector<int>> rows_of_factor(int rows);
  void lay_out_columns(const std::vector<std::vector<int>>& columns_of);

  std::vector<int> position_;      ///< one per row
  std::vector<std::uint32_t> at_;  ///< index of each entry in values_
  std::vector<int> first_, row_;   ///< upper triangle, by columns in the order
  std::vector<double> values_;
  std::vector<int> first_below_, below_;  ///< L without its diagonal, by columns
  std::vector<double> lower_;
  std::vector<double> inverse_, inverse_pivot_;          ///< with the pattern of lower_ and pivot_
  std::vector<int> first_before_, before_, end_before_;  ///< L by rows: columns and their ends
  std::vector<int> parent_;  ///< in the tree of the elimination; −1: none
  std::vector<double> pivot_, work_;
};

}  // namespace scree

/// LDLᵀ of a symmetric matrix whose pattern stays: laid out once, then factorised and solved again
/// and again without allocation. Our own, by the textbook.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/methods/elimination_panel.hpp"

namespace scree {

class SparseElimination {
 public:
  /// Of the lower triangle, row ≥ column, each once; all of the diagonal is among them.
  struct Entry {
    int row, column;
  };
  /// Rows are ordered so that L is sparse. Of such an order this is the place of each row.
  void lay_out(int rows, std::span<const Entry> entries);

  int rows() const { return static_cast<int>(pivot_.size()); }
  int place_of(int row) const { return place_[static_cast<std::size_t>(row)]; }
  /// Of the entry that was the k-th in lay_out(); to be set before factorise().
  double& value(std::size_t k) { return values_[at_[k]]; }
  /// A matrix that is not positive definite gives pivots that are not above zero.
  void factorise();

  // Vectors in the order of the elimination, in place.
  void forward(std::span<double> x) const;              ///< L⁻¹ x
  void backward(std::span<double> x) const;             ///< L⁻ᵀ D⁻¹ x
  void multiply_transposed(std::span<double> x) const;  ///< Lᵀ x
  double pivot(int place) const { return pivot_[static_cast<std::size_t>(place)]; }

  /// Finds the entries of the inverse that lie where L has some, as Takahashi's equations have
  /// them: no more work than a factorisation.
  void invert();
  /// One of these: places of rows with an entry of the matrix, or the same.
  double inverse(int place, int other) const;

  /// Where L⁻¹ x is not zero if x is so at these places alone, in rising order.
  std::vector<int> reach(std::span<const int> places) const;
  /// L⁻¹ of a panel with columns of such a reach.
  void forward(EliminationPanel& panel, const kernels::DenseKernels& dense) const;
  /// C − Aᵀ D⁻¹ B of two such panels; rows of C are `stride` apart. Of A and A the upper triangle.
  void take_products(const EliminationPanel& A, const EliminationPanel& B, double* C,
                     std::size_t stride, const kernels::DenseKernels& dense) const;

 private:
  void order_rows(int rows, std::span<const Entry> entries);
  void place_entries(int rows, std::span<const Entry> entries);
  std::vector<std::vector<int>> rows_of_factor(int rows);
  void lay_out_columns(const std::vector<std::vector<int>>& columns_of);

  std::vector<int> place_;         ///< of each row in the order
  std::vector<std::uint32_t> at_;  ///< of each entry, in values_
  std::vector<int> first_, row_;   ///< upper triangle, by columns in the order
  std::vector<double> values_;
  std::vector<int> first_below_, below_;  ///< L without its diagonal, by columns
  std::vector<double> lower_;
  std::vector<double> inverse_, inverse_pivot_;          ///< as lower_ and pivot_
  std::vector<int> first_before_, before_, end_before_;  ///< L by rows: columns, and where they end
  std::vector<int> parent_;  ///< in the tree of the elimination; −1: none
  std::vector<double> pivot_, work_;
};

}  // namespace scree

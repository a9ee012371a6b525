/// Right-hand sides of an elimination, as a panel of columns to which L⁻¹ is applied. Our own.
///
/// Each row, in the order of the elimination, stores one run of columns; all others are 0. The
/// columns of a robot's legs, for example, meet only in the rows of its trunk.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "solvers/kernels/kernels.hpp"

namespace scree {

class EliminationPanel {
 public:
  struct Row {
    std::size_t first, width;
    const double* values;
  };

  // Layout, once per pattern: rows, then columns with the positions that L⁻¹ of them reaches, then
  // memory.
  void begin(std::size_t rows) { runs_.assign(rows, {}); }
  void add_columns(std::span<const int> reach, std::size_t first, std::size_t width);
  /// Allocates the panel, filled with 0.
  void make_room();

  std::size_t rows() const { return runs_.size(); }
  Row row(std::size_t position) const {
    const Run& run = runs_[position];
    return {run.first, run.end - run.first,
            values_.data() + starts_[position] + static_cast<std::ptrdiff_t>(run.first)};
  }
  kernels::PanelRow whole_row(std::size_t position) {
    const Row of = row(position);
    return {values_.data(), starts_.data(), of.first, of.width, of.values};
  }
  double& at(std::size_t position, std::size_t column) {
    const std::ptrdiff_t index = starts_[position] + static_cast<std::ptrdiff_t>(column);
    return values_[static_cast<std::size_t>(index)];
  }
  /// Subtracts Aᵀ x from y, or adds A y to x; x in the order of the elimination.
  void take_products(std::span<const double> x, std::span<double> y) const;
  void add_columns_times(std::span<const double> y, std::span<double> x) const;

 private:
  struct Run {
    std::size_t first = 0, end = 0;
  };
  std::vector<Run> runs_;
  std::vector<std::ptrdiff_t> starts_;  ///< index at which column 0 of each row would be
  std::vector<double> values_;
};

}  // namespace scree

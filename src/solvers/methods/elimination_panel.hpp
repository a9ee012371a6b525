/// Columns beside a matrix that is eliminated, which become L⁻¹ times what they were. Our own.
///
/// Each row of them, in the order of the elimination, has a run of columns that may be other than
/// 0: legs of a robot meet in its trunk alone.
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

  // Once for a pattern: rows, then columns with the places that L⁻¹ of them reaches, then room.
  void begin(std::size_t rows) { runs_.assign(rows, {}); }
  void add_columns(std::span<const int> reach, std::size_t first, std::size_t width);
  /// All of it 0.
  void make_room();

  std::size_t rows() const { return runs_.size(); }
  Row row(std::size_t place) const {
    const Run& run = runs_[place];
    return {run.first, run.end - run.first,
            values_.data() + starts_[place] + static_cast<std::ptrdiff_t>(run.first)};
  }
  kernels::PanelRow whole_row(std::size_t place) {
    const Row of = row(place);
    return {values_.data(), starts_.data(), of.first, of.width, of.values};
  }
  double& at(std::size_t place, std::size_t column) {
    return values_[static_cast<std::size_t>(starts_[place] + static_cast<std::ptrdiff_t>(column))];
  }
  /// Aᵀ x added to y, and A y to x; x in the order of the elimination.
  void add_products(std::span<const double> x, std::span<double> y) const;
  void add_columns_times(std::span<const double> y, std::span<double> x) const;

 private:
  struct Run {
    std::size_t first = 0, end = 0;
  };
  std::vector<Run> runs_;
  std::vector<std::ptrdiff_t> starts_;  ///< of each row, where its column 0 would be
  std::vector<double> values_;
};

}  // namespace scree

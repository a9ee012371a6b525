/// Runs of columns in the rows of an EliminationPanel. Our own.
#include "solvers/methods/elimination_panel.hpp"

#include <algorithm>

namespace scree {

void EliminationPanel::add_columns(std::span<const int> reach, std::size_t first,
                                   std::size_t width) {
  for (const int position : reach) {
    Run& run = runs_[static_cast<std::size_t>(position)];
    const bool is_empty = run.first == run.end;
    run.first = is_empty ? first : std::min(run.first, first);
    run.end = std::max(run.end, first + width);
  }
}

void EliminationPanel::make_room() {
  std::size_t size = 0;
  starts_.clear();
  for (const Run& run : runs_) {
    starts_.push_back(static_cast<std::ptrdiff_t>(size) - static_cast<std::ptrdiff_t>(run.first));
    size += run.end - run.first;
  }
  values_.assign(size, 0.0);
}

void EliminationPanel::take_products(std::span<const double> x, std::span<double> y) const {
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const Row r = row(i);
    for (std::size_t k = 0; k < r.width; ++k) y[r.first + k] -= r.values[k] * x[i];
  }
}

void EliminationPanel::add_columns_times(std::span<const double> y, std::span<double> x) const {
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const Row r = row(i);
    for (std::size_t k = 0; k < r.width; ++k) x[i] += r.values[k] * y[r.first + k];
  }
}

}  // namespace scree

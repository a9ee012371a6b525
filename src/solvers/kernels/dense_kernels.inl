// Rows of small dense matrices in lanes. Our own.
#include <cstddef>

#include "scree/math/lanes.hpp"
#include "solvers/kernels/kernels.hpp"

namespace scree::kernels {
namespace {

template <int N>
void take_lanes(double* to, double part, const double* row) {
  store<N>(to, load<N>(to) - part * load<N>(row));
}

/// to − part · row
void take(double* to, double part, const double* row, std::size_t columns) {
  constexpr int kLanes = SCREE_LANES;
  std::size_t j = 0;
  for (; j + kLanes <= columns; j += kLanes) take_lanes<kLanes>(to + j, part, row + j);
  if constexpr (kLanes > 4)
    if (columns - j >= 4) {
      take_lanes<4>(to + j, part, row + j);
      j += 4;
    }
  if constexpr (kLanes > 2)
    if (columns - j >= 2) {
      take_lanes<2>(to + j, part, row + j);
      j += 2;
    }
  for (; j < columns; ++j) to[j] -= part * row[j];
}

void take_outer(double* C, std::size_t stride, const double* a, std::size_t rows, const double* b,
                std::size_t columns) {
  for (std::size_t i = 0; i < rows; ++i) take(C + i * stride, a[i], b, columns);
}

void take_row(const PanelRow& row, const double* parts, const int* places, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    take(row.panel + row.starts[places[i]] + static_cast<std::ptrdiff_t>(row.first), parts[i],
         row.values, row.width);
}

}  // namespace
}  // namespace scree::kernels

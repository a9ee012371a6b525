// Kernels of small dense matrices in lanes. Our own.
#include <cstddef>

#include "scree/math/lanes.hpp"
#include "solvers/kernels/kernels.hpp"

namespace scree::kernels {
namespace {

template <int N>
void take_lanes(double* to, double factor, const double* row) {
  store<N>(to, load<N>(to) - factor * load<N>(row));
}

/// Subtracts factor · row.
void take(double* to, double factor, const double* row, std::size_t columns) {
  constexpr int kLanes = SCREE_LANES;
  std::size_t j = 0;
  for (; j + kLanes <= columns; j += kLanes) take_lanes<kLanes>(to + j, factor, row + j);
  if constexpr (kLanes > 4)
    if (columns - j >= 4) {
      take_lanes<4>(to + j, factor, row + j);
      j += 4;
    }
  if constexpr (kLanes > 2)
    if (columns - j >= 2) {
      take_lanes<2>(to + j, factor, row + j);
      j += 2;
    }
  for (; j < columns; ++j) to[j] -= factor * row[j];
}

/// Subtracts a product from a tile of C, which stays in registers for all terms.
template <int N, int Vectors, int Rows>
void take_tile(double* C, std::size_t stride, const Product& of, const double* a, const double* b) {
  Lanes<N> tile[Rows][Vectors];
  for (int i = 0; i < Rows; ++i)
    for (int v = 0; v < Vectors; ++v)
      tile[i][v] = load<N>(C + static_cast<std::size_t>(i) * stride + v * N);
  for (std::size_t k = 0; k < of.terms; ++k, a += of.a_term, b += of.b_term) {
    Lanes<N> row[Vectors];
    for (int v = 0; v < Vectors; ++v) row[v] = load<N>(b + v * N);
    for (int i = 0; i < Rows; ++i) {
      const double factor = a[static_cast<std::size_t>(i) * of.a_row];
      for (int v = 0; v < Vectors; ++v) tile[i][v] = tile[i][v] - factor * row[v];
    }
  }
  for (int i = 0; i < Rows; ++i)
    for (int v = 0; v < Vectors; ++v)
      store<N>(C + static_cast<std::size_t>(i) * stride + v * N, tile[i][v]);
}

template <int N, int Vectors>
void take_columns(double* C, std::size_t stride, std::size_t rows, const Product& of,
                  std::size_t column) {
  std::size_t i = 0;
  const double* const b = of.b + column;
  for (; i + 2 <= rows; i += 2)
    take_tile<N, Vectors, 2>(C + i * stride + column, stride, of, of.a + i * of.a_row, b);
  if (i < rows)
    take_tile<N, Vectors, 1>(C + i * stride + column, stride, of, of.a + i * of.a_row, b);
}

void take_product(double* C, std::size_t stride, std::size_t rows, std::size_t columns,
                  const Product& of) {
  constexpr int kLanes = SCREE_LANES;
  if (of.terms == 0) return;  // a and b may be null
  std::size_t j = 0;
  for (; j + 4 * kLanes <= columns; j += 4 * kLanes)
    take_columns<kLanes, 4>(C, stride, rows, of, j);
  if (j + 2 * kLanes <= columns) {
    take_columns<kLanes, 2>(C, stride, rows, of, j);
    j += 2 * kLanes;
  }
  if (j + kLanes <= columns) {
    take_columns<kLanes, 1>(C, stride, rows, of, j);
    j += kLanes;
  }
  if constexpr (kLanes > 4)
    if (j + 4 <= columns) {
      take_columns<4, 1>(C, stride, rows, of, j);
      j += 4;
    }
  if constexpr (kLanes > 2)
    if (j + 2 <= columns) {
      take_columns<2, 1>(C, stride, rows, of, j);
      j += 2;
    }
  for (; j < columns; ++j) take_columns<1, 1>(C, stride, rows, of, j);
}

void take_row(const PanelRow& row, const double* factors, const int* positions, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    take(row.panel + row.starts[positions[i]] + static_cast<std::ptrdiff_t>(row.first), factors[i],
         row.values, row.width);
}

}  // namespace
}  // namespace scree::kernels

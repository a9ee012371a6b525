// Products of small dense matrices in lanes. Our own.
#include <cstddef>

#include "scree/math/lanes.hpp"
#include "solvers/kernels/kernels.hpp"

namespace scree::kernels {
namespace {

void take_outer(double* C, std::size_t stride, const double* a, std::size_t rows, const double* b,
                std::size_t columns) {
  constexpr int kLanes = SCREE_LANES;
  for (std::size_t i = 0; i < rows; ++i, C += stride) {
    const double of_row = a[i];
    if (of_row == 0) continue;
    std::size_t j = 0;
    for (; j + kLanes <= columns; j += kLanes)
      store<kLanes>(C + j, load<kLanes>(C + j) - of_row * load<kLanes>(b + j));
    for (; j < columns; ++j) C[j] -= of_row * b[j];
  }
}

}  // namespace
}  // namespace scree::kernels

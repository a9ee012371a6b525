#include "solvers/methods/dense_problem.hpp"

#include "solvers/operators/regularisation.hpp"

namespace scree {

void DenseProblem::prepare() {
  const std::size_t n = size();
  for (Contact& c : contacts) {
    const Run& run = runs[c.run];
    double YJ[3][kMostWidth] = {};
    for (int row = 0; row < 3; ++row)
      for (std::size_t i = 0; i < run.width; ++i)
        for (std::size_t k = 0; k < run.width; ++k)
          YJ[row][i] += Y[(run.first + i) * n + run.first + k] * c.J[row][k];
    const auto at = [&](int i, int k) {
      double sum = 0;
      for (std::size_t j = 0; j < run.width; ++j) sum += c.J[i][j] * YJ[k][j];
      return sum;
    };
    c.W = made_positive({at(0, 0), at(0, 1), at(0, 2), at(1, 1), at(1, 2), at(2, 2)});
  }
}

void DenseProblem::add_answer(const std::vector<double>& push, std::vector<double>& to) const {
  const std::size_t n = size();
  for (std::size_t k = 0; k < n; ++k) {
    const double* const column = &Y[k * n];
    for (std::size_t i = 0; i < n; ++i) to[i] += push[k] * column[i];
  }
}

void DenseProblem::fill_answer_to(const std::vector<double>& K, double part, double* A) const {
  const std::size_t n = size();
  for (const auto& [first, width] : runs)
    for (std::size_t k = first; k < first + width; ++k) {
      double parts[kMostWidth];
      for (std::size_t j = 0; j < width; ++j) parts[j] = -part * K[k * kMostWidth + j];
      kernels->take_outer(A + first * n, n, parts, width, &Y[k * n], n);
    }
  for (std::size_t k = 0; k < n; ++k) A[k * n + k] += 1;
}

double DenseProblem::squared_residual() const {
  double sum = 0;
  for (const Contact& c : contacts) {
    const Vec3 u = c.velocity + answer(c, z);
    const double e =
        std::visit([&](const auto& law) { return law.residual(c.W, u, c.percussion); }, *c.law);
    sum += e * e;
  }
  return sum;
}

}  // namespace scree

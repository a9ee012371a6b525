/// Matrices of few contacts that one dense matrix couples. Our own.
#include "solvers/methods/dense_problem.hpp"

#include <algorithm>
#include <limits>

#include "solvers/operators/regularisation.hpp"
#include "solvers/step_settings.hpp"

namespace scree {

void DenseProblem::prepare() {
  const std::size_t n = size();
  couples_.clear();
  for (Contact& c : contacts) {
    double W[3][3] = {};
    for (const Side& of : c.each_side())
      for (const Side& with : c.each_side()) {
        couples_.push_back({of.run, with.run});
        const Run &rows = runs[of.run], &columns = runs[with.run];
        if (Y.empty() && of.run != with.run) continue;
        double YJ[3][kMaxWidth] = {};
        for (int row = 0; row < 3; ++row)
          for (std::size_t i = 0; i < rows.width; ++i)
            for (std::size_t k = 0; k < columns.width; ++k)
              YJ[row][i] +=
                  (Y.empty() ? (i == k ? 1.0 : 0.0) : Y[(rows.first + i) * n + columns.first + k]) *
                  with.J[row][k];
        for (int i = 0; i < 3; ++i)
          for (int k = i; k < 3; ++k)
            for (std::size_t j = 0; j < rows.width; ++j) W[i][k] += of.J[i][j] * YJ[k][j];
      }
    c.W = made_positive({W[0][0], W[0][1], W[0][2], W[1][1], W[1][2], W[2][2]});
  }
  for (Drive& drive : drives) {
    couples_.push_back({drive.run, drive.run});
    drive.W = Y[coordinate_of(drive) * (n + 1)];
  }
  std::ranges::sort(couples_);
  couples_.erase(std::unique(couples_.begin(), couples_.end()), couples_.end());
}

double DenseProblem::smallest_mobility() const {
  const std::size_t n = size();
  const auto of_run = [&](const Run& run) {
    double largest = 0;
    for (std::size_t k = run.first; k < run.first + run.width; ++k)
      largest = std::max(largest, Y[k * n + k]);
    return largest;
  };
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  for (const Run& run : runs) largest = std::max(largest, of_run(run));
  for (const Run& run : runs)
    if (const double own = of_run(run); own > kHeldMobility * largest)
      smallest = std::min(smallest, own);
  return largest > 0 ? smallest : 0;
}

void DenseProblem::add_compliance(double mobility) {
  compliance = kContactCompliance * mobility;
  for (Contact& c : contacts) {
    c.W.xx += compliance;
    c.W.yy += compliance;
    c.W.zz += compliance;
  }
  for (Drive& drive : drives) {
    drive.compliance = kContactCompliance * drive.W;
    drive.W += drive.compliance;
  }
}

void DenseProblem::centre_at_zero() {
  for (Contact& c : contacts) c.centre = {};
  for (Drive& drive : drives) drive.centre = 0;
}
void DenseProblem::centre_at_impulses() {
  for (Contact& c : contacts) c.centre = c.impulse;
  for (Drive& drive : drives) drive.centre = drive.impulse;
}

void DenseProblem::add_answer(const std::vector<double>& impulse, std::vector<double>& to) const {
  const std::size_t n = size();
  if (Y.empty()) {
    for (std::size_t k = 0; k < n; ++k) to[k] += impulse[k];
    return;
  }
  for (std::size_t k = 0; k < n; ++k) {
    const double* const column = &Y[k * n];
    for (std::size_t i = 0; i < n; ++i) to[i] += impulse[k] * column[i];
  }
}

void DenseProblem::add_feedback(const Contact& contact, const double (&C)[3][3],
                                std::vector<double>& K) const {
  const std::size_t n = size();
  for (const Side& of : contact.each_side())
    for (const Side& with : contact.each_side()) {
      const auto& [first, width] = runs[of.run];
      const auto& [first_column, columns] = runs[with.run];
      for (int row = 0; row < 3; ++row)
        for (std::size_t j = 0; j < columns; ++j) {
          double CJ = 0;
          for (int m = 0; m < 3; ++m) CJ += C[row][m] * with.J[m][j];
          for (std::size_t i = 0; i < width; ++i)
            K[(first + i) * n + first_column + j] += of.J[row][i] * CJ;
        }
    }
}

void DenseProblem::fill_answer_to(const std::vector<double>& K, double factor, double* A) const {
  const std::size_t n = size();
  for (const auto& [row, column] : couples_) {
    const auto& [first, width] = runs[column];
    if (Y.empty()) {
      const auto& [begin, terms] = runs[row];
      for (std::size_t k = 0; k < terms; ++k)
        for (std::size_t j = 0; j < width; ++j)
          A[(first + j) * n + begin + k] = factor * K[(begin + k) * n + first + j];
      continue;
    }
    const auto& [begin, terms] = runs[row];
    double minus_K[kMaxWidth][kMaxWidth];
    for (std::size_t k = 0; k < terms; ++k)
      for (std::size_t j = 0; j < width; ++j)
        minus_K[k][j] = -factor * K[(begin + k) * n + first + j];
    kernels->take_product(A + first * n, n, width, n,
                          {terms, minus_K[0], 1, kMaxWidth, &Y[begin * n], n});
  }
  for (std::size_t k = 0; k < n; ++k) A[k * n + k] += 1;
}

double DenseProblem::squared_residual() const {
  double sum = 0;
  for (const Contact& c : contacts) {
    const Vec3 u = velocity_of(c);
    const double e = std::visit(
        [&](const auto& law) { return contact_residual(law, c.W, u, c.impulse); }, *c.law);
    sum += e * e;
  }
  for (const Drive& drive : drives) {
    const double e = drive.W * (drive.impulse - drive.best(velocity_of(drive)));
    sum += e * e;
  }
  return sum;
}

}  // namespace scree

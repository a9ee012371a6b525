#include "solvers/methods/dense_contacts.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/methods/newton_functions.hpp"
#include "solvers/operators/regularisation.hpp"

namespace scree {

void DenseContacts::prepare() {
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

Vec3 DenseContacts::answer(const Contact& c, const std::vector<double>& at) const {
  const auto& [first, width] = runs[c.run];
  Vec3 u;
  for (int row = 0; row < 3; ++row)
    for (std::size_t k = 0; k < width; ++k) u[row] += c.J[row][k] * at[first + k];
  return u;
}

void DenseContacts::push(const Contact& c, const Vec3& d, std::vector<double>& to) const {
  const auto& [first, width] = runs[c.run];
  for (std::size_t k = 0; k < width; ++k)
    to[first + k] += c.J[0][k] * d.x + c.J[1][k] * d.y + c.J[2][k] * d.z;
}

double DenseContacts::sweep() {
  const std::size_t n = size();
  double largest = 0;
  for (Contact& c : contacts) {
    const Vec3 before = c.percussion, u = c.velocity + answer(c, z);
    Vec3 x = before;
    std::visit([&](const auto& law) { law.solve(c.W, u - c.W * before, x); }, *c.law);
    const Vec3 d = x - before;
    if (d == Vec3{} || !is_finite(d)) continue;
    c.percussion = x;
    const auto& [first, width] = runs[c.run];
    for (std::size_t k = 0; k < width; ++k) {
      const double push = c.J[0][k] * d.x + c.J[1][k] * d.y + c.J[2][k] * d.z;
      const double* const column = &Y[(first + k) * n];
      for (std::size_t i = 0; i < n; ++i) z[i] += push * column[i];
    }
    largest = std::max(largest, c.W.trace() * norm(d));
  }
  return largest;
}

double DenseContacts::squared_residual(const std::vector<double>& at) const {
  double sum = 0;
  for (const Contact& c : contacts) {
    const double e = std::visit(
        [&](const auto& law) {
          return law.residual(c.W, c.velocity + answer(c, at), c.percussion);
        },
        *c.law);
    sum += e * e;
  }
  return sum;
}

/// G and C of each contact, and their sums: K_, and Σ Jᵀ G in push_.
void DenseContacts::linearise_contacts() {
  linear_.resize(contacts.size());
  K_.assign(size(), Six{});
  push_.assign(size(), 0.0);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const Contact& c = contacts[k];
    Linear& of = linear_[k] = {c.percussion, {}};
    const Vec3 u = c.velocity + answer(c, z);
    const Linearisation l = std::visit(
        [&](const auto& law) {
          return linearise(NewtonFunction::alart_curnier, law, c.W, u, c.percussion);
        },
        *c.law);
    const auto& [first, width] = runs[c.run];
    if (!l.open) {
      const double s = shift_ * c.W.trace() / 3;
      const Eigen::Matrix3d inverse = (l.by_r + s * l.by_u).inverse(), C = inverse * l.by_u;
      const Eigen::Vector3d G = inverse * l.F;
      of.G = {G[0], G[1], G[2]};
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) of.C[i][j] = C(i, j);
    }
    push(c, of.G, push_);
    if (l.open) continue;
    for (int row = 0; row < 3; ++row)
      for (std::size_t j = 0; j < width; ++j) {
        double CJ = 0;
        for (int m = 0; m < 3; ++m) CJ += of.C[row][m] * c.J[m][j];
        for (std::size_t i = 0; i < width; ++i) K_[first + i][j] += c.J[row][i] * CJ;
      }
  }
}

/// dz_ = A_⁻¹ dz_, by rows, the largest pivot first.
bool DenseContacts::eliminate() {
  const std::size_t n = size();
  double* const A = A_.data();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t largest = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(A[i * n + k]) > std::abs(A[largest * n + k])) largest = i;
    const double pivot = A[largest * n + k];
    if (!(std::abs(pivot) > 0)) return false;
    if (largest != k) {
      std::swap_ranges(A + k * n + k, A + (k + 1) * n, A + largest * n + k);
      std::swap(dz_[k], dz_[largest]);
    }
    for (std::size_t i = k + 1; i < n; ++i) {
      const double l = A[i * n + k] / pivot;
      if (l == 0) continue;
      for (std::size_t j = k + 1; j < n; ++j) A[i * n + j] -= l * A[k * n + j];
      dz_[i] -= l * dz_[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    double sum = dz_[k];
    for (std::size_t j = k + 1; j < n; ++j) sum -= A[k * n + j] * dz_[j];
    dz_[k] = sum / A[k * n + k];
  }
  return true;
}

bool DenseContacts::newton() {
  const std::size_t n = size();
  linearise_contacts();
  A_.assign(n * n, 0.0);
  dz_.assign(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    double* const row = &A_[i * n];
    for (const auto& [first, width] : runs) {
      Six sum{};
      for (std::size_t k = first; k < first + width; ++k) {
        const double y = Y[i * n + k];
        dz_[i] -= y * push_[k];
        for (std::size_t j = 0; j < kMostWidth; ++j) sum[j] += y * K_[k][j];
      }
      for (std::size_t j = 0; j < width; ++j) row[first + j] = sum[j];
    }
    row[i] += 1;
  }
  if (!eliminate()) return false;

  const double squared_before = squared_residual(z);
  before_.resize(contacts.size());
  push_.assign(n, 0.0);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    Contact& c = contacts[k];
    before_[k] = c.percussion;
    const Vec3 moved = answer(c, dz_);
    Vec3 d = -linear_[k].G;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) d[i] -= linear_[k].C[i][j] * moved[j];
    c.percussion += d;
    push(c, d, push_);
  }
  moved_ = z;
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i) moved_[i] += push_[k] * Y[k * n + i];
  if (squared_residual(moved_) < squared_before) {
    std::swap(z, moved_);
    return true;
  }
  for (std::size_t k = 0; k < contacts.size(); ++k) contacts[k].percussion = before_[k];
  return false;
}

void DenseContacts::solve(bool by_newton, double& largest_change) {
  constexpr int kMostSweeps = 50, kMostStalls = 2;
  constexpr double kLittle = 1e-8, kHardly = 0.9, kUp = 10, kLargestShift = 0.1;
  constexpr std::size_t kNotSmall = 128;  // coordinates, whose elimination costs more than sweeps
  shift_ = kSmallestShift;
  bool steps = by_newton && size() <= kNotSmall;
  int stalls = 0;
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kMostSweeps && stalls < kMostStalls; ++k) {
    const double change = sweep();
    largest_change = std::max(largest_change, change);
    if (change <= kLittle * largest_change) return;
    // Sweeps alone crawl: that they hardly change anything does not say that they are done.
    stalls = steps && change > kHardly * last ? stalls + 1 : 0;
    last = change;
    // The last word is a sweep's, which leaves percussions that the laws allow.
    if (!steps || k + 1 == kMostSweeps || newton()) continue;
    shift_ *= kUp;
    stalls = 0;
    steps = shift_ <= kLargestShift;
  }
}

}  // namespace scree

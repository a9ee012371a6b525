/// Pivots for rows with bounds. Our own.
#include "solvers/methods/bounded_rows.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <vector>

namespace scree {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

enum class At : std::uint8_t { least, between, most };

/// r with rows at their bounds as `at` says, and w = 0 for the others.
VectorXd solution(const MatrixXd& S, const VectorXd& q, const VectorXd& least, const VectorXd& most,
                  const std::vector<At>& at) {
  const Eigen::Index n = q.size();
  VectorXd r(n);
  std::vector<Eigen::Index> between;
  for (Eigen::Index k = 0; k < n; ++k) {
    r[k] = at[k] == At::least ? least[k] : at[k] == At::most ? most[k] : 0;
    if (at[k] == At::between) between.push_back(k);
  }
  if (between.empty()) return r;
  const VectorXd w = S * r + q;
  r(between) = -S(between, between).ldlt().solve(w(between));
  return r;
}

}  // namespace

bool solve_bounded(const MatrixXd& S, const VectorXd& q, const VectorXd& least,
                   const VectorXd& most, VectorXd& r) {
  constexpr int kMostPivots = 1000;
  constexpr int kPatience = 5;  // block pivots that do not make the wrong rows fewer
  const Eigen::Index n = q.size();
  std::vector<At> at(n);
  for (Eigen::Index k = 0; k < n; ++k)
    at[k] = r[k] <= least[k] ? At::least : r[k] >= most[k] ? At::most : At::between;
  Eigen::Index fewest = n + 1;
  int patience = kPatience;
  for (int pivot = 0; pivot < kMostPivots; ++pivot) {
    r = solution(S, q, least, most, at);
    const VectorXd w = S * r + q;
    const auto better = [&](Eigen::Index k) {
      if (at[k] == At::between)
        return r[k] < least[k] ? At::least : r[k] > most[k] ? At::most : At::between;
      // A row with a given percussion has nothing to choose.
      if (least[k] == most[k]) return at[k];
      return (at[k] == At::least ? w[k] < 0 : w[k] > 0) ? At::between : at[k];
    };
    Eigen::Index wrong = 0, last = 0;
    for (Eigen::Index k = 0; k < n; ++k)
      if (better(k) != at[k]) {
        ++wrong;
        last = k;
      }
    if (wrong == 0) return true;
    if (wrong < fewest) {
      fewest = wrong;
      patience = kPatience;
    } else if (patience > 0) {
      --patience;
    }
    std::vector<At> next = at;
    for (Eigen::Index k = 0; k < n; ++k)
      if (patience > 0 || k == last) next[k] = better(k);
    at = std::move(next);
  }
  r = r.cwiseMax(least).cwiseMin(most);
  return false;
}

}  // namespace scree

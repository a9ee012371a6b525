/// Search for the rows that are at a bound of their impulse: by block pivots, by random pivots if
/// these cycle, and by a descent at last. Our own.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "scree/math/random.hpp"
#include "solvers/step_settings.hpp"

namespace scree {

enum class AtBound : std::uint8_t { lower, between, upper };

/// Bounds, impulses and velocities of rows.
struct BoundedState {
  const Eigen::VectorXd &lower, &upper, &r, &w;

  /// Better guess for row k, which was assumed to be at `at`.
  AtBound better(AtBound at, Eigen::Index k) const {
    if (at == AtBound::between)
      return r[k] < lower[k] ? AtBound::lower : r[k] > upper[k] ? AtBound::upper : at;
    // A row with a given impulse stays there.
    if (lower[k] == upper[k]) return at;
    return (at == AtBound::lower ? w[k] < 0 : w[k] > 0) ? AtBound::between : at;
  }
};

/// Descends on ½ rᵀ S r + qᵀ r, from r clamped to its bounds. A step goes towards the solution in
/// which the rows that are pressed against their bounds stay there: by the whole displacement, a
/// half, a quarter …, clamped to the bounds again. The energy falls in each step, so no set of rows
/// repeats. Arguments and result as for find_bounds().
template <class Find, class Answer>
bool descend_to_bounds(std::vector<AtBound>& at, const Eigen::VectorXd& lower,
                       const Eigen::VectorXd& upper, Eigen::VectorXd& r, const Eigen::VectorXd& w,
                       Find&& find, Answer&& answer) {
  const Eigen::Index n = r.size();
  const BoundedState state{lower, upper, r, w};
  const auto go_to = [&](const Eigen::VectorXd& to) {
    r = to.cwiseMax(lower).cwiseMin(upper);
    answer();
  };
  go_to(Eigen::VectorXd(r));
  for (int step = 0; step < kMaxDescentSteps; ++step) {
    const Eigen::VectorXd here = r, slope = w;
    for (Eigen::Index k = 0; k < n; ++k) {
      const AtBound side = r[k] <= lower[k]   ? AtBound::lower
                           : r[k] >= upper[k] ? AtBound::upper
                                              : AtBound::between;
      at[static_cast<std::size_t>(k)] = state.better(side, k);
    }
    find();
    bool found = true;
    for (Eigen::Index k = 0; k < n; ++k) {
      const AtBound side = at[static_cast<std::size_t>(k)];
      found = found && state.better(side, k) == side;
    }
    if (found) return true;
    const Eigen::VectorXd displacement = r - here;
    double fraction = 1;
    for (; fraction > kMinDescentFraction; fraction /= 2) {
      go_to(here + fraction * displacement);
      if (0.5 * (r - here).dot(w + slope) <= kArmijoFraction * (r - here).dot(slope)) break;
    }
    if (fraction > kMinDescentFraction && r != here) continue;
    go_to(here);
    return false;
  }
  return false;
}

/// Finds `at` such that lower ≤ r ≤ upper, w = S r + q = 0 between the bounds, w ≥ 0 where r =
/// lower, w ≤ 0 where r = upper, S positive definite. `find()` computes r and w from `at`: r at its
/// bounds, or w = 0; `answer()` computes w from r. Pivots exchange all wrong rows at once while
/// that helps, then a random half of them, which breaks cycles; after many pivots a descent
/// follows. `r` is the start on entry. False if the descent did not end; then w still is S r + q,
/// and r keeps its bounds.
template <class Find, class Answer>
bool find_bounds(std::vector<AtBound>& at, std::vector<AtBound>& next, const Eigen::VectorXd& lower,
                 const Eigen::VectorXd& upper, Eigen::VectorXd& r, const Eigen::VectorXd& w,
                 Find&& find, Answer&& answer) {
  const Eigen::Index n = r.size();
  const BoundedState state{lower, upper, r, w};
  for (Eigen::Index k = 0; k < n; ++k)
    at[static_cast<std::size_t>(k)] = r[k] <= lower[k]   ? AtBound::lower
                                      : r[k] >= upper[k] ? AtBound::upper
                                                         : AtBound::between;
  Eigen::Index fewest = n + 1;
  int patience = kBoundPivotPatience;
  for (int pivot = 0; pivot < kMaxBoundPivots; ++pivot) {
    find();
    Eigen::Index wrong = 0;
    for (Eigen::Index k = 0; k < n; ++k) {
      const auto row = static_cast<std::size_t>(k);
      next[row] = state.better(at[row], k);
      wrong += next[row] != at[row];
    }
    if (wrong == 0) return true;
    if (wrong < fewest) {
      fewest = wrong;
      patience = kBoundPivotPatience;
    } else if (patience > 0) {
      --patience;
    }
    const auto takes_part = [&](std::size_t row) {
      constexpr std::uint64_t kPivotStride = 1 << 20;  // above any number of rows
      const std::uint64_t draw = kPivotStride * static_cast<std::uint64_t>(pivot) + row;
      return patience > 0 || mix_bits(draw) % 2 == 0;
    };
    for (std::size_t row = 0; row < at.size(); ++row)
      if (takes_part(row)) at[row] = next[row];
  }
  return descend_to_bounds(at, lower, upper, r, w, find, answer);
}

}  // namespace scree

/// Which rows with bounds on their impulses are at one. Our own, of block pivots, of pivots by
/// chance where these go round in circles, and of a descent.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "scree/math/random.hpp"

namespace scree {

enum class AtBound : std::uint8_t { least, between, most };

/// Bounds of rows, and where these are.
struct BoundedPlace {
  const Eigen::VectorXd &least, &most, &r, &w;

  /// Where a row belongs that was taken for `at`.
  AtBound better(AtBound at, Eigen::Index k) const {
    if (at == AtBound::between)
      return r[k] < least[k] ? AtBound::least : r[k] > most[k] ? AtBound::most : at;
    // A row with a given impulse has nothing to choose.
    if (least[k] == most[k]) return at;
    return (at == AtBound::least ? w[k] < 0 : w[k] > 0) ? AtBound::between : at;
  }
};

/// From r, cut to its bounds, down ½ rᵀ S r + qᵀ r: towards the solution with those rows at their
/// bounds that are pressed against them, by the whole way or a half of it, a quarter, …, cut to the
/// bounds again. That is lower each time, and no set of rows comes back. Arguments and what is
/// returned as find_bounds() has them.
template <class Find, class Answer>
bool descend_to_bounds(std::vector<AtBound>& at, const Eigen::VectorXd& least,
                       const Eigen::VectorXd& most, Eigen::VectorXd& r, const Eigen::VectorXd& w,
                       Find&& find, Answer&& answer) {
  constexpr int kMaxSteps = 100;
  constexpr double kArmijoFraction = 1e-4,
                   kShortest = 1e-9;  // of the fall that the slope foretells; of a way
  const Eigen::Index n = r.size();
  const BoundedPlace place{least, most, r, w};
  const auto go_to = [&](const Eigen::VectorXd& to) {
    r = to.cwiseMax(least).cwiseMin(most);
    answer();
  };
  go_to(Eigen::VectorXd(r));
  for (int step = 0; step < kMaxSteps; ++step) {
    const Eigen::VectorXd here = r, slope = w;
    for (Eigen::Index k = 0; k < n; ++k) {
      const AtBound side = r[k] <= least[k]  ? AtBound::least
                           : r[k] >= most[k] ? AtBound::most
                                             : AtBound::between;
      at[static_cast<std::size_t>(k)] = place.better(side, k);
    }
    find();
    bool found = true;
    for (Eigen::Index k = 0; k < n; ++k) {
      const AtBound side = at[static_cast<std::size_t>(k)];
      found = found && place.better(side, k) == side;
    }
    if (found) return true;
    const Eigen::VectorXd way = r - here;
    double fraction = 1;
    for (; fraction > kShortest; fraction /= 2) {
      go_to(here + fraction * way);
      if (0.5 * (r - here).dot(w + slope) <= kArmijoFraction * (r - here).dot(slope)) break;
    }
    if (fraction > kShortest && r != here) continue;
    go_to(here);
    return false;
  }
  return false;
}

/// Finds `at` such that least ≤ r ≤ most, w = S r + q = 0 in between, w ≥ 0 where r = least, w ≤ 0
/// where r = most, S positive definite. `find()` makes r and w of `at`: r at its bounds, or w = 0;
/// `answer()` makes w of r. By pivots, all rows that are wrong at once while that helps, then half
/// of them by chance, so that they go round in no circle, and after many by descent. `r` is the
/// start on entry. False if it came to no end; r and w then belong to each other, and r keeps its
/// bounds.
template <class Find, class Answer>
bool find_bounds(std::vector<AtBound>& at, std::vector<AtBound>& next, const Eigen::VectorXd& least,
                 const Eigen::VectorXd& most, Eigen::VectorXd& r, const Eigen::VectorXd& w,
                 Find&& find, Answer&& answer) {
  constexpr int kMaxPivots = 200;
  constexpr int kPatience = 5;  // block pivots that do not make the wrong rows fewer
  const Eigen::Index n = r.size();
  const BoundedPlace place{least, most, r, w};
  for (Eigen::Index k = 0; k < n; ++k)
    at[static_cast<std::size_t>(k)] = r[k] <= least[k]  ? AtBound::least
                                      : r[k] >= most[k] ? AtBound::most
                                                        : AtBound::between;
  Eigen::Index fewest = n + 1;
  int patience = kPatience;
  for (int pivot = 0; pivot < kMaxPivots; ++pivot) {
    find();
    Eigen::Index wrong = 0;
    for (Eigen::Index k = 0; k < n; ++k) {
      const auto row = static_cast<std::size_t>(k);
      next[row] = place.better(at[row], k);
      wrong += next[row] != at[row];
    }
    if (wrong == 0) return true;
    if (wrong < fewest) {
      fewest = wrong;
      patience = kPatience;
    } else if (patience > 0) {
      --patience;
    }
    const auto takes_part = [&](std::size_t row) {
      constexpr std::uint64_t kLarge = 1 << 20;
      return patience > 0 || mix_bits(kLarge * static_cast<std::uint64_t>(pivot) + row) % 2 == 0;
    };
    for (std::size_t row = 0; row < at.size(); ++row)
      if (takes_part(row)) at[row] = next[row];
  }
  return descend_to_bounds(at, least, most, r, w, find, answer);
}

}  // namespace scree

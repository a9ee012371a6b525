/// Which rows with bounds on their percussions are at one. Our own, of block pivots with Murty's
/// rule to fall back on.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace scree {

enum class AtBound : std::uint8_t { least, between, most };

/// Finds `at` such that least ≤ r ≤ most, w = 0 in between, w ≥ 0 where r = least, w ≤ 0 where r =
/// most. `find()` makes r and w of `at`: r at its bounds, or w = 0. By pivots, all rows that are
/// wrong at once while that helps, then the last of them alone, which comes to an end. `r` is the
/// start on entry. False if it came to no end; r then keeps its bounds.
template <class Find>
bool find_bounds(std::vector<AtBound>& at, std::vector<AtBound>& next, const Eigen::VectorXd& least,
                 const Eigen::VectorXd& most, Eigen::VectorXd& r, const Eigen::VectorXd& w,
                 Find&& find) {
  constexpr int kMostPivots = 1000;
  constexpr int kPatience = 5;  // block pivots that do not make the wrong rows fewer
  const Eigen::Index n = r.size();
  const auto at_row = [&](Eigen::Index k) -> AtBound& { return at[static_cast<std::size_t>(k)]; };
  for (Eigen::Index k = 0; k < n; ++k)
    at_row(k) = r[k] <= least[k]  ? AtBound::least
                : r[k] >= most[k] ? AtBound::most
                                  : AtBound::between;
  Eigen::Index fewest = n + 1;
  int patience = kPatience;
  for (int pivot = 0; pivot < kMostPivots; ++pivot) {
    find();
    const auto better = [&](Eigen::Index k) {
      if (at_row(k) == AtBound::between)
        return r[k] < least[k] ? AtBound::least : r[k] > most[k] ? AtBound::most : AtBound::between;
      // A row with a given percussion has nothing to choose.
      if (least[k] == most[k]) return at_row(k);
      return (at_row(k) == AtBound::least ? w[k] < 0 : w[k] > 0) ? AtBound::between : at_row(k);
    };
    Eigen::Index wrong = 0, last = 0;
    for (Eigen::Index k = 0; k < n; ++k)
      if (better(k) != at_row(k)) {
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
    next = at;
    for (Eigen::Index k = 0; k < n; ++k)
      if (patience > 0 || k == last) next[static_cast<std::size_t>(k)] = better(k);
    at = next;
  }
  r = r.cwiseMax(least).cwiseMin(most);
  return false;
}

}  // namespace scree

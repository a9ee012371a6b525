/// Sets of free bodies that contacts or joints connect: union-find.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "scree/solvers/contact_problem.hpp"

namespace scree {

/// The first body of a set identifies it.
class BodySets {
 public:
  explicit BodySets(std::uint32_t free_bodies = 0) { reset(free_bodies); }
  /// Each body alone.
  void reset(std::uint32_t free_bodies) {
    root_.resize(free_bodies);
    std::iota(root_.begin(), root_.end(), 0U);
  }
  /// Takes a body out of its set; all others of the set must follow.
  void part(BodyIndex body) { root_[body] = body; }
  BodyIndex of(BodyIndex body) {
    while (root_[body] != body) body = root_[body] = root_[root_[body]];
    return body;
  }
  /// Joins the sets of two bodies; others than free bodies join nothing.
  void join(BodyIndex a, BodyIndex b) {
    if (std::max(a, b) >= root_.size()) return;
    const BodyIndex one = of(a), two = of(b);
    root_[std::max(one, two)] = std::min(one, two);
  }
  std::size_t bytes() const { return root_.capacity() * sizeof(BodyIndex); }  ///< held [byte]

 private:
  std::vector<BodyIndex> root_;
};

}  // namespace scree

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
  explicit BodySets(std::uint32_t free_bodies) : root_(free_bodies) {
    std::iota(root_.begin(), root_.end(), 0U);
  }
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

 private:
  std::vector<BodyIndex> root_;
};

}  // namespace scree

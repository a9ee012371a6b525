/// Damped Jacobi, and its blend with Gauss–Seidel [Preclik18, §5].
#pragma once

#include <algorithm>
#include <numeric>
#include <set>
#include <span>
#include <vector>

#include "solvers/methods/gauss_seidel.hpp"

namespace scree {

/// Sweep of Gauss–Seidel inside subdomains and Jacobi between them: each subdomain uses the
/// impulses of the others before the sweep, and the change is multiplied by ω. Without labels every
/// block is a subdomain.
template <class Operator>
class DampedSweep {
 public:
  DampedSweep(const Operator& system, std::span<const int> label, double omega)
      : system_(system),
        exact_(system),
        label_(label.begin(), label.end()),
        order_(system.blocks()) {
    std::iota(order_.begin(), order_.end(), 0);
    if (label_.empty()) label_ = order_;
    std::ranges::stable_sort(order_, {}, [&](int b) { return label_[b]; });
    omega_ = omega > 0 ? omega : 1.0 / static_cast<double>(max_coupled());
  }

  void operator()(Vector& r) const {
    // Blocks by label: each subdomain starts from the same r and uses only its own changes.
    const Vector before = r;
    Vector seen = before;
    auto velocities = system_.running(seen);
    std::size_t begin = 0;
    while (begin < order_.size()) {
      std::size_t end = begin;
      while (end < order_.size() && label_[order_[end]] == label_[order_[begin]]) ++end;
      const std::span<const int> subdomain(order_.data() + begin, end - begin);
      relax_blocks(subdomain, velocities, seen);
      for (const int b : subdomain) {
        const int row = system_.first_row(b), n = system_.rows_of(b);
        const BlockRows back = before.segment(row, n) - seen.segment(row, n);
        r.segment(row, n) -= omega_ * back;
        seen.segment(row, n) = before.segment(row, n);
        velocities.moved(b, back.data());
      }
      begin = end;
    }
  }

 private:
  /// Solves blocks in rising order; `blocks` is sorted.
  void relax_blocks(std::span<const int> blocks, typename Operator::Running& velocities,
                    Vector& r) const {
    std::size_t next = 0;
    system_.for_each_run([&](const auto& laws, int first) {
      for (; next < blocks.size() && blocks[next] < first + static_cast<int>(laws.size()); ++next)
        exact_.relax_block(laws[blocks[next] - first], blocks[next], velocities, r);
    });
  }

  /// Largest number of subdomains that influence a block, its own included. With ω = 1 over this
  /// number the energy of the convex laws cannot rise.
  std::size_t max_coupled() const {
    std::vector<std::set<int>> coupled(system_.blocks());
    system_.for_each_coupling([&](int block, int other) { coupled[block].insert(label_[other]); });
    std::size_t largest = 1;
    for (const std::set<int>& labels : coupled) largest = std::max(largest, labels.size());
    return largest;
  }

  const Operator& system_;
  GaussSeidelSweep<Operator> exact_;
  std::vector<int> label_, order_;  ///< order_: blocks by label
  double omega_ = 1;
};

}  // namespace scree

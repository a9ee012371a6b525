#include "solvers/methods/sweeps.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <numeric>
#include <set>

#include "solvers/methods/anderson.hpp"
#include "solvers/methods/nesterov_sweeps.hpp"
#include "solvers/operators/factored_operator.hpp"
#include "solvers/operators/regularisation.hpp"

namespace scree {
namespace {

using BlockRows = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;

}  // namespace

template <class Operator>
GaussSeidelSweep<Operator>::GaussSeidelSweep(const Operator& system)
    : system_(system), block_(system.blocks()) {
  system.for_each_block([&]<class Law>(const Law&, int block) {
    if constexpr (std::is_same_v<Law, JointRows>) {
      joint_.resize(system.blocks());
      joint_[block] = static_cast<int>(joint_inverse_.size());
      joint_inverse_.push_back(
          system.joint_diagonal(block).completeOrthogonalDecomposition().pseudoInverse());
    } else {
      block_[block] = made_positive(system.diagonal(block));
    }
  });
}

template <class Operator>
void GaussSeidelSweep<Operator>::relax_block(const JointRows&, int block,
                                             typename Operator::Running& velocities,
                                             Vector& r) const {
  BlockRows u(system_.rows_of(block));
  velocities.joint(block, u.data());
  u = -joint_inverse_[joint_[block]] * u.eval();
  r.segment(system_.first_row(block), u.size()) += u;
  velocities.moved(block, u.data());
}

template <class Operator>
void GaussSeidelSweep<Operator>::operator()(Vector& r) const {
  auto velocities = system_.running(r);
  system_.for_each_block(
      [&](const auto& law, int block) { relax_block(law, block, velocities, r); });
}

template class GaussSeidelSweep<MatrixOperator>;
template class GaussSeidelSweep<FactoredOperator>;

void relax(const GaussSeidelSweep<MatrixOperator>& sweep, int sweeps, Vector& r,
           Progress& progress) {
  constexpr int kBetweenLooks = 64;
  const int most = std::min(sweeps, progress.iterations_left());
  int done = 0;
  while (done < most) {
    sweep(r);
    // A look at the clock costs as much as a block.
    if (++done % kBetweenLooks == 0 && (progress.stopped() || progress.out_of_time())) break;
  }
  progress.book(r, done);
}

namespace {

template <class Law>
constexpr bool takes_projections() {
  if constexpr (std::is_same_v<Law, JointRows>)
    return false;
  else
    return Law::traits.is_projection_on_round_cone();
}

/// Projected successive over-relaxation: a step of length ω ρ against û of each block instead of
/// its solution.
template <class Operator>
class ProjectedSweep {
 public:
  ProjectedSweep(const Operator& system, double omega)
      : system_(system), exact_(system), omega_(omega) {}

  void operator()(Vector& r) const {
    auto velocities = system_.running(r);
    system_.for_each_block([&]<class Law>(const Law& law, int block) {
      if constexpr (takes_projections<Law>()) {
        const int row = system_.first_row(block);
        const Vec3 before = Operator::at(r, row),
                   u = law.complementary_velocity(velocities.contact(block));
        // The largest eigenvalue is at most the trace.
        const Vec3 after = law.project(before - (omega_ / system_.diagonal(block).trace()) * u),
                   change = after - before;
        Operator::put(r, row, after);
        velocities.moved(block, &change.x);
      } else {
        exact_.relax_block(law, block, velocities, r);
      }
    });
  }

 private:
  const Operator& system_;
  GaussSeidelSweep<Operator> exact_;
  double omega_;
};

/// Gauss–Seidel inside subdomains, Jacobi between them [Preclik18, §5]: each subdomain sees the
/// others as they were before the sweep, and the change is taken ω times. Without labels every
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
    omega_ = omega > 0 ? omega : 1.0 / static_cast<double>(most_coupled());
  }

  void operator()(Vector& r) const {
    // Blocks by label, so that each starts from the same r and sees its own kind alone change.
    const Vector before = r;
    Vector seen = before;
    auto velocities = system_.running(seen);
    std::size_t begin = 0;
    while (begin < order_.size()) {
      std::size_t end = begin;
      while (end < order_.size() && label_[order_[end]] == label_[order_[begin]]) ++end;
      const std::span<const int> mine(order_.data() + begin, end - begin);
      relax_blocks(mine, velocities, seen);
      for (const int b : mine) {
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
  /// In the order of the blocks; `blocks` is sorted.
  void relax_blocks(std::span<const int> blocks, typename Operator::Running& velocities,
                    Vector& r) const {
    std::size_t next = 0;
    system_.for_each_run([&](const auto& laws, int first) {
      for (; next < blocks.size() && blocks[next] < first + static_cast<int>(laws.size()); ++next)
        exact_.relax_block(laws[blocks[next] - first], blocks[next], velocities, r);
    });
  }

  /// Number of subdomains, its own included, that a block feels at most: with 1/ω of it the energy
  /// of the convex laws cannot rise.
  std::size_t most_coupled() const {
    std::vector<std::set<int>> felt(system_.blocks());
    system_.for_each_coupling([&](int block, int other) { felt[block].insert(label_[other]); });
    std::size_t most = 1;
    for (const std::set<int>& labels : felt) most = std::max(most, labels.size());
    return most;
  }

  const Operator& system_;
  GaussSeidelSweep<Operator> exact_;
  std::vector<int> label_, order_;  ///< order_: blocks by label
  double omega_ = 1;
};

template <class Sweep, class Operator>
void iterate(const SolveOptions& options, const Sweep& sweep, Vector& r,
             ProgressOf<Operator>& progress) {
  constexpr int kBetweenChecks = 10, kWindow = 10;
  if (options.acceleration == Acceleration::none) {
    while (!progress.finished()) {
      const int sweeps = std::min(kBetweenChecks, progress.iterations_left());
      for (int k = 0; k < sweeps; ++k) sweep(r);
      progress.book(r, sweeps);
    }
  } else if (options.acceleration == Acceleration::anderson) {
    anderson(sweep, kWindow, r, progress);
  } else {
    nesterov(
        sweep, [] { return true; }, r, progress);
  }
  r = progress.best();
}

}  // namespace

template <class Operator>
void run_sweeps(const SolveOptions& options, Vector& r, ProgressOf<Operator>& progress) {
  const Operator& system = progress.system();
  if (options.solver == SolverKind::psor)
    iterate(options, ProjectedSweep(system, options.relaxation > 0 ? options.relaxation : 1.3), r,
            progress);
  else if (options.solver == SolverKind::jacobi)
    iterate(options, DampedSweep(system, options.subdomain, options.relaxation), r, progress);
  else
    iterate(options, GaussSeidelSweep(system), r, progress);
}

template void run_sweeps(const SolveOptions& options, Vector& r,
                         ProgressOf<MatrixOperator>& progress);
template void run_sweeps(const SolveOptions& options, Vector& r,
                         ProgressOf<FactoredOperator>& progress);

}  // namespace scree

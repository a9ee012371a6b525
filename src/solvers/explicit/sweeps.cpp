#include "solvers/explicit/sweeps.hpp"

#include <Eigen/QR>
#include <algorithm>

#include "laws/single_contact.hpp"
#include "solvers/explicit/acceleration.hpp"

namespace scree {
namespace {

/// A contact whose block is singular is solved with a little more on its diagonal. The velocities that it starts from hold what is
/// added, so the fixed point is the same.
SymMat3 made_positive(SymMat3 W) {
  if (clearly_positive(W)) return W;
  const double more = 1e-9 * W.trace();
  W.xx += more, W.yy += more, W.zz += more;
  return W;
}

}  // namespace

GaussSeidelSweep::GaussSeidelSweep(const System& system) : system_(system), block_(system.blocks()) {
  system.for_each_block([&]<class Law>(const Law&, int block) {
    if constexpr (std::is_same_v<Law, JointRows>) {
      const int n = system.rows_of(block), row = system.first_row(block);
      Eigen::MatrixXd W = Eigen::MatrixXd::Zero(n, n);
      system.for_each_column(block, [&](int column, const double* value) {
        if (column >= row && column < row + n) W.col(column - row) = Eigen::Map<const Eigen::VectorXd>(value, n);
      });
      joint_.resize(system.blocks());
      joint_[block] = static_cast<int>(joint_inverse_.size());
      joint_inverse_.push_back(W.completeOrthogonalDecomposition().pseudoInverse());
    } else {
      block_[block] = made_positive(system.diagonal(block));
    }
  });
}

void GaussSeidelSweep::relax_block(const JointRows&, int block, const Vector& from, Vector& r) const {
  double u[6];
  system_.joint_velocity(block, from, u);
  const int row = system_.first_row(block), n = system_.rows_of(block);
  r.segment(row, n) = from.segment(row, n) - joint_inverse_[joint_[block]] * Eigen::Map<const Eigen::VectorXd>(u, n);
}

void GaussSeidelSweep::operator()(Vector& r) const {
  system_.for_each_block([&](const auto& law, int block) { relax_block(law, block, r, r); });
}

void relax(const GaussSeidelSweep& sweep, int sweeps, Vector& r, Progress& progress) {
  for (int k = 0; k < sweeps; ++k) sweep(r);
  progress.book(r, sweeps);
}

namespace {

/// Projected successive over-relaxation: a step of length ω ρ against û of each block instead of its solution.
class ProjectedSweep {
 public:
  ProjectedSweep(const System& system, double omega) : system_(system), exact_(system), omega_(omega) {}

  void operator()(Vector& r) const {
    system_.for_each_block([&]<class Law>(const Law& law, int block) {
      if constexpr (std::is_same_v<Law, Coulomb> || std::is_same_v<Law, ConeComplementarity> ||
                    std::is_same_v<Law, Frictionless>) {
        const int row = system_.first_row(block);
        Vec3 u = system_.contact_velocity(block, r);
        if constexpr (std::is_same_v<Law, Coulomb>) u.x += law.mu * tangential_norm(u);
        // The largest eigenvalue is at most the trace.
        System::put(r, row, law.project(System::at(r, row) - (omega_ / system_.diagonal(block).trace()) * u));
      } else {
        exact_.relax_block(law, block, r, r);
      }
    });
  }

 private:
  const System& system_;
  GaussSeidelSweep exact_;
  double omega_;
};

/// Gauss–Seidel inside subdomains, Jacobi between them [Preclik18, §5]: each subdomain sees the others as they were before the sweep,
/// and the change is taken ω times. Without labels every block is a subdomain.
class DampedSweep {
 public:
  DampedSweep(const System& system, std::span<const int> label, double omega)
      : system_(system), exact_(system), label_(label.begin(), label.end()) {
    if (label_.empty()) {
      label_.resize(system.blocks());
      for (int b = 0; b < system.blocks(); ++b) label_[b] = b;
    }
    omega_ = omega > 0 ? omega : 1.0 / most_coupled();
  }

  void operator()(Vector& r) const {
    // Blocks by label, so that each starts from the same r and sees its own kind alone change.
    const Vector before = r;
    Vector seen = before;
    std::vector<int> order(system_.blocks());
    for (int b = 0; b < system_.blocks(); ++b) order[b] = b;
    std::ranges::stable_sort(order, {}, [&](int b) { return label_[b]; });
    std::size_t begin = 0;
    while (begin < order.size()) {
      std::size_t end = begin;
      while (end < order.size() && label_[order[end]] == label_[order[begin]]) ++end;
      const std::span<const int> mine(order.data() + begin, end - begin);
      relax_blocks(mine, seen);
      for (const int b : mine) {
        const int row = system_.first_row(b), n = system_.rows_of(b);
        r.segment(row, n) = before.segment(row, n) + omega_ * (seen.segment(row, n) - before.segment(row, n));
        seen.segment(row, n) = before.segment(row, n);
      }
      begin = end;
    }
  }

 private:
  /// In the order of the blocks; `blocks` is sorted.
  void relax_blocks(std::span<const int> blocks, Vector& r) const {
    std::size_t next = 0;
    system_.for_each_run([&](const auto& laws, int first) {
      for (; next < blocks.size() && blocks[next] < first + static_cast<int>(laws.size()); ++next)
        exact_.relax_block(laws[blocks[next] - first], blocks[next], r, r);
    });
  }

  /// Number of subdomains, its own included, that a block feels at most: with 1/ω of it the energy of the convex laws cannot rise.
  double most_coupled() const {
    std::vector<int> block_of(system_.rows()), last(system_.blocks(), -1);
    for (int b = 0; b < system_.blocks(); ++b)
      for (int k = 0; k < system_.rows_of(b); ++k) block_of[system_.first_row(b) + k] = b;
    int most = 1;
    for (int b = 0; b < system_.blocks(); ++b) {
      std::vector<int> felt{label_[b]};
      system_.for_each_column(b, [&](int column, const double*) { felt.push_back(label_[block_of[column]]); });
      std::ranges::sort(felt);
      most = std::max(most, static_cast<int>(std::unique(felt.begin(), felt.end()) - felt.begin()));
    }
    return most;
  }

  const System& system_;
  GaussSeidelSweep exact_;
  std::vector<int> label_;
  double omega_ = 1;
};

template <class Sweep>
void iterate(const SolveOptions& options, const Sweep& sweep, Vector& r, Progress& progress) {
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
    nesterov(sweep, r, progress);
  }
  r = progress.best();
}

}  // namespace

void run_sweeps(const SolveOptions& options, Vector& r, Progress& progress) {
  const System& system = progress.system();
  if (options.solver == SolverKind::psor)
    iterate(options, ProjectedSweep(system, options.relaxation > 0 ? options.relaxation : 1.3), r, progress);
  else if (options.solver == SolverKind::jacobi)
    iterate(options, DampedSweep(system, options.subdomain, options.relaxation), r, progress);
  else
    iterate(options, GaussSeidelSweep(system), r, progress);
}

}  // namespace scree

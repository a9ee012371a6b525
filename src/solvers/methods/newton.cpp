/// Semismooth Newton's method: the linear system of a step, and its damping.
#include "solvers/methods/newton.hpp"

#include <Eigen/LU>
#include <Eigen/SparseLU>
#include <optional>

#include "solvers/methods/newton_functions.hpp"

namespace scree {
namespace {

constexpr int kNewtonDenseRows = 300;  // above, sparse elimination is faster

/// A block that stays in the linear system, because it is not open.
struct ClosedBlock {
  int block, first;  // first: its first row in the linear system
  bool joint;
  Linearisation l;
};

/// Values of the function of every block [m/s].
Vector function_values(const MatrixOperator& system, NewtonFunction function, const Vector& r,
                       const Vector& u) {
  Vector F(system.rows());
  system.for_each_block([&]<class Law>(const Law& law, int block) {
    const int row = system.first_row(block), n = system.rows_of(block);
    if constexpr (std::is_same_v<Law, JointRows>) {
      F.segment(row, n) = u.segment(row, n);
    } else {
      const SymMat3& W = system.diagonal(block);
      const Linearisation l =
          linearise(function, law, W, MatrixOperator::at(u, row), MatrixOperator::at(r, row));
      F.segment<3>(row) = l.open ? Eigen::Vector3d(r.segment<3>(row) / natural_map_step(W)) : l.F;
    }
  });
  return F;
}

/// Linear system of one step, for the blocks that are not open; r of the open ones becomes zero.
class NewtonStep {
 public:
  NewtonStep(const MatrixOperator& system, const NewtonSettings& settings, const Vector& r,
             const Vector& u)
      : system_(system),
        epsilon_(settings.regularisation * system.largest_diagonal()),
        r_(r),
        without_open_(r) {
    bool any_open = false;
    index_.assign(system.rows(), -1);
    system.for_each_block([&]<class Law>(const Law& law, int block) {
      const int row = system.first_row(block), n = system.rows_of(block);
      ClosedBlock closed{block, size_, std::is_same_v<Law, JointRows>, {}};
      if constexpr (!std::is_same_v<Law, JointRows>)
        closed.l = linearise(settings.function, law, system.diagonal(block),
                             MatrixOperator::at(u, row), MatrixOperator::at(r, row));
      if (closed.l.open) {
        any_open |= !without_open_.segment(row, n).isZero(0);
        without_open_.segment(row, n).setZero();
      } else {
        for (int k = 0; k < n; ++k) index_[row + k] = size_ + k;
        size_ += n;
        closed_.push_back(closed);
      }
    });
    velocity_ = any_open ? system.velocity(without_open_) : u;
    if (any_open) linearise_without_open(settings.function);
    factorize();
  }

  /// Solves for the change of r; false if the system is singular.
  bool solve(Vector& change) const {
    Vector rhs(size_);
    for (const ClosedBlock& c : closed_) {
      const int n = system_.rows_of(c.block);
      if (c.joint)
        rhs.segment(c.first, n) = -velocity_.segment(system_.first_row(c.block), n);
      else
        rhs.segment<3>(c.first) = -c.l.F;
    }
    change = without_open_ - r_;
    return eliminate(rhs, change);
  }

  /// Solves for the change of r at other values F of the function, with the Jacobian of this step.
  bool solve_for(const Vector& F, Vector& change) const {
    change = Vector::Zero(system_.rows());
    system_.for_each_block([&]<class Law>(const Law&, int block) {
      const int row = system_.first_row(block);
      if constexpr (!std::is_same_v<Law, JointRows>)
        if (index_[row] < 0)
          change.segment<3>(row) = -natural_map_step(system_.diagonal(block)) * F.segment<3>(row);
    });
    const Vector moved = system_.velocity(change) - system_.q();
    Vector rhs(size_);
    for (const ClosedBlock& c : closed_) {
      const int row = system_.first_row(c.block), n = system_.rows_of(c.block);
      if (c.joint)
        rhs.segment(c.first, n) = -F.segment(row, n) - moved.segment(row, n);
      else
        rhs.segment<3>(c.first) = -F.segment<3>(row) - c.l.by_u * moved.segment<3>(row);
    }
    return eliminate(rhs, change);
  }

 private:
  void factorize() {
    if (size_ == 0) return;
    if (size_ <= kNewtonDenseRows) {
      Eigen::MatrixXd J = Eigen::MatrixXd::Zero(size_, size_);
      for_each_entry([&](int i, int j, double value) { J(i, j) += value; });
      dense_.compute(J);
    } else {
      std::vector<Eigen::Triplet<double>> entries;
      for_each_entry([&](int i, int j, double value) { entries.emplace_back(i, j, value); });
      Eigen::SparseMatrix<double> J(size_, size_);
      J.setFromTriplets(entries.begin(), entries.end());
      sparse_.compute(J);
      regular_ = sparse_.info() == Eigen::Success;
    }
  }

  /// Writes the solution to the rows of `change` that are not open.
  bool eliminate(const Vector& rhs, Vector& change) const {
    if (!regular_) return false;
    if (size_ == 0) return true;
    const Vector x =
        size_ <= kNewtonDenseRows ? Vector(dense_.solve(rhs)) : Vector(sparse_.solve(rhs));
    for (int row = 0; row < system_.rows(); ++row)
      if (index_[row] >= 0) change[row] = x[index_[row]];
    return x.allFinite();
  }

  /// Linearises the closed blocks again, at the velocities without the impulses of open blocks. A
  /// closed block stays closed in this step.
  void linearise_without_open(NewtonFunction function) {
    std::size_t next = 0;
    system_.for_each_block([&]<class Law>(const Law& law, int block) {
      if (next == closed_.size() || closed_[next].block != block) return;
      ClosedBlock& closed = closed_[next++];
      if constexpr (!std::is_same_v<Law, JointRows>) {
        const int row = system_.first_row(block);
        const Linearisation l =
            linearise(function, law, system_.diagonal(block), MatrixOperator::at(velocity_, row),
                      MatrixOperator::at(r_, row));
        if (!l.open) closed.l = l;
      }
    });
  }

  /// Calls f(i, j, value) for the entries of ∂F/∂u (W + ε) + ∂F/∂r.
  template <class F>
  void for_each_entry(F&& f) const {
    for (const ClosedBlock& c : closed_) {
      const int n = system_.rows_of(c.block), i = c.first;
      system_.for_each_column(c.block, [&](int column, const double* value) {
        const int j = index_[column];
        if (j < 0) return;
        if (c.joint) {
          for (int k = 0; k < n; ++k) f(i + k, j, value[k]);
        } else {
          const Eigen::Vector3d v = c.l.by_u * Eigen::Map<const Eigen::Vector3d>(value);
          for (int k = 0; k < 3; ++k) f(i + k, j, v[k]);
        }
      });
      for (int k = 0; k < n; ++k)
        if (c.joint)
          f(i + k, i + k, epsilon_);
        else
          for (int l = 0; l < 3; ++l) f(i + k, i + l, epsilon_ * c.l.by_u(k, l) + c.l.by_r(k, l));
    }
  }

  const MatrixOperator& system_;
  double epsilon_;
  const Vector& r_;
  Vector without_open_, velocity_;
  int size_ = 0;
  bool regular_ = true;
  std::vector<ClosedBlock> closed_;
  std::vector<int> index_;  ///< index of a row in the linear system, −1 if open
  Eigen::PartialPivLU<Eigen::MatrixXd> dense_;
  Eigen::SparseLU<Eigen::SparseMatrix<double>> sparse_;
};

/// An iterate of Newton's method.
struct Point {
  Vector r, u;
  double residual;  ///< E_s
  Point(const MatrixOperator& system, Vector at)
      : r(std::move(at)), u(system.velocity(r)), residual(system.residual(u, r)) {}
};

/// First of the halved steps that reduces E_s enough, else the best of them; empty if E_s is not
/// finite for any.
std::optional<Point> lowest(const MatrixOperator& system, const Point& from, const Vector& change) {
  constexpr int kMaxResidualHalvings = 12;
  constexpr double kMinResidualDecrease = 0.01;  // of E_s, by a full step [-]
  std::optional<Point> best;
  double size = 1;
  for (int k = 0; k < kMaxResidualHalvings; ++k, size /= 2) {
    Point trial(system, from.r + size * change);
    const bool enough = trial.residual < (1 - kMinResidualDecrease * size) * from.residual;
    if (std::isfinite(trial.residual) && (!best || trial.residual < best->residual))
      best = std::move(trial);
    if (enough) break;
  }
  return best;
}

/// First of the halved steps that halves E_s, or after which the next step, with the same Jacobian,
/// is sufficiently shorter than this one. Else the step with the shortest next step; empty if that
/// is not shorter.
std::optional<Point> first_natural(const MatrixOperator& system, NewtonFunction function,
                                   const NewtonStep& step, const Point& from,
                                   const Vector& change) {
  constexpr int kMaxNaturalHalvings = 5;
  std::optional<Point> best;
  double shortest = change.norm(), size = 1;
  Vector next;
  for (int k = 0; k < kMaxNaturalHalvings; ++k, size /= 2) {
    Point trial(system, from.r + size * change);
    if (trial.residual <= (1 - 0.5 * size) * from.residual) return trial;
    if (!step.solve_for(function_values(system, function, trial.r, trial.u), next)) continue;
    const double length = next.norm();
    if (length < shortest) {
      shortest = length;
      best = std::move(trial);
    }
    if (length <= (1 - 0.25 * size) * change.norm()) break;
  }
  return best;
}

}  // namespace

bool newton(const NewtonSettings& settings, Vector& r, Progress& progress) {
  constexpr int kMaxPoorSteps = 3;
  const MatrixOperator& system = progress.system();
  Point now(system, r);
  const double start = now.residual;
  double best = start;
  Vector change;
  const int allowed = std::min(settings.max_iterations, progress.iterations_left());
  for (int k = 0, poor = 0; k < allowed && poor < kMaxPoorSteps && !progress.finished(); ++k) {
    if (!progress.has_time_for_piece()) break;
    const auto begin = Limits::Clock::now();
    const NewtonStep step(system, settings, now.r, now.u);
    progress.record_piece(begin);
    if (progress.finished() || !step.solve(change)) break;
    std::optional<Point> next = settings.damping == NewtonDamping::natural
                                    ? first_natural(system, settings.function, step, now, change)
                                    : lowest(system, now, change);
    if (!next) break;
    progress.record(next->r, next->u, next->residual, 1);
    if (settings.damping == NewtonDamping::residual)
      poor = next->residual < 0.9 * now.residual ? 0 : poor + 1;
    now = std::move(*next);
    if (now.residual < best) {
      best = now.residual;
      r = now.r;
    }
  }
  return best < start;
}

}  // namespace scree

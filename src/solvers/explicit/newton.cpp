#include "solvers/explicit/newton.hpp"

#include <Eigen/LU>
#include <Eigen/SparseLU>

#include "solvers/explicit/linearisation.hpp"

namespace scree {
namespace {

constexpr int kLargestDense = 300;  // rows; above, sparse elimination is faster

/// A block whose r is not zero at once.
struct ClosedBlock {
  int block, place;  // first row in the linear system
  bool joint;
  Linearisation l;
};

/// The linear system of one step, for the blocks that are not open; r of the open ones goes to zero at once.
class NewtonStep {
 public:
  NewtonStep(const System& system, const NewtonSettings& settings, const Vector& r, const Vector& u)
      : system_(system), epsilon_(settings.regularisation * system.largest_diagonal()), r_(r), without_open_(r) {
    bool any_open = false;
    system.for_each_block([&]<class Law>(const Law& law, int block) {
      const int row = system.first_row(block), n = system.rows_of(block);
      ClosedBlock closed{block, size_, std::is_same_v<Law, JointRows>, {}};
      if constexpr (!std::is_same_v<Law, JointRows>)
        closed.l = linearise(settings.function, law, system.diagonal(block), System::at(u, row), System::at(r, row));
      if (closed.l.open) {
        any_open |= !without_open_.segment(row, n).isZero(0);
        without_open_.segment(row, n).setZero();
      } else {
        size_ += n;
        closed_.push_back(closed);
      }
    });
    velocity_ = any_open ? system.velocity(without_open_) : u;
    if (any_open) linearise_without_open(settings.function);
    place_.assign(system.rows(), -1);
    for (const ClosedBlock& c : closed_)
      for (int k = 0; k < system.rows_of(c.block); ++k) place_[system.first_row(c.block) + k] = c.place + k;
  }

  /// Change of r; false where it cannot be had.
  bool solve(Vector& change) const {
    Vector rhs(size_), x;
    for (const ClosedBlock& c : closed_) {
      const int n = system_.rows_of(c.block);
      if (c.joint)
        rhs.segment(c.place, n) = -velocity_.segment(system_.first_row(c.block), n);
      else
        rhs.segment<3>(c.place) = -c.l.F;
    }
    if (size_ <= kLargestDense) {
      Eigen::MatrixXd J = Eigen::MatrixXd::Zero(size_, size_);
      for_each_entry([&](int i, int j, double value) { J(i, j) += value; });
      x = J.partialPivLu().solve(rhs);
    } else {
      std::vector<Eigen::Triplet<double>> entries;
      for_each_entry([&](int i, int j, double value) { entries.emplace_back(i, j, value); });
      Eigen::SparseMatrix<double> J(size_, size_);
      J.setFromTriplets(entries.begin(), entries.end());
      const Eigen::SparseLU<Eigen::SparseMatrix<double>> lu(J);
      if (lu.info() != Eigen::Success) return false;
      x = lu.solve(rhs);
    }
    if (!x.allFinite()) return false;
    change = without_open_ - r_;
    for (int row = 0; row < system_.rows(); ++row)
      if (place_[row] >= 0) change[row] = x[place_[row]];
    return true;
  }

 private:
  /// The percussions of open blocks leave the velocities of the others at once. What is closed stays so in this step.
  void linearise_without_open(NewtonFunction function) {
    std::size_t next = 0;
    system_.for_each_block([&]<class Law>(const Law& law, int block) {
      if (next == closed_.size() || closed_[next].block != block) return;
      ClosedBlock& closed = closed_[next++];
      if constexpr (!std::is_same_v<Law, JointRows>) {
        const int row = system_.first_row(block);
        const Linearisation l =
            linearise(function, law, system_.diagonal(block), System::at(velocity_, row), System::at(r_, row));
        if (!l.open) closed.l = l;
      }
    });
  }

  /// f(i, j, value) of ∂F/∂u (W + ε) + ∂F/∂r.
  template <class F>
  void for_each_entry(F&& f) const {
    for (const ClosedBlock& c : closed_) {
      const int n = system_.rows_of(c.block), i = c.place;
      system_.for_each_column(c.block, [&](int column, const double* value) {
        const int j = place_[column];
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

  const System& system_;
  double epsilon_;
  const Vector& r_;
  Vector without_open_, velocity_;
  int size_ = 0;
  std::vector<ClosedBlock> closed_;
  std::vector<int> place_;
};

/// The first of the halved steps that lowers E_s enough, else the best of them.
double line_search(const System& system, const Vector& change, double residual, Vector& r, Vector& u) {
  constexpr int kHalvings = 12;
  constexpr double kEnough = 0.01;
  const Vector start = r;
  double best = std::numeric_limits<double>::infinity(), step = 1;
  Vector trial, velocity;
  for (int k = 0; k < kHalvings; ++k, step /= 2) {
    trial = start + step * change;
    velocity = system.velocity(trial);
    const double reached = system.residual(velocity, trial);
    if (reached < best) best = reached, r = trial, u = velocity;
    if (reached < (1 - kEnough * step) * residual) break;
  }
  return best;
}

}  // namespace

bool newton(const NewtonSettings& settings, Vector& r, Progress& progress) {
  const System& system = progress.system();
  Vector u = system.velocity(r), change, best = r;
  const double start = system.residual(u, r);
  double residual = start, best_residual = start;
  const int most = std::min(settings.max_iterations, progress.iterations_left());
  for (int k = 0, poor = 0; k < most && poor < 3 && !progress.finished(); ++k) {
    if (!NewtonStep(system, settings, r, u).solve(change)) break;
    const double reached = line_search(system, change, residual, r, u);
    if (!std::isfinite(reached)) break;
    progress.book(r, reached, 1);
    poor = reached < 0.9 * residual ? 0 : poor + 1;
    residual = reached;
    if (residual < best_residual) best_residual = residual, best = r;
  }
  r = best;
  return best_residual < start;
}

}  // namespace scree

/// Preload of bodies between obstacles at rest, as non-negative least squares.
#include "scree/solvers/squeeze.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <span>
#include <vector>

#include "scree/solvers/factored_problem.hpp"
#include "solvers/kernels/rolling_blocks.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

/// Non-negative least squares by active sets: x ≥ 0 with |A x − b| least, from a start ≥ 0. Our
/// own.
class LeastSquares {
 public:
  LeastSquares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, const Eigen::VectorXd& start)
      : A_(A), b_(b), x_(start) {
    for (const double x : start) is_in_.push_back(x > 0);
  }

  const Eigen::VectorXd& solve() {
    std::size_t round = 0;
    do
      while (!solve_those_in()) {
      }
    while (++round < 3 * size() && take_in_steepest());
    return x_;
  }

 private:
  std::size_t size() const { return static_cast<std::size_t>(A_.cols()); }

  /// False if no unknown can grow to any use.
  bool take_in_steepest() {
    const Eigen::VectorXd use = A_.transpose() * (b_ - A_ * x_);
    std::size_t best = size();
    double most = 1e-14 * b_.norm();
    for (std::size_t k = 0; k < size(); ++k) {
      const double of = use[static_cast<Eigen::Index>(k)];
      if (is_in_[k] || of <= most) continue;
      best = k;
      most = of;
    }
    if (best == size()) return false;
    is_in_[best] = true;
    return true;
  }

  /// Goes to the least squares of the unknowns that are in, or until some are 0, which go out:
  /// false then.
  bool solve_those_in() {
    std::vector<Eigen::Index> in;
    for (std::size_t k = 0; k < size(); ++k)
      if (is_in_[k]) in.push_back(static_cast<Eigen::Index>(k));
    if (in.empty()) return true;
    const Eigen::MatrixXd columns = A_(Eigen::all, in);
    const Eigen::VectorXd now = x_(in), way = columns.householderQr().solve(b_) - now;
    double step = 1;
    Eigen::Index first_out = -1;
    for (Eigen::Index i = 0; i < way.size(); ++i) {
      if (now[i] + way[i] > 0 || -now[i] > step * way[i]) continue;
      step = way[i] < 0 ? -now[i] / way[i] : 0;
      first_out = i;
    }
    x_(in) = now + step * way;
    if (first_out < 0) return true;
    const Eigen::Index out = in[static_cast<std::size_t>(first_out)];
    x_[out] = 0;
    is_in_[static_cast<std::size_t>(out)] = false;
    return false;
  }

  const Eigen::MatrixXd& A_;
  const Eigen::VectorXd& b_;
  Eigen::VectorXd x_;
  std::vector<bool> is_in_;
};

/// The contacts of one body.
class Release {
 public:
  Release(ContactProblem& problem, std::span<const TightContact> contacts)
      : problem_(problem), contacts_(contacts) {}

  void apply(bool smooth) {
    gather();
    const double sum = pressed_.sum();
    if (!(sum > 0)) return;
    if (smooth) take_friction();
    const Eigen::VectorXd least = LeastSquares(A_, b_, pressed_).solve().cwiseMax(0.0);
    if (!least.allFinite()) return;
    if ((least - pressed_).lpNorm<Eigen::Infinity>() <= kSamePreload * sum) return;
    for (std::size_t k = 0; k < contacts_.size(); ++k)
      set_normal(contacts_[k].contact, least[static_cast<Eigen::Index>(k)]);
  }

 private:
  /// Springs of all contacts are alike: they answer an impulse with the least Σ r_n². Its weight ε
  /// is so small that it does not change the impulse.
  void gather() {
    const auto count = static_cast<Eigen::Index>(contacts_.size());
    A_ = Eigen::MatrixXd::Zero(6 + count, count);
    pressed_.resize(count);
    for (Eigen::Index k = 0; k < count; ++k) {
      const ContactRows c = contact_rows(problem_, contacts_[static_cast<std::size_t>(k)].contact);
      const bool turns = problem_.bodies[c.a].inverse_inertia > 0;
      const Vec3 push = without(c.axis[0], c.locked_a), turn = turns ? c.jw_a[0] : Vec3{};
      A_.col(k).head<6>() << push.x, push.y, push.z, -turn.x, -turn.y, -turn.z;
      A_(6 + k, k) = kPreloadWeight;
      pressed_[k] = c.impulse.x;
    }
    b_ = Eigen::VectorXd::Zero(6 + count);
    b_.head<6>() = A_.topRows<6>() * pressed_;
  }

  /// Removes the friction of contacts whose normals are opposed.
  void take_friction() {
    const Eigen::MatrixXd cosines = A_.topRows<3>().transpose() * A_.topRows<3>();
    for (Eigen::Index k = 0; k < cosines.cols(); ++k)
      if (cosines.col(k).minCoeff() < kOpposed)
        set(contacts_[static_cast<std::size_t>(k)].contact, pressed_[k], 0);
  }

  void set_normal(ContactIndex contact, double normal) {
    const double now = contact_rows(problem_, contact).impulse.x;
    set(contact, normal, normal < now ? normal / now : 1);
  }

  /// Sets the normal impulse, and keeps `fraction` of friction and rolling friction.
  void set(ContactIndex contact, double normal, double fraction) {
    const ContactRows c = contact_rows(problem_, contact);
    set_impulses(problem_, {&contact, 1},
                 Eigen::Vector3d(normal, fraction * c.impulse.y, fraction * c.impulse.z));
    const std::size_t spheres = kBlock * problem_.blocks.size();
    if (contact < spheres) return;
    const ContactBlock& block = problem_.contact_blocks[(contact - spheres) / kBlock];
    if (block.rolling == ContactBlock::kNone) return;
    const int lane = static_cast<int>(contact % kBlock);
    const kernels::RollingContact rolling(problem_, block, lane);
    rolling.add_impulse(problem_.bodies, problem_.free_bodies, (fraction - 1) * rolling.impulse());
    for (auto& row : problem_.rolling[block.rolling].impulse) row[lane] *= fraction;
  }

  ContactProblem& problem_;
  std::span<const TightContact> contacts_;
  Eigen::MatrixXd A_;
  Eigen::VectorXd b_, pressed_;
};

}  // namespace

void release_squeeze(ContactProblem& problem, bool smooth) {
  const std::span<const TightContact> tight = problem.tight;
  for (std::size_t begin = 0, end = 0; begin < tight.size(); begin = end) {
    while (end < tight.size() && tight[end].body == tight[begin].body) ++end;
    Release(problem, tight.subspan(begin, end - begin)).apply(smooth);
  }
}

}  // namespace scree

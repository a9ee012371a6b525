/// Primal-dual interior point method with Nesterov–Todd scaling.
#include "solvers/methods/interior_point.hpp"

#include <Eigen/LU>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/methods/scaled_cones.hpp"
#include "solvers/methods/second_order_cone.hpp"
#include "solvers/operators/cones.hpp"

namespace scree {
namespace {

constexpr int kInteriorDenseRows = 300;  // above, sparse elimination is faster

/// Elimination of matrices of one pattern.
class Elimination {
 public:
  explicit Elimination(const Eigen::SparseMatrix<double>& pattern)
      : dense_(pattern.rows() <= kInteriorDenseRows) {
    if (!dense_) sparse_lu_.analyzePattern(pattern);
  }
  bool factorize(const Eigen::SparseMatrix<double>& A) {
    if (dense_) {
      dense_lu_.compute(Eigen::MatrixXd(A));
      return true;
    }
    sparse_lu_.factorize(A);
    return sparse_lu_.info() == Eigen::Success;
  }
  Vector solve(const Vector& b) const {
    return dense_ ? Vector(dense_lu_.solve(b)) : Vector(sparse_lu_.solve(b));
  }

 private:
  bool dense_;
  Eigen::PartialPivLU<Eigen::MatrixXd> dense_lu_;
  Eigen::SparseLU<Eigen::SparseMatrix<double>> sparse_lu_;
};

class InteriorPoint {
 public:
  using Cone = ScaledCones::Cone;

  InteriorPoint(const InteriorPointSettings& settings, Progress& progress)
      : settings_(settings),
        progress_(progress),
        p_(progress.system()),
        x_(Vector::Zero(p_.size())),
        z_(x_),
        elimination_(p_.W()) {
    for (const Cone& c : p_.cones()) x_[c.first] = z_[c.first] = 1;
  }

  void run() {
    const int allowed = std::min(settings_.max_iterations, progress_.iterations_left());
    for (int k = 0; k < allowed && !progress_.finished(); ++k) {
      if (!progress_.has_time_for_piece()) return;
      gap_ = p_.cones().empty() ? 0 : x_.dot(z_) / static_cast<double>(p_.cones().size());
      if (!step()) return;
      if (!x_.allFinite() || !z_.allFinite()) return;
      Vector r = p_.impulse(x_);
      project_on_cones(progress_.system(), r);
      progress_.record(r, 1);
    }
  }

 private:
  template <class F>
  void for_each_cone(F&& f) const {
    for (const Cone& c : p_.cones())
      if (c.size == 3)
        f.template operator()<3>(c);
      else
        f.template operator()<1>(c);
  }

  /// Smoothed |u_t|, as in the Jacobian.
  double smooth_slip(const Cone& c) const {
    const double epsilon = settings_.smoothing * gap_;
    return std::sqrt(z_.segment<2>(c.first + 1).squaredNorm() + epsilon * epsilon) - epsilon;
  }

  /// Residual of u = W r + q and û = u + s n [scaled].
  Vector infeasibility() const {
    Vector F = z_ - p_.W() * x_ - p_.q();
    for (const Cone& c : p_.cones())
      if (c.shifted) F[c.first] -= smooth_slip(c);
    return F;
  }

  /// A change of x and z.
  struct Direction {
    Vector x, z;
  };

  /// Takes a predictor, then a corrector step [Mehrotra92]. False if no step is possible.
  bool step() {
    const Vector F = infeasibility();
    const auto begin = Limits::Clock::now();
    const bool factorized = factorize();
    progress_.record_piece(begin);
    if (!factorized || progress_.finished()) return false;
    const Direction predicted = direction(complementarity(0, nullptr), F);
    Direction d = direction(complementarity(centring(predicted) * gap_, &predicted), F);
    double a = longest(d);
    constexpr double kShortInteriorStep = 0.1, kInteriorMargin = 0.995;
    if (a < kShortInteriorStep) {
      // A centring step, without the corrector.
      d = direction(complementarity(0.5 * gap_, nullptr), F);
      a = longest(d);
    }
    a = std::min(1.0, kInteriorMargin * a);
    x_ += a * d.x;
    z_ += a * d.z;
    return a > 1e-10;
  }

  /// σ, fraction of the gap to keep: small if the predictor alone closes most of it.
  double centring(const Direction& predicted) const {
    const double a = std::min(1.0, longest(predicted));
    const double cones = std::max<double>(1, static_cast<double>(p_.cones().size()));
    const double reached = (x_ + a * predicted.x).dot(z_ + a * predicted.z) / cones;
    return gap_ > 0 ? std::clamp(std::pow(reached / gap_, 3), 1e-6, 1.0) : 0;
  }

  bool factorize() {
    Eigen::SparseMatrix<double> A = p_.W();
    of_round_cones_.clear();
    of_half_lines_.clear();
    for_each_cone([&]<int N>(const Cone& c) {
      const soc::Vec<N> x = x_.segment<N>(c.first), z = z_.segment<N>(c.first);
      const soc::Scaling<N> s(x, z);
      soc::Mat<N> block = s.H * s.H;
      if constexpr (N == 3) {
        of_round_cones_.push_back(s);
        if (c.shifted) block.row(0) -= slope(c).transpose() * block.template bottomRows<2>();
      } else {
        of_half_lines_.push_back(s);
      }
      for (int k = 0; k < N; ++k)
        for (int l = 0; l < N; ++l) A.coeffRef(c.first + k, c.first + l) += block(k, l);
    });
    return elimination_.factorize(A);
  }

  /// Derivative of the slip.
  Eigen::Vector2d slope(const Cone& c) const {
    const double epsilon = settings_.smoothing * gap_;
    const Eigen::Vector2d t = z_.segment<2>(c.first + 1);
    const double size = std::sqrt(t.squaredNorm() + epsilon * epsilon);
    return size > 0 ? Eigen::Vector2d(t / size) : Eigen::Vector2d(0, 0);
  }

  template <int N>
  const soc::Scaling<N>& scaling_of(const Cone& c) const {
    if constexpr (N == 3)
      return of_round_cones_[c.number];
    else
      return of_half_lines_[c.number];
  }

  /// H (λ \ t) of every cone, t = −λ∘λ + μ e; minus (H dx)∘(H⁻¹ dz) where a direction is predicted.
  Vector complementarity(double mu, const Direction* predicted) const {
    Vector c = Vector::Zero(p_.size());
    for_each_cone([&]<int N>(const Cone& cone) {
      const soc::Scaling<N>& s = scaling_of<N>(cone);
      const soc::Vec<N> lambda = s.H * x_.segment<N>(cone.first);
      soc::Vec<N> t = -soc::product<N>(lambda, lambda);
      if (predicted != nullptr) {
        const soc::Vec<N> hx = s.H * predicted->x.segment<N>(cone.first);
        const soc::Vec<N> hz = s.inverse * predicted->z.segment<N>(cone.first);
        t -= soc::product<N>(hx, hz);
      }
      t[0] += mu;
      c.segment<N>(cone.first) = s.H * soc::quotient<N>(t, lambda);
    });
    return c;
  }

  /// dz + H² dx = c for each cone, (1 − e gᵀ) dz = W dx − F. Joints: W dx = F, with z = 0.
  Direction direction(const Vector& c, const Vector& F) const {
    Vector b = c + F;
    for (const Cone& cone : p_.cones())
      if (cone.shifted) b[cone.first] -= slope(cone).dot(c.segment<2>(cone.first + 1));
    Direction d{elimination_.solve(b), c};
    for_each_cone([&]<int N>(const Cone& cone) {
      const soc::Mat<N>& H = scaling_of<N>(cone).H;
      d.z.segment<N>(cone.first) -= H * (H * d.x.segment<N>(cone.first));
    });
    return d;
  }

  /// Longest step that stays in the cones [-].
  double longest(const Direction& d) const {
    double a = std::numeric_limits<double>::infinity();
    for_each_cone([&]<int N>(const Cone& c) {
      const soc::Vec<N> dx = d.x.segment<N>(c.first), dz = d.z.segment<N>(c.first);
      a = std::min({a, soc::longest_step<N>(x_.segment<N>(c.first), dx),
                    soc::longest_step<N>(z_.segment<N>(c.first), dz)});
    });
    return a;
  }

  const InteriorPointSettings& settings_;
  Progress& progress_;
  const ScaledCones p_;
  Vector x_, z_;
  double gap_ = 1;
  std::vector<soc::Scaling<3>> of_round_cones_;  ///< Nesterov and Todd's
  std::vector<soc::Scaling<1>> of_half_lines_;
  Elimination elimination_;
};

}  // namespace

void interior_point(const InteriorPointSettings& settings, Vector& r, Progress& progress) {
  if (progress.has_time_for_piece()) InteriorPoint(settings, progress).run();
  r = progress.best();
}

}  // namespace scree

#include "solvers/explicit/interior_point.hpp"

#include <Eigen/LU>
#include <Eigen/SparseLU>
#include <type_traits>

#include "solvers/explicit/cones.hpp"
#include "solvers/explicit/second_order_cone.hpp"

namespace scree {
namespace {

using Vec3d = Eigen::Vector3d;
constexpr int kLargestDense = 300;  // rows

/// The problem in cones that are their own duals: x = P r / r₀, z = P⁻¹ û / |q|_∞ with P = (μ, 1, 1). Contacts without friction are the
/// half-line of their normal; their tangential rows are left out.
class ScaledCones {
 public:
  struct Cone {
    int row, place, size;  ///< first row in the problem and here; 3 or 1
    bool shifted;          ///< by μ|u_t|
  };

  explicit ScaledCones(const System& system) : system_(system) {
    place_.assign(system.rows(), -1);
    system.for_each_block([&]<class Law>(const Law& law, int block) {
      const int row = system.first_row(block);
      if constexpr (std::is_same_v<Law, JointRows>) {
        for (int k = 0; k < law.rows; ++k) add_row(row + k, 1);
      } else if constexpr (is_round_cone<Law>()) {
        cones_.push_back({row, size_, law.mu > 0 ? 3 : 1, law.mu > 0 && is_shifted_cone<Law>()});
        add_row(row, law.mu > 0 ? 1 / law.mu : 1);
        if (law.mu > 0) add_row(row + 1, 1), add_row(row + 2, 1);
      } else {
        cones_.push_back({row, size_, 1, false});
        add_row(row, 1);
      }
    });
    velocity_ = system.q().lpNorm<Eigen::Infinity>();
    if (!(velocity_ > 0)) velocity_ = 1;
    percussion_ = velocity_ / system.largest_diagonal();
    q_.resize(size_);
    for (int i = 0; i < size_; ++i) q_[i] = system.q()[row_[i]] * factor_[i] / velocity_;
    std::vector<Eigen::Triplet<double>> entries;
    for (int block = 0; block < system.blocks(); ++block)
      system.for_each_column(block, [&](int column, const double* value) {
        const int j = place_[column];
        for (int k = 0; k < system.rows_of(block); ++k)
          if (const int i = place_[system.first_row(block) + k]; i >= 0 && j >= 0)
            entries.emplace_back(i, j, value[k] * factor_[i] * factor_[j] / system.largest_diagonal());
      });
    // Room for the cones' own blocks, and for what keeps joints regular.
    for (const Cone& c : cones_)
      for (int k = 0; k < c.size; ++k)
        for (int l = 0; l < c.size; ++l) entries.emplace_back(c.place + k, c.place + l, 0.0);
    for (int i = 0; i < size_; ++i) entries.emplace_back(i, i, 0.0);
    W_.resize(size_, size_);
    W_.setFromTriplets(entries.begin(), entries.end());
  }

  int size() const { return size_; }
  const std::vector<Cone>& cones() const { return cones_; }
  const Eigen::SparseMatrix<double>& W() const { return W_; }
  const Vector& q() const { return q_; }

  Vector percussion(const Vector& x) const {
    Vector r = Vector::Zero(system_.rows());
    for (int i = 0; i < size_; ++i) r[row_[i]] = x[i] * factor_[i] * percussion_;
    return r;
  }

 private:
  void add_row(int row, double factor) {
    place_[row] = size_++;
    row_.push_back(row), factor_.push_back(factor);
  }

  const System& system_;
  int size_ = 0;
  double velocity_ = 1, percussion_ = 1;
  std::vector<int> place_, row_;
  std::vector<double> factor_;
  std::vector<Cone> cones_;
  Eigen::SparseMatrix<double> W_;
  Vector q_;
};

/// Elimination of matrices of one pattern.
class Elimination {
 public:
  explicit Elimination(const Eigen::SparseMatrix<double>& pattern) : dense_(pattern.rows() <= kLargestDense) {
    if (!dense_) sparse_lu_.analyzePattern(pattern);
  }
  bool factorize(const Eigen::SparseMatrix<double>& A) {
    if (!dense_) return sparse_lu_.factorize(A), sparse_lu_.info() == Eigen::Success;
    dense_lu_.compute(Eigen::MatrixXd(A));
    return true;
  }
  Vector solve(const Vector& b) const { return dense_ ? Vector(dense_lu_.solve(b)) : Vector(sparse_lu_.solve(b)); }

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
    for (const Cone& c : p_.cones()) x_[c.place] = z_[c.place] = 1;
  }

  void run() {
    const int most = std::min(settings_.max_iterations, progress_.iterations_left());
    for (int k = 0; k < most && !progress_.finished(); ++k) {
      gap_ = p_.cones().empty() ? 0 : x_.dot(z_) / static_cast<double>(p_.cones().size());
      if (!step()) return;
      if (!x_.allFinite() || !z_.allFinite()) return;
      Vector r = p_.percussion(x_);
      project_on_cones(progress_.system(), r);
      progress_.book(r, 1);
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

  /// |u_t| as the Jacobian sees it.
  double smooth_slip(const Cone& c) const {
    const double epsilon = settings_.smoothing * gap_;
    return std::sqrt(z_.segment<2>(c.place + 1).squaredNorm() + epsilon * epsilon) - epsilon;
  }

  /// What u = W r + q and û = u + s n lack [scaled].
  Vector infeasibility() const {
    Vector F = z_ - p_.W() * x_ - p_.q();
    for (const Cone& c : p_.cones())
      if (c.shifted) F[c.place] -= smooth_slip(c);
    return F;
  }

  bool step() {
    const Vector F = infeasibility();
    if (!factorize()) return false;
    // dz + H² dx = c for each cone; (1 − e gᵀ) dz = W dx − F. Joints: W dx = F, with z = 0.
    const Vector affine =
        corrector([](auto, const auto& lambda, const auto&, const auto&,
                     double) { return decltype(soc::product(lambda, lambda))(-soc::product(lambda, lambda)); },
                  {}, {}, 0);
    Vector dx, dz;
    direction(affine, F, dx, dz);
    double a = std::min(1.0, longest(dx, dz));
    const double reached = (x_ + a * dx).dot(z_ + a * dz) / std::max<double>(1, static_cast<double>(p_.cones().size()));
    double sigma = gap_ > 0 ? std::clamp(std::pow(reached / gap_, 3), 1e-6, 1.0) : 0;
    const Vector predicted_x = dx, predicted_z = dz;
    const auto centred = [&](bool correct) {
      const Vector c = corrector(
          [&](auto cone, const auto& lambda, const auto& hx, const auto& hz, double mu) {
            using V = std::decay_t<decltype(soc::product(lambda, lambda))>;
            V t = -soc::product(lambda, lambda);
            if (correct) t -= soc::product(hx, hz);
            t[0] += mu;
            (void)cone;
            return t;
          },
          predicted_x, predicted_z, sigma * gap_);
      direction(c, F, dx, dz);
      return longest(dx, dz);
    };
    constexpr double kShort = 0.1, kMargin = 0.995;
    a = centred(true);
    if (a < kShort) sigma = 0.5, a = centred(false);
    a = std::min(1.0, kMargin * a);
    x_ += a * dx, z_ += a * dz;
    return a > 1e-10;
  }

  bool factorize() {
    Eigen::SparseMatrix<double> A = p_.W();
    scaling_.clear(), scaling1_.clear();
    for_each_cone([&]<int N>(const Cone& c) {
      const soc::Vec<N> x = x_.segment<N>(c.place), z = z_.segment<N>(c.place);
      const soc::Scaling<N> s(x, z);
      soc::Mat<N> block = s.H * s.H;
      if constexpr (N == 3) {
        scaling_.push_back(s);
        if (c.shifted) block.row(0) -= slope(c).transpose() * block.template bottomRows<2>();
      } else {
        scaling1_.push_back(s);
      }
      for (int k = 0; k < N; ++k)
        for (int l = 0; l < N; ++l) A.coeffRef(c.place + k, c.place + l) += block(k, l);
    });
    return elimination_.factorize(A);
  }

  /// Derivative of the slip.
  Eigen::Vector2d slope(const Cone& c) const {
    const double epsilon = settings_.smoothing * gap_;
    const Eigen::Vector2d t = z_.segment<2>(c.place + 1);
    const double size = std::sqrt(t.squaredNorm() + epsilon * epsilon);
    return size > 0 ? Eigen::Vector2d(t / size) : Eigen::Vector2d(0, 0);
  }

  /// H (λ \ f(λ, H dx, H⁻¹ dz)) of every cone.
  template <class F>
  Vector corrector(F&& f, const Vector& dx, const Vector& dz, double mu) const {
    Vector c = Vector::Zero(p_.size());
    std::size_t next3 = 0, next1 = 0;
    for_each_cone([&]<int N>(const Cone& cone) {
      const soc::Scaling<N>& s = [&]() -> const soc::Scaling<N>& {
        if constexpr (N == 3)
          return scaling_[next3++];
        else
          return scaling1_[next1++];
      }();
      const soc::Vec<N> lambda = s.H * x_.segment<N>(cone.place);
      soc::Vec<N> hx = soc::Vec<N>::Zero(), hz = hx;
      if (dx.size() > 0) hx = s.H * dx.segment<N>(cone.place), hz = s.inverse * dz.segment<N>(cone.place);
      const soc::Vec<N> t = f(cone, lambda, hx, hz, mu);
      c.segment<N>(cone.place) = s.H * soc::quotient<N>(t, lambda);
    });
    return c;
  }

  void direction(const Vector& c, const Vector& F, Vector& dx, Vector& dz) const {
    Vector b = c + F;
    for (const Cone& cone : p_.cones())
      if (cone.shifted) b[cone.place] -= slope(cone).dot(c.segment<2>(cone.place + 1));
    dx = elimination_.solve(b);
    dz = c;
    std::size_t next3 = 0, next1 = 0;
    for_each_cone([&]<int N>(const Cone& cone) {
      const soc::Mat<N>& H = [&]() -> const soc::Mat<N>& {
        if constexpr (N == 3)
          return scaling_[next3++].H;
        else
          return scaling1_[next1++].H;
      }();
      dz.segment<N>(cone.place) -= H * (H * dx.segment<N>(cone.place));
    });
  }

  double longest(const Vector& dx, const Vector& dz) const {
    double a = std::numeric_limits<double>::infinity();
    for_each_cone([&]<int N>(const Cone& c) {
      a = std::min({a, soc::longest_step<N>(x_.segment<N>(c.place), dx.segment<N>(c.place)),
                    soc::longest_step<N>(z_.segment<N>(c.place), dz.segment<N>(c.place))});
    });
    return a;
  }

  const InteriorPointSettings& settings_;
  Progress& progress_;
  const ScaledCones p_;
  Vector x_, z_;
  double gap_ = 1;
  std::vector<soc::Scaling<3>> scaling_;
  std::vector<soc::Scaling<1>> scaling1_;
  Elimination elimination_;
};

}  // namespace

void interior_point(const InteriorPointSettings& settings, Vector& r, Progress& progress) {
  InteriorPoint(settings, progress).run();
  r = progress.best();
}

}  // namespace scree

/// Interior point method for few contacts that one dense matrix couples. Our own.
#include "solvers/methods/dense_interior.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <variant>

#include "solvers/methods/second_order_cone.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

/// Cone of a law; for facets, the round cone inside them.
struct RoundCone {
  double mu;
  Rule rule;
};
std::optional<RoundCone> round_cone_of(const AnyLaw& law) {
  return std::visit(
      []<class Law>(const Law& of) -> std::optional<RoundCone> {
        constexpr LawTraits traits = Law::traits;
        if constexpr (traits.cone == Cone::half_line)
          return RoundCone{0, traits.rule};
        else if constexpr (traits.cone == Cone::circular)
          return RoundCone{of.mu, traits.rule};
        else if constexpr (traits.cone == Cone::faceted)
          return RoundCone{of.mu * std::cos(std::numbers::pi / of.facets), traits.rule};
        else
          return std::nullopt;
      },
      law);
}

/// Calls f.operator()<N>() with the dimension of a cone.
template <class F>
auto with_size(double mu, F&& f) {
  return mu > 0 ? f.template operator()<3>() : f.template operator()<1>();
}

}  // namespace

bool DenseInterior::begin(DenseProblem& problem, Law law) {
  if (!problem.drives.empty()) return false;
  cones_.clear();
  start_ = problem.z;
  velocity_ = 0;
  double largest = 0;
  for (const DenseProblem::Contact& c : problem.contacts) {
    const std::optional<RoundCone> of_law = round_cone_of(*c.law);
    if (!of_law) return false;
    Cone& cone = cones_.emplace_back();
    cone.mu = of_law->mu;
    cone.shifted = law == Law::coulomb && cone.mu > 0 && of_law->rule != Rule::complementarity;
    cone.before = c.impulse;
    cone.x = cone.z = Vector{1, 0, 0};
    // Velocity without the contact's own impulse.
    const Vec3 q = problem.velocity_of(c) - c.W * c.impulse;
    velocity_ = std::max({velocity_, std::abs(q.x), std::abs(q.y), std::abs(q.z)});
    largest = std::max({largest, c.W.xx, c.W.yy, c.W.zz});
  }
  if (!(velocity_ > 0) || !(largest > 0)) return false;
  impulse_ = velocity_ / largest;
  for (Cone& cone : cones_) {
    cone.scale = cone.mu > 0 ? Vector{1 / cone.mu, 1, 1} : Vector{1, 0, 0};
    cone.scale /= velocity_;
  }
  return true;
}

void DenseInterior::take(DenseProblem& problem) {
  impulse_sum_.assign(problem.size(), 0.0);
  for (std::size_t k = 0; k < cones_.size(); ++k) {
    const Cone& cone = cones_[k];
    DenseProblem::Contact& c = problem.contacts[k];
    c.impulse = {impulse_ * cone.x[0] / (cone.mu > 0 ? cone.mu : 1.0), impulse_ * cone.x[1],
                 impulse_ * cone.x[2]};
    problem.add_impulse(c, c.impulse - cone.before, impulse_sum_);
  }
  problem.z = start_;
  problem.add_answer(impulse_sum_, problem.z);
}

bool DenseInterior::factorise(const DenseProblem& problem) {
  const std::size_t n = problem.size();
  K_.assign(n * n, 0.0);
  for (std::size_t k = 0; k < cones_.size(); ++k) {
    Cone& cone = cones_[k];
    const DenseProblem::Contact& c = problem.contacts[k];
    const Vec3 u = problem.velocity_of(c);
    with_size(cone.mu, [&]<int N>() {
      const soc::Scaling<N> s(cone.x.head<N>(), cone.z.head<N>());
      cone.H.setZero();
      cone.inverse.setZero();
      cone.H.topLeftCorner<N, N>() = s.H;
      cone.inverse.topLeftCorner<N, N>() = s.inverse;
    });
    cone.lambda = cone.H * cone.x;
    // |z_t|, smoothed.
    const double size = std::hypot(cone.z[1], cone.z[2], gap_),
                 slip = cone.shifted ? size - gap_ : 0;
    cone.g = cone.shifted ? Vector{0, cone.z[1] / size, cone.z[2] / size} : Vector{0, 0, 0};
    // B⁻¹ = H⁻¹ (1 + H⁻¹ (1 + e gᵀ) C̃ H⁻¹)⁻¹ H⁻¹ (1 + e gᵀ): C̃ may be far above or below H².
    const double softness = problem.compliance * impulse_ * velocity_;
    cone.softness = softness * cone.scale.cwiseProduct(cone.scale);
    Matrix slope = Matrix::Identity();
    slope.row(0) += cone.g.transpose();
    const Matrix inner =
        Matrix::Identity() + cone.inverse * slope * cone.softness.asDiagonal() * cone.inverse;
    cone.of_b = cone.inverse * inner.inverse() * cone.inverse * slope;
    cone.F = cone.z;
    cone.F[0] -= u.x / velocity_ / (cone.mu > 0 ? cone.mu : 1.0) + slip;
    if (cone.mu > 0) cone.F.tail<2>() -= Eigen::Vector2d{u.y, u.z} / velocity_;
    double C[3][3];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) C[i][j] = cone.scale[i] * cone.of_b(i, j) * cone.scale[j];
    problem.add_feedback(c, C, K_);
  }
  problem.fill_answer_to(K_, impulse_ * velocity_, elimination_.clear(n));
  return elimination_.factorise(*problem.kernels);
}

void DenseInterior::aim_at(double gap, bool predicted) {
  for (Cone& cone : cones_)
    with_size(cone.mu, [&]<int N>() {
      const soc::Vec<N> lambda = cone.lambda.head<N>();
      soc::Vec<N> t = -soc::product<N>(lambda, lambda);
      if (predicted) {
        const Vector hx = cone.H * cone.dx, hz = cone.inverse * cone.dz;
        t -= soc::product<N>(hx.head<N>(), hz.head<N>());
      }
      t[0] += gap;
      cone.c = Vector::Zero();
      cone.c.head<N>() = soc::quotient<N>(t, lambda);
    });
}

void DenseInterior::find_direction(const DenseProblem& problem) {
  impulse_sum_.assign(problem.size(), 0.0);
  for (std::size_t k = 0; k < cones_.size(); ++k) {
    Cone& cone = cones_[k];
    const Vector c = cone.H * cone.c;
    cone.b = c + cone.F;
    cone.b[0] -= cone.g.dot(c);
    const Vector x = impulse_ * velocity_ * cone.scale.cwiseProduct(cone.of_b * cone.b);
    problem.add_impulse(problem.contacts[k], {x[0], x[1], x[2]}, impulse_sum_);
  }
  dy_.assign(problem.size(), 0.0);
  problem.add_answer(impulse_sum_, dy_);
  elimination_.solve(dy_);
  for (std::size_t k = 0; k < cones_.size(); ++k) {
    Cone& cone = cones_[k];
    const Vec3 u = problem.answer(problem.contacts[k], dy_);
    const Vector moved = cone.scale.cwiseProduct(Vector{u.x, u.y, u.z});
    // Avoid H² dx: near the border of z's cone its largest terms would cancel the smallest ones.
    cone.dz = moved + cone.softness.cwiseProduct(cone.of_b * (cone.b - moved)) - cone.F;
    cone.dz[0] += cone.g.dot(cone.dz);
    cone.dx = cone.inverse * (cone.c - cone.inverse * cone.dz);
  }
}

double DenseInterior::longest_step() const {
  double longest = std::numeric_limits<double>::infinity();
  for (const Cone& cone : cones_)
    with_size(cone.mu, [&]<int N>() {
      longest = std::min({longest, soc::longest_step<N>(cone.x.head<N>(), cone.dx.head<N>()),
                          soc::longest_step<N>(cone.z.head<N>(), cone.dz.head<N>())});
    });
  return longest;
}

bool DenseInterior::step(DenseProblem& problem) {
  const auto cones = static_cast<double>(cones_.size());
  gap_ = 0;
  for (const Cone& cone : cones_) gap_ += cone.x.dot(cone.z) / cones;
  if (!factorise(problem)) return false;
  aim_at(0, false);
  find_direction(problem);
  double a = std::min(1.0, longest_step()), reached = 0;
  for (const Cone& cone : cones_)
    reached += (cone.x + a * cone.dx).dot(cone.z + a * cone.dz) / cones;
  const double ratio = reached / gap_;
  aim_at(std::clamp(ratio * ratio * ratio, 1e-6, 1.0) * gap_, true);
  find_direction(problem);
  a = longest_step();
  if (a < kShortDenseInteriorStep) {
    // A centring step, without the corrector.
    aim_at(0.5 * gap_, false);
    find_direction(problem);
    a = longest_step();
  }
  a = std::min(1.0, kDenseInteriorMargin * a);
  for (Cone& cone : cones_) {
    cone.x += a * cone.dx;
    cone.z += a * cone.dz;
    if (!cone.x.allFinite() || !cone.z.allFinite()) return false;
  }
  take(problem);
  return a > kMinDenseInteriorStep;
}

void DenseInterior::solve(DenseProblem& problem, double allowed, Law law) {
  if (!begin(problem, law)) return;
  const auto keep = [&] {
    best_z_ = problem.z;
    for (std::size_t k = 0; k < cones_.size(); ++k) cones_[k].best = problem.contacts[k].impulse;
  };
  double min_squared = problem.squared_residual();
  keep();
  take(problem);
  int patience = kDenseInteriorPatience;
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kMaxDenseInteriorSteps && patience > 0 && min_squared > allowed * allowed;
       ++k) {
    if (!step(problem)) break;
    const double squared = problem.squared_residual();
    patience = squared < last ? kDenseInteriorPatience : patience - 1;
    last = std::min(last, squared);
    const bool better =
        squared < min_squared && (law == Law::coulomb || squared <= allowed * allowed);
    if (!better) continue;
    min_squared = squared;
    keep();
  }
  problem.z = best_z_;
  for (std::size_t k = 0; k < cones_.size(); ++k) problem.contacts[k].impulse = cones_[k].best;
}

}  // namespace scree

/// Contacts with polyhedral cones as a linear complementarity problem.
#include "solvers/methods/lemke.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>

#include "scree/math/lcp.hpp"

namespace scree {
namespace {

/// One unknown: the impulse along a direction in a block's frame.
struct Generator {
  int row;  ///< first of its block
  Vec3 direction;
};

template <class Law>
constexpr bool takes_facets() {
  if constexpr (std::is_same_v<Law, JointRows>)
    return false;
  else
    return Law::traits.is_linear_on_facets();
}

/// Linear complementarity problem in r_n and β_k ≥ 0 along each corner of the polygons, then in the
/// slip λ ≥ 0 of each contact with friction:
///
///     0 ≤ β_k ⊥ u·d_k + λ ≥ 0,   0 ≤ λ ⊥ μ r_n − Σ β_k ≥ 0
class PolyhedralProblem {
 public:
  PolyhedralProblem(const MatrixOperator& system, int facets) : system_(system) {
    system.for_each_block([&]<class Law>(const Law& law, int block) {
      const int row = system.first_row(block);
      if constexpr (!takes_facets<Law>())
        suits_ = false;
      else if constexpr (Law::traits.has_facets())
        add_contact(row, law.mu, law.facets);
      else if constexpr (Law::traits.has_friction())
        add_contact(row, law.mu, facets);
      else
        add_contact(row, 0, 0);
    });
  }

  bool suits() const { return suits_ && size() <= static_cast<std::size_t>(kMaxPivotRows); }

  Lcp lcp() const {
    const std::size_t n = size();
    Lcp lcp{std::vector<double>(n * n, 0), std::vector<double>(n, 0)};
    Vector unit = Vector::Zero(system_.rows());
    for (std::size_t j = 0; j < generators_.size(); ++j) {
      MatrixOperator::put(unit, generators_[j].row, generators_[j].direction);
      const Vector u = system_.velocity(unit) - system_.q();
      MatrixOperator::put(unit, generators_[j].row, {});
      for (std::size_t i = 0; i < generators_.size(); ++i)
        lcp.M[i * n + j] = along(generators_[i], u);
      lcp.q[j] = along(generators_[j], system_.q());
    }
    std::size_t slip = generators_.size();
    for (const Cone& c : cones_) {
      lcp.M[slip * n + c.normal] = c.mu;
      for (std::size_t k = c.normal + 1; k <= c.normal + c.corners; ++k) {
        lcp.M[k * n + slip] = 1;
        lcp.M[slip * n + k] = -1;
      }
      ++slip;
    }
    return lcp;
  }

  /// Scale S such that S M S has ones on the diagonal where M has positive entries.
  std::vector<double> scale(const Lcp& lcp) const {
    std::vector<double> s(size(), 1);
    for (std::size_t j = 0; j < generators_.size(); ++j)
      if (const double diagonal = lcp.M[j * size() + j]; diagonal > 0)
        s[j] = 1 / std::sqrt(diagonal);
    for (std::size_t k = 0; k < cones_.size(); ++k)
      s[generators_.size() + k] = 1 / s[cones_[k].normal + 1];
    return s;
  }

  Vector impulse(const std::vector<double>& z) const {
    Vector r = Vector::Zero(system_.rows());
    for (std::size_t j = 0; j < generators_.size(); ++j)
      MatrixOperator::put(
          r, generators_[j].row,
          MatrixOperator::at(r, generators_[j].row) + z[j] * generators_[j].direction);
    return r;
  }

 private:
  /// Cone of a contact with friction: the generators of its corners follow that of its normal.
  struct Cone {
    std::size_t normal, corners;
    double mu;
  };

  std::size_t size() const { return generators_.size() + cones_.size(); }

  void add_contact(int row, double mu, int corners) {
    if (mu > 0) cones_.push_back({generators_.size(), static_cast<std::size_t>(corners), mu});
    generators_.push_back({row, {1, 0, 0}});
    for (int k = 0; mu > 0 && k < corners; ++k) {
      const double angle = 2 * std::numbers::pi * k / corners;
      generators_.push_back({row, {0, std::cos(angle), std::sin(angle)}});
    }
  }

  static double along(const Generator& g, const Vector& u) {
    return dot(g.direction, MatrixOperator::at(u, g.row));
  }

  const MatrixOperator& system_;
  bool suits_ = true;
  std::vector<Generator> generators_;
  std::vector<Cone> cones_;
};

}  // namespace

bool pivot(int facets, Vector& r, Progress& progress) {
  const PolyhedralProblem problem(progress.system(), facets);
  if (!problem.suits()) return false;
  const Lcp lcp = problem.lcp();
  const std::vector<double> scale = problem.scale(lcp);
  const std::size_t n = scale.size();
  Lcp scaled = lcp;
  for (std::size_t i = 0; i < n; ++i) {
    scaled.q[i] *= scale[i];
    for (std::size_t j = 0; j < n; ++j) scaled.M[i * n + j] *= scale[i] * scale[j];
  }
  const auto stop = [&] { return progress.stopped() || progress.out_of_time(); };
  const auto allowed = [&](int pivots) {
    return std::min(50 * static_cast<int>(n) + 50, progress.iterations_left() - pivots);
  };
  LemkeResult result = solve_lemke(scaled, allowed(0), stop);
  int pivots = result.pivots;
  if (result.status == LcpStatus::solved) {
    for (std::size_t j = 0; j < n; ++j) result.point.z[j] *= scale[j];
  } else if (allowed(pivots) > 0 && !stop()) {
    // M is copositive: rounding, and no ray, has ended the path. Without scaling the path is
    // another one.
    result = solve_lemke(lcp, allowed(pivots), stop);
    pivots += result.pivots;
  }
  if (result.status == LcpStatus::solved) {
    r = problem.impulse(result.point.z);
    progress.adopt(r, pivots);
  } else {
    progress.record(r, pivots);
  }
  return true;
}

}  // namespace scree

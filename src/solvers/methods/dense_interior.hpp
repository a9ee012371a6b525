/// Interior point method for DenseContacts if Newton's steps stall. It is that of
/// interior_point.hpp with impulses eliminated contact by contact: scaling after Nesterov and Todd
/// [NesterovTodd97], predictor and corrector after Mehrotra [Mehrotra92].
///
/// A contact has x = P r / r₀ and z = P⁻¹ û / V in a cone that is its own dual, P = diag(μ, 1, 1),
/// û that of [DeSaxceFeng98]; V [m/s] and r₀ [N s] are sizes. With H the scaling of x and z and g
/// the derivative of |z_t|, a step is
///
///     dx = B⁻¹ (b − J̃ dy),   B = (1 − e gᵀ) H² + C̃,   J̃ = P⁻¹ J / V,   C̃ = r₀ c P⁻² / V,
///
///     (1 + r₀ V Y Σ J̃ᵀ B⁻¹ J̃) dy = r₀ V Y Σ J̃ᵀ B⁻¹ b
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "solvers/methods/dense_elimination.hpp"
#include "solvers/methods/dense_problem.hpp"

namespace scree {

class DenseInterior {
 public:
  /// Law that is solved, on the cone of each contact's law, or on the round cone inside its facets.
  enum class Law : std::uint8_t {
    coulomb,  ///< Coulomb's law, or complementarity if that is the contact's law
    relaxed,  ///< complementarity: nothing moves that friction can hold
  };
  /// Improves impulses, and z with them, by the residual of the contacts' own laws: to sqrt(Σ e²) ≤
  /// `allowed` [m/s] if possible. A `relaxed` result is taken only if it meets that. Starts cold;
  /// impulses and z stay if it finds nothing better.
  void solve(DenseProblem& problem, double allowed, Law law);

 private:
  using Vector = Eigen::Vector3d;
  using Matrix = Eigen::Matrix3d;
  /// Cone of one contact; a half-line, without friction, uses only the first components.
  struct Cone {
    double mu;
    bool shifted;  ///< by μ |u_t|
    Vector x, z, lambda, F, c, b, dx, dz;
    Matrix H, inverse;
    Matrix of_b;  ///< B⁻¹
    Vector g;
    Vector scale;       ///< J̃ = scale J
    Vector softness;    ///< diagonal of C̃
    Vec3 before, best;  ///< impulses
  };

  bool begin(DenseProblem& problem, Law law);
  /// Sets the problem's impulses from x, and z.
  void take(DenseProblem& problem);
  bool step(DenseProblem& problem);
  bool factorise(const DenseProblem& problem);
  /// Sets c of each cone for this mean complementarity, minus the product of a predicted dx and dz.
  void aim_at(double gap, bool predicted);
  void find_direction(const DenseProblem& problem);
  double longest_step() const;

  std::vector<Cone> cones_;
  double velocity_ = 1, impulse_ = 1;  ///< V, r₀
  double gap_ = 1;
  DenseElimination elimination_;
  std::vector<double> start_, best_z_, impulse_sum_, dy_, K_;
};

}  // namespace scree

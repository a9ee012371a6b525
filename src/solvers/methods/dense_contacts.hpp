/// Solver of a DenseProblem. Our own.
///
/// A sweep solves each contact by its own law. Four points under a flat foot share three loads, so
/// W = J Y Jᵀ is singular, and sweeps are slow. So each sweep is followed by a step of Newton's
/// method on the linearised laws of contacts [AlartCurnier91]. In the derivatives alone, each
/// contact has a fraction ε of its own mobility added. The impulses of contacts are eliminated one
/// by one, which leaves z:
///
///     (I + Y Σ J_cᵀ C_c J_c) dz = −Y Σ J_cᵀ G_c,      dr_c = −G_c − C_c J_c dz,
///     G = (∂F/∂r + s ∂F/∂u)⁻¹ F,      C = (∂F/∂r + s ∂F/∂u)⁻¹ ∂F/∂u,      s = ε trace(W_cc)/3
///
/// ε falls after each step that reduces the residuals; any other step is undone, and repeated with
/// a larger ε. If gaps of points under one foot differ by little, one of them must open, and its
/// load moves to the others at nearly zero velocity. There sweeps and steps make no progress, and
/// DenseInterior finds the loads.
#pragma once

#include <algorithm>
#include <vector>

#include "solvers/methods/dense_interior.hpp"
#include "solvers/step_settings.hpp"

namespace scree {

class DenseContacts : public DenseProblem {
 public:
  /// Solves contacts to sqrt(Σ e²) ≤ `allowed` [m/s], if possible: by sweeps and, if `directly`, by
  /// the methods above between them; r and z are the start.
  void solve(bool directly, double allowed);

 private:
  struct Linear {
    Vec3 G;
    double C[3][3];
    Vec3 before;  ///< impulse
  };
  /// Memory of a thread, for one problem after the other.
  struct Buffers {
    std::vector<Linear> linear;  ///< one per contact
    std::vector<double> K;       ///< Σ Jᵀ C J, see DenseProblem::fill_answer_to
    DenseElimination elimination;
    DenseInterior interior;
    std::vector<double> impulse, dz, before;  ///< impulse: in coordinates of bodies
  };
  static Buffers& buffers();

  void sweep();
  /// Newton step; false if it was undone, because it did not reduce Σ e².
  bool newton(Buffers& with, double squared_before);
  /// Computes G and C of each contact, and their sums: K, and Σ Jᵀ G as the impulse.
  void linearise_contacts(Buffers& with) const;
  double shift_ = kFirstNewtonShift;  ///< ε [-]
  bool touch_each_other() const {
    return std::ranges::any_of(contacts, [](const Contact& c) { return c.sides > 1; });
  }
};

}  // namespace scree

/// The solution of a DenseProblem. Our own.
///
/// A sweep solves each contact by its own law. Four points under a flat foot share three loads, and
/// W = J Y Jᵀ is singular: there sweeps crawl. So a step of Newton's method follows each of them,
/// on the contacts' laws as their linearisations have them [AlartCurnier91], with a part ε of its
/// own mobility added to each contact's in the derivatives alone. Then the impulses of contacts
/// are eliminated one by one, and z is left,
///
///     (I + Y Σ J_cᵀ C_c J_c) dz = −Y Σ J_cᵀ G_c,      dr_c = −G_c − C_c J_c dz,
///     G = (∂F/∂r + s ∂F/∂u)⁻¹ F,      C = (∂F/∂r + s ∂F/∂u)⁻¹ ∂F/∂u,      s = ε trace(W_cc)/3
///
/// ε falls with each step that brings the residuals down; a step that does not is taken back, and
/// made with a larger ε. Where gaps of points under one foot differ by little, one of them is to
/// open, and loads go from it to the others without any velocity that tells: there neither sweeps
/// nor steps get on, and DenseInterior finds who bears what.
#pragma once

#include <algorithm>
#include <vector>

#include "solvers/methods/dense_interior.hpp"

namespace scree {

class DenseContacts : public DenseProblem {
 public:
  /// Makes contacts obey their laws to sqrt(Σ e²) ≤ `allowed` [m/s], if it can: by sweeps and,
  /// `directly`, by what is above between them; r and z are the start.
  void solve(bool directly, double allowed);

 private:
  struct Linear {
    Vec3 G;
    double C[3][3];
    Vec3 before;  ///< impulse
  };
  /// What a thread works with, one problem after the other.
  struct Buffers {
    std::vector<Linear> linear;  ///< of each contact
    std::vector<double> K;       ///< Σ Jᵀ C J, see DenseProblem::fill_answer_to
    DenseElimination elimination;
    DenseInterior interior;
    std::vector<double> push, dz, before;
  };
  static Buffers& buffers();

  void sweep();
  /// False if it was taken back: it did not bring Σ e² down.
  bool newton(Buffers& with, double squared_before);
  /// G and C of each contact, and their sums: K, and Σ Jᵀ G as the push.
  void linearise_contacts(Buffers& with) const;
  static constexpr double kFirstShift = 1e-3, kSmallestShift = 1e-8;
  double shift_ = kFirstShift;  ///< ε [-]
  bool touch_each_other() const {
    return std::ranges::any_of(contacts, [](const Contact& c) { return c.sides > 1; });
  }
};

}  // namespace scree

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
/// a larger ε. The compliance of DenseProblem makes W regular without ε, and the answer unique: it
/// is found to rounding first, then the compliance is taken from u by moving its centre. If gaps of
/// points under one foot differ by little, one of them must open, and its load moves to the others
/// at nearly zero velocity. There sweeps and steps make no progress, and DenseInterior finds the
/// loads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "solvers/methods/dense_interior.hpp"
#include "solvers/step_settings.hpp"

namespace scree {

class DenseContacts : public DenseProblem {
 public:
  enum class Start : std::uint8_t {
    of_step,  ///< impulses of the step before
    onward,   ///< the same, from which the answer goes on, instead of that of least norm
    again,    ///< those of an earlier solve in this step: they stay if their residual is allowed
    sweeps,   ///< the same, for sweeps alone
  };
  /// Bodies that hold each other rest where friction can hold them, even if the start leads to
  /// slip.
  bool seeks_rest = false;

  /// Solves contacts to sqrt(Σ e²) ≤ `allowed` [m/s], if possible; r and z are the start.
  void solve(Start start, double allowed);

 private:
  struct Linear {
    Vec3 G;
    double C[3][3];
  };
  struct LinearDrive {
    double G, C;
  };
  struct State {
    std::vector<Vec3> impulses;
    std::vector<double> of_drives, z;
  };
  /// Memory of a thread, for one problem after the other.
  struct Buffers {
    std::vector<Linear> linear;  ///< one per contact
    std::vector<LinearDrive> linear_drives;
    std::vector<double> K;  ///< Σ Jᵀ C J, see DenseProblem::fill_answer_to
    DenseElimination elimination;
    DenseInterior interior;
    State at_first, start, before, found;
    std::vector<double> impulse, dz;  ///< impulse: in coordinates of bodies
  };
  static Buffers& buffers();

  bool slips() const;
  /// Replaces the answer by one at rest if there is one.
  void rest_where_friction_can_hold(Buffers& with, double allowed);
  /// The largest velocity that impulses must undo, or give [m/s].
  double speed() const;
  void keep(State& state) const;
  void restore(const State& state);
  void sweep();
  void sweep_only(double allowed);
  /// Sweeps, Newton steps and the interior point method until the residual is allowed; `rest`:
  /// tries first whether nothing slips.
  void reach(Buffers& with, double allowed, bool rest);
  /// Full Newton steps to rounding, from a start that is near the answer, then a sweep. False if
  /// the residual is not allowed; the start comes back if it was better.
  bool polish(Buffers& with, double allowed);
  /// Newton step; false if it was undone, because it did not reduce Σ e².
  bool newton(Buffers& with, double squared_before);
  /// Computes G and C of each contact and drive, and their sums: K, and Σ Jᵀ G as the impulse.
  void linearise_all(Buffers& with) const;
  void linearise_contacts(Buffers& with) const;
  void linearise_drives(Buffers& with) const;
  /// Adds d to the impulse of a coordinate, and its answer to z.
  void push(std::size_t coordinate, double d);
  /// Changes impulses by −G − C J dz, and z with them.
  void follow(Buffers& with);
  double shift_ = kFirstNewtonShift;  ///< ε [-]
  bool touch_each_other() const {
    return std::ranges::any_of(contacts, [](const Contact& c) { return c.sides > 1; });
  }
};

}  // namespace scree

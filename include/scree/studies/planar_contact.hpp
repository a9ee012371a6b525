/// One contact in a plane, with one tangent: all solutions are known in closed form.
#pragma once

#include <vector>

#include "scree/math/lcp.hpp"

namespace scree::studies {

/// u = W r + q in (n, t), with Signorini's condition and Coulomb's law, r_t against the slip u_t
/// after the fact [Preclik11, Eq. 14, 15]. Units are those of impulses [1/kg, m/s, N s]; with
/// accelerations for q it is the force problem at rest [Preclik11, Eq. 7, 9].
struct PlanarContact {
  double nn, nt, tt;  ///< W [1/kg], positive definite
  double qn, qt;      ///< u at r = 0 [m/s]
  double friction;    ///< μ [-], ≥ 0
};

/// slip_left: u_t < 0, r_t = +μ r_n
enum class ContactState { open, stick, slip_left, slip_right };
const char* name(ContactState state);

struct PlanarSolution {
  ContactState state;
  double rn, rt;  ///< impulse [N s]
  double un, ut;  ///< velocity after it [m/s]
};

struct PlanarSolutions {
  std::vector<PlanarSolution>
      /// Open first, then stick, then slip; an impulse of two states is listed once
      all;
  /// True if there is also a half-line of slipping solutions: W_nn ± μ W_nt = 0 and q_n = 0
  bool continuum = false;
};

/// Every solution: each state is a linear system.
PlanarSolutions all_solutions(const PlanarContact& contact);

/// The same as a linear complementarity problem in (r_n, r_t⁺, r_t⁻, λ) with r_t = r_t⁺ − r_t⁻
/// [StewartTrinkle96].
Lcp as_lcp(const PlanarContact& contact);

}  // namespace scree::studies

/// Many contacts and joints with an explicit Delassus operator:
///
///     u = W r + q,      a law between u_i and r_i for each block i
///
///   u  relative velocities  [m/s; rad/s in rows of joints that are angular]
///   r  impulses          [N s; N m s there]
///   W  Delassus operator    [1/kg], as given: may be asymmetric, and singular
///   q  u at r = 0           [m/s]
///
/// A contact has three rows, in its frame (n, t1, t2); a joint one to six.
#pragma once

#include <Eigen/SparseCore>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "scree/laws/pair_law.hpp"

namespace scree {

using SparseMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;
using Vector = Eigen::VectorXd;

/// Rows of a rigid joint: u = 0, r free [Negrut18, Eq. 3 and 8].
struct JointRows {
  int rows;  ///< in [1, 6]
};

/// Consecutive blocks with the same kind of law, each with its own parameters: a solver dispatches
/// on the kind once per run, not per contact.
template <class Laws>
struct RunsOf;
template <class... Laws>
struct RunsOf<std::variant<Laws...>> {
  using Type = std::variant<std::vector<Laws>..., std::vector<JointRows>>;
};
using LawRun = RunsOf<AnyLaw>::Type;

inline int rows_of(const JointRows& joint) { return joint.rows; }
template <class Law>
int rows_of(const Law&) {
  return 3;
}

/// Calls f(law, first row of its block) for every block, in the order of the rows.
template <class F>
void for_each_block(const std::vector<LawRun>& laws, F&& f) {
  int row = 0;
  for (const LawRun& run : laws)
    std::visit(
        [&](const auto& of_run) {
          for (const auto& law : of_run) {
            f(law, row);
            row += rows_of(law);
          }
        },
        run);
}

struct FrictionContactProblem {
  SparseMatrix W;
  Vector q;
  std::vector<LawRun> laws;  ///< in the order of the rows
  double speed = 0;          ///< denominator of E_s [m/s]; 0: undone_speed()

  /// Calls f(law, first row of its block) for every block, in the order of the rows.
  template <class F>
  void for_each_block(F&& f) const {
    scree::for_each_block(laws, f);
  }
};

/// The same problem with W = G Gᵀ, G = Hᵀ M^(−1/2), without forming W: H has a column for each row
/// of u and six rows per body, M is the mass matrix.
struct FactoredProblem {
  SparseMatrix G;  ///< [1/√kg]
  Vector q;
  std::vector<LawRun> laws;
  double speed = 0;  ///< denominator of E_s [m/s]; 0: undone_speed()
};

/// sqrt(Σ c²) over the contacts that close without impulses of contacts, c their closing_speed();
/// joints act first. What the rows of joints miss, if no contact closes [m/s].
double undone_speed(const FrictionContactProblem& problem);
double undone_speed(const FactoredProblem& problem);

/// The problem with W formed, symmetric to the last bit.
FrictionContactProblem multiplied_out(const FactoredProblem& problem);

}  // namespace scree

/// Few contacts of bodies that answer each other through one dense matrix, as those of an island of
/// joints do. Our own.
///
/// What the bodies of contacts can do has coordinates z [m/s], six of a body or fewer, that follow
/// percussions by
///
///     u_c = velocity_c + J_c z,      z = Y Σ J_cᵀ Δr_c,      Y symmetric
#pragma once

#include <cstddef>
#include <vector>

#include "scree/laws/pair_law.hpp"
#include "solvers/kernels/kernels.hpp"

namespace scree {

struct DenseProblem {
  static constexpr std::size_t kMostWidth = 6;

  /// Coordinates that follow each other: of one body.
  struct Run {
    std::size_t first, width;
  };
  struct Contact {
    std::size_t run;
    double J[3][kMostWidth];
    const AnyLaw* law;
    Vec3 velocity;    ///< u at z = 0 [m/s]
    Vec3 percussion;  ///< r [N s]
    SymMat3 W{};      ///< J Y Jᵀ of its own, made positive [1/kg]
  };

  std::vector<Run> runs;
  std::vector<Contact> contacts;
  std::vector<double> Y;  ///< row by row [1/kg]
  std::vector<double> z;  ///< [m/s]
  const kernels::DenseKernels* kernels = &kernels::scalar_kernels.dense;

  std::size_t size() const { return runs.empty() ? 0 : runs.back().first + runs.back().width; }
  /// J z
  Vec3 answer(const Contact& contact, const std::vector<double>& at) const {
    const auto& [first, width] = runs[contact.run];
    Vec3 u;
    for (int row = 0; row < 3; ++row)
      for (std::size_t k = 0; k < width; ++k) u[row] += contact.J[row][k] * at[first + k];
    return u;
  }
  /// Jᵀ d added to a push.
  void push(const Contact& contact, const Vec3& d, std::vector<double>& to) const {
    const auto& [first, width] = runs[contact.run];
    for (std::size_t k = 0; k < width; ++k)
      to[first + k] += contact.J[0][k] * d.x + contact.J[1][k] * d.y + contact.J[2][k] * d.z;
  }
  /// Y push, added.
  void add_answer(const std::vector<double>& push, std::vector<double>& to) const;
  /// A = 1 + part Y K, column by column, A zero before. K has a block of each run; of each
  /// coordinate kMostWidth numbers.
  void fill_answer_to(const std::vector<double>& K, double part, double* A) const;
  /// Takes up Y as it stands, for W.
  void prepare();
  /// Σ e² of the laws [m²/s²]
  double squared_residual() const;
};

}  // namespace scree

/// Few contacts of bodies that answer each other through one dense matrix, as those of an island of
/// joints do. Our own.
///
/// What the bodies of contacts can do has coordinates z [m/s], six of a body or fewer, that follow
/// impulses by
///
///     u_c = velocity_c + J_c z,      z = Y Σ J_cᵀ Δr_c,      Y symmetric
///
/// J_c has a part for each body of the contact that moves, one or two.
#pragma once

#include <compare>
#include <cstddef>
#include <span>
#include <vector>

#include "scree/laws/pair_law.hpp"
#include "solvers/kernels/kernels.hpp"

namespace scree {

struct DenseProblem {
  static constexpr std::size_t kMaxWidth = 6;

  /// Coordinates that follow each other: of one body.
  struct Run {
    std::size_t first, width;
  };
  /// What a body of a contact does to it.
  struct Side {
    std::size_t run;
    double J[3][kMaxWidth];
  };
  struct Contact {
    Side side[2];
    std::size_t sides = 0;
    const AnyLaw* law;
    Vec3 velocity;  ///< u at z = 0 [m/s]
    Vec3 impulse;   ///< r [N s]
    /// J Y Jᵀ of its own, made positive, unless its law asks for another [1/kg]
    SymMat3 W{};

    std::span<const Side> each_side() const { return {side, sides}; }
  };

  std::vector<Run> runs;
  std::vector<Contact> contacts;
  std::vector<double> Y;  ///< row by row [1/kg]
  std::vector<double> z;  ///< [m/s]
  const kernels::DenseKernels* kernels = &kernels::scalar_kernels.dense;

  std::size_t size() const { return runs.empty() ? 0 : runs.back().first + runs.back().width; }
  /// J z
  Vec3 answer(const Contact& contact, const std::vector<double>& at) const {
    Vec3 u;
    for (const Side& side : contact.each_side()) {
      const auto& [first, width] = runs[side.run];
      for (int row = 0; row < 3; ++row)
        for (std::size_t k = 0; k < width; ++k) u[row] += side.J[row][k] * at[first + k];
    }
    return u;
  }
  /// Jᵀ d added to a push.
  void push(const Contact& contact, const Vec3& d, std::vector<double>& to) const {
    for (const Side& side : contact.each_side()) {
      const auto& [first, width] = runs[side.run];
      for (std::size_t k = 0; k < width; ++k)
        to[first + k] += side.J[0][k] * d.x + side.J[1][k] * d.y + side.J[2][k] * d.z;
    }
  }
  /// Y push, added.
  void add_answer(const std::vector<double>& push, std::vector<double>& to) const;
  /// Jᵀ C J added to K, n × n numbers row by row.
  void add_feedback(const Contact& contact, const double (&C)[3][3], std::vector<double>& K) const;
  /// A = 1 + part Y K, column by column, A zero before; K a sum of such parts of contacts.
  void fill_answer_to(const std::vector<double>& K, double fraction, double* A) const;
  /// Takes up contacts and Y as they stand.
  void prepare();
  /// Σ e² of the laws [m²/s²]
  double squared_residual() const;

 private:
  /// Two runs that a contact has, or one twice.
  struct Couple {
    std::size_t row, column;
    auto operator<=>(const Couple&) const = default;
  };
  std::vector<Couple> couples_;  ///< in rising order
};

}  // namespace scree

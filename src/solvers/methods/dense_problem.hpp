/// Few contacts whose bodies are coupled by one dense matrix, such as those of an island of joints.
/// Our own.
///
/// The motion of contact bodies has coordinates z [m/s], up to six per body, that follow impulses
/// by
///
///     u_c = velocity_c + J_c z,      z = Y Σ J_cᵀ Δr_c,      Y symmetric
///
/// J_c has a block for each moving body of the contact, one or two.
///
/// Four points under a flat foot share three loads, so that many impulses give one motion. A
/// compliance c, the same for all contacts, chooses one: each contact has c (r − centre) added to
/// its u. About 0 that is the answer of least norm; with the centre moved to it, the compliance
/// vanishes from u, and the choice stays.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <span>
#include <vector>

#include "scree/laws/pair_law.hpp"
#include "solvers/kernels/kernels.hpp"

namespace scree {

struct DenseProblem {
  static constexpr std::size_t kMaxWidth = 6;

  /// Consecutive coordinates: those of one body.
  struct Run {
    std::size_t first, width;
  };
  /// Jacobian of one body of a contact.
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
    Vec3 centre{};  ///< impulse without effect of the compliance [N s]
    /// Its own J Y Jᵀ + c, unless its law needs another one [1/kg]
    SymMat3 W{};

    std::span<const Side> each_side() const { return {side, sides}; }
  };
  /// A row with bounds on its impulse, such as dry friction in a joint: 0 where it moves to stay
  /// between them. Its run has one coordinate.
  struct Drive {
    std::size_t run;
    double velocity;        ///< u at z = 0 [m/s]
    double impulse;         ///< r [N s]
    double lower, upper;    ///< bounds of r [N s]
    double W = 0;           ///< Its own Y + compliance [1/kg]
    double compliance = 0;  ///< c of this row [1/kg]
    double centre = 0;      ///< impulse without effect of the compliance [N s]
    double best(double u) const { return std::clamp(impulse - u / W, lower, upper); }
  };

  std::vector<Run> runs;
  std::vector<Contact> contacts;
  std::vector<Drive> drives;
  /// Row by row [1/kg]; empty for Y = 1, with z and J over the root of masses
  std::vector<double> Y;
  std::vector<double> z;  ///< [m/s]
  double compliance = 0;  ///< c [1/kg]
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
  /// u at the present z and impulse, compliance included [m/s]
  Vec3 velocity_of(const Contact& contact) const {
    return contact.velocity + answer(contact, z) + compliance * (contact.impulse - contact.centre);
  }
  double velocity_of(const Drive& drive) const {
    return drive.velocity + z[coordinate_of(drive)] +
           drive.compliance * (drive.impulse - drive.centre);
  }
  std::size_t coordinate_of(const Drive& drive) const { return runs[drive.run].first; }
  /// Adds Jᵀ d to an impulse in coordinates of bodies.
  void add_impulse(const Contact& contact, const Vec3& d, std::vector<double>& to) const {
    for (const Side& side : contact.each_side()) {
      const auto& [first, width] = runs[side.run];
      for (std::size_t k = 0; k < width; ++k)
        to[first + k] += side.J[0][k] * d.x + side.J[1][k] * d.y + side.J[2][k] * d.z;
    }
  }
  /// Adds Y times an impulse in coordinates of bodies.
  void add_answer(const std::vector<double>& impulse, std::vector<double>& to) const;
  /// Adds Jᵀ C J to K, n × n numbers row by row.
  void add_feedback(const Contact& contact, const double (&C)[3][3], std::vector<double>& K) const;
  /// Fills A = 1 + factor Y K, column by column; A is zero on entry, K a sum of feedbacks.
  void fill_answer_to(const std::vector<double>& K, double factor, double* A) const;
  /// Computes W of the present contacts and Y, without compliance.
  void prepare();
  /// Sets the compliance, in W too: kContactCompliance times the mobility [1/kg] of what resists
  /// most; of a drive, times its own.
  void add_compliance(double mobility);
  /// That of the body that resists most, each along its freest coordinate.
  double smallest_mobility() const;
  /// Moves all centres to 0, or to the present impulses.
  void centre_at_zero();
  void centre_at_impulses();
  /// Σ e² of the laws [m²/s²]
  double squared_residual() const;

 private:
  /// Two runs of one contact, or one run twice.
  struct Couple {
    std::size_t row, column;
    auto operator<=>(const Couple&) const = default;
  };
  std::vector<Couple> couples_;  ///< in rising order
};

}  // namespace scree

/// Few contacts of bodies that answer each other through one dense matrix, as those of an island of
/// joints do. Our own.
///
/// What the bodies of contacts can do has coordinates z [m/s], six of a body or fewer, that follow
/// percussions by
///
///     u_c = velocity_c + J_c z,      z = Y Σ J_cᵀ Δr_c,      Y symmetric
///
/// A sweep solves each contact by its own law. Four points under a flat foot share three loads, and
/// W = J Y Jᵀ is singular: there sweeps crawl. So a step of Newton's method follows each of them,
/// on the contacts' laws as their linearisations have them [AlartCurnier91], with a part ε of its
/// own mobility added to each contact's in the derivatives alone. Then the percussions of contacts
/// are eliminated one by one, and z is left,
///
///     (I + Y Σ J_cᵀ C_c J_c) dz = −Y Σ J_cᵀ G_c,      dr_c = −G_c − C_c J_c dz,
///     G = (∂F/∂r + s ∂F/∂u)⁻¹ F,      C = (∂F/∂r + s ∂F/∂u)⁻¹ ∂F/∂u,      s = ε trace(W_cc)/3
///
/// A step that does not bring the residuals down is taken back: sweeps alone are what there is.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "scree/laws/pair_law.hpp"

namespace scree {

class DenseContacts {
 public:
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

  std::size_t size() const { return runs.empty() ? 0 : runs.back().first + runs.back().width; }
  /// J z, and Jᵀ d added to a push.
  Vec3 answer(const Contact& contact, const std::vector<double>& at) const;
  void push(const Contact& contact, const Vec3& d, std::vector<double>& to) const;
  /// Takes up Y as it stands.
  void prepare();
  /// Makes contacts obey their laws, by sweeps and, where it is said, by Newton's steps between
  /// them; r and z are the start. It ends when a sweep changes them by a small part of
  /// `largest_change`, the largest that a sweep has made so far, which it keeps up to date [m/s],
  /// or when Newton's steps stall.
  void solve(bool by_newton, double& largest_change);

 private:
  /// The largest change, as GaussSeidel::sweep has it [m/s].
  double sweep();
  /// False if it was taken back.
  bool newton();
  /// Σ e²
  double squared_residual(const std::vector<double>& at) const;
  void linearise_contacts();
  bool eliminate();

  struct Linear {
    Vec3 G;
    double C[3][3];
  };
  static constexpr double kSmallestShift = 1e-3;
  double shift_ = kSmallestShift;  ///< ε [-]
  std::vector<Linear> linear_;
  std::vector<Vec3> before_;
  using Six = std::array<double, kMostWidth>;
  std::vector<Six> K_;          ///< Σ Jᵀ C J, of each coordinate those of its run
  std::vector<double> A_, dz_;  ///< I + Y K, row by row
  std::vector<double> push_, moved_;
};

}  // namespace scree

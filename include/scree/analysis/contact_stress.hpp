/// Stress of a packing from its contact forces, fabric of its contacts, and the distribution of
/// forces.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "scree/analysis/region.hpp"
#include "scree/geometry/domain.hpp"
#include "scree/math/sym_mat3.hpp"
#include "scree/sim/report.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// Row by row; [i][j] is the entry ij.
using Tensor = std::array<Vec3, 3>;

/// Stress and fabric of the contacts in a region:
///
///     σ = (1/V) Σ λ l ⊗ f,     fabric = mean of n ⊗ n
///
///   l  branch: from the centre of A to the centre of B, or to the contact point
///      with an obstacle                                                        [m]
///   f  force of A on B: impulse over time step                                 [N]
///   λ  fraction of the branch that lies in the region                          [-]
///   V  volume of the region                                                    [m³]
///
/// Pressure is positive: repelling forces make σ positive. Because of λ the stress is exact
/// wherever the faces of the region cut the packing, and cells of a grid add up to the whole. The
/// kinetic contribution ρ ⟨δv ⊗ δv⟩ is not in σ. In equilibrium σ is symmetric, except for the
/// effects of obstacles and of the faces of the region.
struct ContactStress {
  Tensor stress{};  ///< σ [Pa]
  /// Fabric of loaded contacts with the middle of their branch in the region [-]; trace 1, or 0
  /// without such contacts
  SymMat3 fabric;
  std::size_t contacts = 0;  ///< these

  /// Third of the trace [Pa].
  double pressure() const { return (stress[0].x + stress[1].y + stress[2].z) / 3; }
};

/// `h` is the time step [s] > 0. An impulse includes collisions as well as lasting forces: a
/// collision counts as the force that has the same impulse within h. A body that has left counts as
/// an obstacle; contacts without any body left are left out. `domain` is the domain of the model.
/// Throws InputError if the region is empty or h is not positive.
ContactStress contact_stress(const Bodies& bodies, std::span<const ContactRecord> contacts,
                             double h, const Region& region, const Domain& domain = {});

/// Probability density of |f| over its mean: P, with ∫ P dx = 1, x = |f| / ⟨|f|⟩, over loaded
/// contacts with the middle of their branch in the region: so contacts with a wall are in a region
/// that ends at the wall, in spite of rounding.
class ForceDistribution {
 public:
  /// Distribution for x from 0 to `x_max` in `bins` bins of equal width. Throws InputError if one
  /// of them is not positive.
  ForceDistribution(double x_max, std::size_t bins);

  /// Adds the contacts of a frame. The forces of each frame are compared with their own mean, so h
  /// does not matter.
  void add(const Bodies& bodies, std::span<const ContactRecord> contacts, const Region& region,
           const Domain& domain = {});

  struct Bin {
    double lower, upper;      ///< x [-]
    std::uint64_t count = 0;  ///< contacts, in all frames
    double density = 0;       ///< P [-]
  };
  std::vector<Bin> bins() const;
  /// Number of forces in all frames, including those beyond x_max
  std::uint64_t contacts() const { return contacts_; }

  /// Sums so far as numbers, for restore() of a distribution in the same bins.
  std::vector<double> tally() const;
  /// Continues a tally. Throws InputError if it has another number of bins.
  void restore(std::span<const double> tally);

 private:
  double x_max_;
  std::vector<std::uint64_t> counts_;
  std::uint64_t contacts_ = 0;
};

}  // namespace scree

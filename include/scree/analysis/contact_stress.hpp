/// What the forces in contacts make of a packing: its stress, the fabric of its contacts, and how
/// unequal the forces are.
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

/// Of the contacts in a region:
///
///     σ = (1/V) Σ λ l ⊗ f,     fabric = mean of n ⊗ n
///
///   l  branch: from the centre of A to that of B, or to the contact point where B is an obstacle
///   [m] f  force of A on B: impulse over time step [N] λ  part of the branch that lies in the
///   region                                                  [-] V  volume of the region [m³]
///
/// Pressure is positive: forces that repel make σ positive. Because of λ the stress is that of the
/// region wherever its faces cut the packing, and cells of a grid add up to the whole. The part
/// that velocities about the mean carry, ρ ⟨δv ⊗ δv⟩, is not in σ. In equilibrium σ is symmetric,
/// up to what contacts with obstacles and the faces of the region leave.
struct ContactStress {
  Tensor stress{};  ///< σ [Pa]
  /// Of loaded contacts with the middle of their branch in the region [-]; trace 1, or 0 if none
  SymMat3 fabric;
  std::size_t contacts = 0;  ///< these

  /// A third of the trace [Pa].
  double pressure() const { return (stress[0].x + stress[1].y + stress[2].z) / 3; }
};

/// `h` is the time step [s] > 0. An impulse holds the impulses of collisions as well as forces
/// that last: a collision counts as the force that would bring it about within h. A body that a
/// contact names and that is not there, as it has left since, counts as an obstacle; contacts with
/// no body there are left out. `domain` is that of the model. Throws InputError if the region is
/// empty or h is not positive.
ContactStress contact_stress(const Bodies& bodies, std::span<const ContactRecord> contacts,
                             double h, const Region& region, const Domain& domain = {});

/// Probability density of |f| over its mean: P, with ∫ P dx = 1, x = |f| / ⟨|f|⟩, over loaded
/// contacts with the middle of their branch in the region: so contacts with a wall are in a region
/// that ends there, whatever rounding does to them.
class ForceDistribution {
 public:
  /// x from 0 to `x_max` in `bins` bins of equal width. Throws InputError if one of them is not
  /// positive.
  ForceDistribution(double x_max, std::size_t bins);

  /// Takes the contacts of a frame into account. Each frame's forces are compared with their own
  /// mean, so h does not matter.
  void add(const Bodies& bodies, std::span<const ContactRecord> contacts, const Region& region,
           const Domain& domain = {});

  struct Bin {
    double lower, upper;      ///< x [-]
    std::uint64_t count = 0;  ///< contacts, in all frames
    double density = 0;       ///< P [-]
  };
  std::vector<Bin> bins() const;
  /// In all frames, those beyond x_max with them
  std::uint64_t contacts() const { return contacts_; }

  /// All that was added, in numbers, for a distribution in the same bins to go on with.
  std::vector<double> tally() const;
  /// Goes on with a tally. Throws InputError if it has another number of bins.
  void restore(std::span<const double> tally);

 private:
  double x_max_;
  std::vector<std::uint64_t> counts_;
  std::uint64_t contacts_ = 0;
};

}  // namespace scree

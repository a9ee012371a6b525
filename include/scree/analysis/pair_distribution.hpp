/// Radial distribution function: number of bodies at a distance from a body, relative to randomly
/// placed bodies.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scree/analysis/region.hpp"
#include "scree/core/decimal.hpp"

namespace scree {

/// ∫ 4π r² γ(r) dr from 0 to r [m⁶], where γ is the set covariance of a box, the volume common to
/// the box and the box shifted by r, averaged over directions. Divided by the square of the box's
/// volume it is the probability that two random points in the box are closer than r. In closed form
/// for r ≤ the smallest side of the box.
double pair_measure(const Region& box, double r);

/// g(r) of the centres in a region, in shells of equal thickness, averaged over frames.
///
/// The number of pairs in each shell is divided by the expected number for as many independent
/// random centres in the same region. So bodies near faces, which miss neighbours outside, need no
/// correction, and g = 1 in the mean for an ideal gas, at all r. For a homogeneous and isotropic
/// packing this is exact; for one with preferred directions, such as a lattice, γ is not averaged
/// over the directions that occur, with an error of the order of r over the side of the region.
///
/// Distances are taken within the region, as in γ: periodic images beyond its faces do not count.
class PairDistribution {
 public:
  /// Distances up to `r_max` [m] in `bins` shells. Throws InputError if the region is empty, if
  /// r_max is not positive or larger than the region's smallest side, or if bins is 0.
  PairDistribution(const Region& region, double r_max, std::size_t bins);

  /// Adds a frame: centres outside of the region are left out. Cost: linear in the number of pairs
  /// closer than about 2 r_max.
  void add(std::span<const Vec3> position);

  struct Shell {
    double inner, outer;      ///< [m]
    std::uint64_t pairs = 0;  ///< found, each once, in all frames
    double g = 0;             ///< [-]; 0 if no frame has two centres
    /// ∫ n 4π r² g dr from 0 to outer, n the number density: bodies around a body [-]
    double neighbours = 0;
  };
  std::vector<Shell> shells() const;
  /// Number density of centres in the region, mean over frames [1/m³].
  double number_density() const;

  /// Sums so far as numbers, for restore() of a distribution in the same shells.
  std::vector<double> tally() const;
  /// Continues a tally. Throws InputError if it has another number of shells.
  void restore(std::span<const double> tally);

 private:
  double edge(std::size_t k) const { return decimal_multiple(k, r_max_, pairs_.size()); }

  Region region_;
  double r_max_;
  std::vector<std::uint64_t> pairs_;  ///< in each shell
  std::size_t frames_ = 0;
  double centres_ = 0;         ///< in all frames
  double possible_pairs_ = 0;  ///< N (N − 1) / 2, in all frames
};

}  // namespace scree

/// Bodies about a body: their number up to a distance, and the radial distribution function, which
/// compares it with randomly placed bodies.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scree/analysis/region.hpp"
#include "scree/core/decimal.hpp"
#include "scree/geometry/domain.hpp"
#include "scree/math/axis_set.hpp"

namespace scree {

/// ∫ 4π r² γ(r) dr from 0 to r [m⁶], where γ is the set covariance of a box, the volume common to
/// the box and the box shifted by r, averaged over directions. Divided by the square of the box's
/// volume it is the probability that two random points in the box are closer than r. A shift along
/// an axis that repeats loses no volume. In closed form for r ≤ the smallest other side of the box.
double pair_measure(const Region& box, double r, AxisSet repeating = 0);

/// Neighbours and g(r) of the centres in a region, in shells of equal thickness, averaged over
/// frames.
///
/// The neighbours of a centre are all other centres, images and those outside of the region
/// included. Their mean number is counted, so it is exact for any packing.
///
/// For g the number of pairs in each shell is divided by the expected number for as many
/// independent random centres. Along an axis that repeats, images continue the packing beyond the
/// faces. Along the others both centres lie in the region, as in γ: bodies near faces, which miss
/// neighbours outside, need no correction. So g = 1 in the mean for an ideal gas, at all r. For a
/// homogeneous and isotropic packing this is exact; for one with preferred directions, such as a
/// lattice, γ is not averaged over the directions that occur, with an error of the order of r over
/// the side of the region.
class PairDistribution {
 public:
  /// Distances up to `r_max` [m] in `bins` shells. Throws InputError if the region is empty, if
  /// r_max is not positive or larger than the region's smallest side, or if bins is 0.
  PairDistribution(const Region& region, double r_max, std::size_t bins);

  /// Adds a frame: all centres, once each. Cost: linear in the number of pairs closer than about 2
  /// r_max in the region and within r_max around it.
  void add(std::span<const Vec3> position, const Domain& domain = {});

  struct Shell {
    double inner, outer;  ///< [m]
    /// of g, each once, in all frames; one that leaves the region where it repeats counts half
    double pairs = 0;
    double g = 0;  ///< [-]; 0 if no frame has two centres
    /// Mean number of neighbours of a centre in the region that are closer than `outer` [-]
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
  double edge(std::size_t k) const { return decimal_multiple(k, r_max_, neighbours_.size()); }

  Region region_;
  double r_max_;
  AxisSet repeating_ = 0;
  std::vector<std::uint64_t> ends_of_pairs_;  ///< in the region, of the pairs of g, in each shell
  std::vector<std::uint64_t> neighbours_;     ///< of all centres in the region, in each shell
  std::size_t frames_ = 0;
  double centres_ = 0;         ///< in all frames
  double possible_pairs_ = 0;  ///< N (N − 1) / 2, in all frames
};

}  // namespace scree

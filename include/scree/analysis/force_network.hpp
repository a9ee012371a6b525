/// Force chains: the lines along which a packing transmits forces, and the strong ones among them.
#pragma once

#include <span>
#include <vector>

#include "scree/analysis/region.hpp"
#include "scree/geometry/domain.hpp"
#include "scree/sim/report.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// A loaded contact as a line from centre to centre, or from a centre to the contact point with an
/// obstacle.
struct ForceLine {
  Vec3 from, to;                ///< [m]
  double normal_force = 0;      ///< impulse over time step, repelling [N] > 0
  double tangential_force = 0;  ///< magnitude [N] ≥ 0
  bool strong = false;          ///< the normal force is above the mean of the network
};

/// The loaded contacts with the middle of their branch in a region. Strong lines carry more than
/// the mean normal force; joined at bodies they make chains.
struct ForceNetwork {
  std::vector<ForceLine> lines;  ///< in the order of the contacts
  double mean_normal_force = 0;  ///< [N]; 0 if there are no lines
  double max_normal_force = 0;   ///< [N]
  std::size_t strong = 0;        ///< number of strong lines
  /// Share of strong lines in Σ l·f over all lines, to which the pressure is proportional [-]; l
  /// branch, f force.
  double pressure_share = 0;
};

/// `h` is the time step [s] > 0. A body that has left counts as an obstacle, and contacts without a
/// body are left out, as for stress. `domain` is the domain of the model. Throws InputError if h is
/// not positive.
ForceNetwork force_network(const Bodies& bodies, std::span<const ContactRecord> contacts, double h,
                           const Region& region, const Domain& domain = {});

}  // namespace scree

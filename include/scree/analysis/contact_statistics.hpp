/// What the contacts of one time say of a packing.
#pragma once

#include <span>
#include <vector>

#include "scree/sim/report.hpp"

namespace scree {

struct ContactStatistics {
  std::size_t loaded = 0;  ///< contacts with r_n > 0; all below is about these
  std::size_t sliding = 0;
  std::size_t bodies_loaded = 0;  ///< free bodies with at least one of them
  /// Mean number of loaded contacts of a free body [-]. One between two free bodies counts for both, one with an
  /// obstacle once.
  double coordination_number = 0;
  /// The same over the bodies that have any: rattlers do not count [-].
  double coordination_number_loaded = 0;
  std::vector<std::size_t> bodies_by_contacts;  ///< [k]: free bodies with k loaded contacts
  double mean_normal_percussion = 0;            ///< [N s]
};

/// `body_count` is the number of free bodies, of which some may touch nothing.
ContactStatistics contact_statistics(std::span<const ContactRecord> contacts, std::size_t body_count);

}  // namespace scree

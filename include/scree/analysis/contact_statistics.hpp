/// What the contacts of one time say of a packing.
#pragma once

#include <span>
#include <vector>

#include "scree/sim/report.hpp"

namespace scree {

/// A body with fewer loaded contacts than this is a rattler. Four is for spheres without friction:
/// three forces that pass through the centre lie in a plane when they balance, and hold nothing out
/// of it. With friction two contacts may hold a sphere, and a bed that settled under gravity, with
/// four contacts a body in the mean, may have no backbone of four at all: ask for two there.
inline constexpr std::size_t kMinContactsOfBackbone = 4;

struct ContactStatistics {
  std::size_t loaded = 0;  ///< contacts with r_n > 0; all below is about these
  std::size_t sliding = 0;
  std::size_t bodies = 0;         ///< free bodies that are counted
  std::size_t bodies_loaded = 0;  ///< of them, with at least one of these contacts
  /// Of the bodies counted, those with fewer than `min_contacts`, be it none; the contacts of
  /// rattlers do not count for others, so rattlers are taken away again and again until every body
  /// left, the backbone, has as many.
  std::size_t rattlers = 0;
  /// Mean number of loaded contacts of a free body [-]. One between two free bodies counts for
  /// both, one with an obstacle once.
  double coordination_number = 0;
  /// The same over the bodies that have any [-].
  double coordination_number_loaded = 0;
  /// The same over the backbone, contacts with rattlers left out [-]; 0 if there is no backbone.
  double coordination_number_backbone = 0;
  std::vector<std::size_t> bodies_by_contacts;  ///< [k]: free bodies with k loaded contacts
  double mean_normal_impulse = 0;               ///< [N s]
};

/// `body_count` is the number of free bodies, of which some may touch nothing; `min_contacts` >
/// 0.
ContactStatistics contact_statistics(std::span<const ContactRecord> contacts,
                                     std::size_t body_count,
                                     std::size_t min_contacts = kMinContactsOfBackbone);

/// The same for some bodies of a packing, in ascending order of ids: for those inside, where walls
/// do not matter. Contacts are counted that have one of them at an end; their contacts with others
/// count, these others do not. Who is a rattler is decided among all: give every contact.
ContactStatistics contact_statistics(std::span<const ContactRecord> contacts,
                                     std::span<const BodyId> counted,
                                     std::size_t min_contacts = kMinContactsOfBackbone);

}  // namespace scree

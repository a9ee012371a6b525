/// Statistics of the contacts of a packing at one time.
#pragma once

#include <span>
#include <vector>

#include "scree/sim/report.hpp"

namespace scree {

/// A body with fewer loaded contacts than this is a rattler. Four is the number for spheres without
/// friction: three balanced forces through the centre lie in a plane, and do not hold the sphere
/// out of it. With friction two contacts may hold a sphere, and a bed that settled under gravity,
/// with a mean of four contacts a body, may have no backbone of four: use two there.
inline constexpr std::size_t kMinContactsOfBackbone = 4;

struct ContactStatistics {
  std::size_t loaded = 0;  ///< contacts with r_n > 0; all members below count only these
  std::size_t sliding = 0;
  std::size_t bodies = 0;         ///< free bodies counted
  std::size_t bodies_loaded = 0;  ///< counted bodies with at least one of these contacts
  /// Counted bodies with fewer than `min_contacts`. Contacts with rattlers do not count, so
  /// rattlers are removed repeatedly until every body left, the backbone, has as many.
  std::size_t rattlers = 0;
  /// Mean number of loaded contacts of a free body [-]. A contact of two free bodies counts for
  /// both, a contact with an obstacle once.
  double coordination_number = 0;
  /// The same over the bodies that have contacts [-].
  double coordination_number_loaded = 0;
  /// The same over the backbone, contacts with rattlers left out [-]; 0 if there is no backbone.
  double coordination_number_backbone = 0;
  std::vector<std::size_t> bodies_by_contacts;  ///< [k]: free bodies with k loaded contacts
  double mean_normal_impulse = 0;               ///< [N s]
};

/// Statistics of all contacts; `body_count` is the number of free bodies, some of which may touch
/// nothing; `min_contacts` > 0.
ContactStatistics contact_statistics(std::span<const ContactRecord> contacts,
                                     std::size_t body_count,
                                     std::size_t min_contacts = kMinContactsOfBackbone);

/// The same for chosen bodies of a packing, in ascending order of ids, such as bodies away from
/// walls. Contacts with at least one chosen body are counted, other bodies are not. Rattlers are
/// found among all bodies: pass every contact.
ContactStatistics contact_statistics(std::span<const ContactRecord> contacts,
                                     std::span<const BodyId> counted,
                                     std::size_t min_contacts = kMinContactsOfBackbone);

}  // namespace scree

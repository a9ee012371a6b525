/// Release of preload: obstacles at rest give a body that just fits between them no more impulse
/// than it needs.
///
/// Two walls at rest may press a body between them with any force: their impulses cancel, and
/// Coulomb's law allows them all, with their friction. Sweeps pass through such states and leave
/// the preload in place. In the limit of infinitely stiff springs, walls without overlap carry no
/// preload. Our own.
#pragma once

#include <cstdint>
#include <vector>

#include "scree/core/ids.hpp"

namespace scree {

struct ContactProblem;

/// A contact of a free body A with something that does not move along its normal.
struct TightContact {
  BodyIndex body;
  std::uint32_t contact;  ///< counted as ContactIndex
  double gap;             ///< over the radius of the body [-], negative where it overlaps
};

/// All such contacts of bodies without clearance between opposed normals, or with a normal along
/// which nothing moves; body by body, in an order independent of storage.
using TightContacts = std::vector<TightContact>;

/// Replaces the normal impulses of `problem.tight`, body by body, by those of equal springs with
/// the same sum: the ones with the least Σ r_n². Where r_n decreases, friction and rolling friction
/// decrease in proportion and stay in their cones. `smooth` removes the friction of opposed normals
/// altogether. Velocities follow.
void release_squeeze(ContactProblem& problem, bool smooth);

}  // namespace scree

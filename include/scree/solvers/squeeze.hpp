/// What parts at rest do to a body that just fits between them: nothing but what holds it.
///
/// Two walls that stand still may press a body between them with any force: the impulses that
/// they exchange through it cancel, and Coulomb's law allows them all, with the friction that goes
/// with them. Sweeps pass through states in which one wall pushes and the other answers, and leave
/// both. Ever stiffer springs without preload have one limit: where the walls have no overlap to
/// press from, there is no such *squeeze*. Our own.
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

/// All such contacts of bodies that have normals which oppose each other, or that nothing can move
/// along; body by body, in an order that storage has no part in.
using TightContacts = std::vector<TightContact>;

/// Normals oppose each other whose cosine is below this [-].
inline constexpr double kOpposed = -0.999;

/// A body is jammed where normals that oppose each other overlap it by more than this together,
/// over its radius: there is something to press from [-].
inline constexpr double kJammed = 1e-6;

/// Gives the contacts of `problem.tight`, body by body, the normal impulses with which equal
/// springs answer the same push: those with the least Σ r_n². What acts along the tangents, and
/// against turning, becomes smaller in proportion where r_n does, so that it stays in its cone;
/// `smooth` takes it from normals that oppose each other altogether. Velocities follow.
void release_squeeze(ContactProblem& problem, bool smooth);

}  // namespace scree

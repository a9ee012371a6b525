/// What parts at rest do to a body that just fits between them: nothing but what holds it.
///
/// Two walls that stand still may press a body between them with any force: the percussions that
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

/// Such contacts of bodies that have normals which oppose each other, or that nothing can move
/// along; body by body, in an order that storage has no part in.
using TightContacts = std::vector<TightContact>;

/// Squeeze with more overlap than this is kept: the body is jammed. Over its radius, in the mean of
/// the contacts by their parts of the squeeze; so it does not depend on where the body stands
/// between the walls [-].
inline constexpr double kJammed = 1e-6;

/// Takes the squeeze out of the percussions of `problem.tight`, body by body: percussions s ≥ 0
/// along the normals that together do not move the body, until there are none left to take. What
/// acts along the tangents, and against turning, becomes smaller in proportion, so that it stays in
/// its cone, and velocities follow. What attraction presses with is kept. Returns whether anything
/// was taken.
bool release_squeeze(ContactProblem& problem);

}  // namespace scree

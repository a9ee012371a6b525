/// Contacts of pairs of bodies: where flat faces meet, one pair has several points of contact.
#pragma once

#include <span>
#include <vector>

#include "scree/sim/report.hpp"

namespace scree {

/// One contact for each pair, which is the same as the only one it has, or sums up its points: how
/// they share the force between faces depends on how the solver came there, the force of the pair
/// does not. Impulses and dissipated energies are added; the point is where the normal
/// impulses balance; normal and gap are those of the deepest point; residual and certificates
/// are the worst. A pair slides if all of its loaded points do. Points of a pair must stand
/// together, as simulations and frames have them.
std::vector<ContactRecord> one_per_pair(std::span<const ContactRecord> contacts);

/// Whether no pair has several points, so that one_per_pair() would change nothing.
bool is_one_per_pair(std::span<const ContactRecord> contacts);

}  // namespace scree

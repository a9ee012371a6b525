/// One contact per pair of bodies: flat faces have several points of contact.
#pragma once

#include <span>
#include <vector>

#include "scree/sim/report.hpp"

namespace scree {

/// Merges the points of each pair into one contact: the share of each point between faces depends
/// on the path of the solver, the force of the pair does not. Impulses and dissipated energies are
/// added; the point is the balance point of the normal impulses; normal and gap are those of the
/// deepest point; residual and certificates are the worst. A pair slides if all of its loaded
/// points do. Points of a pair must be consecutive, as in simulations and frames.
std::vector<ContactRecord> one_per_pair(std::span<const ContactRecord> contacts);

/// True if no pair has several points, so that one_per_pair() changes nothing.
bool is_one_per_pair(std::span<const ContactRecord> contacts);

}  // namespace scree

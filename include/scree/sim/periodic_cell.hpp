/// Sizes of bodies and obstacles that fit into a periodic cell.
#pragma once

#include <cstddef>
#include <string>

#include "scree/sim/model.hpp"

namespace scree {

/// Reason why a body of this radius [m] does not fit: it could meet another, or itself, by two
/// images. Empty if it fits.
std::string misfit_of_body(const Domain& domain, double radius);

/// Reason why an obstacle does not fit with bodies up to this radius [m]: they could meet two of
/// its images, or one that is not the nearest. Empty if it fits.
std::string misfit_of_obstacle(const Model& model, std::size_t obstacle, double largest_radius);

}  // namespace scree

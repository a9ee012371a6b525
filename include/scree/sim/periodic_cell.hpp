/// What fits into a cell that repeats.
#pragma once

#include <cstddef>
#include <string>

#include "scree/sim/model.hpp"

namespace scree {

/// Why a body of this radius [m] does not fit: it could meet another, or itself, by two images.
/// Empty if it does.
std::string misfit_of_body(const Domain& domain, double radius);

/// Why an obstacle does not fit where bodies are up to so large [m]: they could meet two of its
/// images, or one that is not the nearest. Empty if it does.
std::string misfit_of_obstacle(const Model& model, std::size_t obstacle, double largest_radius);

}  // namespace scree

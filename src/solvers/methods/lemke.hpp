/// Lemke's method [Lemke65] for contacts with polyhedral cones [AnitescuPotra97].
#pragma once

#include "solvers/progress.hpp"

namespace scree {

/// Rows of the linear complementarity problem that pivot() takes at most.
inline constexpr int kMaxPivotRows = 600;

/// Lemke's method on the problem with polyhedral cones [AnitescuPotra97]: exact for the polyhedral
/// law without joints; Coulomb's gets a cone of `facets` corners, so that something of its residual
/// remains. With many more than 16 corners the path has so many ties that rounding may end it
/// early. False where it does not suit: joints, cone complementarity and maximum dissipation, which
/// are other problems, or too many rows.
bool pivot(int facets, Vector& r, Progress& progress);

}  // namespace scree

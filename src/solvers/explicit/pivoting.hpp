#pragma once

#include "solvers/explicit/progress.hpp"

namespace scree {

/// Rows of the linear complementarity problem that pivot() takes at most.
inline constexpr int kMostPivotRows = 600;

/// Lemke's method on the problem with polyhedral cones [AnitescuPotra97, Eq. 2.14]: exact for the polyhedral law without joints; Coulomb's
/// and the other laws of friction get a cone of `facets` corners, so that something of their residual remains. With many more than 16
/// corners the path has so many ties that rounding may end it early. False where it does not suit: joints, cone complementarity, or too many rows.
bool pivot(int facets, Vector& r, Progress& progress);

}  // namespace scree

/// Lemke's method [Lemke65] for contacts with polyhedral cones [AnitescuPotra97].
#pragma once

#include "solvers/progress.hpp"

namespace scree {

/// Largest number of rows of the linear complementarity problem that pivot() takes.
inline constexpr int kMaxPivotRows = 600;

/// Solves the problem with polyhedral cones by Lemke's method [AnitescuPotra97]. It is exact for
/// the polyhedral law without joints. Coulomb's law gets a cone of `facets` corners, so that a
/// residual remains; the answer is that of the polyhedral law, whatever the residual of the start.
/// With many more than 16 corners the path has many ties, and rounding may end it early. False if
/// the method does not suit the problem: joints, cone complementarity, maximum dissipation, or too
/// many rows.
bool pivot(int facets, Vector& r, Progress& progress);

}  // namespace scree

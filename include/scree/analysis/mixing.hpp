/// Mixing of bodies of several materials: Lacey's index over the cells of a grid.
#pragma once

#include <cstddef>
#include <optional>

#include "scree/analysis/region.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// Variances of the share by number that materials have in a cell, summed over materials. Each cell
/// is weighted by its number of bodies. For two materials they are twice the variance of the share
/// of either; the index is the same.
struct Mixing {
  std::size_t bodies = 0, cells = 0;  ///< in the grid; cells with bodies
  double variance = 0;                ///< [-]
  double segregated = 0;              ///< if every cell had one material: Σ p (1 − p) [-]
  /// Expected variance of randomly placed bodies, with the same number in each cell: Σ p (1 − p)
  /// (cells − 1) / (bodies − 1) [-]
  double mixed = 0;

  /// Lacey's index: 0 if each cell has one material, 1 expected for randomly placed bodies; larger
  /// if they are more even.
  double index() const { return (segregated - variance) / (segregated - mixed); }
};

/// No result where the index is undefined: a single material, or no cell with two bodies.
std::optional<Mixing> mixing_of(const Bodies& bodies, const Grid& grid);

}  // namespace scree

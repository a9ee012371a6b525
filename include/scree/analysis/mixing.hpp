/// How well bodies of several materials are mixed: Lacey's index, over the cells of a grid.
#pragma once

#include <cstddef>
#include <optional>

#include "scree/analysis/region.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// Variances of the share by number that materials have in a cell, summed over materials. Each cell
/// counts by its bodies. Of two materials they are twice the variance of the share of either, and
/// the index is the same.
struct Mixing {
  std::size_t bodies = 0, cells = 0;  ///< in the grid; cells with any
  double variance = 0;                ///< [-]
  double segregated = 0;              ///< if every cell had one material: Σ p (1 − p) [-]
  /// That is to be expected of bodies laid at random, as many in each cell as there are: Σ p (1 −
  /// p) (cells − 1) / (bodies − 1) [-]
  double mixed = 0;

  /// 0 of cells that have one material each, 1 to be expected of bodies laid at random; more if
  /// they are more even than that.
  double index() const { return (segregated - variance) / (segregated - mixed); }
};

/// None where the index says nothing: one material alone, or no cell with two bodies.
std::optional<Mixing> mixing_of(const Bodies& bodies, const Grid& grid);

}  // namespace scree

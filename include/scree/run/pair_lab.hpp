/// The laboratory of one pair: two spheres, or a sphere on a plane, with the motion prescribed by a
/// table; computes the forces of a compliant law and their energies.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "scree/laws/force_pair.hpp"

namespace scree {

/// Description of a pair as texts with units; keys and values as in the laws and materials of
/// scenes.
struct PairDescription {
  std::vector<std::pair<std::string, std::string>> law;       ///< law, k_n, friction, …
  std::vector<std::pair<std::string, std::string>> material;  ///< density, young, poisson
  /// young and poisson of a wall if they differ from those of the sphere; young may be "rigid".
  std::vector<std::pair<std::string, std::string>> wall_material;
  std::vector<std::string> radius;  ///< of both bodies, or of the sphere on a wall alone
  std::string h;
  std::string wall;  ///< normal of a plane through body 1, as "x,y,z"; empty: no wall
};

/// Settings from a description. Throws SceneError with the invalid key.
ForcePairSettings pair_settings(const PairDescription& description);

/// A row of the table: a step.
struct PairRow {
  std::string iter;  ///< as written, or the number of the row from 0
  PairBody first, second;
};

/// Reads the columns x1, y1, z1, x2, …, vx1, …, vx2, …, wx1, …, wx2, … by name, in any order; the
/// angular velocities may be missing. Each row must be a step of `h` [s]: this is checked by the
/// times t if there is such a column, else by iter, which must increase by 1. Throws InputError
/// with the lines of bad rows.
std::vector<PairRow> read_pair_rows(const std::filesystem::path& file, double h);

/// Table of forces as CSV; it has every `every`-th row.
std::string pair_forces_csv(const std::vector<PairRow>& rows, const ForcePairSettings& settings,
                            std::size_t every);

}  // namespace scree

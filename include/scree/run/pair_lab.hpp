/// The laboratory of one pair: two spheres, or a sphere on a plane, whose motion a table
/// prescribes; the forces that a compliant law gives, and where their energy goes.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "scree/laws/force_pair.hpp"

namespace scree {

/// What describes a pair, as texts with units: keys and values as in the laws and materials of
/// scenes.
struct PairDescription {
  std::vector<std::pair<std::string, std::string>> law;       ///< law, k_n, friction, …
  std::vector<std::pair<std::string, std::string>> material;  ///< density, young, poisson
  /// young, poisson of a wall where they are not those of the sphere; young may be "rigid".
  std::vector<std::pair<std::string, std::string>> wall_material;
  std::vector<std::string> radius;  ///< of both bodies, or of the sphere on a wall alone
  std::string h;
  std::string wall;  ///< normal of a plane through body 1, as "x,y,z"; empty: there is none
};

/// Throws SceneError with the key that cannot be used.
ForcePairSettings pair_settings(const PairDescription& description);

/// A row of the table: a step.
struct PairRow {
  std::string iter;  ///< as written, or the number of the row from 0
  PairBody first, second;
};

/// Reads the columns x1, y1, z1, x2, …, vx1, …, vx2, …, wx1, …, wx2, … by name, in any order; those
/// of angular velocities may be left out. Each row is a step of `h` [s]: the times t tell, if there
/// is such a column, else iter, which must go up by 1. Throws InputError that names bad rows by
/// their lines.
std::vector<PairRow> read_pair_rows(const std::filesystem::path& file, double h);

/// The table of forces, every `every`-th row of it, as CSV.
std::string pair_forces_csv(const std::vector<PairRow>& rows, const ForcePairSettings& settings,
                            std::size_t every);

}  // namespace scree

/// Single-contact problems in a CSV file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scree/math/sym_mat3.hpp"

namespace scree {

/// u = W r + q with friction coefficient μ.
struct SingleContactProblem {
  std::string id;  ///< as in the file
  SymMat3 W;       ///< [1/kg]
  Vec3 q;          ///< [m/s]
  double mu = 0;   ///< [-]
  Vec3 warm;       ///< warm start [N s]; zero if the file has none
};

/// Reads columns by name, in any order: id, W_nn, W_nt, W_no, W_tt, W_to, W_oo, q_n, q_t, q_o, mu,
/// and optionally the warm start r0_n, r0_t, r0_o; other columns are ignored. Throws InputError
/// with the line of each bad row.
std::vector<SingleContactProblem> read_contact_problems(const std::filesystem::path& file);

}  // namespace scree

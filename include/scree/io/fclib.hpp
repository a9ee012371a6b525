/// Frictional contact problems in the files of the library FCLIB [FCLIB]: HDF5, one problem a file,
/// three rows a contact in its frame (n, t1, t2). Units are the file's own; with SI they are those
/// of FrictionContactProblem.
#pragma once

#include <filesystem>
#include <string>
#include <variant>

#include "scree/laws/pair_law.hpp"
#include "scree/solvers/friction_contact_problem.hpp"

namespace scree {

/// u = W r + V λ + q,  Vᵀ r + R λ + s = 0: λ are the impulses of joints. V, R and s are empty
/// without joints.
struct FclibLocal {
  SparseMatrix W, V, R;
  Vector q, s;
};

/// M v = H r + G λ + f,  u = Hᵀ v + w,  Gᵀ v + b = 0: v are the velocities of the bodies. G and b
/// are empty without joints.
struct FclibGlobal {
  SparseMatrix M, H, G;
  Vector f, w, b;
};

struct FclibFile {
  std::filesystem::path path;  ///< where it was read
  std::string title, description, math_info;
  Vector mu;  ///< friction coefficient of each contact [-], ≥ 0
  std::variant<FclibLocal, FclibGlobal> equations;
};

/// Reads a problem of three dimensions: matrices in triplets (i = row, p = column; duplicates are
/// added), compressed rows or columns, numbers in any type. If M has off-diagonal entries on one
/// side only, the file stores one triangle of a symmetric matrix, since no M of bodies is
/// triangular; M is completed.
///
/// Throws InputError, with the dataset and what to do, if the file holds something else,
/// OutputError if it cannot be opened.
FclibFile read_fclib(const std::filesystem::path& path);

/// The problem in r alone, one law for all contacts (`polyhedral` with PairLaw's number of facets),
/// joints after them, each row a separate block:
///
///     W = [H G]ᵀ M⁻¹ [H G],   q = [H G]ᵀ M⁻¹ f + (w, b)          for a global one
///
/// Throws InputError if M is singular, or if a contact or a joint has a zero block in W.
FrictionContactProblem delassus_problem(const FclibFile& file, LawKind kind);

/// Asymmetry of a matrix: the entries at (row, column) and (column, row) differ most.
struct Asymmetry {
  double share = 0;  ///< of the largest entry [-]
  int row = 0, column = 0;
};
Asymmetry asymmetry_of(const SparseMatrix& matrix);

/// Writes a copy of the problem file with a new /solution: r and u of the rows of
/// delassus_problem(file), the velocities v = M⁻¹ (H r + G λ + f) of a global one, and λ as `l` if
/// there are joints. Throws OutputError.
void write_fclib_solution(const FclibFile& file, const Vector& r, const Vector& u,
                          const std::filesystem::path& output);

/// Writes a local problem, W by compressed rows. Contacts keep their order, and so do joints, which
/// are in V and R. The format has no laws: only the friction coefficient of each is written. It has
/// one block of W for a contact and a joint: the one in the contact's rows is written. Throws
/// OutputError.
void write_fclib(const std::filesystem::path& path, const FrictionContactProblem& problem,
                 const std::string& title, const std::string& description);

}  // namespace scree

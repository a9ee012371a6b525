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
/// where there are none.
struct FclibLocal {
  SparseMatrix W, V, R;
  Vector q, s;
};

/// M v = H r + G λ + f,  u = Hᵀ v + w,  Gᵀ v + b = 0: v are the velocities of the bodies. G and b
/// are empty where there are no joints.
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

/// Reads a problem of three dimensions: matrices in triplets (i = row, p = column; what comes twice
/// is added), compressed rows or columns, numbers in any type. An M that has entries off the
/// diagonal on one side only is symmetric with one triangle stored, as no M of bodies is
/// triangular; it is completed.
///
/// Throws InputError, with the dataset and what to do, if the file holds something else,
/// OutputError if it cannot be opened.
FclibFile read_fclib(const std::filesystem::path& path);

/// The problem in r alone, one law for all contacts (`polyhedral` with PairLaw's number of facets),
/// joints after them, each row a block of its own:
///
///     W = [H G]ᵀ M⁻¹ [H G],   q = [H G]ᵀ M⁻¹ f + (w, b)          for a global one
///
/// Throws InputError if M is singular, or W has a contact or a joint that moves nothing.
FrictionContactProblem delassus_problem(const FclibFile& file, LawKind kind);

/// How far a matrix is from symmetric: its entries at (row, column) and (column, row) differ the
/// most.
struct Asymmetry {
  double share = 0;  ///< of the largest entry [-]
  int row = 0, column = 0;
};
Asymmetry asymmetry_of(const SparseMatrix& matrix);

/// Writes the problem file again with another /solution: r and u of the rows of
/// delassus_problem(file), the velocities v = M⁻¹ (H r + G λ + f) of a global one, and λ as `l` if
/// there are joints. Throws OutputError.
void write_fclib_solution(const FclibFile& file, const Vector& r, const Vector& u,
                          const std::filesystem::path& output);

/// Writes a local problem, W by compressed rows. Contacts keep their order, and so do joints, which
/// stand apart in V and R. Files have no place for laws: of each only the friction coefficient is
/// kept. Nor have they for W of a contact and a joint both ways: that of the contact's rows is
/// kept. Throws OutputError.
void write_fclib(const std::filesystem::path& path, const FrictionContactProblem& problem,
                 const std::string& title, const std::string& description);

}  // namespace scree

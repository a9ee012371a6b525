/// Writes problems and solutions in the HDF5 format of FCLIB.
#include <cassert>
#include <fmt/format.h>

#include "io/hdf5.hpp"
#include "io/mass_matrix.hpp"
#include "scree/io/fclib.hpp"
#include "scree/io/files.hpp"

namespace scree {
namespace {

void write_number(hdf5::Writer& file, const std::string& place, std::int32_t value) {
  file.dataset(place, &value, 1);
}

void write_vector(hdf5::Writer& file, const std::string& place, const Vector& values) {
  file.dataset(place, values.data(), static_cast<std::size_t>(values.size()));
}

/// Writes a matrix by compressed rows, with FCLIB's names.
void write_matrix(hdf5::Writer& file, const std::string& place, const SparseMatrix& matrix) {
  assert(matrix.isCompressed());
  const auto count = static_cast<std::size_t>(matrix.nonZeros());
  file.group(place);
  write_number(file, place + "/nzmax", static_cast<std::int32_t>(count));
  write_number(file, place + "/m", static_cast<std::int32_t>(matrix.rows()));
  write_number(file, place + "/n", static_cast<std::int32_t>(matrix.cols()));
  write_number(file, place + "/nz", -2);
  file.dataset(place + "/p", matrix.outerIndexPtr(), static_cast<std::size_t>(matrix.rows()) + 1);
  file.dataset(place + "/i", matrix.innerIndexPtr(), count);
  file.dataset(place + "/x", matrix.valuePtr(), count);
}

/// The equations of a problem with contacts and joints apart, and mu.
std::pair<FclibLocal, Vector> taken_apart(const FrictionContactProblem& problem) {
  std::vector<double> mu;
  // index among rows of contacts; ~index among rows of joints
  std::vector<int> place(problem.q.size());
  int contacts = 0, joints = 0;
  problem.for_each_block([&](const auto& law, int row) {
    for (int k = 0; k < scree::rows_of(law); ++k)
      if constexpr (std::is_same_v<decltype(law), const JointRows&>)
        place[row + k] = ~joints++;
      else
        place[row + k] = contacts++;
    if constexpr (!std::is_same_v<decltype(law), const JointRows&>)
      mu.push_back(friction_coefficient(law));
  });

  FclibLocal local{SparseMatrix(contacts, contacts), SparseMatrix(contacts, joints),
                   SparseMatrix(joints, joints), Vector(contacts), Vector(joints)};
  std::vector<Eigen::Triplet<double>> W, V, R;
  for (int row = 0; row < problem.W.rows(); ++row) {
    const int i = place[row];
    (i < 0 ? local.s[~i] : local.q[i]) = problem.q[row];
    for (SparseMatrix::InnerIterator entry(problem.W, row); entry; ++entry) {
      const int j = place[entry.col()];
      if (i >= 0 && j >= 0) W.emplace_back(i, j, entry.value());
      if (i >= 0 && j < 0) V.emplace_back(i, ~j, entry.value());
      if (i < 0 && j < 0) R.emplace_back(~i, ~j, entry.value());
    }
  }
  local.W.setFromTriplets(W.begin(), W.end());
  local.V.setFromTriplets(V.begin(), V.end());
  local.R.setFromTriplets(R.begin(), R.end());
  return {std::move(local),
          Eigen::Map<const Vector>(mu.data(), static_cast<Eigen::Index>(mu.size()))};
}

}  // namespace

void write_fclib(const std::filesystem::path& path, const FrictionContactProblem& problem,
                 const std::string& title, const std::string& description) {
  const auto [local, mu] = taken_apart(problem);
  const std::string root = "/fclib_local";
  hdf5::Writer file(path);
  file.group(root);
  write_number(file, root + "/spacedim", 3);
  write_matrix(file, root + "/W", local.W);
  if (local.s.size() > 0) {
    write_matrix(file, root + "/V", local.V);
    write_matrix(file, root + "/R", local.R);
  }
  file.group(root + "/vectors");
  write_vector(file, root + "/vectors/q", local.q);
  write_vector(file, root + "/vectors/mu", mu);
  if (local.s.size() > 0) write_vector(file, root + "/vectors/s", local.s);
  file.group(root + "/info");
  file.text(root + "/info/title", title);
  file.text(root + "/info/description", description);
  file.text(root + "/info/math_info", "");
  file.finish();
}

void write_fclib_solution(const FclibFile& problem, const Vector& r, const Vector& u,
                          const std::filesystem::path& output) {
  const Eigen::Index contacts = 3 * problem.mu.size(), joints = r.size() - contacts;
  hdf5::Writer file(output, problem.path);
  file.remove("/solution");
  file.group("/solution");
  write_vector(file, "/solution/r", r.head(contacts));
  write_vector(file, "/solution/u", u.head(contacts));
  if (joints > 0) write_vector(file, "/solution/l", r.tail(joints));
  if (const auto* global = std::get_if<FclibGlobal>(&problem.equations)) {
    const MassMatrix mass(global->M, problem.path.string() + ": /fclib_global/M");
    write_vector(file, "/solution/v",
                 mass.solve(global->H * r.head(contacts) + global->G * r.tail(joints) + global->f));
  }
  file.finish();
}

}  // namespace scree

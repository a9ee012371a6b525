// Converts an FCLIB file to a problem in r alone.
#include <cmath>
#include <fmt/format.h>

#include "io/mass_matrix.hpp"
#include "scree/core/error.hpp"
#include "scree/io/fclib.hpp"

namespace scree {
namespace {

/// Adds the entries of `matrix`, shifted, or those of its transpose.
void append(const SparseMatrix& matrix, Eigen::Index row, Eigen::Index column, bool transposed,
            std::vector<Eigen::Triplet<double>>& entries) {
  for (Eigen::Index line = 0; line < matrix.outerSize(); ++line)
    for (SparseMatrix::InnerIterator entry(matrix, line); entry; ++entry)
      entries.emplace_back(static_cast<int>(row + (transposed ? entry.col() : entry.row())),
                           static_cast<int>(column + (transposed ? entry.row() : entry.col())),
                           entry.value());
}

Vector stacked(const Vector& above, const Vector& below) {
  Vector both(above.size() + below.size());
  both << above, below;
  return both;
}

/// W and q of contacts and joints together.
FrictionContactProblem reduced(const FclibLocal& local, const std::filesystem::path&) {
  const Eigen::Index contacts = local.q.size(), all = contacts + local.s.size();
  std::vector<Eigen::Triplet<double>> entries;
  append(local.W, 0, 0, false, entries);
  append(local.V, 0, contacts, false, entries);
  append(local.V, contacts, 0, true, entries);
  append(local.R, contacts, contacts, false, entries);
  FrictionContactProblem problem{SparseMatrix(all, all), stacked(local.q, local.s), {}};
  problem.W.setFromTriplets(entries.begin(), entries.end());
  return problem;
}

FrictionContactProblem reduced(const FclibGlobal& global, const std::filesystem::path& path) {
  std::vector<Eigen::Triplet<double>> entries;
  append(global.H, 0, 0, false, entries);
  append(global.G, 0, global.w.size(), false, entries);
  SparseMatrix directions(global.f.size(), global.w.size() + global.b.size());
  directions.setFromTriplets(entries.begin(), entries.end());
  const MassMatrix mass(global.M, path.string() + ": /fclib_global/M");
  return {mass.between(directions),
          directions.transpose() * mass.solve(global.f) + stacked(global.w, global.b),
          {}};
}

/// The impulse of a contact or a joint between immovable bodies is undetermined.
void require_motion(const FrictionContactProblem& problem, const std::filesystem::path& path) {
  const Vector diagonal = problem.W.diagonal();
  int block = 0;
  problem.for_each_block([&](const auto& law, int row) {
    const double trace = diagonal.segment(row, scree::rows_of(law)).sum();
    if (!(trace > 0))
      throw InputError(
          fmt::format("{}: block {} of W, counted from 0, has the trace {}: no impulse there moves "
                      "a body; remove that {}",
                      path.string(), block, trace,
                      std::is_same_v<decltype(law), const JointRows&> ? "joint" : "contact"));
    ++block;
  });
}

/// Squares of numbers far from 1 are infinite or zero, and so would be the residuals.
void require_ordinary_size(const FrictionContactProblem& problem,
                           const std::filesystem::path& path) {
  constexpr double kLargest = 1e100, kSmallest = 1e-100;
  const auto check = [&](const char* what, double largest) {
    if (largest > kLargest || (largest > 0 && largest < kSmallest))
      throw InputError(fmt::format(
          "{}: the largest number in {} is {:.3g}; choose units that bring it between {} and {}",
          path.string(), what, largest, kSmallest, kLargest));
  };
  check("W", problem.W.coeffs().size() > 0 ? problem.W.coeffs().abs().maxCoeff() : 0);
  check("q", problem.q.size() > 0 ? problem.q.cwiseAbs().maxCoeff() : 0);
}

}  // namespace

Asymmetry asymmetry_of(const SparseMatrix& matrix) {
  Asymmetry found;
  const double largest = matrix.nonZeros() > 0 ? matrix.coeffs().abs().maxCoeff() : 0;
  const SparseMatrix difference = matrix - SparseMatrix(matrix.transpose());
  for (Eigen::Index line = 0; line < difference.outerSize(); ++line)
    for (SparseMatrix::InnerIterator entry(difference, line); entry; ++entry)
      if (const double share = std::abs(entry.value()) / largest; share > found.share)
        found = {share, static_cast<int>(entry.row()), static_cast<int>(entry.col())};
  return found;
}

FrictionContactProblem delassus_problem(const FclibFile& file, LawKind kind) {
  FrictionContactProblem problem = std::visit(
      [&](const auto& equations) { return reduced(equations, file.path); }, file.equations);
  std::visit(
      [&]<class Law>(const Law&) {
        std::vector<Law> contacts;
        for (const double mu : file.mu)
          contacts.push_back(std::get<Law>(law_of({.kind = kind, .friction = mu})));
        if (!contacts.empty()) problem.laws.emplace_back(std::move(contacts));
      },
      law_of({.kind = kind}));
  const Eigen::Index joints = problem.q.size() - 3 * file.mu.size();
  if (joints > 0) problem.laws.emplace_back(std::vector<JointRows>(joints, JointRows{1}));
  require_ordinary_size(problem, file.path);
  require_motion(problem, file.path);
  return problem;
}

}  // namespace scree

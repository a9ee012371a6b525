#include "compare/siconos/siconos_solvers.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>

extern "C" {
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
}

namespace scree::compare {
namespace {

/// Zeroed memory that Siconos may release by free().
template <class T>
T* allocate(std::size_t count) {
  return static_cast<T*>(std::calloc(count, sizeof(T)));
}

template <class Values>
double* copy_of(const Values& values) {
  auto* copy = allocate<double>(static_cast<std::size_t>(values.size()));
  std::copy(values.begin(), values.end(), copy);
  return copy;
}

NumericsMatrix* dense(const SparseMatrix& W) {
  const int size = static_cast<int>(W.rows());
  NumericsMatrix* matrix = NM_create(NM_DENSE, size, size);
  Eigen::Map<Eigen::MatrixXd>(matrix->matrix0, size, size) = W;
  return matrix;
}

NumericsMatrix* triplets(const SparseMatrix& W) {
  const int size = static_cast<int>(W.rows());
  NumericsMatrix* matrix = NM_create(NM_SPARSE, size, size);
  NM_triplet_alloc(matrix, W.nonZeros());
  for (int row = 0; row < size; ++row)
    for (SparseMatrix::InnerIterator entry(W, row); entry; ++entry)
      NM_entry(matrix, row, static_cast<int>(entry.col()), entry.value());
  return matrix;
}

/// Blocks of 3 × 3, column by column inside.
NumericsMatrix* blocks(const SparseMatrix& W) {
  const auto count = static_cast<std::size_t>(W.rows()) / 3;
  std::vector<std::map<std::size_t, double*>> rows(count);
  std::size_t filled = 0;
  const auto block_at = [&](std::size_t row, std::size_t column) {
    double*& block = rows[row][column];
    if (!block) block = allocate<double>(9), ++filled;
    return block;
  };
  for (int row = 0; row < W.rows(); ++row)
    for (SparseMatrix::InnerIterator entry(W, row); entry; ++entry)
      block_at(row / 3, entry.col() / 3)[3 * (entry.col() % 3) + row % 3] = entry.value();

  SparseBlockStructuredMatrix* matrix = SBM_new();
  matrix->nbblocks = static_cast<unsigned>(filled);
  matrix->blocknumber0 = matrix->blocknumber1 = static_cast<unsigned>(count);
  matrix->blocksize0 = allocate<unsigned>(count);
  matrix->blocksize1 = allocate<unsigned>(count);
  matrix->filled1 = count + 1, matrix->filled2 = filled;
  matrix->index1_data = allocate<std::size_t>(count + 1);
  matrix->index2_data = allocate<std::size_t>(filled);
  matrix->block = allocate<double*>(filled);
  std::size_t next = 0;
  for (std::size_t row = 0; row < count; ++row) {
    matrix->blocksize0[row] = matrix->blocksize1[row] = static_cast<unsigned>(3 * (row + 1));
    for (const auto& [column, block] : rows[row])
      matrix->index2_data[next] = column, matrix->block[next++] = block;
    matrix->index1_data[row + 1] = next;
  }
  return NM_new_SBM(static_cast<int>(W.rows()), static_cast<int>(W.rows()), matrix);
}

std::vector<double> friction_of(const FrictionContactProblem& problem) {
  std::vector<double> mu;
  problem.for_each_block([&](const auto& law, int) {
    if constexpr (requires { law.mu; }) mu.push_back(law.mu);
  });
  return mu;
}

using Configure = std::function<void(SolverOptions&)>;

Candidate candidate(const char* name, int solver, NumericsMatrix* (*stored)(const SparseMatrix&),
                    const Configure& configure = {}) {
  return {name, [=](const FrictionContactProblem& problem) -> Solve {
            numerics_set_verbose(0);
            const std::vector<double> mu = friction_of(problem);
            auto* theirs = frictionContactProblem_new_with_data(
                3, static_cast<int>(mu.size()), stored(problem.W), copy_of(problem.q), copy_of(mu));
            return [=](double tolerance, std::span<double> r) {
              std::vector<double> u(r.size());
              std::ranges::fill(r, 0.0);
              SolverOptions* options = solver_options_create(solver);
              options->dparam[SICONOS_DPARAM_TOL] = tolerance;
              // the time limit ends it first
              options->iparam[SICONOS_IPARAM_MAX_ITER] = 10'000'000;
              if (configure) configure(*options);
              const double start = cpu_time();
              fc3d_driver(theirs, r.data(), u.data(), options);
              const double seconds = cpu_time() - start;
              solver_options_delete(options);
              return seconds;
            };
          }};
}

/// Solver of one contact in the Gauss-Seidel method.
Configure one_contact(int solver) {
  return [=](SolverOptions& options) { solver_options_update_internal(&options, 0, solver); };
}

}  // namespace

std::vector<Candidate> siconos_solvers() {
  const auto mumps = [](SolverOptions& options) {
    options.iparam[SICONOS_FRICTION_3D_NSN_LINEAR_SOLVER] = SICONOS_FRICTION_3D_NSN_USE_MUMPS;
  };
  return {
      candidate("NSGS hybrid", SICONOS_FRICTION_3D_NSGS, blocks,
                one_contact(SICONOS_FRICTION_3D_ONECONTACT_NSN_GP_HYBRID)),
      candidate("NSGS NSN", SICONOS_FRICTION_3D_NSGS, blocks,
                one_contact(SICONOS_FRICTION_3D_ONECONTACT_NSN)),
      candidate("NSGS quartic", SICONOS_FRICTION_3D_NSGS, blocks,
                one_contact(SICONOS_FRICTION_3D_ONECONTACT_QUARTIC)),
      candidate("NSN_AC CSparse", SICONOS_FRICTION_3D_NSN_AC, triplets),
      candidate("NSN_AC MUMPS", SICONOS_FRICTION_3D_NSN_AC, triplets, mumps),
      candidate("NSN_AC dense", SICONOS_FRICTION_3D_NSN_AC, dense),
      candidate("ADMM", SICONOS_FRICTION_3D_ADMM, triplets),
  };
}

}  // namespace scree::compare

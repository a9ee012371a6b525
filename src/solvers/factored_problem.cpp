#include "scree/solvers/factored_problem.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <tuple>

#include "scree/contact/tangents.hpp"
#include "scree/core/error.hpp"
#include "scree/solvers/solve_problem.hpp"
#include "solvers/kernels/general_kernels.hpp"

namespace scree {
namespace {

std::size_t places(const ContactProblem& problem) { return kBlock * problem.blocks.size(); }

/// A contact of a diagonal block as a general one; W and the law are left open.
GeneralContact generalised(const DiagonalBlock& block, std::size_t k) {
  GeneralContact g{};
  g.a = block.a[k], g.b = block.b[k];
  g.n = {block.normal[0][k], block.normal[1][k], block.normal[2][k]};
  tangents(g.n, g.t1, g.t2);
  g.arm_a = g.n, g.arm_b = -g.n;
  g.bias = block.bias[k];
  g.percussion = g.to_frame({block.percussion[0][k], block.percussion[1][k], block.percussion[2][k]});
  return g;
}

/// Λ with Λ Λᵀ = L² I⁻¹, lower triangular.
Eigen::Matrix3d factor(const SymMat3& inverse) {
  Eigen::Matrix3d full;
  full << inverse.xx, inverse.xy, inverse.xz, inverse.xy, inverse.yy, inverse.yz, inverse.xz, inverse.yz, inverse.zz;
  return full.llt().matrixL();
}

/// Three rows of G = Hᵀ M^(−1/2), six columns a body.
void add_rows(const ContactProblem& problem, const GeneralContact& g, int row,
              std::vector<Eigen::Triplet<double>>& entries) {
  const Vec3 axis[3] = {g.n, g.t1, g.t2};
  for (const auto& [body, arm, sign] : {std::tuple{g.a, g.arm_a, -1.0}, std::tuple{g.b, g.arm_b, 1.0}}) {
    if (body >= problem.free_bodies) continue;
    const double root = std::sqrt(problem.bodies[body].inverse_mass);
    const Eigen::Matrix3d spin = factor(problem.scaled_inverse_inertia(body));
    const int column = 6 * static_cast<int>(body);
    for (int k = 0; k < 3; ++k) {
      const Vec3 lever = cross(arm, axis[k]);
      for (int i = 0; i < 3; ++i) {
        entries.emplace_back(row + k, column + i, sign * root * axis[k][i]);
        double turned = 0;
        for (int j = i; j < 3; ++j) turned += lever[j] * spin(j, i);
        entries.emplace_back(row + k, column + 3 + i, sign * turned);
      }
    }
  }
}

void append(std::vector<LawRun>& runs, const AnyLaw& law) {
  std::visit(
      [&]<class Law>(const Law& of_contact) {
        if (runs.empty() || !std::holds_alternative<std::vector<Law>>(runs.back()))
          runs.emplace_back(std::vector<Law>{});
        std::get<std::vector<Law>>(runs.back()).push_back(of_contact);
      },
      law);
}

}  // namespace

std::vector<ContactIndex> contacts_of(const ContactProblem& problem) {
  std::vector<ContactIndex> contacts;
  for (ContactIndex place = 0; place < places(problem); ++place) {
    const DiagonalBlock& block = problem.blocks[place / kBlock];
    const std::size_t lane = place % kBlock;
    if (block.a[lane] != problem.at_rest() || block.b[lane] != problem.at_rest()) contacts.push_back(place);
  }
  for (std::size_t k = 0; k < problem.general.size(); ++k)
    contacts.push_back(static_cast<ContactIndex>(places(problem) + k));
  return contacts;
}

GeneralContact general_contact(const ContactProblem& problem, ContactIndex contact) {
  if (contact >= places(problem)) return problem.general[contact - places(problem)];
  return generalised(problem.blocks[contact / kBlock], contact % kBlock);
}

AnyLaw law_of(const ContactProblem& problem, ContactIndex contact) {
  if (contact >= places(problem)) return problem.laws[problem.general[contact - places(problem)].law];
  return Coulomb{problem.blocks[contact / kBlock].friction[contact % kBlock]};
}

FactoredProblem factored_problem(const ContactProblem& problem, Vector& r) {
  const std::vector<ContactIndex> contacts = contacts_of(problem);
  const int rows = 3 * static_cast<int>(contacts.size());
  FactoredProblem result{SparseMatrix(rows, 6 * static_cast<int>(problem.free_bodies)), Vector(rows), {}};
  r.resize(rows);
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    const GeneralContact g = general_contact(problem, contacts[i]);
    const Vec3 u = kernels::relative_velocity(problem, g);
    for (int k = 0; k < 3; ++k) r[3 * i + k] = g.percussion[k], result.q[3 * i + k] = u[k];
    add_rows(problem, g, 3 * i, entries);
    append(result.laws, law_of(problem, contacts[i]));
  }
  result.G.setFromTriplets(entries.begin(), entries.end());
  result.q -= result.G * Vector(result.G.transpose() * r);
  return result;
}

void set_percussions(ContactProblem& problem, const Vector& r) {
  const std::vector<ContactIndex> contacts = contacts_of(problem);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const GeneralContact g = general_contact(problem, contacts[i]);
    const Vec3 now{r[3 * i], r[3 * i + 1], r[3 * i + 2]};
    kernels::add_percussion(problem, g, g.to_inertial(now - g.percussion));
    if (contacts[i] >= places(problem)) {
      problem.general[contacts[i] - places(problem)].percussion = now;
    } else {
      const Vec3 inertial = g.to_inertial(now);
      for (int k = 0; k < 3; ++k)
        problem.blocks[contacts[i] / kBlock].percussion[k][contacts[i] % kBlock] = inertial[k];
    }
  }
}

SolveResult solve_together(ContactProblem& problem, SolverKind solver, const SolveSettings& settings,
                           ThreadPool& pool) {
  SolveResult result;
  GaussSeidel certifier;
  Vector r = Vector::Zero(3 * static_cast<Eigen::Index>(problem.contacts));
  if (problem.anything_closes()) {
    const FactoredProblem factored = factored_problem(problem, r);
    // A step does not throw: where numbers are not finite, percussions stay, and the certificate tells.
    const bool finite =
        factored.q.allFinite() && Eigen::Map<const Vector>(factored.G.valuePtr(), factored.G.nonZeros()).allFinite();
    if (!finite) {
      result.certificate = certifier.certify(problem, settings.tolerance, pool);
      return result;
    }
    SolveOptions options;
    options.solver = solver;
    // The solvers measure by all of q, this problem by the contacts that close.
    options.tolerance = problem.allowed(settings.tolerance) / factored.q.norm();
    options.max_iterations = settings.max_sweeps;
    options.acceleration = settings.accelerated ? Acceleration::nesterov : Acceleration::none;
    options.start = {r.data(), static_cast<std::size_t>(r.size())};
    options.threads = pool.threads();
    try {
      const Solution solution = solve(factored, options);
      r = solution.r;
      result.sweeps = solution.iterations;
    } catch (const InputError&) {
      // Masses of which a block of W vanishes or overflows are refused: the same.
      result.certificate = certifier.certify(problem, settings.tolerance, pool);
      return result;
    }
  }
  // Without a contact that closes r = 0 is the answer, whatever the last step left.
  set_percussions(problem, r);
  result.certificate = certifier.certify(problem, settings.tolerance, pool);
  result.converged = result.certificate.residual <= settings.tolerance;
  return result;
}

}  // namespace scree

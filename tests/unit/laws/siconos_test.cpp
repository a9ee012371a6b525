// Coulomb's law against Siconos, another implementation of it, where the solution is one.
#include <cstdlib>
#include <gtest/gtest.h>

#include "scree/laws/coulomb.hpp"
#include "unit/laws/oracle.hpp"

#ifdef SCREE_HAVE_SICONOS
extern "C" {
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <fc3d_Solvers.h>
}
#endif

namespace scree {
namespace {

using namespace test;

#ifdef SCREE_HAVE_SICONOS
/// One contact by Siconos' nonsmooth Newton method; infinite where it does not converge.
Vec3 by_siconos(const Problem& p) {
  double w[9] = {p.W.xx, p.W.xy, p.W.xz, p.W.xy, p.W.yy, p.W.yz, p.W.xz, p.W.yz, p.W.zz};
  double q[3] = {p.q.x, p.q.y, p.q.z}, mu[1] = {p.mu}, r[3] = {}, u[3] = {};
  NumericsMatrix* matrix = NM_create_from_data(NM_DENSE, 3, 3, w);
  FrictionContactProblem problem{};
  problem.dimension = 3, problem.numberOfContacts = 1;
  problem.M = matrix, problem.q = q, problem.mu = mu;
  SolverOptions* options = solver_options_create(SICONOS_FRICTION_3D_NSN_AC);
  options->dparam[SICONOS_DPARAM_TOL] = 1e-13;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = 1000;
  const int failed = fc3d_driver(&problem, r, u, options);
  solver_options_delete(options);
  matrix->matrix0 = nullptr;  // ours
  NM_clear(matrix);
  std::free(matrix);
  return failed ? Vec3{INFINITY, 0, 0} : Vec3{r[0], r[1], r[2]};
}
#endif

TEST(Coulomb, AgreesWithSiconosWhereTheSolutionIsOne) {
#ifndef SCREE_HAVE_SICONOS
  GTEST_SKIP() << "Built without Siconos: apt-get install libsiconos-numerics-dev, and configure "
                  "again without sanitizers";
#else
  RandomStream random{50, 0};
  int compared = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    Problem p = random_problem(trial % 2 ? Kind::well_conditioned : Kind::strongly_coupled, random);
    if (trial % 5 == 0) p.q.x = -p.q.x;
    if (Coulomb{p.mu}.solve_all(p.W, p.q).count != 1) continue;
    const Vec3 theirs = by_siconos(p);
    if (std::isinf(theirs.x)) continue;  // about one in a hundred does not converge there
    Vec3 ours;
    ASSERT_EQ(Coulomb{p.mu}.solve(p.W, p.q, ours), LocalStatus::solved);
    EXPECT_LE(norm(ours - theirs), 1e-8 * norm(ours) + 1e-12) << "trial " << trial;
    ++compared;
  }
  EXPECT_GT(compared, 900);
#endif
}

}  // namespace
}  // namespace scree

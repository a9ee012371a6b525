#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "scree/solvers/factored_problem.hpp"
#include "scree/solvers/gauss_seidel.hpp"
#include "scree/solvers/tangents.hpp"
#include "unit/solvers/random_chain.hpp"

namespace scree {
namespace {

using test::random_bodies;
using test::random_chain;
using test::random_vector;

/// Holds a point of A to a point of B: three rows, arms over the bodies' radii.
JointBlock ball_joint(BodyIndex a, BodyIndex b, const Vec3& arm_a, const Vec3& arm_b) {
  JointBlock joint{.a = a, .b = b, .rows = 3};
  for (int k = 0; k < 3; ++k) {
    joint.axis[k][k] = 1;
    joint.jw_a[k] = -cross(arm_a, joint.axis[k]);
    joint.jw_b[k] = cross(arm_b, joint.axis[k]);
  }
  return joint;
}

/// Adds that B turns about one axis alone, relative to A: two rows.
void hinge(JointBlock& joint, const Vec3& axis) {
  Vec3 across[2];
  tangents(axis, across[0], across[1]);
  for (const Vec3& t : across) {
    joint.jw_a[joint.rows] = -t;
    joint.jw_b[joint.rows] = t;
    ++joint.rows;
  }
}

/// Bodies that move at random, from the last on jointed to one at rest: a chain that hangs.
ContactProblem hanging_chain(std::uint32_t bodies, std::uint64_t seed) {
  RandomStream random{seed, 1};
  ContactProblem problem = random_bodies(bodies, random);
  for (std::uint32_t start = 0; start < 2; ++start)
    for (std::uint32_t i = start; i < bodies; i += 2) {
      JointBlock joint = ball_joint(i, i + 1, random_vector(random), random_vector(random));
      if (i % 3 == 0) hinge(joint, {0, 0, 1});
      joint.bias[0] = random.uniform(-0.1, 0.1);
      problem.joints.push_back(joint);
    }
  problem.first_chunk = problem.first_contact_chunk = {0, 0, 0};
  problem.undone.missed = 1;
  return problem;
}

/// Velocities of all free bodies, one after the other.
Vector velocities(const ContactProblem& problem) {
  Vector v(6 * static_cast<Eigen::Index>(problem.free_bodies));
  for (std::uint32_t i = 0; i < problem.free_bodies; ++i)
    for (int k = 0; k < 3; ++k) {
      v[6 * i + k] = problem.bodies[i].velocity[k];
      v[6 * i + 3 + k] = problem.bodies[i].spin[k];
    }
  return v;
}

/// What joints alone make of the velocities: M (v' − v) = Hᵀ r, H v' + b = 0, by dense elimination.
Vector exact_velocities(const ContactProblem& problem) {
  const auto bodies = static_cast<Eigen::Index>(problem.free_bodies);
  Eigen::Index rows = 0;
  for (const JointBlock& joint : problem.joints) rows += joint.rows;
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(rows, 6 * bodies);
  Vector inverse_mass(6 * bodies), bias(rows);
  for (Eigen::Index i = 0; i < bodies; ++i) {
    inverse_mass.segment(6 * i, 3).setConstant(problem.bodies[i].inverse_mass);
    inverse_mass.segment(6 * i + 3, 3).setConstant(problem.bodies[i].inverse_inertia);
  }
  Eigen::Index row = 0;
  for (const JointBlock& joint : problem.joints)
    for (int k = 0; k < joint.rows; ++k, ++row) {
      bias[row] = joint.bias[k];
      for (int x = 0; x < 3; ++x) {
        if (joint.a < problem.free_bodies) {
          H(row, 6 * joint.a + x) = -joint.axis[k][x];
          H(row, 6 * joint.a + 3 + x) = joint.jw_a[k][x];
        }
        if (joint.b < problem.free_bodies) {
          H(row, 6 * joint.b + x) = joint.axis[k][x];
          H(row, 6 * joint.b + 3 + x) = joint.jw_b[k][x];
        }
      }
    }
  const Vector v = velocities(problem);
  const Eigen::MatrixXd W = H * inverse_mass.asDiagonal() * H.transpose();
  const Vector r = W.completeOrthogonalDecomposition().solve(-(H * v + bias));
  return v + inverse_mass.cwiseProduct(H.transpose() * r);
}

constexpr SolverSettings kThorough{.tolerance = 1e-12, .max_sweeps = 100'000};

TEST(Joints, OfAHangingChainHoldAsDenseEliminationSays) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    ContactProblem problem = hanging_chain(7, seed);
    const Vector expected = exact_velocities(problem);
    ThreadPool pool(1);
    GaussSeidel solver;
    const SolveResult result = solver.solve(problem, kThorough, pool);
    EXPECT_TRUE(result.converged) << result.certificate.residual;
    EXPECT_LT((velocities(problem) - expected).lpNorm<Eigen::Infinity>(), 1e-9);
  }
}

TEST(Joints, AreSolvedByTheMethodsThatTakeAllTogether) {
  for (const SolverKind kind : {SolverKind::automatic, SolverKind::newton, SolverKind::psor}) {
    ContactProblem problem = hanging_chain(7, 4);
    const Vector expected = exact_velocities(problem);
    ThreadPool pool(1);
    SolverSettings thorough = kThorough;
    thorough.method = kind;
    EXPECT_TRUE(solve_as_matrix_problem(problem, thorough, pool).converged) << name(kind);
    EXPECT_LT((velocities(problem) - expected).lpNorm<Eigen::Infinity>(), 1e-9) << name(kind);
  }
}

TEST(Joints, WhoseRowsSayThingsTwiceHoldAsWell) {
  ContactProblem problem = hanging_chain(4, 5);
  ContactProblem twice = problem;
  for (JointBlock& joint : twice.joints)
    for (const int k : {0, 1})
      if (joint.rows < JointBlock::kMaxRows) {
        joint.axis[joint.rows] = joint.axis[k];
        joint.jw_a[joint.rows] = joint.jw_a[k];
        joint.jw_b[joint.rows] = joint.jw_b[k];
        joint.bias[joint.rows++] = joint.bias[k];
      }
  ThreadPool pool(1);
  GaussSeidel solver;
  solver.solve(problem, kThorough, pool);
  EXPECT_TRUE(solver.solve(twice, kThorough, pool).converged);
  EXPECT_LT((velocities(problem) - velocities(twice)).lpNorm<Eigen::Infinity>(), 1e-9);
}

/// A chain of spheres in contact, every fifth of which is jointed to the body at rest.
ContactProblem contacts_and_joints(std::uint32_t bodies, std::uint64_t seed) {
  ContactProblem problem = random_chain(bodies, seed);
  RandomStream random{seed, 2};
  for (std::uint32_t i = 0; i < bodies; i += 5) {
    JointBlock joint = ball_joint(i, problem.at_rest(), random_vector(random), {});
    problem.joints.push_back(joint);
  }
  return problem;
}

TEST(Joints, BesideContactsGiveTheSameBySweepsAndByNewton) {
  ContactProblem problem = contacts_and_joints(40, 6), together = problem;
  ThreadPool pool(1);
  GaussSeidel solver;
  EXPECT_TRUE(solver.solve(problem, kThorough, pool).converged);
  EXPECT_TRUE(solve_as_matrix_problem(together, kThorough, pool).converged);
  EXPECT_LT((velocities(problem) - velocities(together)).lpNorm<Eigen::Infinity>(), 1e-8);
}

TEST(Joints, GiveTheSameBitsForAnyNumberOfThreadsWithMomentumAndWarmStart) {
  std::vector<Vector> results;
  for (const int threads : {1, 2, 4}) {
    ContactProblem problem = contacts_and_joints(2000, 7);
    ThreadPool pool(threads);
    GaussSeidel solver;
    const SolverSettings few{
        .tolerance = 0, .max_sweeps = 20, .acceleration = Acceleration::nesterov};
    const ContactProblem free = problem;
    solver.solve(problem, few, pool);
    for (std::uint32_t i = 0; i < problem.free_bodies; ++i) problem.bodies[i] = free.bodies[i];
    solver.apply_warm_start(problem, pool);
    solver.solve(problem, few, pool);
    results.push_back(velocities(problem));
  }
  EXPECT_TRUE(results[0] == results[1]);
  EXPECT_TRUE(results[0] == results[2]);
}

TEST(Joints, ThatAreMissedAreSeenByTheCertificate) {
  ContactProblem problem = hanging_chain(5, 8);
  ThreadPool pool(1);
  GaussSeidel solver;
  const Certificate before = solver.certify(problem, 1e-6, pool);
  double squared = 0;
  for (const JointBlock& joint : problem.joints)
    for (int k = 0; k < joint.rows; ++k) {
      const BodyRecord &a = problem.bodies[joint.a], &b = problem.bodies[joint.b];
      const double u = dot(joint.axis[k], b.velocity - a.velocity) + dot(joint.jw_a[k], a.spin) +
                       dot(joint.jw_b[k], b.spin) + joint.bias[k];
      squared += u * u;
    }
  EXPECT_NEAR(before.error, std::sqrt(squared), 1e-12 * before.error);
  EXPECT_EQ(before.over_tolerance, problem.joints.size());
}

TEST(Joints, HoldWhenBodiesCameAsIfTheyHadBeenThere) {
  ContactProblem problem = hanging_chain(6, 9), more = hanging_chain(6, 9);
  // A body comes in, which no joint holds; what does not move has another index from then on.
  more.bodies.insert(more.bodies.begin() + more.free_bodies, more.bodies[0]);
  for (JointBlock& joint : more.joints) joint.b += joint.b == more.at_rest();
  ++more.free_bodies;
  for (ContactProblem* each : {&problem, &more}) each->joints_stamp = 0;
  ThreadPool pool(1);
  GaussSeidel solver, other;
  ContactProblem fresh = more;
  solver.solve(problem, kThorough, pool);
  EXPECT_TRUE(solver.solve(more, kThorough, pool).converged);
  EXPECT_TRUE(other.solve(fresh, kThorough, pool).converged);
  EXPECT_EQ(velocities(more), velocities(fresh));
  EXPECT_EQ(velocities(more).head(36), velocities(problem).head(36));
}

}  // namespace
}  // namespace scree

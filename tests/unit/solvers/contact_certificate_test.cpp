#include "scree/solvers/contact_certificate.hpp"

#include <gtest/gtest.h>

#include "scree/solvers/gauss_seidel.hpp"
#include "unit/solvers/random_chain.hpp"

namespace scree {
namespace {

using test::random_chain;

/// Of free bodies whose inertia is isotropic [J].
double kinetic_energy(const ContactProblem& problem) {
  double energy = 0;
  for (BodyIndex i = 0; i < problem.free_bodies; ++i) {
    const BodyRecord& b = problem.bodies[i];
    energy += 0.5 * (squared_norm(b.velocity) / b.inverse_mass +
                     squared_norm(b.spin) / b.inverse_inertia);
  }
  return energy;
}

TEST(ContactCertifier, SumsDissipationToWhatBodiesLostWhetherSolvedOrNot) {
  ThreadPool pool(1);
  for (const int sweeps : {1, 7, 2000}) {
    ContactProblem problem = random_chain(300, 11);
    const double before = kinetic_energy(problem);
    GaussSeidel().solve(problem, {.tolerance = 1e-12, .max_sweeps = sweeps}, pool);
    const ContactCertifier certificate_of(problem);
    double dissipated = 0;
    for (const SphereContactBlock& block : problem.blocks)
      for (int k = 0; k < kBlock; ++k) dissipated += certificate_of(block, k).dissipated_energy;
    EXPECT_NEAR(dissipated, before - kinetic_energy(problem), 1e-12 * before)
        << sweeps << " sweeps";
  }
}

/// One ball of mass 2 that meets the body at rest, to the left of it.
ContactProblem one_contact(const Vec3& velocity, const Vec3& impulse) {
  ContactProblem problem;
  problem.free_bodies = 1;
  problem.bodies = {{velocity, {}, 0.5, 1.25}, {}};
  SphereContactBlock block{};
  for (int k = 0; k < kBlock; ++k) block.a[k] = block.b[k] = problem.at_rest();
  block.a[0] = 0, block.normal[0][0] = 1, block.friction[0] = 0.75;
  for (int k = 0; k < 3; ++k) block.impulse[k][0] = impulse[k];
  problem.blocks = {block};
  problem.contacts = 1;
  return problem;
}

TEST(ContactCertifier, MeasuresHowFarAnImpulseIsOffConeAndComplementarity) {
  // u = (-1, -0.5, 0) with the ball as A, û = (-1 + 0.75 · 0.5, -0.5, 0); r leaves the cone of
  // slope 3/4 by the tangential 1.
  const ContactProblem problem = one_contact({1, 0.5, 0}, {4, 4, 0});
  const ContactCertificate c = ContactCertifier(problem)(problem.blocks[0], 0);
  EXPECT_NEAR(c.cone_violation, 1 / std::hypot(1, 0.75), 1e-15)
      << "distance of (4, 4) from the ray (1, 3/4)";
  EXPECT_NEAR(c.complementarity_violation, std::abs(4 * (-1 + 0.375) + 4 * -0.5), 1e-15);
  EXPECT_EQ(c.kind, ContactClass::sliding);
  EXPECT_EQ(c.painleve_number, 0) << "W is diagonal";
  const ContactProblem inside = one_contact({1, 0.5, 0}, {4, 2.9, 0});
  EXPECT_EQ(ContactCertifier(inside)(inside.blocks[0], 0).cone_violation, 0);
}

TEST(ContactCertifier, IsNotLedAstrayByASlipThatIsRounding) {
  // The normal velocity leaves last bits in all directions; what looks like slip may be along n.
  const Vec3 n = Vec3{-0.123, -0.786, 0.605} / norm(Vec3{-0.123, -0.786, 0.605});
  const Vec3 across = cross(n, Vec3{0, 0, 1}) / norm(cross(n, Vec3{0, 0, 1}));
  constexpr double kNormal = 4, kFriction = 0.75 * kNormal, kCloses = -0.3;
  for (const double speed : {1.0, 1.1, 1.3, 1.7, 1.9, 2.3}) {
    ContactProblem problem = one_contact(speed * n, kNormal * n + kFriction * across);
    for (int k = 0; k < 3; ++k) problem.blocks[0].normal[k][0] = n[k];
    problem.blocks[0].bias[0] = speed + kCloses;
    const ContactCertificate c = ContactCertifier(problem)(problem.blocks[0], 0);
    // r lies on the surface of a cone of this slope.
    EXPECT_EQ(c.kind, ContactClass::sliding) << speed;
    EXPECT_LT(c.cone_violation, 1e-14) << speed;
    EXPECT_NEAR(c.complementarity_violation, -kNormal * kCloses, 1e-14) << speed;
  }
}

TEST(ContactCertifier, FindsNothingWrongWithAContactThatSlidesByCoulombsLaw) {
  // Friction 0.75 · 4 against a slip of −0.5; u_n = 0.
  const ContactProblem problem = one_contact({0, 0.5, 0}, {4, 3, 0});
  const ContactCertificate c = ContactCertifier(problem)(problem.blocks[0], 0);
  EXPECT_LT(c.residual, 1e-15);
  EXPECT_LT(c.cone_violation, 1e-15);
  EXPECT_LT(c.complementarity_violation, 1e-15);
  // The ball came with v = (2, 2) and ω L = 3.75 about z, so that u⁻ = (−2, −5.75), and lost E⁻ −
  // E⁺.
  EXPECT_NEAR(c.dissipated_energy, (4 + 4) - 0.25 + 0.5 * 3.75 * 3.75 / 1.25, 1e-13);
}

TEST(ContactCertifier, AsksEachLawOfABodyOfAnyShapeItself) {
  ContactRows contact{.a = 0, .b = 1, .law = 0, .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  contact.W = {1, 0.5, 0, 2, 0, 2};
  contact.impulse = {1, -0.5, 0};
  ContactProblem problem;
  problem.free_bodies = 1;
  // u = (0.2, 0.3, 0), and no spin.
  problem.bodies = {{{-0.2, -0.3, 0}, {}, 1, 1}, {}};
  problem.contact_blocks = {ContactBlock::empty(0, 1, 1)};
  problem.contact_blocks[0].set(0, contact);
  problem.contacts = 1;
  struct Wanted {
    AnyLaw law;
    double complementarity, painleve;
  };
  const Wanted wanted[] = {{Frictionless{}, 0.05, 0},
                           {Coulomb{0.6}, 0.2 + 0.6 * 0.3 - 0.15, 0.3},
                           {MaxDissipation{0.6}, 0.2, 0.3},
                           {ConeComplementarity{0.6}, 0.05, 0.3},
                           {Polyhedral{0.6, 4}, 0.2 + 0.6 * 0.3 - 0.15, 0.3}};
  for (const Wanted& each : wanted) {
    problem.laws = {each.law};
    const ContactCertificate c = ContactCertifier(problem)(problem.contact_blocks[0], 0);
    EXPECT_NEAR(c.complementarity_violation, each.complementarity, 1e-15) << each.law.index();
    EXPECT_NEAR(c.painleve_number, each.painleve, 1e-15) << each.law.index();
    EXPECT_NEAR(c.cone_violation, each.law.index() == 0 ? 0.5 : 0, 1e-15) << each.law.index();
  }
}

}  // namespace
}  // namespace scree

#include "scree/solvers/contact_certificate.hpp"

#include <cmath>

#include "scree/contact/tangents.hpp"
#include "solvers/kernels/full_kernels.hpp"
#include "solvers/kernels/turning_blocks.hpp"

namespace scree {
namespace {

/// A contact of spheres as its law sees it.
struct SphereContact {
  Vec3 n, percussion;  ///< inertial frame
  Vec3 u, r;           ///< in the frame of the contact, bias included
  SymMat3 W;
  Coulomb law;

  SphereContact(const ContactProblem& problem, const DiagonalBlock& block, int k)
      : n{block.normal[0][k], block.normal[1][k], block.normal[2][k]},
        percussion{block.percussion[0][k], block.percussion[1][k], block.percussion[2][k]},
        law{block.friction[k]} {
    const BodyRecord &a = problem.bodies[block.a[k]], &b = problem.bodies[block.b[k]];
    const Vec3 velocity = relative_velocity(a, b);
    Vec3 t1, t2;
    tangents(n, t1, t2);
    u = {dot(velocity, n) + block.bias[k], dot(velocity, t1), dot(velocity, t2)};
    r = {dot(percussion, n), dot(percussion, t1), dot(percussion, t2)};
    const double w_n = a.inverse_mass + b.inverse_mass,
                 w_t = w_n + a.inverse_inertia + b.inverse_inertia;
    W = diagonal(w_n, w_t, w_t);
  }

  /// Without the bias, inertial frame [m/s].
  Vec3 relative_velocity(const BodyRecord& a, const BodyRecord& b) const {
    return b.velocity - a.velocity - cross(a.spin + b.spin, n);
  }
};

}  // namespace

ContactVerdict verdict_of(const ContactProblem& problem, const DiagonalBlock& block, int lane) {
  const SphereContact c(problem, block, lane);
  return {c.law.residual(c.W, c.u, c.r), c.law.classify(c.r),
          std::abs(dot(c.r, c.law.complementary_velocity(c.u)))};
}

ContactVerdict verdict_of(const ContactProblem& problem, const FullBlock& block, int lane) {
  const FullContact c = block.contact(lane);
  const Vec3 u = kernels::relative_velocity(problem, c);
  const double turning = kernels::turning_residual(problem, block, lane);
  return std::visit(
      [&](const auto& law) {
        const double residual = law.residual(c.W, u, c.percussion);
        return ContactVerdict{std::hypot(residual, turning), law.classify(c.percussion),
                              std::abs(dot(c.percussion, law.complementary_velocity(u)))};
      },
      problem.laws[c.law]);
}

namespace {

/// Adds what rows of turning, if there are any, do to the certificate of their contact.
void add_turning(const kernels::TurningContact& turning, std::span<const BodyRecord> bodies,
                 std::span<const BodyRecord> mean, ContactCertificate& certificate) {
  const Vec3 &p = turning.percussion(), w = turning.velocity(bodies) + turning.bias();
  certificate.residual = std::hypot(certificate.residual, turning.residual(bodies));
  certificate.cone_violation = std::hypot(certificate.cone_violation, norm(p - turning.project(p)));
  certificate.complementarity_violation += turning.violation(w);
  certificate.dissipated_energy -= dot(p, turning.velocity(mean));
}

}  // namespace

ContactCertifier::ContactCertifier(const ContactProblem& problem)
    : problem_(problem), mean_(problem.bodies) {
  for (std::uint32_t i = 0; i < problem.free_bodies; ++i) mean_[i].velocity -= 0.5 * problem.gain;
  for (std::uint32_t i = 0; i < problem.own_gain.size(); ++i) {
    mean_[i].velocity -= 0.5 * problem.own_gain[i].velocity;
    mean_[i].spin -= 0.5 * problem.own_gain[i].spin;
  }
  kernels::add_percussions(problem, -0.5, mean_);
}

ContactCertificate ContactCertifier::operator()(const DiagonalBlock& block, int lane) const {
  const SphereContact c(problem_, block, lane);
  const Vec3 mean = c.relative_velocity(mean_[block.a[lane]], mean_[block.b[lane]]);
  const auto number = static_cast<std::size_t>(&block - problem_.blocks.data());
  const double attraction = kernels::attraction_of(problem_.attraction, number, lane);
  return certificate_of(c.law, c.W, c.u, c.r,
                        -dot(c.percussion, mean) + attraction * dot(c.n, mean));
}

ContactCertificate ContactCertifier::operator()(const FullBlock& block, int lane) const {
  const FullContact c = block.contact(lane);
  const Vec3 u = kernels::relative_velocity(problem_, c),
             mean = kernels::relative_velocity(std::span(mean_), c);
  const auto number = static_cast<std::size_t>(&block - problem_.full.data());
  const double attraction = kernels::attraction_of(problem_.full_attraction, number, lane);
  ContactCertificate certificate = std::visit(
      [&](const auto& law) {
        return certificate_of(law, c.W, u, c.percussion,
                              -dot(c.percussion, mean) + attraction * mean.x);
      },
      problem_.laws[c.law]);
  if (block.turning != FullBlock::kNone)
    add_turning({problem_, block, lane}, problem_.bodies, mean_, certificate);
  return certificate;
}

}  // namespace scree

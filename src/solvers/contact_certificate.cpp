/// Certificates of single contacts of a ContactProblem.
#include "scree/solvers/contact_certificate.hpp"

#include <cmath>

#include "scree/solvers/tangents.hpp"
#include "solvers/kernels/contact_kernels.hpp"
#include "solvers/kernels/rolling_blocks.hpp"

namespace scree {
namespace {

/// A contact of spheres in its own frame, as laws need it.
struct SphereContact {
  Vec3 n, impulse;  ///< inertial frame
  Vec3 u, r;        ///< in the frame of the contact, bias included
  SymMat3 W;
  Coulomb law;

  SphereContact(const ContactProblem& problem, const SphereContactBlock& block, int k)
      : n{block.normal[0][k], block.normal[1][k], block.normal[2][k]},
        impulse{block.impulse[0][k], block.impulse[1][k], block.impulse[2][k]},
        law{block.friction[k]} {
    const BodyRecord &a = problem.bodies[block.a[k]], &b = problem.bodies[block.b[k]];
    const Vec3 velocity = relative_velocity(a, b);
    Vec3 t1, t2;
    tangents(n, t1, t2);
    u = {dot(velocity, n) + block.bias[k], dot(velocity, t1), dot(velocity, t2)};
    r = {dot(impulse, n), dot(impulse, t1), dot(impulse, t2)};
    const double w_n = a.inverse_mass + b.inverse_mass,
                 w_t = w_n + a.inverse_inertia + b.inverse_inertia;
    W = diagonal(w_n, w_t, w_t);
  }

  /// Relative velocity without the bias, inertial frame [m/s].
  Vec3 relative_velocity(const BodyRecord& a, const BodyRecord& b) const {
    return b.velocity - a.velocity - cross(a.spin + b.spin, n);
  }
};

template <class Law>
ContactVerdict verdict_of(const Law& law, const SymMat3& W, const Vec3& u, const Vec3& r) {
  return {contact_residual(law, W, u, r), law.classify(r),
          std::abs(dot(r, law.complementary_velocity(u))), norm(r),
          natural_map_step(W) * norm(law.residual(W, u, r))};
}

}  // namespace

ContactVerdict verdict_of(const ContactProblem& problem, const SphereContactBlock& block,
                          int lane) {
  const SphereContact c(problem, block, lane);
  return verdict_of(c.law, c.W, c.u, c.r);
}

ContactVerdict verdict_of(const ContactProblem& problem, const ContactBlock& block, int lane) {
  const ContactRows c = block.contact(lane);
  const Vec3 u = kernels::relative_velocity(problem, c);
  const double rolling = kernels::rolling_residual(problem, block, lane);
  return std::visit(
      [&](const auto& law) {
        ContactVerdict verdict = verdict_of(law, c.W, u, c.impulse);
        verdict.residual = std::hypot(verdict.residual, rolling);
        return verdict;
      },
      problem.laws[c.law]);
}

namespace {

/// Adds the rolling rows of a contact to its certificate.
void add_rolling(const kernels::RollingContact& rolling, std::span<const BodyRecord> bodies,
                 std::span<const BodyRecord> mean, ContactCertificate& certificate) {
  const Vec3 &p = rolling.impulse(), w = rolling.velocity(bodies) + rolling.bias();
  certificate.residual = std::hypot(certificate.residual, rolling.residual(bodies));
  certificate.cone_violation = std::hypot(certificate.cone_violation, norm(p - rolling.project(p)));
  certificate.complementarity_violation += rolling.violation(w);
  certificate.dissipated_energy -= dot(p, rolling.velocity(mean));
}

}  // namespace

ContactCertifier::ContactCertifier(const ContactProblem& problem)
    : problem_(problem), mean_(problem.bodies) {
  for (std::uint32_t i = 0; i < problem.free_bodies; ++i)
    mean_[i].velocity -= 0.5 * problem.increment;
  for (std::uint32_t i = 0; i < problem.own_increment.size(); ++i) {
    mean_[i].velocity -= 0.5 * problem.own_increment[i].velocity;
    mean_[i].spin -= 0.5 * problem.own_increment[i].spin;
  }
  kernels::add_impulses(problem, -0.5, mean_);
}

ContactCertificate ContactCertifier::operator()(const SphereContactBlock& block, int lane) const {
  const SphereContact c(problem_, block, lane);
  const Vec3 mean = c.relative_velocity(mean_[block.a[lane]], mean_[block.b[lane]]);
  const auto number = static_cast<std::size_t>(&block - problem_.blocks.data());
  const double cohesion = kernels::cohesion_of(problem_.cohesion, number, lane);
  return certificate_of(c.law, c.W, c.u, c.r, -dot(c.impulse, mean) + cohesion * dot(c.n, mean));
}

ContactCertificate ContactCertifier::operator()(const ContactBlock& block, int lane) const {
  const ContactRows c = block.contact(lane);
  const Vec3 u = kernels::relative_velocity(problem_, c),
             mean = kernels::relative_velocity(std::span(mean_), c);
  const auto number = static_cast<std::size_t>(&block - problem_.contact_blocks.data());
  const double cohesion = kernels::cohesion_of(problem_.contact_cohesion, number, lane);
  ContactCertificate certificate = std::visit(
      [&](const auto& law) {
        return certificate_of(law, c.W, u, c.impulse, -dot(c.impulse, mean) + cohesion * mean.x);
      },
      problem_.laws[c.law]);
  if (block.rolling != ContactBlock::kNone)
    add_rolling({problem_, block, lane}, problem_.bodies, mean_, certificate);
  return certificate;
}

}  // namespace scree

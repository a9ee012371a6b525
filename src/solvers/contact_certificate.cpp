#include "scree/solvers/contact_certificate.hpp"

#include <cmath>

#include "scree/contact/tangents.hpp"
#include "solvers/kernels/full_kernels.hpp"

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
  return {c.law.residual(c.W, c.u, c.r), c.law.classify(c.r)};
}

ContactVerdict verdict_of(const ContactProblem& problem, const FullContact& c) {
  const Vec3 u = kernels::relative_velocity(problem, c);
  return std::visit(
      [&](const auto& law) {
        return ContactVerdict{law.residual(c.W, u, c.percussion), law.classify(c.percussion)};
      },
      problem.laws[c.law]);
}

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
  return certificate_of(c.law, c.W, c.u, c.r, -dot(c.percussion, mean));
}

ContactCertificate ContactCertifier::operator()(const FullContact& c) const {
  const Vec3 u = kernels::relative_velocity(problem_, c),
             mean = kernels::relative_velocity(std::span(mean_), c);
  return std::visit(
      [&](const auto& law) {
        return certificate_of(law, c.W, u, c.percussion, -dot(c.percussion, mean));
      },
      problem_.laws[c.law]);
}

}  // namespace scree

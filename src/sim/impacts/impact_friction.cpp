// Friction of an expansion, for given normal impulses.
#include <algorithm>
#include <cmath>

#include "laws/tresca.hpp"
#include "sim/impacts/impact_contacts.hpp"
#include "sim/impacts/impacts.hpp"
#include "solvers/methods/coloured_chunks.hpp"

namespace scree {
namespace {

/// Nearest vector in the disc.
Vec3 in_disc(const Vec3& v, double limit) {
  const double length = norm(v);
  return length > limit ? limit / length * v : v;
}

/// Gauss–Seidel sweeps over friction and rolling friction, for given normal impulses.
class FrictionSweeps {
 public:
  explicit FrictionSweeps(StepContext& c) : c_(c), problem_(c.scratch.problem) {}

  void sweep() {
    const auto spheres = [&](std::uint32_t chunk) {
      relax(problem_.blocks, problem_.chunks[chunk],
            [&](SphereContactBlock& block, int k) { relax_spheres(block, k); });
    };
    const auto full = [&](std::uint32_t chunk) {
      relax(problem_.contact_blocks, problem_.contact_chunks[chunk],
            [&](ContactBlock& block, int k) { relax_full(block, k); });
    };
    const auto rolling = [&](std::uint32_t chunk) {
      relax_rolling(problem_.rolling_chunks[chunk]);
    };
    for_each_group(problem_, GroupOrder::forward, c_.pool, spheres, full, rolling);
  }

  /// Tangential part of contact_residual(): |r_t − P(r_t − ρ u_t)| / ρ with ρ = 3 / trace W, P on
  /// the disc; and the residual of rolling rows [m/s].
  double residual(std::size_t k) const {
    const ImpactContacts contacts(problem_);
    const Vec3 n = contacts.normal(k), r = contacts.impulse(k),
               u = contacts.velocity(k, problem_.bodies);
    const double r_n = dot(r, n);
    if (!(r_n > 0)) return 0;
    const double rho = step_of(contacts, k), mu = friction(contacts, k);
    const Vec3 r_t = r - r_n * n, u_t = u - dot(u, n) * n;
    const double of_slip =
        tangential_weight(mu) * norm(r_t - in_disc(r_t - rho * u_t, mu * r_n)) / rho;
    const auto rolling = contacts.rolling(k);
    return rolling ? std::hypot(of_slip, rolling->residual(problem_.bodies)) : of_slip;
  }
  /// See ContactVerdict; of a contact with this residual, without rolling rows [N s].
  double unsolved_impulse(std::size_t k, double residual) const {
    const ImpactContacts contacts(problem_);
    return step_of(contacts, k) * residual / tangential_weight(friction(contacts, k));
  }

 private:
  template <class Blocks, class Relax>
  void relax(Blocks& blocks, const Chunk& chunk, const Relax& relax_lane) {
    for (std::uint32_t b = chunk.begin; b < chunk.end; ++b)
      for (int k = 0; k < kBlock; ++k)
        if (holds_contact(blocks[b], static_cast<std::size_t>(k), problem_.at_rest()))
          relax_lane(blocks[b], k);
  }

  void relax_spheres(SphereContactBlock& block, int k) {
    const Vec3 n{block.normal[0][k], block.normal[1][k], block.normal[2][k]},
        r{block.impulse[0][k], block.impulse[1][k], block.impulse[2][k]};
    const double r_n = dot(r, n);
    if (!(r_n > 0)) return;
    const BodyRecord &a = problem_.bodies[block.a[k]], &b = problem_.bodies[block.b[k]];
    const double w_t = a.inverse_mass + b.inverse_mass + a.inverse_inertia + b.inverse_inertia;
    const Vec3 u = b.velocity - a.velocity - cross(a.spin + b.spin, n);
    const Vec3 stick = r - r_n * n - (u - dot(u, n) * n) / w_t;
    const Vec3 after = r_n * n + in_disc(stick, block.friction[k] * r_n);
    kernels::add_impulse(problem_.bodies, problem_.free_bodies, block, k, after - r);
    for (int axis = 0; axis < 3; ++axis) block.impulse[axis][k] = after[axis];
  }

  void relax_full(ContactBlock& block, int k) {
    const ContactRows contact = block.contact(k);
    const Vec3& r = contact.impulse;
    if (!(r.x > 0)) return;
    const Vec3 u =
        kernels::relative_velocity(std::span<const BodyRecord>(problem_.bodies), contact);
    const Vec3 after = tresca_friction(contact.W, u - contact.W * r, r.x, mu_of(block.law) * r.x);
    kernels::add_impulse(problem_.bodies, problem_.free_bodies, contact, after - r);
    for (int axis = 0; axis < 3; ++axis) block.impulse[axis][k] = after[axis];
  }

  void relax_rolling(const Chunk& chunk) {
    double change[kBlock] = {};
    kernels::kernels_of(c_.pool.instruction_set())
        .relax_rolling(problem_.contact_blocks.data(), &problem_.rolling[chunk.begin],
                       problem_.rolling.data() + chunk.end, problem_.bodies.data(),
                       problem_.free_bodies, change);
  }

  double mu_of(std::uint32_t law) const {
    return std::visit([](const auto& l) { return friction_coefficient(l); }, problem_.laws[law]);
  }
  double friction(const ImpactContacts& contacts, std::size_t k) const {
    if (contacts.is_of_spheres(k)) return problem_.blocks[k / kBlock].friction[k % kBlock];
    return mu_of(problem_.contact_blocks[k / kBlock - problem_.blocks.size()].law);
  }
  double step_of(const ImpactContacts& contacts, std::size_t k) const {
    if (!contacts.is_of_spheres(k)) {
      const ContactBlock& block = problem_.contact_blocks[k / kBlock - problem_.blocks.size()];
      return natural_map_step(block.contact(static_cast<int>(k % kBlock)).W);
    }
    const BodyRecord &a = problem_.bodies[contacts.a(k)], &b = problem_.bodies[contacts.b(k)];
    return 3 /
           (3 * (a.inverse_mass + b.inverse_mass) + 2 * (a.inverse_inertia + b.inverse_inertia));
  }

  StepContext& c_;
  ContactProblem& problem_;
};

}  // namespace

SolveResult solve_friction(StepContext& c) {
  const SolverSettings& settings = c.model.solver;
  const ImpactContacts contacts(c.scratch.problem);
  // The normal impulses are given: the speeds that they give to the bodies set the scale.
  const double squared_rebound = sum_over_impact_contacts(c, [&](std::size_t k, const auto&) {
    const double r_n = dot(contacts.impulse(k), contacts.normal(k));
    return r_n > 0 ? std::pow(contacts.normal_delassus(k) * r_n, 2) : 0.0;
  });
  const ResidualScale scale{std::sqrt(squared_rebound), c.scratch.problem.rounding};

  const auto hold_joints = [&] {
    if (!c.scratch.problem.joints.empty())
      c.scratch.solver.joints().solve_rows(c.scratch.problem, c.pool);
  };
  FrictionSweeps friction(c);
  SolveResult result;
  hold_joints();
  while (!result.converged && result.sweeps < settings.max_sweeps) {
    friction.sweep();
    hold_joints();
    ++result.sweeps;
    result.certificate.error = std::sqrt(sum_over_impact_contacts(
        c, [&](std::size_t k, const auto&) { return std::pow(friction.residual(k), 2); }));
    result.certificate.residual = scale.scaled(result.certificate.error);
    result.converged = result.certificate.residual <= settings.tolerance;
  }
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    if (!contacts.holds(k)) continue;
    const double residual = friction.residual(k);
    double& worst = result.certificate.worst_residual;
    worst = std::max(worst, residual);
    auto& impact = c.scratch.phases.contacts[k];
    impact.residual = std::max(impact.residual, residual);
    impact.unsolved_impulse =
        std::max(impact.unsolved_impulse, friction.unsolved_impulse(k, residual));
  }
  c.report.sweeps += result.sweeps;
  return result;
}

}  // namespace scree

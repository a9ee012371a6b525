#include <algorithm>

#include "scree/solvers/factored_problem.hpp"
#include "sim/cell/cell.hpp"
#include "sim/motion/motion.hpp"
#include "sim/overlaps/overlaps.hpp"
#include "solvers/kernels/contact_kernels.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

const Finding kGrowing("contacts_growing_penetration");

}  // namespace

void count_growing_penetration(StepContext& c) {
  const Scratch& s = c.scratch;
  const ContactProblem& problem = s.problem;
  const std::size_t of_spheres = kBlock * problem.blocks.size();
  for (const ContactIndex k : contacts_of(problem)) {
    const double gap = k < of_spheres ? double{s.gap[k]} : s.full_point(k - of_spheres).gap;
    const ContactRows contact = contact_rows(problem, k);
    const BodyIndex a = contact.a, b = contact.b;
    const double radius = b < problem.free_bodies
                              ? std::min(inscribed_radius(c, a), inscribed_radius(c, b))
                              : inscribed_radius(c, a);
    if (!(gap < -kDeepOverlap * radius)) continue;
    double u_n = kernels::relative_velocity(std::span<const BodyRecord>(problem.bodies), contact).x;
    if (b < problem.free_bodies) u_n += dot(contact.axis[0], flow_between(c, a, b));
    const double w_n = dot(contact.axis[0], s.pseudo_velocity(b) - s.pseudo_velocity(a)) +
                       dot(contact.jw_a[0], s.pseudo_spin(a)) +
                       dot(contact.jw_b[0], s.pseudo_spin(b));
    // Growth that pseudo-velocities pass on from other overlaps is not counted.
    const bool by_velocities = u_n < w_n;
    if (by_velocities && c.model.step.h * (u_n + w_n) < -kGrowthRounding * radius)
      ++c.report[kGrowing].value;
  }
}

}  // namespace scree

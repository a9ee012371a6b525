#include <algorithm>

#include "scree/solvers/factored_problem.hpp"
#include "sim/step.hpp"
#include "solvers/kernels/full_kernels.hpp"

namespace scree {

void count_driven_deeper(StepContext& c) {
  constexpr double kRounding = 1e-9;  // of the radius, a step
  const Scratch& s = c.scratch;
  const ContactProblem& problem = s.problem;
  const std::size_t of_spheres = kBlock * problem.blocks.size();
  for (const ContactIndex k : contacts_of(problem)) {
    const double gap = k < of_spheres ? double{s.gap[k]} : s.full_point(k - of_spheres).gap;
    const FullContact contact = full_contact(problem, k);
    const BodyIndex a = contact.a, b = contact.b;
    const double radius = b < problem.free_bodies ? std::min(inner_radius(c, a), inner_radius(c, b))
                                                  : inner_radius(c, a);
    if (!(gap < -kDeepOverlap * radius)) continue;
    double u_n = kernels::relative_velocity(std::span<const BodyRecord>(problem.bodies), contact).x;
    if (b < problem.free_bodies) u_n += dot(contact.axis[0], flow_between(c, a, b));
    const double w_n = dot(contact.axis[0], s.push_velocity(b) - s.push_velocity(a)) +
                       dot(contact.turn_a[0], s.push_spin(a)) +
                       dot(contact.turn_b[0], s.push_spin(b));
    // What pushes share out among overlaps is not counted.
    const bool by_velocities = u_n < w_n;
    c.report.contacts_driven_deeper +=
        by_velocities && c.model.step.h * (u_n + w_n) < -kRounding * radius;
  }
}

}  // namespace scree

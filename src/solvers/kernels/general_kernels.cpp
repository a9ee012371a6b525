#include "solvers/kernels/general_kernels.hpp"

#include <span>

namespace scree::kernels {
namespace {

/// Contacts of one group, as runs of equal law: f(law, contacts).
template <class Problem, class F>
void for_each_law(Problem& problem, std::uint32_t group, F&& f) {
  const auto all = std::span(problem.general);
  const std::uint32_t end = problem.first_general[group + 1];
  for (std::uint32_t begin = problem.first_general[group]; begin < end;) {
    std::uint32_t stop = begin + 1;
    while (stop < end && all[stop].law == all[begin].law) ++stop;
    std::visit([&](const auto& law) { f(law, all.subspan(begin, stop - begin)); }, problem.laws[all[begin].law]);
    begin = stop;
  }
}

}  // namespace

void push(const ContactProblem& problem, std::span<BodyRecord> bodies, BodyIndex i, const Vec3& arm,
          const Vec3& impulse) {
  if (i >= problem.free_bodies) return;
  bodies[i].velocity += bodies[i].inverse_mass * impulse;
  bodies[i].spin += problem.scaled_inverse_inertia(i) * cross(arm, impulse);
}

void add_percussion(ContactProblem& problem, const GeneralContact& c, const Vec3& d) {
  push(problem, problem.bodies, c.a, c.arm_a, -d);
  push(problem, problem.bodies, c.b, c.arm_b, d);
}

void add_percussions(const ContactProblem& problem, double factor, std::span<BodyRecord> bodies) {
  for (const DiagonalBlock& block : problem.blocks)
    for (int k = 0; k < kBlock; ++k) {
      const Vec3 n{block.normal[0][k], block.normal[1][k], block.normal[2][k]};
      const Vec3 d = factor * Vec3{block.percussion[0][k], block.percussion[1][k], block.percussion[2][k]};
      push(problem, bodies, block.a[k], n, -d);
      push(problem, bodies, block.b[k], -n, d);
    }
  for (const GeneralContact& c : problem.general) {
    const Vec3 d = factor * c.to_inertial(c.percussion);
    push(problem, bodies, c.a, c.arm_a, -d);
    push(problem, bodies, c.b, c.arm_b, d);
  }
}

Vec3 relative_velocity(std::span<const BodyRecord> bodies, const GeneralContact& c) {
  const BodyRecord &a = bodies[c.a], &b = bodies[c.b];
  return c.to_frame(b.velocity + cross(b.spin, c.arm_b) - a.velocity - cross(a.spin, c.arm_a));
}

Vec3 relative_velocity(const ContactProblem& problem, const GeneralContact& c) {
  Vec3 u = relative_velocity(std::span(problem.bodies), c);
  u.x += c.bias;
  return u;
}

void apply_general(ContactProblem& problem, std::uint32_t group) {
  for (std::uint32_t k = problem.first_general[group]; k < problem.first_general[group + 1]; ++k)
    add_percussion(problem, problem.general[k], problem.general[k].to_inertial(problem.general[k].percussion));
}

double relax_general(ContactProblem& problem, std::uint32_t group) {
  double change = 0;
  for_each_law(problem, group, [&](const auto& law, std::span<GeneralContact> contacts) {
    for (GeneralContact& c : contacts) {
      const Vec3 u = relative_velocity(problem, c);
      Vec3 r = c.percussion;
      law.solve(c.W, u - c.W * r, r);
      const Vec3 d = r - c.percussion;
      add_percussion(problem, c, c.to_inertial(d));
      c.percussion = r;
      change += c.W.trace() * c.W.trace() * squared_norm(d);
    }
  });
  return change;
}

void certify_general(const ContactProblem& problem, double limit, Certificate& certificate, double& sum,
                     double& largest) {
  for (std::uint32_t group = 0; group < problem.groups(); ++group)
    for_each_law(problem, group, [&](const auto& law, std::span<const GeneralContact> contacts) {
      for (const GeneralContact& c : contacts) {
        const Vec3 u = relative_velocity(problem, c);
        const double e = law.residual(c.W, u, c.percussion);
        sum += e * e;
        largest = std::max(largest, e * e);
        certificate.over_tolerance += e * e > limit;
        certificate.bias_work -= c.bias * c.percussion.x;
        const ContactClass kind = law.classify(c.percussion);
        certificate.loaded += kind != ContactClass::separating;
        certificate.sliding += kind == ContactClass::sliding;
        Vec3 r;
        certificate.local_failures += law.solve(c.W, u - c.W * c.percussion, r) != LocalStatus::solved;
      }
    });
}

}  // namespace scree::kernels
